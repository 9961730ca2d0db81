"""The size of a large graph, stored for an hour with the searches: counting it reads up to 25 MB.

    pk = graph-stats   sk = head   (`shared.aws.dynamodb.large_items`)

A failure of the table means that the graph is counted.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, cast

from shared.aws.dynamodb.errors import STORAGE_ERRORS
from shared.aws.dynamodb.large_items import LargeItems
from shared.aws.runtime.observability import error_code, logger
from shared.canonical_json import compact_json
from shared.clock import epoch_s

if TYPE_CHECKING:
    from shared.answers.graph import GraphStats

KEY, FRESH_S = "graph-stats", 3600


class DynamoStoredCounts:
    """`shared.graph.store.StoredCounts` in one table: one request to read, one to write."""

    def __init__(self, items: LargeItems, now: Callable[[], datetime]) -> None:
        self._items = items
        self._now = now

    def get(self) -> GraphStats | None:
        """The numbers of the last hour, or None."""
        try:
            stored = self._items.get([KEY], now=epoch_s(self._now()))
        except STORAGE_ERRORS as error:
            logger.warning("the size of the graph cannot be read", error=error_code(error))
            return None
        return cast("GraphStats", json.loads(stored[KEY].data)) if KEY in stored else None

    def put(self, stats: GraphStats) -> None:
        """Store the numbers."""
        now = epoch_s(self._now())
        try:
            self._items.put(KEY, compact_json(stats).encode(), stored_at=now, expires_at=now + FRESH_S)
        except STORAGE_ERRORS as error:
            logger.warning("the size of the graph cannot be stored", error=error_code(error))
