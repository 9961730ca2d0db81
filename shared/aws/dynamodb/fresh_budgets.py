"""The budget for `fresh: true` of each API key, in the table of the search cache.

    pk = fresh#<digest of the key's id>  sk = head  `minute_full_at`, `hour_full_at` (epoch milliseconds), `expires_at`

A write is conditional on the values that were read, so that concurrent requests never take the same token.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from shared.aws.dynamodb.batches import read_batches
from shared.aws.dynamodb.errors import STORAGE_ERRORS, try_write
from shared.aws.runtime.observability import error_code, logger
from shared.canonical_json import digest
from shared.clock import epoch_ms
from shared.rate_limits.fresh_budget import FreshBudgetSpent, FreshLimits, FreshRefused, FreshUsage, spend

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import Table

_UNCHANGED = "attribute_not_exists(pk) OR (minute_full_at = :minute AND hour_full_at = :hour)"
CONTENDED_S = 1.0


class DynamoFreshBudgets:
    """Takes tokens; `now` is the clock."""

    def __init__(self, table: Table, limits: FreshLimits, now: Callable[[], datetime]) -> None:
        self._table = table
        self._limits = limits
        self._now = now

    def allows(self, caller: str) -> bool:
        """Take a token of this caller. Raises FreshBudgetSpent if there is none.

        False if the table cannot be read or written: without a count of requests, the cache is not skipped.
        """
        try:
            refused = self._spend(caller)
        except STORAGE_ERRORS as error:
            logger.error("the budget for fresh requests cannot be used", error=error_code(error))
            return False
        if refused:
            raise FreshBudgetSpent(self._limits.per_minute, self._limits.per_hour, refused.retry_after_s)
        return True

    def _spend(self, caller: str) -> FreshRefused | None:
        """Each lost race is a request of the same caller that took a token, so a bucket's size bounds the attempts."""
        key = f"fresh#{digest(caller)}"
        for _ in range(self._limits.per_minute + 1):
            seen = self._read(key)
            usage = spend(seen, self._limits, epoch_ms(self._now()))
            if isinstance(usage, FreshRefused):
                return usage
            if self._swap(key, seen, usage):
                return None
        return FreshRefused(CONTENDED_S)

    def _read(self, key: str) -> FreshUsage:
        items = read_batches(self._table, [(key, "head")], options={"ConsistentRead": True})
        return FreshUsage(int(items[0]["minute_full_at"]), int(items[0]["hour_full_at"])) if items else FreshUsage()

    def _swap(self, key: str, seen: FreshUsage, new: FreshUsage) -> bool:
        item: dict[str, Any] = {"minute_full_at": new.minute_full_at, "hour_full_at": new.hour_full_at}
        expires_at = max(new.minute_full_at, new.hour_full_at) // 1000 + 1
        return try_write(
            self._table.put_item,
            Item={"pk": key, "sk": "head", **item, "expires_at": expires_at},
            ConditionExpression=_UNCHANGED,
            ExpressionAttributeValues={":minute": seen.minute_full_at, ":hour": seen.hour_full_at},
        )
