"""Deletion of saved searches in two steps: mark the search as deleted, then remove what its runs have stored.

A marked search is invisible. Its item is removed last, so that an interrupted deletion is found and completed later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from shared.aws.dynamodb import throttling
from shared.aws.dynamodb.batches import ITEMS_PER_REQUEST, Item, write_batch
from shared.aws.dynamodb.errors import try_write
from shared.aws.dynamodb.saved_searches.keys import (
    DELETED,
    INDEX,
    LISTED,
    item_key,
    pages,
    search_key,
)
from shared.aws.dynamodb.throttling import retry_throttled
from shared.saved_searches.stored import StoredSearch

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import Table


def mark(table: Table, saved: StoredSearch) -> None:
    """Hide the search, revoke the lease of its run, and make pending changes fail. Does nothing if already deleted."""
    try_write(
        retry_throttled,
        table.update_item,
        Key=item_key(saved["owner"], saved["id"]),
        UpdateExpression="SET listed = :deleted ADD version :one "
        "REMOVE lease_run, lease_until, secret, previous_secrets",
        ConditionExpression="listed = :listed",
        ExpressionAttributeValues={":deleted": DELETED, ":listed": LISTED, ":one": 1},
    )


def purge(table: Table, marked: StoredSearch | Item, in_time: Callable[[], bool]) -> bool:
    """Remove a marked search and what its runs have stored, while `in_time()`; return whether nothing is left."""
    if not _remove_rows(table, marked["id"], in_time):
        return False
    # Where the condition fails, another process has removed it, and a new search has its id.
    try_write(
        retry_throttled,
        table.delete_item,
        Key=item_key(marked["owner"], marked["id"]),
        ConditionExpression="listed = :deleted",
        ExpressionAttributeValues={":deleted": DELETED},
    )
    return True


def all_marked(table: Table) -> Iterator[Item]:
    """Yield every search whose deletion is not complete."""
    yield from pages(table, "listed = :deleted", {":deleted": DELETED}, index=INDEX)


def _remove_rows(table: Table, search_id: str, in_time: Callable[[], bool]) -> bool:
    rows = pages(table, "pk = :search", {":search": search_key(search_id)}, only="pk, sk")
    waiting: list[Any] = []
    while in_time():
        more = islice(rows, ITEMS_PER_REQUEST - len(waiting))
        waiting += [{"DeleteRequest": {"Key": {"pk": item["pk"], "sk": item["sk"]}}} for item in more]
        if not waiting:
            return True
        waiting = retry_throttled(write_batch, table=table, requests=waiting)
        if waiting:
            throttling.sleep(throttling.FIRST_WAIT_S)
    return False
