"""The edges of one paper as they are stored: packed, or each as an item.

The references of a paper are read from its lists, the papers that cite it from the tree of cited ids. Ids that very
many papers cite have an item for each edge, as all edges had before the tree; and before lists were packed, every edge
was an item of the citing paper with a copy in the index. Where there are such items, they are read as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from functools import cached_property
from typing import Literal

from shared.graph.citing_tree import edges_to
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
        self._partitions = [paper_item_key(key)[0] for key in own.canonical_keys]

    def other_end(self, edge: EdgeId) -> str:
        """The cited id, or the canonical key of the citing paper: edges are listed in its order."""
        return edge.target if self._cites else edge.source

    def next_ends(self, position: str, count: int) -> tuple[list[str], bool]:
        """The other ends after a position, at most so many, in order; and whether there may be more."""
        pages = [([end for end in map(self.other_end, self._packed) if end > position], False)]
        for items, _ in self._items:
            found, more = items.next_page(self._table, position, count)
            pages.append(([end for end, _ in found], more))
        # Beyond the last end of a page with more, other pages may have ends that come later.
        bounds = [ends[-1] for ends, more in pages if more]
        ends = sorted({end for ends, _ in pages for end in ends if not bounds or end <= min(bounds)})
        return ends[:count], bool(bounds) or len(ends) > count

    def existing(self, edges: Set[EdgeId]) -> Set[EdgeId]:
        """Those of the edges that are stored."""
        found = edges & self._packed
        for _, key in self._items:
            keys = {key(edge): edge for edge in edges - found}
            found |= {keys[stored] for stored in self._table.read(keys, KEY_ATTRIBUTES, consistent=True)}
        return found

    @cached_property
    def _packed(self) -> frozenset[EdgeId]:
        """What the paper's lists of references state, or the tree of cited ids."""
        if not self._cites:
            return edges_to(self._table, self._own.ids)
        ranges = (whole_range(self._table, name, REFERENCES, after(REFERENCES)) for name in self._partitions)
        return frozenset(edge for items in ranges for item in items for edge in edges_in_list(item))

    @cached_property
    def _items(self) -> list[tuple[MergedPartitions, Callable[[EdgeId], Key]]]:
        """The forms in which any edges of the paper are items, each with the key of an edge.

        Looked for after the packed edges, since edges move from the tree to items and not back.
        """
        self._packed  # noqa: B018
        return [(items, key) for items, key in self._forms() if self._has_any(items)]

    def _forms(self) -> Iterator[tuple[MergedPartitions, Callable[[EdgeId], Key]]]:
        if self._cites:
            yield self._merged(self._partitions, EDGE), lambda edge: edge.old_key
        else:
            yield self._merged([f"{CITED}{name}" for name in self._own.ids], "paper#"), lambda edge: edge.key
            yield self._merged(list(self._own.ids), "paper#", index=True), lambda edge: edge.old_key

    def _merged(self, partitions: list[str], prefix: str, *, index: bool = False) -> MergedPartitions:
        return MergedPartitions(
            partitions=partitions,
            index=index,
            prefix=prefix,
            upper=after(prefix),
            position=self._position,
            consistent=not index,
        )

    def _has_any(self, items: MergedPartitions) -> bool:
        queries = (
            self._table.query(name, items.prefix, items.upper, 1, index=items.index, consistent=items.consistent)
            for name in items.partitions
        )
        return any(found for found, _ in queries)

    def _position(self, item: Item) -> str:
        return self.other_end(edge_in(item))
