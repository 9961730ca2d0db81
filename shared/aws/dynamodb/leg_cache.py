"""The legs of all callers in DynamoDB, by provider and normalised question, and who is asking which of them right now.

A leg is fresh for 24 h and kept for 7 days, to stand in when its provider fails; an empty leg lives 1 h; a failure is
shown to others for two seconds and never kept. The lease lies in the leg's own item, so that keeping the answer and
giving the lease back are one write. An item holds no caller: its key is a hash, its owner a request's random id.

The cache is a help, not a need: when DynamoDB fails, the search goes on without it and the log says so.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from shared.aws.dynamodb.errors import is_condition_failure
from shared.aws.dynamodb.large_items import Head, LargeItems, Stored
from shared.aws.runtime.observability import code_of, logger
from shared.errors import Outcome
from shared.legs.leg import EMPTY_S, KEPT_S, LEASE_S, Entry, Leg, life_s
from shared.providers.provider import ProviderReply, reply_from_json, reply_to_json
from shared.storage_errors import TableBusy

# Longer than anybody who waits goes without looking (1.5 * LAST_LOOK_S), so that none of them misses it.
FAILURE_S = 2.0
# An item that holds a lease and no answer is swept away after this.
LEASE_ITEM_S = 60
# Raised when the form of a kept leg changes, so that an older form is never read.
FORM = 4

# Nobody holds the lease, nobody failed since, and the answer is the one that was seen.
_FREE = (
    "(attribute_not_exists(lease_until) OR lease_until <= :now) AND "
    "(attribute_not_exists(failed_until) OR failed_until <= :now OR failed_until = :failed) AND "
    "(attribute_not_exists(stored_at) OR stored_at = :seen)"
)


class DynamoLegCache:
    """`shared.legs.leg.LegCache` for one search, whose random id is `owner`. Moments are epoch milliseconds."""

    def __init__(self, items: LargeItems, now: Callable[[], datetime], owner: str) -> None:
        self._items = items
        self._now = now
        self._owner = owner
        self._began = self._ms()

    def read(self, legs: Sequence[Leg], *, fresh: bool) -> list[Entry]:
        """One request, and one more when a leg is too large for its item."""
        keys = [_key(leg) for leg in legs]
        now = self._ms()
        try:
            heads = self._items.heads(keys)
            kept = self._items.values(heads.values(), now=now // 1000)
        except (ClientError, BotoCoreError, TableBusy) as error:
            logger.error("the leg cache cannot be read", error=code_of(error))
            return [Entry() for _ in legs]
        not_before = self._began if fresh else 0
        return [_entry(heads.get(key), kept.get(key), now, not_before) for key in keys]

    def lease(self, leg: Leg, seen: Entry) -> bool:
        """One conditional write; what died of age goes with it, lest the lease's longer life revive it."""
        now = self._ms()
        dead = "" if seen.reply else ", packed, generation, parts, stored_at"
        try:
            self._items.table.update_item(
                Key={"pk": _key(leg), "sk": "head"},
                UpdateExpression=f"SET lease_owner = :me, lease_until = :until, expires_at = :end REMOVE failure{dead}",
                ConditionExpression=_FREE,
                ExpressionAttributeValues={
                    ":me": self._owner,
                    ":now": now,
                    ":until": now + round(LEASE_S * 1000),
                    ":seen": seen.stored_at or 0,
                    ":failed": seen.failed_until or 0,
                    ":end": max(_end_of_life(seen), now // 1000 + LEASE_ITEM_S),
                },
            )
        except (ClientError, BotoCoreError) as error:
            return not _refused(error, "a lease cannot be taken")
        return True

    def renew(self, legs: Sequence[Leg]) -> None:
        """One write a leg."""
        until = self._ms() + round(LEASE_S * 1000)
        for leg in legs:
            self._update_mine(leg, "SET lease_until = :until", {":until": until})

    def keep(self, leg: Leg, reply: ProviderReply) -> None:
        """One write; more when the leg is too large for one item."""
        if not reply.outcome.answered:
            raise ValueError(f"a leg that ended {reply.outcome.value} must not be kept")
        now = self._ms()
        data = json.dumps(reply_to_json(reply), ensure_ascii=False).encode()
        try:
            self._items.put(_key(leg), data, stored_at=now, expires_at=now // 1000 + _kept_s(reply))
        except (ClientError, BotoCoreError, TableBusy) as error:
            logger.error("a leg cannot be kept", error=code_of(error))

    def give_up(self, leg: Leg, failure: ProviderReply | None) -> None:
        """One write."""
        if failure is None:
            self._update_mine(leg, "REMOVE lease_owner, lease_until", {})
            return
        told = json.dumps(reply_to_json(failure), ensure_ascii=False)
        until = self._ms() + round(FAILURE_S * 1000)
        change = "SET failure = :failure, failed_until = :until REMOVE lease_owner, lease_until"
        self._update_mine(leg, change, {":failure": told, ":until": until})

    def _update_mine(self, leg: Leg, change: str, values: dict[str, Any]) -> None:
        try:
            self._items.table.update_item(
                Key={"pk": _key(leg), "sk": "head"},
                UpdateExpression=change,
                ConditionExpression="lease_owner = :me",
                ExpressionAttributeValues={":me": self._owner, **values},
            )
        except (ClientError, BotoCoreError) as error:
            _refused(error, "a lease cannot be renewed or given back")

    def _ms(self) -> int:
        return round(self._now().timestamp() * 1000)


def _entry(head: Head | None, kept: Stored | None, now: int, not_before: int) -> Entry:
    if head is None:
        return Entry()
    reply = reply_from_json(json.loads(kept.data)) if kept else None
    failed_until = int(head.get("failed_until", 0))
    failed = "failure" in head and failed_until > now and failed_until - round(FAILURE_S * 1000) >= not_before
    return Entry(
        reply=reply,
        stored_at=int(head["stored_at"]) if "stored_at" in head else None,
        fresh_s=life_s(reply) - (now - kept.stored_at) / 1000
        if reply and kept and kept.stored_at >= not_before
        else 0.0,
        being_asked=int(head.get("lease_until", 0)) > now,
        failed_until=failed_until or None,
        failure=reply_from_json(json.loads(str(head["failure"]))) if failed else None,
    )


def _kept_s(reply: ProviderReply) -> int:
    return int(EMPTY_S if reply.outcome is Outcome.EMPTY else KEPT_S)


def _end_of_life(seen: Entry) -> int:
    """When the answer that was seen dies, in epoch seconds; 0 for none."""
    return seen.stored_at // 1000 + _kept_s(seen.reply) if seen.reply and seen.stored_at else 0


def _refused(error: Exception, told: str) -> bool:
    """Whether a condition did not hold; any other error is DynamoDB's own and is logged."""
    if is_condition_failure(error):
        return True
    logger.error(told, error=code_of(error))
    return False


def _key(leg: Leg) -> str:
    return f"leg{FORM}#{leg.provider}#{leg.question.cache_key()}"
