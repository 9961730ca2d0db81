"""The part of a provider's declaration that decides which requests it gets, and the variable that holds it.

The infrastructure writes the variable from the declarations in `functions/providers`.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from shared.canonical_json import compact_json
from shared.compression import decompressed, smallest
from shared.json_types import JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderCapabilities:
    """The part of a `ProviderSpec` that decides which requests a provider gets."""

    disciplines: Collection[str] = ()  # any, biomedical, computing, humanities
    # Each operation it offers -> the id schemes (`shared.bibliography.paper_ids`) that it accepts, the best first.
    operations: Mapping[str, Sequence[str]]
    requests_per_second: float = 1.0
    lookup_names: int = 100  # at most, in one lookup
    match_citations: int = 1  # at most, in one match
    match_titles: int = 1  # searches titles as well in a match of at most this many citations
    finds_misspelt: bool = False  # of several titles only those as written, of a single one the most similar as well
    translates: bool = False  # knows a paper by the ids of all other providers, and returns them
    tracks_integrity: bool = False  # records retractions, so that a paper without one is not retracted
    optional: bool = False  # searched only when a request names it
    registry: bool = False  # an optional one that looks up what no other provider has, also if no request names it


def capabilities_entry(declared: ProviderCapabilities) -> JsonObject:
    """One provider in the variable, as JSON: what every provider declares, the rest where it is not the default."""
    entry: dict[str, Any] = {
        "disciplines": sorted(declared.disciplines),
        "operations": {operation: list(schemes) for operation, schemes in sorted(declared.operations.items())},
        "requests_per_second": declared.requests_per_second,
    }
    others = [it for it in fields(ProviderCapabilities) if it.name not in entry]
    return entry | {it.name: value for it in others if (value := getattr(declared, it.name)) != it.default}


def packed_capabilities(entries: Mapping[str, JsonObject]) -> str:
    """The capabilities as text for an environment variable, compressed: Lambda allows 4 kB for all of a function's."""
    return base64.b64encode(smallest(compact_json(entries).encode())).decode()


def read_capabilities(packed: str) -> dict[str, ProviderCapabilities]:
    """The capabilities by provider name that `packed_capabilities` wrote."""
    entries: dict[str, dict[str, Any]] = json.loads(decompressed(base64.b64decode(packed)))
    return {name: ProviderCapabilities(**entry) for name, entry in entries.items()}


def integrity_trackers(capabilities: Mapping[str, ProviderCapabilities]) -> frozenset[str]:
    """The providers that record retractions."""
    return frozenset(name for name, it in capabilities.items() if it.tracks_integrity)


def searched_disciplines(capabilities: Mapping[str, ProviderCapabilities]) -> dict[str, Sequence[str]]:
    """The disciplines of each provider that can be searched."""
    return {name: sorted(it.disciplines) for name, it in capabilities.items() if "search" in it.operations}
