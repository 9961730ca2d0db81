"""The capabilities of each deployed provider, which the infrastructure reads from the providers' declarations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shared.json_types import JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderCapabilities:
    """The part of a `ProviderSpec` that decides which requests a provider gets."""

    operations: Mapping[str, Sequence[str]]
    lookup_names: int = 100
    match_citations: int = 1
    match_titles: int = 1
    finds_misspelt: bool = False
    requests_per_second: float = 1.0
    translates: bool = False
    tracks_integrity: bool = False
    disciplines: Sequence[str] = ()


def read_capabilities(entries: Mapping[str, JsonObject]) -> dict[str, ProviderCapabilities]:
    """The capabilities by provider name; an entry also has `function`, the Lambda function's name."""
    return {name: _capabilities(entry) for name, entry in entries.items()}


def _capabilities(entry: JsonObject) -> ProviderCapabilities:
    fields: dict[str, Any] = {name: value for name, value in entry.items() if name != "function"}
    return ProviderCapabilities(**fields)  # the infrastructure writes its fields
