"""Which functions there are, and how long each may take: the folder `functions/providers` is the list of providers."""

from __future__ import annotations

import math
from importlib import import_module
from pathlib import Path
from typing import Any

from infra.tables import CITATIONS, DELIVERIES
from shared.providers.provider import ProviderSpec

# Which queue a function reads.
READS = {"citation_writer": CITATIONS, "deliverer": DELIVERIES}
# API Gateway waits no longer than 29 s; of a saved search, a run takes longer than that.
TIMEOUTS_S = {"dispatcher": 90, "mcp_server": 29}
# A leg ends by its own deadline; Lambda's is behind it, so that a late leg still tells what became of it.
LEG_GRACE_S = 2
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


def timeout_s(name: str) -> int:
    """How many seconds a function may take, by the name of its file or folder.

    One that reads a queue: a sixth of the time for which a message is hidden meanwhile, as AWS asks for.
    """
    if name in READS:
        return READS[name].visibility_timeout_s // 6
    return TIMEOUTS_S[name] if name in TIMEOUTS_S else math.ceil(provider_spec(name).timeout_s) + LEG_GRACE_S


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
