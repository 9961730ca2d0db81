"""The outside world of questions about known papers, and what each provider can be asked of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from shared.legs.leg import LegAnswer, LegWorld

if TYPE_CHECKING:
    from shared.search import ResultSets


@dataclass(frozen=True, slots=True, kw_only=True)
class Ability:
    """What a provider declares of itself that decides what it is asked (`ProviderSpec` says what each means)."""

    operations: Mapping[str, Sequence[str]]
    lookup_names: int = 100
    match_citations: int = 1
    match_titles: int = 1
    requests_per_second: float = 1.0
    translates: bool = False
    tracks_integrity: bool = False
    disciplines: Sequence[str] = ()


def read_abilities(entries: Mapping[str, Mapping[str, Any]]) -> dict[str, Ability]:
    """The abilities in what the infrastructure tells of each provider; its `function` is another's business."""
    return {
        name: Ability(**{key: value for key, value in entry.items() if key != "function"})
        for name, entry in entries.items()
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class PapersWorld:
    """The outside world of one request about papers."""

    legs: LegWorld
    abilities: Mapping[str, Ability]
    result_sets: ResultSets
    # Of each name the graph's state of its paper (`GraphStore.known`); empty when the graph cannot be read.
    known: Callable[[Sequence[str]], Mapping[str, Mapping[str, Any] | None]]
    publish: Callable[[Sequence[Mapping[str, Any]], Mapping[str, str] | None], Mapping[str, int]]
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
