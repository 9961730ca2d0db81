"""What each provider of a deployment can be asked, as the infrastructure declares it from the providers' own files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderCapabilities:
    """What a provider declares of itself that decides what it is asked (`ProviderSpec` says what each means)."""

    operations: Mapping[str, Sequence[str]]
    lookup_names: int = 100
    match_citations: int = 1
    match_titles: int = 1
    requests_per_second: float = 1.0
    translates: bool = False
    tracks_integrity: bool = False
    disciplines: Sequence[str] = ()


def read_capabilities(entries: Mapping[str, Mapping[str, Any]]) -> dict[str, ProviderCapabilities]:
    """The abilities of each provider by its name; an entry also has `function`, the Lambda function's name."""
    return {
        name: ProviderCapabilities(**{key: value for key, value in entry.items() if key != "function"})
        for name, entry in entries.items()
    }
