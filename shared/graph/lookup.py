"""Looks up papers in the table: which paper each id means, and the newest state of each paper.

Learning which papers N ids mean takes about three rounds of N/100 BatchGetItem requests, and two rounds more for each
further canonical key in a chain; MAX_CANONICAL_KEYS bounds such chains.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from shared.graph import known_retractions
from shared.graph.identity import Identity, Node, is_id
from shared.graph.items import (
    IDENTITY_ATTRIBUTES,
    STATE_ATTRIBUTES,
    alias_item_key,
    canonical_keys_of,
    paper_item_key,
    stored_ids,
)
from shared.graph.known_retractions import with_known
from shared.graph.pages import ReadableTable

if TYPE_CHECKING:
    from shared.answers.graph import GraphPaper


class PaperLookup:
    """Papers by their ids."""

    def __init__(self, table: ReadableTable) -> None:
        self._table = table

    def node(self, name: str) -> Node | None:
        """The paper that an id means; None if the graph has none."""
        return self.identity([name]).node(name)

    def identity(self, names: Sequence[str]) -> Identity:
        """Everything that determines which papers these ids mean."""
        identity = Identity()
        valid = list(filter(is_id, names))
        ids, keys = identity.missing(valid)
        while ids or keys:
            items = self._table.read(
                [*map(alias_item_key, sorted(ids)), *map(paper_item_key, sorted(keys))], IDENTITY_ATTRIBUTES
            )
            for name in ids:
                alias = items.get(alias_item_key(name))
                identity.canonical_keys_of[name] = canonical_keys_of(alias) if alias else frozenset()
            for key in keys:
                paper = items.get(paper_item_key(key))
                identity.stored_at[key] = stored_ids(paper) if paper else None
            ids, keys = identity.missing(valid)
        return identity

    def states(self, nodes: Sequence[Node]) -> dict[Node, GraphPaper]:
        """What the graph stores about each paper: the newest of the states under its canonical keys."""
        wanted = (paper_item_key(key) for node in nodes for key in node.canonical_keys)
        items = self._table.read(wanted, STATE_ATTRIBUTES)
        states: dict[Node, GraphPaper] = {}
        for node in nodes:
            stored = [items[at] for key in node.canonical_keys if (at := paper_item_key(key)) in items]
            newest = max(stored, key=lambda item: (item["seen_at"], item["digest"]))
            states[node] = {
                "key": node.key,
                "keys": list(node.canonical_keys),
                "ids": list(node.ids),
                "paper": with_known(json.loads(newest["paper"]), map(known_retractions.stored, stored)),
                "first_seen": min(item["first_seen"] for item in stored),
                "seen_at": newest["seen_at"],
            }
        return states
