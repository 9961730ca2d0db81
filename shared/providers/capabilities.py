"""The capabilities of each deployed provider, which the infrastructure reads from the providers' declarations."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shared.canonical_json import compact_json
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
    optional: bool = False
    registry: bool = False


def packed_capabilities(entries: Mapping[str, JsonObject]) -> str:
    """The capabilities as text for an environment variable: those of twelve providers are 1,700 bytes of JSON, and all
    variables of a function have 4 kB."""
    return base64.b64encode(zlib.compress(compact_json(entries).encode(), 9)).decode()


def read_capabilities(packed: str) -> dict[str, ProviderCapabilities]:
    """The capabilities by provider name that `packed_capabilities` wrote."""
    entries: dict[str, dict[str, Any]] = json.loads(zlib.decompress(base64.b64decode(packed)))
    return {name: ProviderCapabilities(**entry) for name, entry in entries.items()}


def searched_disciplines(capabilities: Mapping[str, ProviderCapabilities]) -> dict[str, Sequence[str]]:
    """The disciplines of each provider that can be searched."""
    return {name: it.disciplines for name, it in capabilities.items() if "search" in it.operations}
