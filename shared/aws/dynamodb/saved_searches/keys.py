"""The table of saved searches: what lies where, and how it is queried.

pk = owner#<owner>   sk = search#<id>          the saved search and its state
pk = search#<id>     sk = event#<number>       what was told, for the feed; dies after 90 days
pk = search#<id>     sk = baseline#<number>    the same of what was there already, which most readers leave out
pk = search#<id>     sk = seen#<number>        what each paper is known again by (`shared.saved_searches.seen`)
pk = search#<id>     sk = delivery#<id>#<set>  how often a delivery failed since its webhook was set; dies after 14 days

Somebody else's search lies under another partition key: it cannot be told from one that does not exist.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import Table

# The partitions of the index that holds every search, for who looks after all of them.
INDEX, LISTED, DELETED = "all_searches", "search", "deleted"
SEEN = "seen#"
BASELINE = "baseline"  # the type of an event, and the prefix of its key; all others have the next
EVENT = "event"


def owner_key(owner: str) -> str:
    """The partition of one owner."""
    return f"owner#{owner}"


def search_key(search_id: str) -> str:
    """The sort key of a search under its owner, and the partition of what its runs keep."""
    return f"search#{search_id}"


def item_key(owner: str, search_id: str) -> dict[str, str]:
    """Where a search lies."""
    return {"pk": owner_key(owner), "sk": search_key(search_id)}


def seen_key(number: int) -> str:
    """The sort key of a paper that was told."""
    return f"{SEEN}{number:08d}"


def event_key(number: int, kind: str = EVENT) -> str:
    """The sort key of an event; the numbers of all kinds are one sequence."""
    return f"{BASELINE if kind == BASELINE else EVENT}#{number:010d}"


def delivery_key(delivery_id: str, set_at: str) -> str:
    """The sort key of a delivery's failed attempts; `set_at` is when its webhook was set."""
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
) -> Iterator[Mapping[str, Any]]:
    """Every item of a query, a megabyte a request, or so many items.

    The condition is text: boto3's objects are made text by one builder, which threads would disturb one another in.
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
