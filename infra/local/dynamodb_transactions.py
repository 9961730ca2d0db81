"""A transaction in moto copies the items that it writes, instead of every item of the table for each of its writes.

moto copies the whole table once for every write of a transaction, to undo them all when one fails.
"""

from __future__ import annotations

import copy
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from moto.dynamodb.models import DynamoDBBackend
from moto.dynamodb.models.dynamo_type import DynamoType
from moto.dynamodb.models.table import Table


class _Current(threading.local):
    """The attributes of what this thread's transaction writes, None outside of one; and its copies, by table."""

    def __init__(self) -> None:
        self.written: list[dict[str, Any]] | None = None
        self.copies: dict[str, Table] = {}


@contextmanager
def small_transaction_copies() -> Iterator[None]:
    """While inside, moto's `TransactWriteItems` undoes what it did from copies of the items that it writes.

    Our tables have two keys each (infra/tables.py).
    """
    write = DynamoDBBackend.transact_write_items
    current = _Current()

    def transact_write_items(backend: DynamoDBBackend, transact_items: list[dict[str, Any]]) -> None:
        current.written, current.copies = [_attributes(item) for item in transact_items], {}
        try:
            write(backend, transact_items)
        finally:
            current.written = None

    def copied(table: Table, memo: dict[int, Any]) -> Table:
        if current.written is None:
            return _whole(table, memo)
        if table.name not in current.copies:
            current.copies[table.name] = _with_copies_of(table, current.written)
        return current.copies[table.name]

    with (
        patch.object(DynamoDBBackend, "transact_write_items", transact_write_items),
        patch.object(Table, "__deepcopy__", copied, create=True),
    ):
        yield


def _attributes(transact_item: dict[str, Any]) -> dict[str, Any]:
    """The attributes of what one operation of a transaction writes or checks, its key at least."""
    operation: dict[str, Any] = next(iter(transact_item.values()), {})
    return dict(operation.get("Key") or operation.get("Item") or {})


def _with_copies_of(table: Table, written: Iterable[dict[str, Any]]) -> Table:
    """The same table with copies of these items; it shares the others, which the transaction does not change."""
    same = copy.copy(table)
    same.items = copy.copy(table.items)
    names = (table.hash_key_attr, str(table.range_key_attr))
    for attributes in written:
        if not attributes.keys() >= set(names):
            continue  # of another table, or refused
        partition, key = (DynamoType(attributes[name]) for name in names)
        if partition not in table.items:
            continue
        if same.items[partition] is table.items[partition]:
            same.items[partition] = dict(table.items[partition])
        if key in same.items[partition]:
            same.items[partition][key] = copy.deepcopy(table.items[partition][key])
    return same


def _whole(table: Table, memo: dict[int, Any]) -> Table:
    """What `copy.deepcopy` makes of an object that says nothing about copying."""
    whole = copy.copy(table)
    memo[id(table)] = whole
    whole.__dict__.update(copy.deepcopy(table.__dict__, memo))
    return whole
