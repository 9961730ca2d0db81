"""A table in memory that finds its partitions at once, for graphs with hundreds of thousands of edges."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from shared.graph.items import Item, Key

ITEM_BYTES = 400_000


class LargeTable:
    """Puts, deletes and queries; counts the requests that read."""

    def __init__(self) -> None:
        self.partitions: defaultdict[str, dict[str, Item]] = defaultdict(dict)
        self.requests = 0

    def put(self, items: Sequence[Item]) -> None:
        for item in items:
            assert stored_bytes(item) < ITEM_BYTES
            self.partitions[item["pk"]][item["sk"]] = item

    def delete(self, keys: Iterable[Key]) -> None:
        for pk, sk in keys:
            self.partitions[pk].pop(sk, None)

    def read(self, keys: Iterable[Key], attributes: Sequence[str], *, consistent: bool = False) -> dict[Key, Item]:
        self.requests += 1
        return {(pk, sk): item for pk, sk in keys if (item := self.partitions[pk].get(sk))}

    def query(
        self, partition: str, lower: str, upper: str, limit: int, *, index: bool, consistent: bool = False
    ) -> tuple[list[Item], bool]:
        assert lower <= upper, "DynamoDB refuses a range whose bounds are in the wrong order"
        self.requests += 1
        found = [] if index else sorted(sk for sk in self.partitions[partition] if lower <= sk <= upper)
        return [self.partitions[partition][sk] for sk in found[:limit]], len(found) >= limit

    def scan(self, attributes: Sequence[str], requests: int) -> tuple[list[Item], bool]:
        raise NotImplementedError


def stored_bytes(item: Item) -> int:
    """The size by which DynamoDB bills an item: the names and values of its attributes."""
    values: Iterable[Any] = item.values()
    return sum(map(len, item)) + sum(len(it if isinstance(it, bytes) else it.encode()) for it in values)
