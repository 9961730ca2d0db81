"""Pages of the graph's lists: the next positions of several ordered partitions at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from shared.graph.items import Item, Key

Entry = TypeVar("Entry")
MAX_LIMIT = 100
# The items that one request reads from a partition.
ITEMS_PER_REQUEST = 200


class RangeTable(Protocol):
    """A table whose partitions can be read in the order of their sort keys."""

    def query(
        self, partition: str, lower: str, upper: str, limit: int, *, index: bool, consistent: bool = False
    ) -> tuple[list[Item], bool]:
        """Items between two sort keys, in order, and whether there may be more."""


class ReadableTable(RangeTable, Protocol):
    """A table that can be read (`shared.aws.dynamodb.graph_table`)."""

    def read(self, keys: Iterable[Key], attributes: Sequence[str], *, consistent: bool = False) -> dict[Key, Item]:
        """Those of the items that exist."""

    def scan(self, attributes: Sequence[str], requests: int) -> tuple[list[Item], bool]:
        """The items that so many requests read, and whether these are all."""


def whole_range(
    table: RangeTable, partition: str, lower: str, upper: str, *, consistent: bool = False
) -> Iterator[Item]:
    """All items of a partition between two sort keys, in order; no sort key begins another."""
    position: str | None = lower
    while position is not None:
        items, more = table.query(partition, position, upper, ITEMS_PER_REQUEST, index=False, consistent=consistent)
        yield from items
        position = f"{items[-1]['sk']}!" if items and more else None


def after(prefix: str) -> str:
    """Greater than all sort keys with a prefix that ends in "#"."""
    return f"{prefix[:-1]}$"


@dataclass(frozen=True, slots=True)
class GraphPage(Generic[Entry]):
    """At most `limit` entries, and the cursor of the next page; only the page without a cursor is the last."""

    items: list[Entry]
    cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedPartitions:
    """Several partitions read as one list, in the order of the positions of their items."""

    partitions: Iterable[str]
    index: bool
    prefix: str  # of all sort keys
    upper: str  # greater than all sort keys
    position: Callable[[Item], str]
    consistent: bool = False

    def next_page(self, table: ReadableTable, position: str, count: int) -> tuple[list[tuple[str, list[Item]]], bool]:
        """The next positions, each with its items, and whether there may be more. One request per partition.

        Where a partition has more items than one request reads, the others are complete only up to its last position:
        `safe_upper_bound`. "!" is the character after the space that ends a position in a sort key.
        """
        found: dict[str, list[Item]] = {}
        safe_upper_bound: str | None = None
        for partition in self.partitions:
            lower = f"{self.prefix}{position}!"
            items, more = table.query(
                partition, lower, self.upper, ITEMS_PER_REQUEST, index=self.index, consistent=self.consistent
            )
            for item in items:
                found.setdefault(self.position(item), []).append(item)
            if more and items:
                last = self.position(items[-1])
                safe_upper_bound = last if safe_upper_bound is None else min(safe_upper_bound, last)
        complete = sorted(at for at in found if safe_upper_bound is None or at <= safe_upper_bound)
        return [(at, found[at]) for at in complete[:count]], safe_upper_bound is not None or len(complete) > count
