"""A saved search that is deleted: it is marked first, and unseen from then on; then what its runs have kept goes.

The marked item goes last. So whatever breaks off meanwhile, it is still found, and the rest is done by the next look.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from shared.aws.dynamodb import throttling
from shared.aws.dynamodb.batches import ITEMS_PER_REQUEST, write_batch
from shared.aws.dynamodb.errors import is_condition_failure
from shared.aws.dynamodb.saved_searches.keys import DELETED, INDEX, LISTED, item_key, pages, search_key
from shared.aws.dynamodb.throttling import retry_throttled

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import Table


def mark(table: Table, saved: Mapping[str, Any]) -> None:
    """From this moment nobody sees it, no run of it can write, and no change that was begun goes through.

    One that is marked or gone already stays as it is.
    """
    try:
        retry_throttled(
            table.update_item,
            Key=item_key(saved["owner"], saved["id"]),
            UpdateExpression="SET listed = :deleted ADD version :one "
            "REMOVE lease_run, lease_until, secret, previous_secrets",
            ConditionExpression="listed = :listed",
            ExpressionAttributeValues={":deleted": DELETED, ":listed": LISTED, ":one": 1},
        )
    except ClientError as error:
        if not is_condition_failure(error):
            raise


def finish(table: Table, marked: Mapping[str, Any], in_time: Callable[[], bool]) -> bool:
    """Remove what is left of a marked search, as long as there is time; whether nothing is."""
    if not _swept(table, marked["id"], in_time):
        return False
    try:
        retry_throttled(
            table.delete_item,
            Key=item_key(marked["owner"], marked["id"]),
            ConditionExpression="listed = :deleted",
            ExpressionAttributeValues={":deleted": DELETED},
        )
    except ClientError as error:  # somebody else was here, and the id is that of a new search
        if not is_condition_failure(error):
            raise
    return True


def all_marked(table: Table) -> Iterator[Mapping[str, Any]]:
    """Every search whose deletion broke off."""
    yield from pages(table, "listed = :deleted", {":deleted": DELETED}, index=INDEX)


def _swept(table: Table, search_id: str, in_time: Callable[[], bool]) -> bool:
    left = pages(table, "pk = :search", {":search": search_key(search_id)}, only="pk, sk")
    waiting: list[Any] = []
    while in_time():
        more = islice(left, ITEMS_PER_REQUEST - len(waiting))
        waiting += [{"DeleteRequest": {"Key": {"pk": item["pk"], "sk": item["sk"]}}} for item in more]
        if not waiting:
            return True
        waiting = retry_throttled(write_batch, table=table, requests=waiting)
        if waiting:
            throttling.sleep(throttling.FIRST_WAIT_S)
    return False
