"""One run at a time for each saved search, and each paper told once: lease, seen-set and events in DynamoDB.

Every write of a run goes through only while the search's item names it as the holder of the lease; what is known of a
paper and the events about it are written in one transaction with the counter of events. So a run that was started twice
tells once, and one that died half-way has told whole papers, which the next run knows.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from shared.aws.dynamodb.errors import is_condition_failure
from shared.aws.dynamodb.saved_searches.keys import LISTED, SEEN, event_key, item_key, pages, search_key, seen_key
from shared.aws.dynamodb.saved_searches.searches import saved_of
from shared.aws.dynamodb.throttling import retry_throttled, transact_write
from shared.canonical_json import chunked, json_bytes
from shared.clock import timestamp
from shared.errors import Conflict, LeaseLost, RunUnderWay
from shared.saved_searches.run import News, bounded
from shared.saved_searches.seen import Known, known_from_json, known_to_json
from shared.saved_searches.windows import Window, to_json

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import Table

# A run ends before its function does; a lease is longer, so that who died is known to be dead.
LEASE_S = 120
KEPT_S = 90 * 24 * 3600
ITEMS_A_TRANSACTION = 100  # DynamoDB's own limit; 4 MB all together
BYTES_A_TRANSACTION = 2_000_000
# An item holds 400 kB, a topic's message 256 kB; with texts of so many characters no event is larger than this.
EVENT_BYTES, SHORT_CHARS = 150_000, 200
ATTEMPTS = 10  # where notices are written at the same moment
# A run of what was searched for before a change has nothing to say of what is searched for now: it loses its lease.
_HOLDS = "lease_run = :me"


class Run:
    """A run that holds the lease of its search. Raises LeaseLost and botocore's errors."""

    def __init__(self, table: Table, item: Mapping[str, Any], holder: str, now: Callable[[], datetime]) -> None:
        self._table, self._holder, self._now = table, holder, now
        self.saved = saved_of(item)
        self._next_number = int(self.saved["next_number"])

    def known(self) -> list[Known]:
        """Every paper that was told."""
        values = {":search": search_key(self.saved["id"]), ":seen": SEEN}
        return [
            known_from_json(json.loads(str(item["known"])), int(str(item["sk"]).removeprefix(SEEN)))
            for item in pages(self._table, "pk = :search AND begins_with(sk, :seen)", values)
        ]

    def tell(self, news: Sequence[News]) -> None:
        """In transactions of whole papers, each with its events."""
        for part in _parts(news):
            self._write(part)

    def keep(self, windows: Sequence[Window]) -> None:
        """And hold the lease for longer."""
        told = json.dumps([to_json(window) for window in windows])
        self._update("SET windows = :windows, lease_until = :until", {":windows": told, ":until": self._until()})

    def end(self, report: Mapping[str, Any], due: str) -> None:
        """The run is over; one that is due no later than this is not run again."""
        told = _text(report)
        change = "SET last_run = :report, last_due = :due REMOVE lease_run, lease_until"
        self._update(change, {":report": told, ":due": due})

    def queued(self, number: int) -> None:
        """Events up to this one are on their way to webhook and topic."""
        self._update("SET queued_to = :number", {":number": number})

    def comes_again(self, at: str) -> None:
        """One more run comes at this moment, beside the schedule."""
        self._update("SET soon_at = :at", {":at": at})

    @property
    def last_number(self) -> int:
        """The number of the newest event; 0 when there is none."""
        return self._next_number - 1

    def _write(self, news: Sequence[News]) -> None:
        search_id = self.saved["id"]
        for _ in range(ATTEMPTS):
            numbers = iter(range(self._next_number, self._next_number + sum(len(it.events) for it in news)))
            items = [_seen_item(search_id, it.known) for it in news]
            items += [event_item(search_id, event, next(numbers)) for it in news for event in it.events]
            after = self._next_number + sum(len(it.events) for it in news)
            if transact_write(self._table, [self._counter(after), *map(self._put, items)]):
                self._next_number = after
                return
            self._look_again()
        raise Conflict("the saved search is being changed too often")

    def _look_again(self) -> None:
        """Somebody writes a notice at this moment, or has: its number is taken. Raises LeaseLost for another reason."""
        item = self._table.get_item(Key=self._key(), ConsistentRead=True).get("Item", {})
        if item.get("lease_run") != self._holder:
            raise _lost()
        self._next_number = int(str(item["next_number"]))

    def _counter(self, after: int) -> Any:
        return {
            "Update": {
                "TableName": self._table.name,
                "Key": self._key(),
                "UpdateExpression": "SET next_number = :after, lease_until = :until",
                "ConditionExpression": f"{_HOLDS} AND next_number = :before",
                "ExpressionAttributeValues": {
                    ":after": after,
                    ":before": self._next_number,
                    ":until": self._until(),
                    ":me": self._holder,
                },
            }
        }

    def _put(self, item: Mapping[str, Any]) -> Any:
        return {"Put": {"TableName": self._table.name, "Item": dict(item)}}

    def _update(self, change: str, values: Mapping[str, Any]) -> None:
        try:
            retry_throttled(
                self._table.update_item,
                Key=self._key(),
                UpdateExpression=change,
                ConditionExpression=_HOLDS,
                ExpressionAttributeValues={**values, ":me": self._holder},
            )
        except ClientError as error:
            if is_condition_failure(error):
                raise _lost() from None
            raise

    def _key(self) -> dict[str, str]:
        return item_key(self.saved["owner"], self.saved["id"])

    def _until(self) -> int:
        return round(self._now().timestamp()) + LEASE_S


