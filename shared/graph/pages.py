"""Pages of the graph: an opaque cursor, and the next positions of several ordered partitions at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from shared.cursors import decode_cursor, encode_cursor
from shared.errors import FieldError, Unprocessable
from shared.graph.facts import Item, Key

MAX_LIMIT = 100
# One request brings so many items of a partition.
ITEMS_A_REQUEST = 200
MAX_POSITION_BYTES = 900  # a sort key has room for 1,024


class ReadableTable(Protocol):
    """What a reader needs of a table (`shared.aws.dynamodb.graph_table`)."""

    def read(self, keys: Iterable[Key], attributes: Sequence[str]) -> dict[Key, Item]:
        """The items there are."""

    def query(self, partition: str, above: str, below: str, limit: int, *, index: bool) -> tuple[list[Item], bool]:
        """Items between two sort keys, in order, and whether there may be more."""

    def scan(self, attributes: Sequence[str], requests: int) -> tuple[list[Item], bool]:
        """All items, and whether these were all."""


@dataclass(frozen=True, slots=True)
class Page:
    """At most `limit` entries, and the cursor of the next page; a page may be short, even empty, and not the last."""

    items: list[dict[str, Any]]
    cursor: str | None


def write_cursor(kind: str, position: str | None) -> str | None:
    """A position in a list of this kind, as text for the caller."""
    if position is None:
        return None
    return encode_cursor(f"{kind} {position}")


def read_cursor(kind: str, cursor: str | None) -> str:
    """The position that `write_cursor` wrote; "" without a cursor. Raises Unprocessable for anything else."""
    if cursor is None:
        return ""
    own, _, position = (decode_cursor(cursor) or "").partition(" ")
    if own != kind or not position or len(position.encode()) > MAX_POSITION_BYTES:
        raise Unprocessable(
            "cursor: not one of this list's", [FieldError("cursor", "pass the cursor of this list's page unchanged")]
        )
    return position


@dataclass(frozen=True, slots=True, kw_only=True)
class Lanes:
    """Partitions that are read side by side, as one list in the order of their positions."""

    partitions: Iterable[str]
    index: bool
    prefix: str  # of all sort keys
    until: str  # above all sort keys
    position: Callable[[Item], str]

    def after(self, table: ReadableTable, position: str, count: int) -> tuple[list[tuple[str, list[Item]]], bool]:
        """The next positions, each with its items, and whether there may be more. One request a partition.

        "!" comes right after the space that ends a position in a sort key.
        """
        found: dict[str, list[Item]] = {}
        horizon: str | None = None
        for partition in self.partitions:
            above = f"{self.prefix}{position}!"
            items, cut = table.query(partition, above, self.until, ITEMS_A_REQUEST, index=self.index)
            for item in items:
                found.setdefault(self.position(item), []).append(item)
            if cut and items:
                last = self.position(items[-1])
                horizon = last if horizon is None else min(horizon, last)
        known = sorted(at for at in found if horizon is None or at <= horizon)
        return [(at, found[at]) for at in known[:count]], horizon is not None or len(known) > count
