"""DynamoDB's batch requests, repeated until every key has been processed.

A batch may be processed in part, under load or because an answer exceeds 16 MB; the rest is returned as unprocessed:
https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html
https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict

from shared.storage_errors import TableBusy

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import Table

# The attributes of an item, as boto3's Table takes and returns them: texts, Decimals, bytes, booleans, lists, maps.
Item: TypeAlias = Mapping[str, Any]
# DynamoDB's limits for one request.
KEYS_PER_REQUEST = 100
ITEMS_PER_REQUEST = 25
# Under load, give up after so many reads that returned nothing, or so many writes more than there are batches.
EXTRA_REQUESTS = 4


class ReadOptions(TypedDict, total=False):
    """What a BatchGetItem request may say of a table besides its keys."""

    ProjectionExpression: str
    ExpressionAttributeNames: Mapping[str, str]
    ConsistentRead: bool


def read_batches(
    table: Table,
    keys: Iterable[tuple[str, str]],
    *,
    options: ReadOptions | None = None,
    before_request: Callable[[], None] = lambda: None,
) -> list[Any]:
    """The items that exist under these `(pk, sk)`, each key read once, in no particular order.

    `before_request` is called before every request and may raise. Raises TableBusy, and botocore's errors.
    """
    client: Any = table.meta.client
    pending: list[Any] = [{"pk": pk, "sk": sk} for pk, sk in dict.fromkeys(keys)]
    items: list[Any] = []
    fruitless = 0
    while pending:
        before_request()
        batch, pending = pending[:KEYS_PER_REQUEST], pending[KEYS_PER_REQUEST:]
        answer = client.batch_get_item(RequestItems={table.name: {"Keys": batch, **(options or {})}})
        unprocessed = answer["UnprocessedKeys"].get(table.name, {}).get("Keys", [])
        # Large items come in several answers; an answer without a single item is a sign of throttling.
        fruitless += len(unprocessed) == len(batch)
        if fruitless >= EXTRA_REQUESTS:
            raise TableBusy(f"{len(unprocessed)} keys could not be read")
        items += answer["Responses"].get(table.name, [])
        pending += unprocessed
    return items


def put_batches(table: Table, items: Sequence[Item], *, before_request: Callable[[], None] = lambda: None) -> None:
    """Write whole items. Raises TableBusy, with some of the items written, and botocore's errors."""
    _write(table, [{"PutRequest": {"Item": item}} for item in items], before_request)


def delete_batches(
    table: Table, keys: Iterable[tuple[str, str]], *, before_request: Callable[[], None] = lambda: None
) -> None:
    """Delete the items with these `(pk, sk)`, each key once. Raises as `put_batches`."""
    requests = [{"DeleteRequest": {"Key": {"pk": pk, "sk": sk}}} for pk, sk in dict.fromkeys(keys)]
    _write(table, requests, before_request)


def _write(table: Table, pending: list[Any], before_request: Callable[[], None]) -> None:
    requests_left = math.ceil(len(pending) / ITEMS_PER_REQUEST) + EXTRA_REQUESTS
    while pending:
        if not requests_left:
            raise TableBusy(f"{len(pending)} items could not be written")
        before_request()
        batch, pending = pending[:ITEMS_PER_REQUEST], pending[ITEMS_PER_REQUEST:]
        pending += write_batch(table, batch)
        requests_left -= 1


def write_batch(table: Table, requests: Sequence[Any]) -> list[Any]:
    """Send one BatchWriteItem of at most ITEMS_PER_REQUEST requests; the unprocessed ones. Raises botocore's errors."""
    client: Any = table.meta.client
    answer = client.batch_write_item(RequestItems={table.name: requests})
    return list(answer["UnprocessedItems"].get(table.name, []))
