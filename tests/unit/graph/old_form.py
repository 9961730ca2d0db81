"""Tables as they were written before: an item an edge with a copy in the index, then lists and an item by cited id."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any

from shared.graph.citing_tree import edges_in_segment
from shared.graph.items import EdgeId, Item, Key, edge_in
from tests.unit.graph.memory_table import MemoryTable


def in_old_form(table: MemoryTable) -> MemoryTable:
    """The same facts as items of the old form."""
    old = MemoryTable()
    old.items = dict(old_items(table))
    return old


def without_a_tree(table: MemoryTable) -> MemoryTable:
    """The same facts as items of the form between: lists of references, and an item by cited id for each edge."""
    made = MemoryTable()
    made.items = {key: item for key, item in table.items.items() if not key[0].startswith("citing#")}
    for edge in edges_by_cited_id(table):
        made.items[edge.key] = {"pk": edge.key[0], "sk": edge.key[1]}
    return made


def edges_by_cited_id(table: MemoryTable) -> set[EdgeId]:
    """The edges in the tree and beside it."""
    items = table.items.values()
    packed = {edge for item in items if "edges" in item for edge in edges_in_segment(item)}
    return packed | {edge_in(item) for item in items if item["pk"].startswith("cited#")}


def facts(table: MemoryTable) -> tuple[dict[Key, Item], set[EdgeId]]:
    """What a table states: its items, and the edges by cited id, however they are divided among items."""
    by_cited_id = ("cited#", "citing#")
    return {key: it for key, it in table.items.items() if not key[0].startswith(by_cited_id)}, edges_by_cited_id(table)


def old_items(table: MemoryTable) -> Iterator[tuple[Key, Item]]:
    """The items of the old form; the paper of a list has a mark that the list is stored whole."""
    marks: dict[str, set[str]] = {}
    for (pk, sk), item in table.items.items():
        if sk.startswith("references#"):
            marks.setdefault(pk, set()).add(sk.removeprefix("references#"))
            provider = sk.removeprefix("references#").split(" ")[0]
            for target in zlib.decompress(item["cited"]).decode().split(" "):
                key = (pk, f"cites#{target} {provider}")
                yield key, {"pk": pk, "sk": key[1], "target": target, "source": f"{pk} {provider}"}
    for (pk, sk), item in table.items.items():
        if pk.startswith(("cited#", "citing#")) or sk.startswith("references#"):
            continue
        changed: Any = {**item, "written": frozenset(marks[pk])} if sk == "paper" and pk in marks else item
        yield (pk, sk), changed
