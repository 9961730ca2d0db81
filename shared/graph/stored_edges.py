"""The edges of one paper as they are stored: in its lists of references, in items by cited id, or in the old form.

The references of a paper are read from its lists, the papers that cite it from the items of its ids. Before lists were
packed, every edge was an item of the citing paper with a copy in the index; where there are such items, they are
read as well.
"""

from __future__ import annotations

from collections.abc import Set
from functools import cached_property
from typing import Literal

from shared.graph.identity import Node
from shared.graph.items import (
    CITED,
    EDGE,
    KEY_ATTRIBUTES,
    REFERENCES,
    EdgeId,
    Item,
    Key,
    edge_in,
    edges_in_list,
    paper_item_key,
)
from shared.graph.pages import MergedPartitions, ReadableTable, after, whole_range

Direction = Literal["cites", "cited_by"]


class StoredEdges:
    """The edges of a paper in one direction."""

    def __init__(self, table: ReadableTable, direction: Direction, own: Node) -> None:
        self._table, self._cites, self._own = table, direction == "cites", own

    def other_end(self, edge: EdgeId) -> str:
        """The cited id, or the canonical key of the citing paper: edges are listed in its order."""
        return edge.target if self._cites else edge.source

    def next_ends(self, position: str, count: int) -> tuple[list[str], bool]:
        """The other ends after a position, at most so many, in order; and whether there may be more."""
        pages = [self._listedafter(position) if self._cites else self._page(self._citing, position, count)]
        if self._has_old:
            pages.append(self._page(self._old, position, count))
        # Beyond the last end of a page with more, other pages may have ends that come later.
        bounds = [ends[-1] for ends, more in pages if more]
        ends = sorted({end for ends, _ in pages for end in ends if not bounds or end <= min(bounds)})
        return ends[:count], bool(bounds) or len(ends) > count

    def existing(self, edges: Set[EdgeId]) -> Set[EdgeId]:
        """Those of the edges that are stored."""
        found = edges & self._listed if self._cites else self._read({edge.key: edge for edge in edges})
        return found | (self._read({edge.old_key: edge for edge in edges - found}) if self._has_old else frozenset())

    def _read(self, edges: dict[Key, EdgeId]) -> Set[EdgeId]:
        return {edges[key] for key in self._table.read(edges, KEY_ATTRIBUTES)}

    def _page(self, partitions: MergedPartitions, position: str, count: int) -> tuple[list[str], bool]:
        found, more = partitions.next_page(self._table, position, count)
        return [end for end, _ in found], more

    def _listedafter(self, position: str) -> tuple[list[str], bool]:
        return [edge.target for edge in self._listed if edge.target > position], False

    @cached_property
    def _listed(self) -> frozenset[EdgeId]:
        """What the paper's lists of references state."""
        partitions = [paper_item_key(key)[0] for key in self._own.canonical_keys]
        lists = (item for name in partitions for item in whole_range(self._table, name, REFERENCES))
        return frozenset(edge for item in lists for edge in edges_in_list(item))

    @property
    def _citing(self) -> MergedPartitions:
        partitions = [f"{CITED}{name}" for name in self._own.ids]
        return MergedPartitions(
            partitions=partitions, index=False, prefix="paper#", upper=after("paper#"), position=self._position
        )

    @property
    def _old(self) -> MergedPartitions:
        if self._cites:
            partitions = [paper_item_key(key)[0] for key in self._own.canonical_keys]
            return MergedPartitions(
                partitions=partitions, index=False, prefix=EDGE, upper=after(EDGE), position=self._position
            )
        return MergedPartitions(
            partitions=self._own.ids, index=True, prefix="paper#", upper=after("paper#"), position=self._position
        )

    @cached_property
    def _has_old(self) -> bool:
        """Whether any edge of the paper is stored in the old form."""
        old = self._old
        queries = (self._table.query(name, old.prefix, old.upper, 1, index=old.index) for name in old.partitions)
        return any(items for items, _ in queries)

    def _position(self, item: Item) -> str:
        return self.other_end(edge_in(item))
