"""The papers table in memory: with the limits of DynamoDB that matter to the graph, and crashes at any write."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from shared.graph.facts import Update
from shared.graph.items import Item, Key, key_of

KEY_BYTES, INDEX_KEY_BYTES, PARTITION_BYTES, ITEM_BYTES = 1_024, 1_024, 2_048, 400_000


class Crash(BaseException):
    """The process ends; as a BaseException, no handler of errors catches it."""


class MemoryTable:
    """`writes` counts the items written or deleted. Before that with number `crash_at`, from 0, it raises Crash."""

    def __init__(self, between: Callable[[], None] = lambda: None) -> None:
        self.items: dict[Key, Item] = {}
        self.writes = 0
        self.requests = 0
        self.crash_at: float = math.inf
        self._between = between  # called after every read: lets another writer write

    def read(self, keys: Iterable[Key], attributes: Sequence[str], *, consistent: bool = False) -> dict[Key, Item]:
        wanted = dict.fromkeys(keys)
        self.requests += math.ceil(len(wanted) / 100)
        found = {key: _projected(self.items[key], attributes) for key in wanted if key in self.items}
        self._between()
        return found

    def put(self, items: Sequence[Item]) -> None:
        for item in items:
            self._write(key_of(item), item)

    def delete(self, keys: Iterable[Key]) -> None:
        for key in keys:
            self._count()
            self.items.pop(key, None)

    def create(self, item: Item) -> bool:
        if key_of(item) in self.items:
            return False
        self._write(key_of(item), item)
        return True

    def update(self, update: Update) -> bool:
        stored: dict[str, Any] = {**self.items.get(update.key, {})}
        if any(stored.get(name) != value for name, value in update.expected.items()):
            return False
        pk, sk = update.key
        grown = {name: frozenset(stored.get(name, ())) | members for name, members in update.adds.items()}
        assert all(grown.values()), "DynamoDB has no empty sets"
        changed: Any = {**stored, "pk": pk, "sk": sk, **update.sets, **grown}
        self._write(update.key, changed)
        return True

    def _write(self, key: Key, item: Item) -> None:
        pk, sk = (len(part.encode()) for part in key)
        assert pk <= PARTITION_BYTES and sk <= KEY_BYTES
        assert len(item.get("target", "").encode()) <= PARTITION_BYTES
        assert len(item.get("source", "").encode()) <= INDEX_KEY_BYTES
        assert len(item.get("edges", b"")) + len(item.get("cited", b"")) < ITEM_BYTES
        self._count()
        self.items[key] = item

    def _count(self) -> None:
        if self.writes >= self.crash_at:
            raise Crash
        self.writes += 1

    def query(
        self, partition: str, lower: str, upper: str, limit: int, *, index: bool, consistent: bool = False
    ) -> tuple[list[Item], bool]:
        assert not (index and consistent), "an index has no consistent reads"
        assert lower.encode() <= upper.encode(), "DynamoDB refuses a range whose bounds are in the wrong order"
        self.requests += 1
        hash_key, range_key = ("target", "source") if index else ("pk", "sk")
        items: list[Any] = list(self.items.values())
        found = [
            item
            for item in items
            if item.get(hash_key) == partition and range_key in item  # without both keys, it is not in the index
            if lower.encode() <= item[range_key].encode() <= upper.encode()
        ]
        found.sort(key=lambda item: item[range_key].encode())
        assert len({item[range_key] for item in found}) == len(found), "DynamoDB does not order equal range keys"
        self._between()
        return found[:limit], len(found) >= limit  # as DynamoDB, which has not looked further

    def scan(self, attributes: Sequence[str], requests: int) -> tuple[list[Item], bool]:
        self.requests += 1
        return list(self.items.values()), True


def _projected(item: Item, attributes: Sequence[str]) -> Item:
    projected: Any = {name: value for name, value in item.items() if name in attributes}
    found: Item = projected
    return found
