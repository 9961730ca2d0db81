"""The size of a large graph is counted once an hour for all callers; that of a small one each time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import boto3
import pytest
from moto import mock_aws

from infra.local.resources import create_tables
from shared.aws.dynamodb.large_items import LargeItems
from shared.aws.dynamodb.stored_counts import FRESH_S, DynamoStoredCounts
from shared.graph.items import Item, MentionKey
from shared.graph.store import STATS_REQUESTS, GraphStore

TABLE = "local-search-cache"


class Megabytes:
    """A table of so many megabytes, one context each, that counts the requests of its scans."""

    def __init__(self, size: int) -> None:
        self.size, self.requests = size, 0

    def scan(self, _: Sequence[str], requests: int) -> tuple[list[Item], bool]:
        read = min(self.size, requests)
        self.requests += read
        mention = MentionKey("2026-01-01T00:00:00Z", "cited_in", "0", "doi:10.1/a", "d").sort_key()
        return [{"pk": f"context#debate#{number}", "sk": mention} for number in range(read)], read == self.size


@pytest.fixture
def dynamodb(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    with mock_aws():
        session = boto3.Session(region_name="us-east-1")
        create_tables(session)
        yield session.resource("dynamodb")


def counted(megabytes: Megabytes, stored: DynamoStoredCounts) -> tuple[int, bool, int]:
    """The contexts that are counted, whether these are all, and the requests that it took."""
    table: Any = megabytes
    before = megabytes.requests
    stats = GraphStore(table).stats(stored)
    return stats["contexts"], stats["complete"], megabytes.requests - before


def test_a_large_graph_is_read_once_an_hour(dynamodb: Any) -> None:
    now = [datetime(2026, 1, 1, tzinfo=UTC)]
    stored = DynamoStoredCounts(LargeItems(dynamodb, TABLE), lambda: now[0])
    graph = Megabytes(20)
    assert counted(graph, stored) == (20, True, 21)
    graph.size = 22
    other_process = DynamoStoredCounts(LargeItems(dynamodb, TABLE), lambda: now[0])
    assert counted(graph, other_process) == (20, True, 1)
    now[0] += timedelta(seconds=FRESH_S + 1)
    assert counted(graph, stored) == (22, True, 23)


def test_a_graph_that_is_too_large_to_count_is_not_tried_again_at_once(dynamodb: Any) -> None:
    stored = DynamoStoredCounts(LargeItems(dynamodb, TABLE), lambda: datetime(2026, 1, 1, tzinfo=UTC))
    graph = Megabytes(STATS_REQUESTS + 5)
    assert counted(graph, stored) == (STATS_REQUESTS, False, STATS_REQUESTS + 1)
    assert counted(graph, stored) == (STATS_REQUESTS, False, 1)


def test_a_small_graph_is_counted_each_time(dynamodb: Any) -> None:
    stored = DynamoStoredCounts(LargeItems(dynamodb, TABLE), lambda: datetime(2026, 1, 1, tzinfo=UTC))
    graph = Megabytes(1)
    assert counted(graph, stored) == counted(graph, stored) == (1, True, 1)


def test_without_its_table_the_graph_is_counted(dynamodb: Any) -> None:
    stored = DynamoStoredCounts(LargeItems(dynamodb, "no-table"), lambda: datetime(2026, 1, 1, tzinfo=UTC))
    assert counted(Megabytes(3), stored) == (3, True, 4)
