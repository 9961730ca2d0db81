"""The size of the graph: joined papers count once, as in every other answer. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING

from shared.graph.identity import Identity
from shared.graph.items import (
    EDGE,
    OWNER,
    REFERENCES,
    EdgeId,
    Item,
    MentionKey,
    canonical_keys_of,
    edge_in,
    edges_in_list,
    stored_ids,
)

if TYPE_CHECKING:
    from shared.answers.graph import GraphCounts


def identity_of(items: Iterable[Item]) -> Identity:
    """The identity that the aliases and papers among the items determine."""
    identity = Identity()
    for item in items:
        kind, _, name = item["pk"].partition("#")
        if kind == "alias":
            identity.canonical_keys_of[name] = canonical_keys_of(item)
        elif item["sk"] == "paper":
            identity.stored_at[name] = stored_ids(item)
    return identity


def counts(items: Iterable[Item]) -> GraphCounts:
    """The numbers of papers, of edges between two papers, of contexts, and of citations and displays in contexts."""
    items = list(items)
    identity = identity_of(items)

    node = cache(identity.node)

    edges: set[tuple[str, str]] = set()
    mentions: set[tuple[str, MentionKey]] = set()
    for item in items:
        kind, _, name = item["pk"].partition("#")
        for edge in _edges_of(item):
            # Most of what papers cite is not in the graph, and has no alias.
            target = node(edge.target) if edge.target in identity.canonical_keys_of else None
            source = node(edge.source) if target else None
            if source and target and source != target:
                edges.add((source.key, target.key))
        if kind == "context" and item["sk"] != OWNER:
            mention = MentionKey.parse(item["sk"])
            cited = node(mention.target)
            mentions.add((name, mention._replace(target=cited.key) if cited else mention))
    relations = Counter(mention.relation for _, mention in mentions)
    return {
        "papers": len({paper for key in identity.stored_at if (paper := node(key))}),
        "cites": len(edges),
        "contexts": len({context for context, _ in mentions}),
        "cited_in": relations["cited_in"],
        "shown_in": relations["shown_in"],
    }


def _edges_of(item: Item) -> Iterable[EdgeId]:
    """The edges that an item of a citing paper states; those by cited id repeat them."""
    if item["sk"].startswith(REFERENCES):
        return edges_in_list(item)
    return [edge_in(item)] if item["sk"].startswith(EDGE) else ()
