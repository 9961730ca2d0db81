"""The knowledge graph's questions: a paper by any id, what it cites, who cites it, its contexts, a context, all papers.

Every answer is a function of the facts in the table, not of the order in which they came: homes that are one paper are
joined while reading, their edges united, an edge of a paper to itself left out. Ids are written as in `names.SCHEMES`.
An edge is shown as soon as both papers are in the graph. The index is read with DynamoDB's usual delay, about a second.

Requests: to learn which papers N ids mean takes about three rounds of N/100 BatchGetItem, and two more for each further
home in a chain, of which there are at most MAX_HOMES. A page of edges takes up to ROUNDS times one Query a home or
id of the paper, these rounds for 100 ids, and one BatchGetItem for every hundred ways to tell the same edges. Others
take one Query a partition, and these rounds once.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, Literal

from shared.graph.counts import counts
from shared.graph.facts import SHELVES, Item, Key, alias_of, context_at, edge, kept, mention_key, paper_at
from shared.graph.identity import Identity, Node, best_key, is_id
from shared.graph.pages import MAX_LIMIT, Lanes, Page, ReadableTable, read_cursor, write_cursor

Direction = Literal["cites", "cited_by"]
ROUNDS = 5
EDGES_A_ROUND = 100
KEYS = ("pk", "sk")
NAMES = ("pk", "sk", "ids", "providers", "homes")
STATE = ("pk", "sk", "seen_at", "digest", "first_seen", "paper")
COUNTED = ("pk", "sk", "ids", "homes", "target")
STATS_REQUESTS = 25  # of a megabyte: some hundred thousand items


class GraphStore:
    """The papers table, read. Lists take a limit of 1 to 100 and the cursor of an earlier page of the same list."""

    def __init__(self, table: ReadableTable) -> None:
        self._table = table

    def paper(self, name: str) -> dict[str, Any] | None:
        """`{key, keys, ids, paper, first_seen, seen_at}`: the newest state of the paper that has this id."""
        node = self._node(name)
        return self._states([node])[node] if node else None

    def known(self, names: Sequence[str]) -> dict[str, dict[str, Any] | None]:
        """Each of these ids and its paper, in the form of `paper`; None for one that no paper has."""
        identity = self._identity(names)
        nodes = {name: identity.node(name) for name in names}
        states = self._states([node for node in dict.fromkeys(nodes.values()) if node])
        return {name: states[node] if node else None for name, node in nodes.items()}

    def cites(self, name: str, cursor: str | None = None, limit: int = MAX_LIMIT) -> Page:
        """The papers it cites: `{key, paper, providers}`, providers being those that say so."""
        return self._edges("cites", name, cursor, limit)

    def cited_by(self, name: str, cursor: str | None = None, limit: int = MAX_LIMIT) -> Page:
        """The papers that cite it, in the same form."""
        return self._edges("cited_by", name, cursor, limit)

    def contexts_of(self, name: str, cursor: str | None = None, limit: int = MAX_LIMIT) -> Page:
        """Where it was cited or shown, in order of time: `{context: {type, id}, relation, at, by, where, text}`."""
        node = self._node(name)
        ids = node.ids if node else tuple(filter(is_id, [name]))
        lanes = Lanes(partitions=ids, index=True, prefix="context#", until="context$", position=_moment)
        found, more = lanes.after(self._table, read_cursor("contexts", cursor), limit)
        entries = [{"context": _context(items[0]), **_mention(items[0])} for _, items in found]
        return Page(entries, write_cursor("contexts", found[-1][0] if more else None))

    def context(self, context_type: str, context_id: str, cursor: str | None = None, limit: int = MAX_LIMIT) -> Page:
        """What it cited or was shown, in order of time: `{key, paper, relation, at, by, where, text}`.

        A paper that is not in the graph is named by the id it was cited by; its `paper` is None.
        """
        where = context_at(context_type, context_id)
        lanes = Lanes(partitions=[where], index=False, prefix="", until=":", position=lambda it: str(it["sk"]))
        found, more = lanes.after(self._table, read_cursor("context", cursor), limit)
        items = [item for _, (item,) in found]
        identity = self._identity([item["target"] for item in items])
        nodes = {item["target"]: identity.node(item["target"]) for item in items}
        twins = self._table.read((twin for it in items for twin in _twins(it, nodes[it["target"]])), KEYS)
        states = self._states([node for node in nodes.values() if node])
        entries = []
        for item in items:
            node = nodes[item["target"]]
            if any(twin in twins for twin in _twins(item, node) if twin[1] < item["sk"]):
                continue  # told before, under another id of the same paper
            named = (
                {"key": node.key, "paper": states[node]["paper"]} if node else {"key": item["target"], "paper": None}
            )
            entries.append({**named, **_mention(item)})
        return Page(entries, write_cursor("context", found[-1][0] if more else None))

    def papers(self, cursor: str | None = None, limit: int = MAX_LIMIT) -> Page:
        """All papers, each once, in the form of `paper`."""
        lanes = Lanes(partitions=SHELVES, index=True, prefix="paper#", until="paper$", position=_home)
        found, more = lanes.after(self._table, read_cursor("papers", cursor), limit)
        homes = [home for home, _ in found]
        identity = self._identity(homes)
        nodes = [node for home in homes if (node := identity.node(home)) and home == best_key(node.homes)]
        states = self._states(nodes)
        return Page([states[node] for node in nodes], write_cursor("papers", homes[-1] if more else None))

    def stats(self) -> dict[str, Any]:
        """`{papers, cites, contexts, cited_in, shown_in, complete}`; a large table is not read whole: not complete."""
        items, complete = self._table.scan(COUNTED, STATS_REQUESTS)
        return {**counts(items), "complete": complete}

    def _node(self, name: str) -> Node | None:
        return self._identity([name]).node(name)

    def _identity(self, names: Sequence[str]) -> Identity:
        """All that decides which papers these ids mean."""
        identity = Identity()
        asked = list(filter(is_id, names))
        ids, homes = identity.missing(asked)
        while ids or homes:
            items = self._table.read([*map(alias_of, sorted(ids)), *map(paper_at, sorted(homes))], NAMES)
            for name in ids:
                identity.homes_of[name] = frozenset(items.get(alias_of(name), {}).get("homes", ()))
            for home in homes:
                item = items.get(paper_at(home))
                identity.kept_at[home] = kept(item) if item else None
            ids, homes = identity.missing(asked)
        return identity

    def _states(self, nodes: Sequence[Node]) -> dict[Node, dict[str, Any]]:
        """What is known of each paper: of several states the newest."""
        items = self._table.read((paper_at(home) for node in nodes for home in node.homes), STATE)
        states = {}
        for node in nodes:
            at_homes = [items[where] for home in node.homes if (where := paper_at(home)) in items]
            newest = max(at_homes, key=lambda item: (item["seen_at"], item["digest"]))
            states[node] = {
                "key": node.key,
                "keys": list(node.homes),
                "ids": list(node.ids),
                "paper": json.loads(newest["paper"]),
                "first_seen": min(item["first_seen"] for item in at_homes),
                "seen_at": newest["seen_at"],
            }
        return states

    def _edges(self, kind: Direction, name: str, cursor: str | None, limit: int) -> Page:
        position: str | None = read_cursor(kind, cursor)
        own = self._node(name)
        if own is None:
            return Page([], None)
        if kind == "cites":
            lanes = Lanes(partitions=[paper_at(home)[0] for home in own.homes], index=False, prefix="cites#",
                          until="cites$", position=_target)  # fmt: skip
        else:
            lanes = Lanes(partitions=own.ids, index=True, prefix="paper#", until="paper$", position=_home)
        found: list[tuple[Node, list[str]]] = []
        for _ in range(ROUNDS):
            if position is None or len(found) == limit:
                break
            ends, more = lanes.after(self._table, position, EDGES_A_ROUND)
            others = [other for other, _ in ends]
            position = others[-1] if more else None
            for other, node, providers in self._joined(kind, own, others):
                found.append((node, providers))
                if len(found) == limit:
                    position = other if more or other != others[-1] else None
                    break
        states = self._states([node for node, _ in found])
        entries = [{"key": node.key, "paper": states[node]["paper"], "providers": told} for node, told in found]
        return Page(entries, write_cursor(kind, position))

    def _joined(self, kind: Direction, own: Node, others: Sequence[str]) -> Iterator[tuple[str, Node, list[str]]]:
        """Of the other ends those in the graph, each paper at the first of its ends only, with all who tell of it."""
        identity = self._identity(others)
        nodes = {other: node for other in others if (node := identity.node(other)) and node.homes != own.homes}
        ways = {node: _ways(kind, own, node) for node in nodes.values()}
        told = self._table.read((key for ways_of in ways.values() for key in ways_of), KEYS)
        for other, node in nodes.items():
            ends = [end for key, end in ways[node].items() if key in told]
            if ends and other == min(ends)[0]:
                yield other, node, sorted({provider for _, provider in ends})


def _ways(kind: Direction, own: Node, other: Node) -> dict[Key, tuple[str, str]]:
    """Every edge that would mean this one, each with its other end and its provider."""
    source, target = (own, other) if kind == "cites" else (other, own)
    every = product(source.homes, target.ids, source.providers)
    return {edge(*way): (way[1] if kind == "cites" else way[0], way[2]) for way in every}


def _twins(item: Item, node: Node | None) -> list[Key]:
    """The same mention under each id of its paper."""
    at, relation, place, target, rest = item["sk"].split(" ")
    ids = node.ids if node else (target,)
    return [(item["pk"], mention_key(at, relation, place, name, rest)) for name in ids]


def _mention(item: Item) -> dict[str, Any]:
    where = item.get("where")
    said = {name: item.get(name) for name in ("relation", "at", "by", "text")}
    return {**said, "where": None if where is None else int(where)}


def _context(item: Item) -> dict[str, str]:
    _, context_type, context_id = item["pk"].split("#", 2)
    return {"type": context_type, "id": context_id}


def _target(item: Item) -> str:
    return str(item["target"])


def _home(item: Item) -> str:
    return str(item["pk"]).removeprefix("paper#")


def _moment(item: Item) -> str:
    return str(item["source"]).removeprefix("context#")
