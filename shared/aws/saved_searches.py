"""Saved searches in DynamoDB: what each owner has saved, and the events that its runs have told.

pk = owner#<owner>   sk = search#<id>        the saved search and its state
pk = search#<id>     sk = event#<number>     what was told, for the feed; dies after 90 days
pk = search#<id>     sk = seen#<number>      what each paper is known again by (`shared.aws.saved_runs`)

Somebody else's search lies under another partition key: it cannot be told from one that does not exist.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boto3.dynamodb.conditions import Attr, Key
from botocore.exceptions import ClientError

from shared.errors import Conflict

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import Table

LISTED = "search"  # the partition of the index that holds every search, for who looks after all of them
INDEX = "all_searches"
ITEMS_IN_A_BATCH = 25
# Kept as JSON text: DynamoDB would turn numbers into decimals and forget empty lists.
_TEXTS = ("search", "schedule", "delivery", "windows", "last_run")
# What nobody is shown.
_STATE = frozenset(
    ("pk", "sk", "owner", "secret", "version", "lease_run", "lease_until", "last_due", "next_number", "queued_to",
     "windows", "listed", "asked")
)  # fmt: skip


def is_condition(error: ClientError) -> bool:
    """Whether DynamoDB refused because a condition did not hold."""
    return error.response["Error"]["Code"] in ("ConditionalCheckFailedException", "TransactionCanceledException")


def owner_key(owner: str) -> str:
    """The partition of one owner."""
    return f"owner#{owner}"


def event_key(number: int) -> str:
    """The sort key of an event."""
    return f"event#{number:010d}"


def saved_of(item: Mapping[str, Any]) -> dict[str, Any]:
    """A stored search with its texts read and its numbers whole."""
    read = {name: json.loads(str(item[name])) if item.get(name) else None for name in _TEXTS}
    numbers = {name: int(item[name]) for name in ("version", "next_number", "queued_to")}
    return {**item, **read, **numbers}


@dataclass(frozen=True, slots=True)
class EventPage:
    """Events, the newest first; `more` when older ones follow."""

    events: list[dict[str, Any]]
    more: bool


class SavedSearches:
    """What owners do with their searches. Raises botocore's errors."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def create(self, saved: Mapping[str, Any], secret: str | None) -> None:
        """A new one. Its state begins empty, with `windows` as given."""
        texts = {name: json.dumps(saved[name], ensure_ascii=False) for name in _TEXTS if saved.get(name) is not None}
        plain = {name: saved[name] for name in ("id", "owner", "name", "enabled", "created_at", "updated_at", "asked")}
        self._table.put_item(
            Item={
                "pk": owner_key(saved["owner"]),
                "sk": f"search#{saved['id']}",
                **plain,
                **texts,
                **({"secret": secret} if secret else {}),
                "listed": LISTED,
                "version": 1,
                "next_number": 1,
                "queued_to": 0,
            },
            ConditionExpression=Attr("pk").not_exists(),
        )

    def of_owner(self, owner: str) -> list[dict[str, Any]]:
        """All of one owner's, the oldest first."""
        found = [saved_of(it) for it in _pages(self._table, Key("pk").eq(owner_key(owner)))]
        return sorted(found, key=lambda it: (it["created_at"], it["id"]))

    def get(self, owner: str, search_id: str) -> dict[str, Any] | None:
        """One of this owner's, with its state."""
        key = {"pk": owner_key(owner), "sk": f"search#{search_id}"}
        item = self._table.get_item(Key=key, ConsistentRead=True).get("Item")
        return saved_of(item) if item else None

    def change(
        self,
        saved: Mapping[str, Any],
        sets: Mapping[str, Any],
        *,
        secret: str | None = None,
        forget_secret: bool = False,
    ) -> None:
        """Write some fields over the version that was read. Raises Conflict when another change came first."""
        values = {name: json.dumps(it, ensure_ascii=False) if name in _TEXTS else it for name, it in sets.items()}
        values |= {"secret": secret} if secret else {}
        names = {f"#{name}": name for name in (*values, "version")}
        changes = ", ".join(f"#{name} = :{name}" for name in values)
        removed = ["secret"] if forget_secret and not secret else []
        if "windows" in sets:  # a run on its way reads the days of the search as it was: it loses its lease
            removed += ["lease_run", "lease_until"]
        names |= {f"#{name}": name for name in removed}
        remove = f" REMOVE {', '.join(f'#{name}' for name in removed)}" if removed else ""
        try:
            self._table.update_item(
                Key={"pk": saved["pk"], "sk": saved["sk"]},
                UpdateExpression=f"SET {changes}, #version = :next{remove}",
                ConditionExpression="#version = :seen",
                ExpressionAttributeNames=names,
                ExpressionAttributeValues={
                    **{f":{name}": value for name, value in values.items()},
                    ":seen": saved["version"],
                    ":next": saved["version"] + 1,
                },
            )
        except ClientError as error:
            if is_condition(error):
                raise Conflict(
                    "the saved search was changed meanwhile", hint="Read it again, then change it."
                ) from None
            raise

    def delete(self, saved: Mapping[str, Any]) -> None:
        """The search at once, so that no run can write any more; then everything that its runs have kept."""
        self._table.delete_item(Key={"pk": saved["pk"], "sk": saved["sk"]})
        self.sweep(saved["id"])

    def sweep(self, search_id: str) -> None:
        """What the runs of a search have kept, which is gone."""
        with self._table.batch_writer() as batch:
            for item in _pages(self._table, Key("pk").eq(f"search#{search_id}"), only="pk, sk"):
                batch.delete_item(Key={"pk": str(item["pk"]), "sk": str(item["sk"])})

    def events(
        self, search_id: str, *, above: int = 0, below: int | None = None, limit: int = 50, types: Sequence[str] = ()
    ) -> EventPage:
        """Events numbered between these two, both exclusive, the newest first; of these types, when some are named."""
        first, last = event_key(above + 1), event_key((below or 10**10) - 1)
        between = Key("pk").eq(f"search#{search_id}") & Key("sk").between(first, last)
        found: list[dict[str, Any]] = []
        for item in _pages(self._table, between, newest_first=True, page=max(200, 4 * limit)) if first <= last else ():
            event = json.loads(str(item["event"]))
            if types and event["type"] not in types:
                continue
            if len(found) == limit:
                return EventPage(found, more=True)
            found.append(event)
        return EventPage(found, more=False)

    def everybodys(self) -> Iterator[dict[str, Any]]:
        """Every saved search, for who puts schedules right: owner, id, schedule, enabled."""
        for item in _pages(self._table, Key("listed").eq(LISTED), index=INDEX):
            yield {**item, "schedule": json.loads(str(item["schedule"]))}


def _pages(
    table: Table,
    condition: Any,
    *,
    index: str | None = None,
    only: str | None = None,
    newest_first: bool = False,
    page: int | None = None,
) -> Iterator[Mapping[str, Any]]:
    """Every item of a query, a megabyte a request, or so many items."""
    form: dict[str, Any] = {"KeyConditionExpression": condition, "ScanIndexForward": not newest_first}
    form |= {"IndexName": index} if index else {"ConsistentRead": True}
    form |= {"ProjectionExpression": only} if only else {}
    form |= {"Limit": page} if page else {}
    while True:
        answer = table.query(**form)
        yield from answer["Items"]
        if "LastEvaluatedKey" not in answer:
            return
        form["ExclusiveStartKey"] = answer["LastEvaluatedKey"]


def view(saved: Mapping[str, Any]) -> dict[str, Any]:
    """A saved search without its state and its secret."""
    return {name: value for name, value in saved.items() if name not in _STATE}
