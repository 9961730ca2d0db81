"""The leg cache of all callers in DynamoDB, by provider and normalised question, with the lease of who is querying.

A reply is fresh for 24 h and stored for 7 days, as a stale fallback when its provider fails; an empty reply is stored
for 1 h; a failure is shared for two seconds. The lease is part of the leg's item: one write stores the reply and
releases the lease. An item identifies no caller: its key is a digest, its owner a request's random id.

The cache is optional: when DynamoDB fails, the failure is logged and the search continues without the cache.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, TypeVar

from botocore.exceptions import BotoCoreError, ClientError

from shared.aws.dynamodb.batches import Item
from shared.aws.dynamodb.errors import STORAGE_ERRORS, is_condition_failure
from shared.aws.dynamodb.large_items import VALUE_ATTRIBUTES, LargeItems
from shared.aws.runtime.observability import error_code, logger
from shared.clock import epoch_ms
from shared.legs.leg import EMPTY_S, LEASE_S, RETENTION_S, Leg, LegEntry, fresh_for_s
from shared.outcomes import Outcome
from shared.providers.encoded_replies import EncodedReply, decode_reply, encode_reply
from shared.providers.provider import ProviderReply, reply_from_json, reply_to_json

# Longer than the longest poll interval of those who wait (1.5 * MAX_POLL_S), so that none of them misses it.
FAILURE_S = 2.0
# An item with a lease and no reply expires after this.
LEASE_ITEM_S = 60
# Increased when the form of a stored leg changes, so that an older form is never read.
FORM = 5
Data = TypeVar("Data", str, bytes)

# The attributes of a leg's item that are not its reply.
_STATE = ("expires_at", "stored_at", "lease_until", "failed_until", "failure")
# The lease is free, and since the entry was read there was neither a failure nor another reply.
_FREE = (
    "(attribute_not_exists(lease_until) OR lease_until <= :now) AND "
    "(attribute_not_exists(failed_until) OR failed_until <= :now OR failed_until = :failed) AND "
    "(attribute_not_exists(stored_at) OR stored_at = :seen)"
)


class DynamoLegCache:
    """`shared.legs.leg.LegCache` for one search, whose random id is `owner`. Moments are epoch milliseconds."""

    def __init__(self, items: LargeItems, now: Callable[[], datetime], owner: str, began_ms: int | None = None) -> None:
        self._items = items
        self._now = now
        self._owner = owner
        self._began = self._ms() if began_ms is None else began_ms
        self._replies: dict[tuple[str, int], ProviderReply | None] = {}  # those read, by key and when they were stored

    def read(self, legs: Sequence[Leg], *, fresh: bool) -> list[LegEntry]:
        """One request for the small items, and one for each reply that this search has not read yet.

        A search that waits for a reply reads small items only, until it is there.
        """
        keys = [leg_key(leg) for leg in legs]
        now = self._ms()
        try:
            heads = self._items.heads(keys)
        except STORAGE_ERRORS as error:
            logger.error("the leg cache cannot be read", error=error_code(error))
            return [LegEntry() for _ in legs]
        self._read_replies([head for head in heads.values() if _version(head) not in self._replies], now)
        not_before = self._began if fresh else 0
        return [self._entry(heads.get(key), now, not_before) for key in keys]

    def _read_replies(self, heads: Sequence[Item], now: int) -> None:
        """Read the replies of these items. Those that cannot be read now are queried again, and then replaced."""
        try:
            stored = self._items.values(heads, now=now // 1000)
        except STORAGE_ERRORS as error:
            logger.error("replies in the leg cache cannot be read", error=error_code(error))
            self._replies |= {_version(head): None for head in heads}
        else:
            self._replies |= {(key, it.stored_at): _read(decode_reply, it.data) for key, it in stored.items()}

    def read_metadata(self, legs: Sequence[Leg]) -> list[LegEntry]:
        """One request for the small items."""
        try:
            heads = self._items.heads([leg_key(leg) for leg in legs], _STATE)
        except STORAGE_ERRORS as error:
            logger.error("the leg cache cannot be read", error=error_code(error))
            return [LegEntry() for _ in legs]
        return [self._entry(heads.get(leg_key(leg)), self._ms(), 0) for leg in legs]

    def lease(self, leg: Leg, seen: LegEntry) -> bool:
        """One conditional write. It removes an expired reply, which the later expiry of the lease would revive."""
        now = self._ms()
        more = () if seen.reply else (*VALUE_ATTRIBUTES, "stored_at")
        removed = ", ".join(f"#{name}" for name in ("failure", *more))
        try:
            self._items.table.update_item(
                Key={"pk": leg_key(leg), "sk": "head"},
                UpdateExpression=f"SET lease_owner = :me, lease_until = :until, expires_at = :end REMOVE {removed}",
                ConditionExpression=_FREE,
                ExpressionAttributeNames={f"#{name}": name for name in ("failure", *more)},
                ExpressionAttributeValues={
                    ":me": self._owner,
                    ":now": now,
                    ":until": now + round(LEASE_S * 1000),
                    ":seen": seen.stored_at or 0,
                    ":failed": seen.failed_until or 0,
                    ":end": max(_expires_at(seen), now // 1000 + LEASE_ITEM_S),
                },
            )
        except (ClientError, BotoCoreError) as error:
            return not _is_condition_failure(error, "a lease cannot be acquired")
        return True

    def renew(self, legs: Sequence[Leg], seconds: float = LEASE_S) -> None:
        """One write per leg."""
        until = self._ms() + round(seconds * 1000)
        for leg in legs:
            self._update_leased(leg, "SET lease_until = :until", {":until": until})

    def store(self, leg: Leg, reply: ProviderReply) -> None:
        """One write; more if the reply is too large for one item."""
        if not reply.outcome.answered:
            raise ValueError(f"a leg that ended {reply.outcome.value} must not be stored")
        now = self._ms()
        packed = reply.encoded if isinstance(reply, EncodedReply) else encode_reply(reply)
        try:
            self._items.put_packed(leg_key(leg), packed, stored_at=now, expires_at=now // 1000 + _retention_s(reply))
        except STORAGE_ERRORS as error:
            logger.error("a leg cannot be stored", error=error_code(error))

    def release(self, leg: Leg, failure: ProviderReply | None) -> None:
        """One write."""
        if failure is None:
            self._update_leased(leg, "REMOVE lease_owner, lease_until", {})
            return
        data = json.dumps(reply_to_json(failure), ensure_ascii=False)
        until = self._ms() + round(FAILURE_S * 1000)
        change = "SET failure = :failure, failed_until = :until REMOVE lease_owner, lease_until"
        self._update_leased(leg, change, {":failure": data, ":until": until})

    def _update_leased(self, leg: Leg, change: str, values: dict[str, Any]) -> None:
        try:
            self._items.table.update_item(
                Key={"pk": leg_key(leg), "sk": "head"},
                UpdateExpression=change,
                ConditionExpression="lease_owner = :me",
                ExpressionAttributeValues={":me": self._owner, **values},
            )
        except (ClientError, BotoCoreError) as error:
            _is_condition_failure(error, "a lease cannot be renewed or released")

    def _entry(self, head: Item | None, now: int, not_before: int) -> LegEntry:
        if head is None:
            return LegEntry()
        key, stored_at = _version(head)
        expired = int(head["expires_at"]) <= now // 1000
        reply = None if expired else self._replies.get((key, stored_at))
        failed_until = int(head.get("failed_until", 0))
        failed = "failure" in head and failed_until > now and failed_until - round(FAILURE_S * 1000) >= not_before
        return LegEntry(
            reply=reply,
            stored_at=stored_at or None,
            fresh_s=fresh_for_s(reply) - (now - stored_at) / 1000 if reply and stored_at >= not_before else 0.0,
            leased=int(head.get("lease_until", 0)) > now,
            failed_until=failed_until or None,
            failure=_read(_failure, str(head["failure"])) if failed else None,
            unread=stored_at > 0 and not expired and (key, stored_at) not in self._replies,
        )

    def _ms(self) -> int:
        return epoch_ms(self._now())


def _version(head: Item) -> tuple[str, int]:
    """The key of a leg, and when its reply was stored; 0 without one."""
    return str(head["pk"]), int(head.get("stored_at", 0))


def _failure(text: str) -> ProviderReply:
    return reply_from_json(json.loads(text))


def _read(read: Callable[[Data], ProviderReply], data: Data) -> ProviderReply | None:
    """None for what an older or a faulty version stored: the provider is queried again."""
    try:
        return read(data)
    except ValueError as error:
        logger.error("a stored leg cannot be read, and is queried again", error=type(error).__name__)
        return None


def _retention_s(reply: ProviderReply) -> int:
    return int(EMPTY_S if reply.outcome is Outcome.EMPTY else RETENTION_S)


def _expires_at(seen: LegEntry) -> int:
    """When the reply that was read expires, in epoch seconds; 0 without one."""
    return seen.stored_at // 1000 + _retention_s(seen.reply) if seen.reply and seen.stored_at else 0


def _is_condition_failure(error: Exception, message: str) -> bool:
    """Whether a condition did not hold; any other error is logged with this message."""
    if is_condition_failure(error):
        return True
    logger.error(message, error=error_code(error))
    return False


@lru_cache(maxsize=1024)  # a search that waits polls its legs several times
def leg_key(leg: Leg) -> str:
    """The key of a leg's item. A provider's function may write those of its own provider alone."""
    return f"leg{FORM}#{leg.provider}#{leg.question.cache_key()}"
