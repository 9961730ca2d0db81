"""Result sets in DynamoDB: by id, for cursors and exports, and by the request that made them, for the next caller.

A result set lives for 24 h. Under its request it is found only as long as every leg in it is fresh, and only when
every leg answered: an incomplete answer is never given twice, so that it heals.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from shared.aws.dynamodb.large_items import LargeItems
from shared.aws.runtime.observability import code_of, logger
from shared.errors import StorageUnavailable
from shared.storage_errors import TableBusy

RESULT_SET_S = 24 * 3600
# Raised when the form of a result set changes, so that an older form is never read.
FORM = 2


class DynamoResultSets:
    """`shared.search.run.ResultSets` over one table: two requests to read, two to write."""

    def __init__(self, items: LargeItems, now: Callable[[], datetime]) -> None:
        self._items = items
        self._now = now

    def get(self, result_set_id: str) -> dict[str, Any] | None:
        """A kept result set, or None. Raises StorageUnavailable: what cannot be read is not gone."""
        try:
            return self._read(f"result{FORM}#{result_set_id}")
        except (ClientError, BotoCoreError, TableBusy) as error:
            logger.error("a result set cannot be read", error=code_of(error))
            raise StorageUnavailable("the result set cannot be read now", retry_after_s=2.0) from error

    def of_request(self, request_key: str) -> dict[str, Any] | None:
        """The result set that this very request would have again, or None."""
        try:
            return self._read(f"request{FORM}#{request_key}")
        except (ClientError, BotoCoreError, TableBusy) as error:
            logger.error("a result set cannot be read", error=code_of(error))
            return None

    def put(self, result_set: Mapping[str, Any], request_key: str | None, fresh_s: float) -> bool:
        """Keep it; under `request_key`, when there is one, for so many seconds. False when it could not be kept."""
        now = round(self._now().timestamp())
        data = json.dumps(result_set, ensure_ascii=False).encode()
        alias = (f"request{FORM}#{request_key}", now + int(fresh_s)) if request_key and fresh_s >= 1 else None
        key = f"result{FORM}#{result_set['result_set_id']}"
        try:
            self._items.put(key, data, stored_at=now, expires_at=now + RESULT_SET_S, alias=alias)
        except (ClientError, BotoCoreError, TableBusy) as error:
            logger.error("a result set cannot be kept", error=code_of(error))
            return False
        return True

    def _read(self, key: str) -> dict[str, Any] | None:
        found = self._items.get([key], now=round(self._now().timestamp()))
        return dict(json.loads(found[key].data)) if key in found else None
