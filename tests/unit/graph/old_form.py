"""Tables as they were written before lists of references were packed: an item an edge, with a copy in the index."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any

from shared.graph.items import Item, Key
from tests.unit.graph.memory_table import MemoryTable


def in_old_form(table: MemoryTable) -> MemoryTable:
    """The same facts as items of the old form."""
    old = MemoryTable()
    old.items = dict(old_items(table))
    return old


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
        if pk.startswith("cited#") or sk.startswith("references#"):
            continue
        changed: Any = {**item, "written": frozenset(marks[pk])} if sk == "paper" and pk in marks else item
        yield (pk, sk), changed
