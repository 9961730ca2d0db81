"""Papers that the knowledge graph places near others by their citations.

co_citation             cited by the same papers   https://doi.org/10.1002/asi.4630240406
bibliographic_coupling  citing the same papers     https://doi.org/10.1002/asi.5090140103

A paper counts from SHARED common papers on: one alone is common to most of a field. At most LISTS lists are read for a
request, of up to a hundred papers each; a graph with more links is counted in part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from shared.graph.stored_edges import Direction

SHARED = 2
LISTS = 48
Relation = Literal["co_citation", "bibliographic_coupling"]
State = Literal["ok", "empty", "unavailable", "timeout"]
GraphEdges = Callable[[Direction, str], Sequence[str] | None]
# From a paper to the papers in common, and from those to its neighbours.
_WAYS: dict[Relation, tuple[Direction, Direction]] = {
    "co_citation": ("cited_by", "cites"), "bibliographic_coupling": ("cites", "cited_by"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class GraphNeighbours:
    """The keys of the neighbours with the number of papers in common, the most first; and how the graph was read."""

    found: dict[Relation, list[tuple[str, int]]]
    state: State


class _Unreadable(Exception):
    """The graph cannot be read."""


def graph_neighbours(
    like: Sequence[str], unlike: Sequence[str], edges: GraphEdges, is_over: Callable[[], bool]
) -> GraphNeighbours:
    """The neighbours of these papers, of which those of `unlike` are counted off; in part when the time is over."""
    reader = _Reader(edges, is_over, LISTS // (len(_WAYS) * (len(like) + len(unlike))))
    found: dict[Relation, list[tuple[str, int]]] = {}
    try:
        for relation, (there, back) in _WAYS.items():
            counts = reader.count(like, there, back)
            counts.subtract(reader.count(unlike, there, back))
            near = [(key, count) for key, count in counts.items() if count >= SHARED and key not in {*like, *unlike}]
            found[relation] = sorted(near, key=lambda it: (-it[1], it[0]))
    except _Unreadable:
        return GraphNeighbours(found, "unavailable")
    state: State = "timeout" if reader.is_cut else "ok" if any(found.values()) else "empty"
    return GraphNeighbours(found, state)


class _Reader:
    def __init__(self, edges: GraphEdges, is_over: Callable[[], bool], lists: int) -> None:
        """`lists`: how many papers in common with one paper are followed."""
        self._edges, self._is_over, self._lists = edges, is_over, lists
        self.is_cut = False

    def count(self, papers: Sequence[str], there: Direction, back: Direction) -> Counter[str]:
        """How many papers in common each neighbour has, over all these papers."""
        counts: Counter[str] = Counter()
        for paper in papers:
            for common in self._read(there, paper)[: self._lists]:
                counts.update(self._read(back, common))
        return counts

    def _read(self, direction: Direction, name: str) -> Sequence[str]:
        self.is_cut = self.is_cut or self._is_over()
        if self.is_cut:
            return ()
        linked = self._edges(direction, name)
        if linked is None:
            raise _Unreadable
        return linked
