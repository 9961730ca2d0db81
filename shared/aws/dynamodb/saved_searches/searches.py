"""Saved searches in DynamoDB: what each owner has saved, and the events that its runs have told."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import merge
from typing import TYPE_CHECKING, Any

from botocore.exceptions import BotoCoreError, ClientError

from shared.aws.dynamodb.errors import is_condition_failure
from shared.aws.dynamodb.saved_searches.deletion import all_marked, finish, mark
from shared.aws.dynamodb.saved_searches.keys import (
    BASELINE,
    DELETED,
    EVENT,
    INDEX,
    LISTED,
    event_key,
    item_key,
    owner_key,
    pages,
    search_key,
)
from shared.aws.dynamodb.throttling import retry_throttled
from shared.aws.runtime.observability import error_code, logger
from shared.errors import Conflict

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import Table

# Kept as JSON text: DynamoDB would turn numbers into decimals and forget empty lists.
_TEXTS = ("search", "schedule", "delivery", "windows", "last_run")
_PLAIN = ("id", "owner", "name", "enabled", "created_at", "updated_at", "since", "asked")
# What nobody is shown.
_STATE = frozenset(
    ("pk", "sk", "owner", "secret", "version", "lease_run", "lease_until", "last_due", "next_number", "queued_to",
     "windows", "listed", "asked", "since", "previous_secrets", "soon_at")
)  # fmt: skip


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
        """A new one, with `windows` as given. Raises Conflict where one is being deleted."""
        texts = {name: json.dumps(saved[name], ensure_ascii=False) for name in _TEXTS if saved.get(name) is not None}
        item = {
            **item_key(saved["owner"], saved["id"]),
            **{name: saved[name] for name in (*_PLAIN, "soon_at") if name in saved},
            **texts,
            **({"secret": secret} if secret else {}),
            "listed": LISTED,
            "version": 1,
            "next_number": 1,
            "queued_to": 0,
        }
        try:
            retry_throttled(self._table.put_item, Item=item, ConditionExpression="attribute_not_exists(pk)")
        except ClientError as error:
            if is_condition_failure(error) and (self._item(saved["owner"], saved["id"]) or {}).get("listed") == DELETED:
                raise Conflict(
                    "the search saved under this Idempotency-Key is being deleted", hint="Use a new key."
                ) from None
            raise

    def of_owner(self, owner: str) -> list[dict[str, Any]]:
        """All of one owner's, the oldest first."""
        items = pages(self._table, "pk = :owner", {":owner": owner_key(owner)})
        found = [saved_of(item) for item in items if item["listed"] == LISTED]
        return sorted(found, key=lambda it: (it["created_at"], it["id"]))

    def get(self, owner: str, search_id: str) -> dict[str, Any] | None:
        """One of this owner's, with its state."""
        item = self._item(owner, search_id)
        return saved_of(item) if item and item["listed"] == LISTED else None

    def _item(self, owner: str, search_id: str) -> Mapping[str, Any] | None:
        return self._table.get_item(Key=item_key(owner, search_id), ConsistentRead=True).get("Item")

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
        if (secret or forget_secret) and "previous_secrets" not in sets:  # they were of another receiver
            removed.append("previous_secrets")
        if "windows" in sets:  # a run on its way reads the days of the search as it was: it loses its lease
            removed += ["lease_run", "lease_until"]
        names |= {f"#{name}": name for name in removed}
        remove = f" REMOVE {', '.join(f'#{name}' for name in removed)}" if removed else ""
        try:
            retry_throttled(
                self._table.update_item,
                Key=item_key(saved["owner"], saved["id"]),
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
            if is_condition_failure(error):
                raise Conflict(
                    "the saved search was changed meanwhile", hint="Read it again, then change it."
                ) from None
            raise

    def delete(self, saved: Mapping[str, Any], in_time: Callable[[], bool] = lambda: True) -> None:
        """The search at once, then what its runs have kept, as far as that can be; `end_deletions` does the rest."""
        mark(self._table, saved)
        try:
            finish(self._table, saved, in_time)
        except (ClientError, BotoCoreError) as error:
            logger.warning("what a search has kept is removed later", search_id=saved["id"], error=error_code(error))

    def end_deletions(self, in_time: Callable[[], bool]) -> dict[str, int]:
        """Remove what is left of searches that were deleted: of how many nothing is, and of how many something."""
        done = {"swept": 0, "unswept": 0}
        for marked in all_marked(self._table):
            done["swept" if in_time() and finish(self._table, marked, in_time) else "unswept"] += 1
        return done

    def events(
        self, search_id: str, *, above: int = 0, below: int | None = None, limit: int = 50, types: Sequence[str] = ()
    ) -> EventPage:
        """Events numbered between these two, both exclusive, the newest first; of these types, when some are named."""
        last = (below or 10**10) - 1
        kinds = [kind for kind in _kinds(types) if above < last]
        told = (self._told(search_id, kind, above + 1, last, limit) for kind in kinds)
        found: list[dict[str, Any]] = []
        for event in merge(*told, key=lambda event: -int(event["number"])):
            if types and event["type"] not in types:
                continue
            if len(found) == limit:
                return EventPage(found, more=True)
            found.append(event)
        return EventPage(found, more=False)

    def _told(self, search_id: str, kind: str, first: int, last: int, limit: int) -> Iterator[dict[str, Any]]:
        wanted = "pk = :search AND sk BETWEEN :first AND :last"
        between = {":first": event_key(first, kind), ":last": event_key(last, kind)}
        values = {":search": search_key(search_id), **between}
        for item in pages(self._table, wanted, values, newest_first=True, page=max(200, 4 * limit)):
            yield json.loads(str(item["event"]))

    def everybodys(self) -> Iterator[dict[str, Any]]:
        """Every saved search, for who puts schedules right: owner, id, schedule, enabled."""
        for item in pages(self._table, "listed = :listed", {":listed": LISTED}, index=INDEX):
            yield {**item, "schedule": json.loads(str(item["schedule"]))}


def _kinds(types: Sequence[str]) -> set[str]:
    """Under which keys events of these types lie; of all, when none is named."""
    return {BASELINE if kind == BASELINE else EVENT for kind in types} if types else {BASELINE, EVENT}


def view(saved: Mapping[str, Any]) -> dict[str, Any]:
    """A saved search without its state and its secret."""
    return {"last_started_at": None, **{name: value for name, value in saved.items() if name not in _STATE}}
