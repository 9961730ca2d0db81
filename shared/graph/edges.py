"""Reads the edges of a paper, in either direction, page by page.

A page takes up to ROUNDS rounds. Each round takes one Query per canonical key (or id) of the paper, the look-up of 100
ids, and one BatchGetItem for every hundred items that may hold the same edges.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Literal

from shared.graph.identity import Node
from shared.graph.items import KEY_ATTRIBUTES, Key, canonical_key_in, edge_item_key, paper_item_key
from shared.graph.lookup import PaperLookup
from shared.graph.pages import MergedPartitions, Page, ReadableTable, read_cursor, write_cursor

if TYPE_CHECKING:
    from shared.answers.graph import GraphEdge

Direction = Literal["cites", "cited_by"]
ROUNDS = 5
EDGES_PER_ROUND = 100


def read_edges(
    table: ReadableTable, direction: Direction, name: str, cursor: str | None, limit: int
) -> Page[GraphEdge]:
    """A page of the papers that a paper cites, or that cite it, each with the providers that state it."""
    position: str | None = read_cursor(direction, cursor)
    lookup = PaperLookup(table)
    own = lookup.node(name)
    if own is None:
        return Page([], None)
    partitions = _partitions(direction, own)
    found: list[tuple[Node, list[str]]] = []
    for _ in range(ROUNDS):
        if position is None or len(found) == limit:
            break
        ends, more = partitions.next_page(table, position, EDGES_PER_ROUND)
        others = [other for other, _ in ends]
        position = others[-1] if more else None
        for other, node, providers in _distinct(table, lookup, direction, own, others):
            found.append((node, providers))
            if len(found) == limit:
                position = other if more or other != others[-1] else None
                break
    states = lookup.states([node for node, _ in found])
    entries: list[GraphEdge] = [
        {"key": node.key, "paper": states[node]["paper"], "providers": providers} for node, providers in found
    ]
    return Page(entries, write_cursor(direction, position))


def _partitions(direction: Direction, own: Node) -> MergedPartitions:
    if direction == "cites":
        partitions = [paper_item_key(key)[0] for key in own.canonical_keys]
        return MergedPartitions(
            partitions=partitions, index=False, prefix="cites#", upper="cites$", position=lambda item: item["target"]
        )
    return MergedPartitions(partitions=own.ids, index=True, prefix="paper#", upper="paper$", position=canonical_key_in)


def _distinct(
    table: ReadableTable, lookup: PaperLookup, direction: Direction, own: Node, others: Sequence[str]
) -> Iterator[tuple[str, Node, list[str]]]:
    """The other ends that are in the graph, with all providers of their edges; each paper once."""
    identity = lookup.identity(others)
    nodes = {
        other: node for other in others if (node := identity.node(other)) and node.canonical_keys != own.canonical_keys
    }
    candidates = {node: _equivalent_edges(direction, own, node) for node in nodes.values()}
    stored = table.read((key for edges in candidates.values() for key in edges), KEY_ATTRIBUTES)
    for other, node in nodes.items():
        ends = [end for key, end in candidates[node].items() if key in stored]
        if ends and other == min(ends)[0]:
            yield other, node, sorted({provider for _, provider in ends})


def _equivalent_edges(direction: Direction, own: Node, other: Node) -> dict[Key, tuple[str, str]]:
    """The keys of all items that would state this edge, each with its other end and its provider."""
    source, target = (own, other) if direction == "cites" else (other, own)
    return {
        edge_item_key(key, name, provider): (name if direction == "cites" else key, provider)
        for key, name, provider in product(source.canonical_keys, target.ids, source.providers)
    }
