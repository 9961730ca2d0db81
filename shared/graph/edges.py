"""Reads the edges of a paper, in either direction, page by page.

A page takes up to ROUNDS rounds. Each round takes one Query per canonical key (or id) of the paper, the look-up of 100
ids, and one BatchGetItem for every hundred items that may hold the same edges; of references that are stored as lists,
only the look-up. The in-text citations of the page take one more.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from shared.cursors import read_cursor, write_cursor
from shared.graph.identity import Node
from shared.graph.in_text import joined_in_text
from shared.graph.items import IN_TEXT_ATTRIBUTES, EdgeId, Key, in_text_item_key
from shared.graph.lookup import PaperLookup
from shared.graph.pages import GraphPage, ReadableTable
from shared.graph.stored_edges import Direction, StoredEdges

if TYPE_CHECKING:
    from shared.answers.graph import GraphEdge
    from shared.answers.in_text import InText

ROUNDS = 5
EDGES_PER_ROUND = 100


class _Edge(NamedTuple):
    """The other end, the providers that state the edge, and the items that may say how the paper is cited."""

    other: Node
    providers: list[str]
    in_text: frozenset[Key]


def read_edges(
    table: ReadableTable, direction: Direction, name: str, cursor: str | None, limit: int, *, in_text: bool
) -> GraphPage[GraphEdge]:
    """A page of the papers that a paper cites, or that cite it, each with the providers that state it, and how."""
    position: str | None = read_cursor(direction, cursor)
    lookup = PaperLookup(table)
    own = lookup.node(name)
    if own is None:
        return GraphPage([], None)
    edges = StoredEdges(table, direction, own)
    found: list[_Edge] = []
    for _ in range(ROUNDS):
        if position is None or len(found) == limit:
            break
        others, more = edges.next_ends(position, EDGES_PER_ROUND)
        position = others[-1] if more else None
        for other, edge in _distinct(edges, lookup, direction, own, others):
            found.append(edge)
            if len(found) == limit:
                position = other if more or other != others[-1] else None
                break
    states = lookup.states([edge.other for edge in found])
    how = _in_text(table, found) if in_text else {}
    entries: list[GraphEdge] = []
    for edge in found:
        node, stated = edge.other, joined_in_text(how[key] for key in edge.in_text if key in how)
        entry: GraphEdge = {"key": node.key, "paper": states[node]["paper"], "providers": edge.providers}
        entries.append({**entry, "in_text": stated} if stated else entry)
    return GraphPage(entries, write_cursor(direction, position))


def _in_text(table: ReadableTable, edges: Sequence[_Edge]) -> Mapping[Key, InText]:
    items = table.read((key for edge in edges for key in edge.in_text), IN_TEXT_ATTRIBUTES)
    return {key: json.loads(item["in_text"]) for key, item in items.items()}


def _distinct(
    edges: StoredEdges, lookup: PaperLookup, direction: Direction, own: Node, others: Sequence[str]
) -> Iterator[tuple[str, _Edge]]:
    """The other ends that are in the graph, with all providers of their edges; each paper once."""
    identity = lookup.identity(others)
    nodes = {
        other: node for other in others if (node := identity.node(other)) and node.canonical_keys != own.canonical_keys
    }
    candidates = {node: _equivalent_edges(direction, own, node) for node in nodes.values()}
    stored = edges.existing({edge for ids in candidates.values() for edge in ids})
    for other, node in nodes.items():
        ids = candidates[node] & stored
        if ids and other == min(edges.other_end(edge) for edge in ids):
            beside = frozenset(in_text_item_key(edge.source, edge.target) for edge in ids)
            yield other, _Edge(node, sorted({edge.provider for edge in ids}), beside)


def _equivalent_edges(direction: Direction, own: Node, other: Node) -> set[EdgeId]:
    """All ids under which this edge may be stored."""
    source, target = (own, other) if direction == "cites" else (other, own)
    return {EdgeId(*ids) for ids in product(source.canonical_keys, target.ids, source.providers)}
