"""Result sets in DynamoDB: by id, for cursors and exports, and by the request that made them, for the next caller.

A result set expires after 24 h. It is found by its request only while every leg in it is fresh: an answer in which a
leg failed is not reused, so that the next request can complete it. Nor does one that is incomplete for another reason
replace a complete one that is still found: the write is conditional, so the order of two writers does not matter.

The item of the request has the first results as well, so that most answers are read with one request.

One with pending legs is begun once and finished once, whatever is tried: both writes are conditional. It is found
by its id alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any, cast

import msgspec

from shared.aws.dynamodb.errors import STORAGE_ERRORS
from shared.aws.dynamodb.large_items import ABSENT, Alias, LargeItems
from shared.aws.runtime.observability import error_code, logger
from shared.canonical_json import digest
from shared.clock import epoch_s
from shared.compression import compressed, decompressed
from shared.errors import StorageUnavailable
from shared.search.result_sets.first_results import encode_first, read_first, unreadable
from shared.search.result_sets.pending_state import ended
from shared.search.result_sets.stored_results import read_result_set

if TYPE_CHECKING:
    from shared.aws.dynamodb.batches import Item
    from shared.search.result_sets.store import AnyResultSet, ResultSet, SearchResultSet

RESULT_SET_S = 24 * 3600
_PENDING = "pending_until > :now"
# Compressed first results up to this size are in the request's item: as many bytes cost as much to write as a file.
FIRST_BYTES = 12_000
# What reading raises: the storage's errors, and those of an item or file that has another form.
_UNREADABLE = (*STORAGE_ERRORS, ValueError, TypeError, KeyError)


def form_of(fields: Iterable[str]) -> str:
    """The form of result sets whose results have these fields, a part of their keys: one of another is never read.

    The number is increased when the fields stay and one of them, or what stands beside the results, changes its form.
    """
    return f"4-{digest(' '.join(fields), 6)}"


@cache
def form() -> str:
    """That of the result sets of this version. The fields are imported for the first search, as its other parts are."""

    from shared.search.sizes.details import RESULT_FIELDS

    return form_of(RESULT_FIELDS)


class DynamoResultSets:
    """`shared.search.result_sets.store.ResultSets` in one table: one or two requests to read, two to write."""

    def __init__(self, items: LargeItems, now: Callable[[], datetime]) -> None:
        self._items = items
        self._now = now

    def get(self, result_set_id: str) -> AnyResultSet | None:
        """The result set, or None. Raises StorageUnavailable if it cannot be read: that does not mean it expired."""
        try:
            return self._read(f"result{form()}#{result_set_id}")
        except _UNREADABLE as error:
            logger.error("a result set cannot be read", result_set_id=result_set_id, error=error_code(error))
            raise unreadable() from error

    def find_by_request(self, request_key: str) -> AnyResultSet | None:
        """The complete and fresh result set of an equal request, or None.

        Results behind the first ones are read when they are needed: that raises StorageUnavailable if it fails.
        """
        key = f"request{form()}#{request_key}"
        try:
            head = self._items.heads([key]).get(key)
            if head is None or int(head["expires_at"]) <= self._now().timestamp():
                return None
            if "first" in head:
                return read_first(decompressed(bytes(head["first"])), lambda: self._whole(head))
            return self._value_of(head)
        except _UNREADABLE as error:
            logger.error("a result set cannot be read, and is made anew", key=key, error=error_code(error))
            return None

    def put(self, result_set: ResultSet[Any, Any], request_key: str | None, fresh_s: float) -> bool:
        """Store a result set; `request_key`, if given, finds it for `fresh_s` seconds. False if it was not stored."""
        now = epoch_s(self._now())
        data = msgspec.json.encode(result_set)
        alias = None
        if request_key and fresh_s >= 1:
            complete = bool(result_set["summary"]["complete"])
            first = compressed(encode_first(result_set)) if "asked" in result_set else b""
            kept = first if len(first) <= FIRST_BYTES else None
            alias = Alias(f"request{form()}#{request_key}", now, now + int(fresh_s), complete, kept or None)
        key = f"result{form()}#{result_set['result_set_id']}"
        try:
            self._items.put(key, data, stored_at=now, expires_at=now + RESULT_SET_S, alias=alias)
        except STORAGE_ERRORS as error:
            logger.error("a result set cannot be stored", key=key, error=error_code(error))
            return False
        return True

    def begin(self, result_set: SearchResultSet) -> AnyResultSet | None:
        """Store a result set with pending legs, unless there is one with its id; the one that is there, or None."""
        now, key = epoch_s(self._now()), f"result{form()}#{result_set['result_set_id']}"
        until = result_set["pending"]["until"]
        data = msgspec.json.encode(result_set)
        try:
            times = {"stored_at": now, "expires_at": now + RESULT_SET_S, "pending_until": until}
            if self._items.put_if(key, data, ABSENT, {":now": now}, **times):
                return cast("AnyResultSet", result_set)
            return self._read(key)
        except STORAGE_ERRORS as error:
            logger.error("a pending result set cannot be stored", key=key, error=error_code(error))
            return None

    def finish(self, result_set: AnyResultSet) -> bool:
        """Replace a pending result set. False if it is none any more. Raises StorageUnavailable."""
        now, key = epoch_s(self._now()), f"result{form()}#{result_set['result_set_id']}"
        data = msgspec.json.encode(result_set)
        try:
            times = {"stored_at": now, "expires_at": now + RESULT_SET_S}
            return self._items.put_if(key, data, _PENDING, {":now": now}, **times)
        except STORAGE_ERRORS as error:
            logger.error("a result set cannot be finished", key=key, error=error_code(error))
            raise StorageUnavailable("the result set cannot be stored now", retry_after_s=2.0) from error

    def _read(self, key: str) -> AnyResultSet | None:
        head = self._items.heads([key]).get(key)
        return self._value_of(head) if head else None

    def _value_of(self, head: Item) -> AnyResultSet | None:
        now = epoch_s(self._now())
        values = self._items.values([head], now=now)
        stored = values.get(str(head["pk"]))
        return ended(read_result_set(stored.data), now) if stored else None

    def _whole(self, head: Item) -> AnyResultSet:
        """The result set of a request's item. Raises StorageUnavailable."""
        try:
            result_set = self._value_of(head)
        except _UNREADABLE as error:
            logger.error("a result set cannot be read", key=str(head["pk"]), error=error_code(error))
            result_set = None
        if result_set is None:
            raise unreadable()
        return result_set
