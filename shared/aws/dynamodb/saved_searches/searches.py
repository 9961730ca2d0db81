"""Saved searches in DynamoDB: the searches of each owner, and the events of their feeds."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import merge
from typing import TYPE_CHECKING, Any, cast

from botocore.exceptions import BotoCoreError, ClientError

from shared.aws.dynamodb.batches import Item
from shared.aws.dynamodb.errors import is_condition_failure, try_write
from shared.aws.dynamodb.saved_searches.deletion import all_marked, mark, purge
from shared.aws.dynamodb.saved_searches.keys import (
    BASELINE,
    DELETED,
    EVENT,
    INDEX,
    LISTED,
    RECONCILIATION,
    event_key,
    item_key,
    json_text,
    owner_key,
    pages,
    search_key,
)
from shared.aws.dynamodb.throttling import retry_throttled
from shared.aws.runtime.observability import error_code, logger
from shared.errors import Conflict
from shared.saved_searches.stored import NewSearch, ScheduledSearch, SearchUpdate, StoredSearch

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import Table

    from shared.answers.saved_searches import Event

# Stored as JSON text: DynamoDB would convert numbers to Decimals.
_JSON = ("search", "watch", "schedule", "delivery", "windows", "last_run")
_PLAIN = ("id", "owner", "name", "enabled", "created_at", "updated_at", "since", "asked", "soon_at")


def stored_search(item: Item) -> StoredSearch:
    """Parse an item: its JSON texts, and its numbers as ints."""
    parsed = {name: json.loads(str(item[name])) if item.get(name) else None for name in _JSON}
    numbers = {name: int(item[name]) for name in ("version", "next_number", "queued_to")}
    return cast(StoredSearch, {**item, **parsed, **numbers})  # DynamoDB's items are untyped


@dataclass(frozen=True, slots=True)
class EventPage:
    """Events, newest first; `more` if older ones follow."""

    events: list[Event]
    more: bool


@dataclass(frozen=True, slots=True)
class PurgeCounts:
    """How many deleted searches were removed completely, and how many are left for the next time."""

    purged: int
    remaining: int


class SavedSearches:
    """The saved searches of all owners. Raises botocore's errors."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def create(self, saved: NewSearch, secret: str | None) -> None:
        """Store a new search. Raises Conflict while a search of the same id is being deleted."""
        fields: Mapping[str, object] = {**saved}
        item: dict[str, Any] = {
            **item_key(saved["owner"], saved["id"]),
            **{name: fields[name] for name in _PLAIN if name in fields},
            **{name: json_text(fields[name]) for name in _JSON if fields.get(name) is not None},
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

    def list_for_owner(self, owner: str) -> list[StoredSearch]:
        """Return all searches of one owner, oldest first."""
        items = pages(self._table, "pk = :owner", {":owner": owner_key(owner)})
        searches = [stored_search(item) for item in items if item["listed"] == LISTED]
        return sorted(searches, key=lambda it: (it["created_at"], it["id"]))

    def list_all(self) -> Iterator[ScheduledSearch]:
        """Yield the searches of all owners, with what their schedules depend on."""
        for item in pages(self._table, "listed = :listed", {":listed": LISTED}, index=INDEX):
            yield {
                "id": str(item["id"]),
                "owner": str(item["owner"]),
                "schedule": json.loads(str(item["schedule"])),
                "enabled": bool(item["enabled"]),
            }

    def compared_to(self) -> str:
        """Return the last schedule that was compared with its search; "" if none was."""
        item = self._table.get_item(Key=RECONCILIATION).get("Item")
        return str(item["compared_to"]) if item else ""

    def set_compared_to(self, name: str) -> None:
        """Remember the last schedule that was compared."""
        retry_throttled(self._table.put_item, Item={**RECONCILIATION, "compared_to": name})

    def get(self, owner: str, search_id: str) -> StoredSearch | None:
        """Return one search of this owner, with its state."""
        item = self._item(owner, search_id)
        return stored_search(item) if item and item["listed"] == LISTED else None

    def _item(self, owner: str, search_id: str) -> Item | None:
        return self._table.get_item(Key=item_key(owner, search_id), ConsistentRead=True).get("Item")

    def change(
        self, saved: StoredSearch, update: SearchUpdate, *, secret: str | None = None, forget_secret: bool = False
    ) -> None:
        """Replace attributes of the version that was read. Raises Conflict if the search was changed meanwhile.

        With a new `secret`, or `forget_secret`, the previous secrets are removed unless `update` has some. With
        `windows` or `watch`, a run in progress loses its lease, because it reads the old ones.
        """
        values = {name: json_text(it) if name in _JSON else it for name, it in update.items()}
        values |= {"secret": secret} if secret else {}
        removed = ["secret"] if forget_secret and not secret else []
        if (secret or forget_secret) and "previous_secrets" not in update:
            removed.append("previous_secrets")
        if update.keys() & {"windows", "watch"}:
            removed += ["lease_run", "lease_until", "watch_position"]
        if not try_write(retry_throttled, self._table.update_item, **_update_of(saved, values, removed)):
            raise Conflict("the saved search was changed meanwhile", hint="Read it again, then change it.")

    def delete(self, saved: StoredSearch, in_time: Callable[[], bool] = lambda: True) -> None:
        """Delete the search, and what its runs have stored while `in_time()`; `purge_deleted` removes the rest."""
        mark(self._table, saved)
        try:
            purge(self._table, saved, in_time)
        except (ClientError, BotoCoreError) as error:
            logger.warning("deleted search is purged later", search_id=saved["id"], error=error_code(error))

    def purge_deleted(self, in_time: Callable[[], bool]) -> PurgeCounts:
        """Remove what is left of deleted searches, while `in_time()`."""
        done = [in_time() and purge(self._table, marked, in_time) for marked in all_marked(self._table)]
        return PurgeCounts(purged=sum(done), remaining=len(done) - sum(done))

    def events(
        self, search_id: str, *, above: int = 0, below: int | None = None, limit: int = 50, types: Sequence[str] = ()
    ) -> EventPage:
        """Return events numbered between `above` and `below`, both exclusive, newest first; of `types`, if any."""
        last = (below or 10**10) - 1
        kinds = [kind for kind in _key_kinds(types) if above < last]
        queries = (self._events_of(search_id, kind, above + 1, last, limit) for kind in kinds)
        page: list[Event] = []
        for event in merge(*queries, key=lambda event: -int(event["number"])):
            if types and event["type"] not in types:
                continue
            if len(page) == limit:
                return EventPage(page, more=True)
            page.append(event)
        return EventPage(page, more=False)

    def _events_of(self, search_id: str, kind: str, first: int, last: int, limit: int) -> Iterator[Event]:
        condition = "pk = :search AND sk BETWEEN :first AND :last"
        between = {":first": event_key(first, kind), ":last": event_key(last, kind)}
        values = {":search": search_key(search_id), **between}
        for item in pages(self._table, condition, values, newest_first=True, page=max(200, 4 * limit)):
            yield json.loads(str(item["event"]))


def _update_of(saved: StoredSearch, values: Mapping[str, object], removed: Sequence[str]) -> dict[str, Any]:
    """Return the arguments of an UpdateItem request on the version that was read."""
    changes = ", ".join(f"#{name} = :{name}" for name in values)
    remove = f" REMOVE {', '.join(f'#{name}' for name in removed)}" if removed else ""
    return {
        "Key": item_key(saved["owner"], saved["id"]),
        "UpdateExpression": f"SET {changes}, #version = :next{remove}",
        "ConditionExpression": "#version = :seen",
        "ExpressionAttributeNames": {f"#{name}": name for name in (*values, "version", *removed)},
        "ExpressionAttributeValues": {
            **{f":{name}": value for name, value in values.items()},
            ":seen": saved["version"],
            ":next": saved["version"] + 1,
        },
    }


def _key_kinds(types: Sequence[str]) -> set[str]:
    """Return the key prefixes of events of these types; all prefixes if `types` is empty."""
    return {BASELINE if kind == BASELINE else EVENT for kind in types} if types else {BASELINE, EVENT}
