"""Which functions there are: the folder `functions/providers` is the list of providers."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from shared.provider import ProviderSpec

PROVIDERS = Path(__file__).parents[1] / "functions" / "providers"


def provider_names() -> tuple[str, ...]:
    """The providers, by the names of their files."""
    return tuple(sorted(path.stem for path in PROVIDERS.glob("*.py") if path.stem != "__init__"))


def providers_for(operation: str) -> tuple[str, ...]:
    """The providers that offer an operation: `search`, `lookup`, `references`, `citations`, `match`."""
    return tuple(name for name in provider_names() if operation in provider_spec(name).operations)


def provider_spec(name: str) -> ProviderSpec:
    """A provider's declaration."""
    spec = import_module(f"functions.providers.{name}").SPEC
    if not isinstance(spec, ProviderSpec) or spec.name != name:
        raise TypeError(f"functions/providers/{name}.py must declare SPEC with the name {name!r}")
    return spec


def provider_entry(name: str, function: str) -> dict[str, Any]:
    """What the dispatcher is told of a provider, by its environment: its function, and what it can be asked."""
    spec = provider_spec(name)
    entry: dict[str, Any] = {
        "function": function,
        "disciplines": sorted(spec.disciplines),
        "operations": {operation: list(schemes) for operation, schemes in sorted(spec.operations.items())},
        "lookup_names": spec.lookup_names,
        "match_citations": spec.match_citations,
        "match_titles": spec.match_titles,
        "requests_per_second": spec.requests_per_second,
    }
    told = {"translates": spec.translates, "tracks_integrity": spec.tracks_integrity}
    return entry | {name: True for name, applies in told.items() if applies}
