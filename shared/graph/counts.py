"""How much the graph holds, by its meaning: joined papers count once, as in every other answer. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache

from shared.graph.facts import Item, kept
from shared.graph.identity import Identity, Node


def identity_of(items: Iterable[Item]) -> Identity:
    """What aliases and homes among the items say."""
    identity = Identity()
    for item in items:
        sort, _, name = item["pk"].partition("#")
        if sort == "alias":
            identity.homes_of[name] = frozenset(item["homes"])
        elif item["sk"] == "paper":
            identity.kept_at[name] = kept(item)
    return identity


def counts(items: Iterable[Item]) -> dict[str, int]:
    """Papers, edges between two papers, contexts, and how often these cited or were shown a paper."""
    items = list(items)
    identity = identity_of(items)

    @cache
    def node(name: str) -> Node | None:
        return identity.node(name)

    edges: set[tuple[str, str]] = set()
    mentions: set[tuple[str, ...]] = set()
    for item in items:
        sort, _, name = item["pk"].partition("#")
        if sort == "paper" and item["sk"] != "paper":
            source, target = node(name), node(item["target"])
            if source and target and source != target:
                edges.add((source.key, target.key))
        elif sort == "context":
            at, relation, place, target_id, rest = item["sk"].split(" ")
            cited = node(target_id)
            mentions.add((relation, name, at, place, rest, cited.key if cited else target_id))
    relations = Counter(mention[0] for mention in mentions)
    return {
        "papers": len({paper for home in identity.kept_at if (paper := node(home))}),
        "cites": len(edges),
        "contexts": len({mention[1] for mention in mentions}),
        "cited_in": relations["cited_in"],
        "shown_in": relations["shown_in"],
    }
