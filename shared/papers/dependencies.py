"""What the routes about known papers depend on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shared.legs.leg import LegAnswer, LegWorld
from shared.providers.capabilities import ProviderCapabilities
from shared.search.publishing import Publish
from shared.search.result_sets import ResultSets


@dataclass(frozen=True, slots=True, kw_only=True)
class PapersWorld:
    """The outside world of one request about papers."""

    legs: LegWorld
    abilities: Mapping[str, ProviderCapabilities]
    result_sets: ResultSets
    # Of each name the graph's state of its paper (`GraphStore.known`); empty when the graph cannot be read.
    known: Callable[[Sequence[str]], Mapping[str, Mapping[str, Any] | None]]
    publish: Publish
    observe: Callable[[Sequence[LegAnswer]], None]
    monotonic: Callable[[], float]
    now: Callable[[], str]  # ISO 8601, UTC as `Z`
    request_id: str = ""

    @property
    def tracking(self) -> set[str]:
        """The providers that tell retracted papers from others."""
        return {name for name, ability in self.abilities.items() if ability.tracks_integrity}

    def offering(self, operation: str) -> dict[str, Sequence[str]]:
        """The providers that offer an operation, each with the schemes that it can be asked by."""
        return {
            name: ability.operations[operation]
            for name, ability in sorted(self.abilities.items())
            if operation in ability.operations
        }
