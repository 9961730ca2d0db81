"""The search cache in DynamoDB: each leg by provider and normalised query, each result set by its id.

A leg is fresh for 24 h and kept for 7 days, to stand in when its provider fails; an empty leg lives 1 h; a failure is
never kept. The cache is a help, not a need: when DynamoDB fails, the search goes on without it and the log says so.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from botocore.exceptions import BotoCoreError, ClientError

from shared.aws.large_items import LargeItems, Stored
from shared.aws.observability import logger
from shared.errors import Outcome
from shared.provider import ProviderReply, reply_from_json, reply_to_json
from shared.search import CachedLeg, Leg

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import DynamoDBServiceResource

HOUR = 3600
FRESH_S = 24 * HOUR
KEPT_S = 7 * 24 * HOUR
EMPTY_S = HOUR
RESULT_SET_S = 24 * HOUR
# Raised when the form of a kept leg changes, so that an older form is never read.
FORM = 1


class DynamoSearchCache:
    """`shared.search.SearchCache` over one table."""

    def __init__(self, dynamodb: DynamoDBServiceResource, table_name: str, now: Callable[[], datetime]) -> None:
        self._items = LargeItems(dynamodb, table_name)
        self._now = now

    def get_legs(self, legs: Sequence[Leg]) -> list[CachedLeg | None]:
        """The kept replies, in the order asked; None where there is none or it cannot be had."""
        keys = [_leg_key(leg) for leg in legs]
        found = self._get(keys)
        return [self._cached(found[key]) if key in found else None for key in keys]

    def _cached(self, stored: Stored) -> CachedLeg:
        reply = replace(reply_from_json(json.loads(stored.data)), source="cache", elapsed_ms=0)
        return CachedLeg(reply, fresh=self._epoch() - stored.stored_at < FRESH_S)

    def put_legs(self, legs: Sequence[tuple[Leg, ProviderReply]]) -> None:
        """Keep legs that answered; anything else is an error of the caller's."""
        values = {}
        lives = {}
        for leg, reply in legs:
            if not reply.outcome.answered:
                raise ValueError(f"a leg that ended {reply.outcome.value} must not be kept")
            key = _leg_key(leg)
            values[key] = json.dumps(reply_to_json(reply), ensure_ascii=False).encode()
            lives[key] = EMPTY_S if reply.outcome is Outcome.EMPTY else KEPT_S
        self._put(values, lives)

    def get_result_set(self, result_set_id: str) -> dict[str, Any] | None:
        """A kept result set, or None."""
        key = f"result#{result_set_id}"
        found = self._get([key])
        return dict(json.loads(found[key].data)) if key in found else None

    def put_result_set(self, result_set_id: str, result_set: Mapping[str, Any]) -> None:
        """Keep a result set for its cursors."""
        key = f"result#{result_set_id}"
        self._put({key: json.dumps(result_set, ensure_ascii=False).encode()}, {key: RESULT_SET_S})

    def _epoch(self) -> int:
        return int(self._now().timestamp())

    def _get(self, keys: Sequence[str]) -> dict[str, Stored]:
        try:
            return self._items.get(keys, now=self._epoch())
        except (ClientError, BotoCoreError) as error:
            logger.error("the search cache cannot be read", error=type(error).__name__)
            return {}

    def _put(self, values: Mapping[str, bytes], lives: Mapping[str, int]) -> None:
        if not values:
            return
        now = self._epoch()
        try:
            self._items.put(values, stored_at=now, expires_at={key: now + life for key, life in lives.items()})
        except (ClientError, BotoCoreError) as error:
            logger.error("the search cache cannot be written", error=type(error).__name__)


def _leg_key(leg: Leg) -> str:
    return f"leg{FORM}#{leg.provider}#{leg.query.cache_key()}"
