"""What the operations on known papers depend on: providers, caches, the knowledge graph and clocks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shared.graph.stored_edges import Direction
from shared.legs.leg import LegAnswer, LegDependencies
from shared.providers.capabilities import ProviderCapabilities, integrity_trackers
from shared.search.publishing import Publish
from shared.search.result_sets.store import ResultSets

if TYPE_CHECKING:
    from shared.answers.graph import GraphPaper


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperDependencies:
    """The dependencies of one request about papers."""

    legs: LegDependencies
    capabilities: Mapping[str, ProviderCapabilities]
    result_sets: ResultSets
    # The graph's paper for each name, None for one that it does not have; empty when the graph cannot be read.
    known: Callable[[Sequence[str]], Mapping[str, GraphPaper | None]]
    publish: Publish
    observe: Callable[[Sequence[LegAnswer]], None]
    monotonic: Callable[[], float]
    now: Callable[[], str]  # ISO 8601, UTC as `Z`
    # The keys that the graph links with a paper, in one direction; None when it cannot be read.
    graph_edges: Callable[[Direction, str], Sequence[str] | None] = lambda *_: ()
    request_id: str = ""

    @property
    def tracking(self) -> frozenset[str]:
        """The providers that report retractions."""
        return integrity_trackers(self.capabilities)

    @property
    def not_optional(self) -> set[str]:
        """The providers that hold what a search finds."""
        return {name for name, capability in self.capabilities.items() if not capability.optional}

    def providers_supporting(self, operation: str) -> dict[str, Sequence[str]]:
        """The providers that support an operation, each with the id schemes that it accepts, the best first."""
        return {
            name: capability.operations[operation]
            for name, capability in sorted(self.capabilities.items())
            if operation in capability.operations
        }
