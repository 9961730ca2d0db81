"""The table of saved searches: its keys and queries, and the items of its events.

pk = owner#<owner>   sk = search#<id>          the saved search and its state
pk = search#<id>     sk = event#<number>       an event of the feed; expires after 90 days
pk = search#<id>     sk = baseline#<number>    an event of type baseline, which most readers leave out
pk = search#<id>     sk = seen#<number>        a reported paper (`shared.saved_searches.seen`)
pk = reconciliation  sk = position             how far the schedules were compared with the searches
pk = search#<id>     sk = delivery#<id>#<set>  the failed attempts of a delivery; expires after 14 days

Another owner's search has another partition key: to a caller, it is the same as one that does not exist.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from shared.aws.dynamodb.batches import Item
from shared.clock import epoch_s
from shared.errors import Conflict
from shared.saved_searches.new_events import NewEvent, bounded

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import Table

    from shared.answers.saved_searches import Event

# The index of all searches, and its partitions: saved searches, and those whose deletion has begun.
INDEX, LISTED, DELETED = "all_searches", "search", "deleted"
RECONCILIATION = {"pk": "reconciliation", "sk": "position"}
SEEN = "seen#"
BASELINE = "baseline"  # the type of an event, and the prefix of its key; all other types have the next prefix
EVENT = "event"
EVENT_TTL_S = 90 * 24 * 3600
# An item holds 400 kB, an SNS message 256 kB. A larger event is stored with texts of SHORT_CHARS characters at most.
EVENT_BYTES, SHORT_CHARS = 150_000, 200
WRITE_ATTEMPTS = 10  # at events, whose numbers a run and a notice may take at the same time


def owner_key(owner: str) -> str:
    """Return the partition key of an owner's searches."""
    return f"owner#{owner}"


def search_key(search_id: str) -> str:
    """Return the sort key of a search under its owner, which is also the partition key of what its runs store."""
    return f"search#{search_id}"


def item_key(owner: str, search_id: str) -> dict[str, str]:
    """Return the primary key of a search."""
    return {"pk": owner_key(owner), "sk": search_key(search_id)}


def seen_key(number: int) -> str:
    """Return the sort key of a reported paper."""
    return f"{SEEN}{number:08d}"


def event_key(number: int, kind: str) -> str:
    """Return the sort key of an event; events of all types share one sequence of numbers."""
    return f"{BASELINE if kind == BASELINE else EVENT}#{number:010d}"


def delivery_key(delivery_id: str, set_at: str) -> str:
    """Return the sort key of a delivery's failed attempts; `set_at` is when its webhook was set."""
    return f"delivery#{delivery_id}#{set_at}"


def pages(
    table: Table,
    condition: str,
    values: Mapping[str, str],
    *,
    index: str | None = None,
    only: str | None = None,
    newest_first: bool = False,
    page: int | None = None,
) -> Iterator[Item]:
    """Yield all items of a query, read a megabyte, or `page` items, per request.

    The condition is a text: boto3's condition objects are serialised by one shared builder, which is not thread-safe.
    """
    form: dict[str, Any] = {
        "KeyConditionExpression": condition,
        "ExpressionAttributeValues": values,
        "ScanIndexForward": not newest_first,
    }
    form |= {"IndexName": index} if index else {"ConsistentRead": True}
    form |= {"ProjectionExpression": only} if only else {}
    form |= {"Limit": page} if page else {}
    while True:
        answer = table.query(**form)
        yield from answer["Items"]
        if "LastEvaluatedKey" not in answer:
            return
        form["ExclusiveStartKey"] = answer["LastEvaluatedKey"]


def event_item(search_id: str, event: NewEvent, number: int) -> Item:
    """Return the item of an event, with its id and number; it expires after 90 days, and is shortened if too large."""
    stored: Event = {"id": f"{search_id}-{number:08d}", "number": number, **event}
    expires = epoch_s(datetime.fromisoformat(event["at"])) + EVENT_TTL_S
    key = {"pk": search_key(search_id), "sk": event_key(number, event["type"])}
    text = json_text(stored)
    if len(text.encode()) > EVENT_BYTES:
        text = json_text(bounded(stored, SHORT_CHARS))
    return {**key, "event": text, "expires_at": expires}


def json_text(value: object) -> str:
    """Serialise to JSON without lone surrogates, which DynamoDB rejects."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace").decode()


def changed_too_often() -> Conflict:
    """The error after WRITE_ATTEMPTS, each of which met another writer."""
    return Conflict("the saved search is being changed too often")
