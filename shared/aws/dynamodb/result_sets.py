"""Result sets in DynamoDB: by id, for cursors and exports, and by the request that made them, for the next caller.

A result set expires after 24 h. It is found by its request only while every leg in it is fresh: an answer in which a
leg failed is not reused, so that the next request can complete it. Nor does one that is incomplete for another reason
replace a complete one that is still found: the write is conditional, so the order of two writers does not matter.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any

import msgspec
from botocore.exceptions import BotoCoreError, ClientError

from shared.aws.dynamodb.large_items import Alias, LargeItems
from shared.aws.runtime.observability import error_code, logger
from shared.errors import StorageUnavailable
from shared.search.stored_results import read_result_set
from shared.storage_errors import TableBusy

if TYPE_CHECKING:
    from shared.search.result_sets import AnyResultSet, ResultSet

RESULT_SET_S = 24 * 3600
# Increased when the form of a result set changes, so that an older form is never read.
FORM = 3


class DynamoResultSets:
    """`shared.search.result_sets.ResultSets` in one table: two requests to read, two to write."""

    def __init__(self, items: LargeItems, now: Callable[[], datetime]) -> None:
        self._items = items
        self._now = now

    def get(self, result_set_id: str) -> AnyResultSet | None:
        """The result set, or None. Raises StorageUnavailable if it cannot be read: that does not mean it expired."""
        try:
            return self._read(f"result{FORM}#{result_set_id}")
        except (ClientError, BotoCoreError, TableBusy) as error:
            logger.error("a result set cannot be read", error=error_code(error))
            raise StorageUnavailable("the result set cannot be read now", retry_after_s=2.0) from error

    def find_by_request(self, request_key: str) -> AnyResultSet | None:
        """The complete and fresh result set of an equal request, or None."""
        try:
            return self._read(f"request{FORM}#{request_key}")
        except (ClientError, BotoCoreError, TableBusy) as error:
            logger.error("a result set cannot be read", error=error_code(error))
            return None

    def put(self, result_set: ResultSet[Any, Any], request_key: str | None, fresh_s: float) -> bool:
        """Store a result set; `request_key`, if given, finds it for `fresh_s` seconds. False if it was not stored."""
        now = round(self._now().timestamp())
        data = msgspec.json.encode(result_set)
        alias = None
        if request_key and fresh_s >= 1:
            complete = bool(result_set["summary"]["complete"])
            alias = Alias(f"request{FORM}#{request_key}", now, now + int(fresh_s), complete)
        key = f"result{FORM}#{result_set['result_set_id']}"
        try:
            self._items.put(key, data, stored_at=now, expires_at=now + RESULT_SET_S, alias=alias)
        except (ClientError, BotoCoreError, TableBusy) as error:
            logger.error("a result set cannot be stored", error=error_code(error))
            return False
        return True

    def _read(self, key: str) -> AnyResultSet | None:
        values = self._items.get([key], now=round(self._now().timestamp()))
        if key not in values:
            return None
        result_set: AnyResultSet = read_result_set(values[key].data)
        return result_set