def _lost() -> LeaseLost:
    return LeaseLost("another run has taken over, or the saved search is gone, or it is another one now")


def begin(table: Table, owner: str, search_id: str, *, due: str, now: Callable[[], datetime]) -> Run | str:
    """The run that now holds the lease; or why there is nothing to run: `gone`, `disabled`, `already_run`.

    Raises RunUnderWay when another run holds the lease: whoever calls shall try again later.
    """
    moment = round(now().timestamp())
    holder = secrets.token_hex(8)  # Lambda may bring one event twice at once, under one request id
    try:
        answer = retry_throttled(
            table.update_item,
            Key=item_key(owner, search_id),
            UpdateExpression="SET lease_run = :me, lease_until = :until, last_started_at = :at",
            ConditionExpression="listed = :listed AND enabled = :yes AND "
            "(attribute_not_exists(lease_until) OR lease_until <= :now) AND "
            "(attribute_not_exists(last_due) OR last_due < :due)",
            ExpressionAttributeValues={
                ":me": holder,
                ":at": timestamp(now()),
                ":listed": LISTED,
                ":yes": True,
                ":until": moment + LEASE_S,
                ":now": moment,
                ":due": due,
            },
            ReturnValues="ALL_NEW",
        )
    except ClientError as error:
        if not is_condition_failure(error):
            raise
        return _why_not(table, owner, search_id, due)
    return Run(table, answer["Attributes"], holder, now)


def _why_not(table: Table, owner: str, search_id: str, due: str) -> str:
    item = table.get_item(Key=item_key(owner, search_id), ConsistentRead=True).get("Item")
    if item is None or item["listed"] != LISTED:
        return "gone"
    if not item["enabled"]:
        return "disabled"
    if str(item.get("last_due", "")) >= due:
        return "already_run"
    raise RunUnderWay("this saved search is being run already", retry_after_s=float(LEASE_S))


def _parts(news: Sequence[News]) -> Iterator[list[News]]:
    """As many papers at a time as one transaction takes, with the counter."""

    def sizes(it: News) -> tuple[int, int]:
        return 1 + len(it.events), json_bytes([it.events, known_to_json(it.known)])

    return chunked(news, sizes, (ITEMS_A_TRANSACTION - 1, BYTES_A_TRANSACTION))


def _seen_item(search_id: str, known: Known) -> dict[str, Any]:
    return {"pk": search_key(search_id), "sk": seen_key(known.number), "known": _text(known_to_json(known))}


def event_item(search_id: str, event: Mapping[str, Any], number: int) -> dict[str, Any]:
    """An event as it is kept: under its number, for 90 days from its moment; whole, unless it is far too large."""
    told = {"id": f"{search_id}-{number:08d}", "number": number, **event}
    expires = round(datetime.fromisoformat(event["at"]).timestamp()) + KEPT_S
    key = {"pk": search_key(search_id), "sk": event_key(number, event["type"])}
    text = _text(told)
    if len(text.encode()) > EVENT_BYTES:
        text = _text(bounded(told, SHORT_CHARS))
    return {**key, "event": text, "expires_at": expires}


def _text(value: Any) -> str:
    """As JSON; half a character, which DynamoDB refuses, would end every run."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace").decode()
