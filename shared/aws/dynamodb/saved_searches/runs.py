"""The runs of saved searches in DynamoDB: one at a time per search, and each paper reported once.

A write succeeds only while the search's item names the run as the holder of its lease. A reported paper and its events
are written in one transaction with the event counter. So a run that is started twice reports once, and one that dies
leaves complete papers, which the next run recognises.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from botocore.exceptions import ClientError

from shared.aws.dynamodb.batches import Item
from shared.aws.dynamodb.errors import is_condition_failure, try_write
from shared.aws.dynamodb.saved_searches.keys import (
    LISTED,
    SEEN,
    WRITE_ATTEMPTS,
    changed_too_often,
    event_item,
    item_key,
    json_text,
    pages,
    search_key,
    seen_key,
)
from shared.aws.dynamodb.saved_searches.searches import stored_search
from shared.aws.dynamodb.throttling import retry_throttled, transact_write
from shared.canonical_json import chunked, json_bytes
from shared.clock import epoch_s, timestamp
from shared.errors import LeaseLost, RunUnderWay
from shared.saved_searches.run import PaperNews
from shared.saved_searches.seen import ReportedPaper, known_from_json, known_to_json
from shared.saved_searches.windows import Window, to_json

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import Table

    from shared.answers.saved_search_runs import LastRun, WatchRun

# Longer than a run, which ends before its function does: a run with an expired lease is dead.
LEASE_S = 120
ITEMS_A_TRANSACTION = 100  # DynamoDB's limit, with 4 MB in all
BYTES_A_TRANSACTION = 2_000_000
# Also false after a change of the search or its windows, which revokes the lease.
_HOLDS_LEASE = "lease_run = :me"
SkipReason = Literal["gone", "disabled", "already_run"]


class Run:
    """A run that holds the lease of its search. Raises LeaseLost and botocore's errors."""

    def __init__(self, table: Table, item: Item, holder: str, now: Callable[[], datetime]) -> None:
        self._table, self._holder, self._now = table, holder, now
        self.saved = stored_search(item)
        self._next_number = self.saved["next_number"]

    def known(self) -> list[ReportedPaper]:
        """Return every reported paper."""
        values = {":search": search_key(self.saved["id"]), ":seen": SEEN}
        return [
            known_from_json(json.loads(str(item["known"])), int(str(item["sk"]).removeprefix(SEEN)))
            for item in pages(self._table, "pk = :search AND begins_with(sk, :seen)", values)
        ]

    def write_news(self, news: Sequence[PaperNews]) -> None:
        """Store papers with their events, in transactions of complete papers."""
        for part in _transactions(news):
            self._write(part)

    def save_windows(self, windows: Sequence[Window]) -> None:
        """Store the windows, and extend the lease."""
        text = json.dumps([to_json(window) for window in windows])
        self._update("SET windows = :windows, lease_until = :until", {":windows": text, ":until": self._until()})

    def save_position(self, position: str | None) -> None:
        """Store how far the run of a watch has come, and extend the lease; None when it has reached the end."""
        if position is None:
            self._update("SET lease_until = :until REMOVE watch_position", {":until": self._until()})
        else:
            values = {":position": position, ":until": self._until()}
            self._update("SET watch_position = :position, lease_until = :until", values)

    def end(self, report: LastRun | WatchRun, due: str) -> None:
        """Store the report and release the lease. A run that was due at `due` or before is not repeated."""
        change = "SET last_run = :report, last_due = :due REMOVE lease_run, lease_until"
        self._update(change, {":report": json_text(report), ":due": due})

    def queued(self, number: int) -> None:
        """Record that events up to this number are in the delivery queue."""
        self._update("SET queued_to = :number", {":number": number})

    def schedule_rerun(self, at: str) -> None:
        """Record that one more run is scheduled at this moment (ISO 8601), beside the regular schedule."""
        self._update("SET soon_at = :at", {":at": at})

    @property
    def last_number(self) -> int:
        """The number of the newest event; 0 if there is none."""
        return self._next_number - 1

    def _write(self, news: Sequence[PaperNews]) -> None:
        search_id = self.saved["id"]
        for _ in range(WRITE_ATTEMPTS):
            events = [event for it in news for event in it.events]
            after = self._next_number + len(events)
            items: list[Item] = [_seen_item(search_id, it.known) for it in news]
            items += [event_item(search_id, event, number) for number, event in enumerate(events, self._next_number)]
            if transact_write(self._table, [self._counter(after), *map(self._put, items)]):
                self._next_number = after
                return
            self._refresh()
        raise changed_too_often()

    def _refresh(self) -> None:
        """Read the next number again after a concurrent notice. Raises LeaseLost if another run holds the lease."""
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
                "ConditionExpression": f"{_HOLDS_LEASE} AND next_number = :before",
                "ExpressionAttributeValues": {
                    ":after": after,
                    ":before": self._next_number,
                    ":until": self._until(),
                    ":me": self._holder,
                },
            }
        }

    def _put(self, item: Item) -> Any:
        return {"Put": {"TableName": self._table.name, "Item": dict(item)}}

    def _update(self, change: str, values: Mapping[str, object]) -> None:
        if not try_write(
            retry_throttled,
            self._table.update_item,
            Key=self._key(),
            UpdateExpression=change,
            ConditionExpression=_HOLDS_LEASE,
            ExpressionAttributeValues={**values, ":me": self._holder},
        ):
            raise _lost()

    def _key(self) -> dict[str, str]:
        return item_key(self.saved["owner"], self.saved["id"])

    def _until(self) -> int:
        return epoch_s(self._now()) + LEASE_S


def _lost() -> LeaseLost:
    return LeaseLost("another run has taken over, or the saved search was deleted or changed")


def begin(table: Table, owner: str, search_id: str, *, due: str, now: Callable[[], datetime]) -> Run | SkipReason:
    """Take the lease and return the run; or return why there is nothing to run.

    `due` is the scheduled time (ISO 8601). Raises RunUnderWay while another run holds the lease: retry later.
    """
    moment = epoch_s(now())
    holder = secrets.token_hex(8)  # not the request id: Lambda may deliver an event twice at once with the same one
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
        return _skip_reason(table, owner, search_id, due)
    return Run(table, answer["Attributes"], holder, now)


def _skip_reason(table: Table, owner: str, search_id: str, due: str) -> SkipReason:
    item = table.get_item(Key=item_key(owner, search_id), ConsistentRead=True).get("Item")
    if item is None or item["listed"] != LISTED:
        return "gone"
    if not item["enabled"]:
        return "disabled"
    if str(item.get("last_due", "")) >= due:
        return "already_run"
    raise RunUnderWay("this saved search is being run already", retry_after_s=float(LEASE_S))


def _transactions(news: Sequence[PaperNews]) -> Iterator[list[PaperNews]]:
    """Divide papers into chunks that fit into one transaction together with the counter."""

    def sizes(it: PaperNews) -> tuple[int, int]:
        return 1 + len(it.events), json_bytes([it.events, known_to_json(it.known)])

    return chunked(news, sizes, (ITEMS_A_TRANSACTION - 1, BYTES_A_TRANSACTION))


def _seen_item(search_id: str, known: ReportedPaper) -> Item:
    return {"pk": search_key(search_id), "sk": seen_key(known.number), "known": json_text(known_to_json(known))}
