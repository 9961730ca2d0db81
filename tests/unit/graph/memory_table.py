"""The papers table in memory: as strict as DynamoDB where it matters to the graph, and it can die at any write."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from shared.graph.facts import Item, Key, Update

KEY_BYTES, INDEX_KEY_BYTES, PARTITION_BYTES = 1_024, 1_024, 2_048


class Crash(BaseException):
    """The process is gone; nothing in it can catch this."""


class MemoryTable:
    """`writes` counts items written; before the one that is number `dies_at`, counted from 0, the process dies."""

    def __init__(self, between: Callable[[], None] = lambda: None) -> None:
        self.items: dict[Key, dict[str, Any]] = {}
        self.writes = 0
        self.requests = 0
        self.dies_at: float = math.inf
        self._between = between  # called after every read: another writer's chance

    def read(self, keys: Iterable[Key], attributes: Sequence[str], *, consistent: bool = False) -> dict[Key, Item]:
        asked = dict.fromkeys(keys)
        self.requests += math.ceil(len(asked) / 100)
        wanted = set(attributes)
        found: dict[Key, Item] = {
            key: {name: value for name, value in self.items[key].items() if name in wanted}
            for key in asked
            if key in self.items
        }
        self._between()
        return found

    def put(self, items: Sequence[Item]) -> None:
        for item in items:
            self._write((item["pk"], item["sk"]), dict(item))

    def update(self, update: Update) -> bool:
        stored = self.items.get(update.key, {})
        if any(stored.get(name) != value for name, value in update.expected.items()):
            return False
        pk, sk = update.key
        grown = {name: frozenset(stored.get(name, ())) | members for name, members in update.adds.items()}
        assert all(grown.values()), "DynamoDB has no empty sets"
        self._write(update.key, {**stored, "pk": pk, "sk": sk, **update.sets, **grown})
        return True

    def _write(self, key: Key, item: dict[str, Any]) -> None:
        pk, sk = (len(part.encode()) for part in key)
        assert pk <= PARTITION_BYTES and sk <= KEY_BYTES
        assert len(item.get("target", "").encode()) <= PARTITION_BYTES
        assert len(item.get("source", "").encode()) <= INDEX_KEY_BYTES
        if self.writes >= self.dies_at:
            raise Crash
        self.writes += 1
        self.items[key] = item

    def query(self, partition: str, above: str, below: str, limit: int, *, index: bool) -> tuple[list[Item], bool]:
        self.requests += 1
        hash_key, range_key = ("target", "source") if index else ("pk", "sk")
        found = [
            item
            for item in self.items.values()
            if item.get(hash_key) == partition and above.encode() <= item[range_key].encode() <= below.encode()
        ]
        found.sort(key=lambda item: item[range_key].encode())
        assert len({item[range_key] for item in found}) == len(found), "an order that DynamoDB does not promise"
        return list(found[:limit]), len(found) > limit

    def scan(self, attributes: Sequence[str], requests: int) -> tuple[list[Item], bool]:
        self.requests += 1
        return list(self.items.values()), True
