"""Values of the search cache in files: what is in the table is small, so that leases and waiting cost little."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import boto3
import pytest
from botocore.client import BaseClient

from infra.local.machine import Machine
from shared.aws.dynamodb.large_items import INLINE_BYTES, Alias, LargeItems
from shared.aws.dynamodb.leg_cache import DynamoLegCache
from shared.aws.s3.files import Files
from shared.bibliography.paper import Paper
from shared.legs.leg import FRESH_S, Leg, LegEntry
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from shared.query.query import Query
from tests.benchmarks.cost_units import counted_calls
from tests.integration.sources.test_own_faults import rows, search

NOW = 1_795_000_000
LEG = Leg("crossref", Query(text="TREM2"))
START = datetime(2026, 11, 20, tzinfo=UTC)


@pytest.fixture
def items(local: Machine) -> LargeItems:
    return LargeItems(
        boto3.resource("dynamodb"), os.environ["SEARCH_CACHE_TABLE"], Files(os.environ["SEARCH_CACHE_BUCKET"])
    )


def noise(size: int, seed: int = 1) -> bytes:
    """Bytes that do not compress."""
    return random.Random(seed).randbytes(size)


def large_reply() -> ProviderReply:
    chance = random.Random(1)
    papers = tuple(
        Paper(provider="crossref", rank=rank, title=f"{chance.random()}", abstract=chance.randbytes(300).hex())
        for rank in range(1, 101)
    )
    return ProviderReply(provider="crossref", family="crossref", outcome=Outcome.OK, papers=papers)


@contextmanager
def used() -> Iterator[dict[str, float]]:
    """What is used while inside, by name (`cost_units`)."""
    counts: dict[str, float] = {}

    def note(name: str, number: float) -> None:
        counts[name] = counts.get(name, 0.0) + number

    with counted_calls(note):
        yield counts


@pytest.mark.parametrize("size", [0, INLINE_BYTES - 100, INLINE_BYTES + 1, 400_000, 2_000_000])
def test_a_value_of_any_size_is_read_back(items: LargeItems, size: int) -> None:
    items.put("k#1", noise(size), stored_at=NOW, expires_at=NOW + 60, alias=Alias("other", NOW, NOW + 30))
    assert items.get(["k#1"], now=NOW)["k#1"].data == noise(size)
    assert items.get(["other"], now=NOW)["other"].data == noise(size)
    (head, _) = rows()
    assert ("file" in head) == (size > INLINE_BYTES)


def test_many_files_are_read_at_once_and_lost_ones_are_left_out(items: LargeItems) -> None:
    values = {f"k{number}": noise(5_000, number) for number in range(20)}
    for key, value in values.items():
        items.put(key, value, stored_at=NOW, expires_at=NOW + 60)
    client, bucket = boto3.client("s3"), os.environ["SEARCH_CACHE_BUCKET"]
    (lost,) = [it["Key"] for it in client.list_objects_v2(Bucket=bucket, Prefix="k7/")["Contents"]]
    client.delete_object(Bucket=bucket, Key=lost)
    found = items.get([*values, "absent"], now=NOW)
    assert {key: stored.data for key, stored in found.items()} == {k: v for k, v in values.items() if k != "k7"}


def test_a_conditional_write_leaves_the_value_that_is_there(items: LargeItems) -> None:
    for seed in (1, 2):
        absent = "attribute_not_exists(pk) OR expires_at <= :now"
        items.put_if("k", noise(5_000, seed), absent, {":now": NOW}, stored_at=NOW, expires_at=NOW + 60)
    assert items.get(["k"], now=NOW)["k"].data == noise(5_000, 1)


def test_a_lease_on_a_stale_leg_costs_one_write_unit_and_each_renewal_another(items: LargeItems) -> None:
    now = [START]
    DynamoLegCache(items, lambda: now[0], owner="first").store(LEG, large_reply())
    now[0] += timedelta(seconds=FRESH_S + 3600)
    cache = DynamoLegCache(items, lambda: now[0], owner="second")
    (seen,) = cache.read([LEG], fresh=False)
    assert seen.reply
    assert seen.fresh_s < 0
    with used() as counts:
        assert cache.lease(LEG, seen)
        for _ in range(5):
            cache.renew([LEG])
    assert counts == {"wru local-search-cache": 6}


def test_a_search_that_waits_reads_half_a_unit_at_a_time_and_the_reply_once(items: LargeItems) -> None:
    holder = DynamoLegCache(items, lambda: START, owner="holder")
    waiting = DynamoLegCache(items, lambda: START, owner="waiting")
    assert holder.lease(LEG, LegEntry())
    with used() as counts:
        for _ in range(4):
            (seen,) = waiting.read([LEG], fresh=False)
            assert seen.leased
    assert counts == {"rru local-search-cache": 2.0}
    holder.store(LEG, large_reply())
    with used() as counts:
        entries = [waiting.read([LEG], fresh=False) for _ in range(2)]
    assert counts == {"rru local-search-cache": 1.0, "files read": 1}
    assert all(entry.reply == large_reply() for (entry,) in entries)


def test_without_its_bucket_a_search_still_answers(local: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    call = vars(BaseClient)["_make_api_call"]

    def refused(client: Any, operation: str, arguments: Any) -> Any:
        if client.meta.service_model.service_name == "s3":
            arguments = {**arguments, "Bucket": "no-such-bucket"}
        return call(client, operation, arguments)

    monkeypatch.setattr(BaseClient, "_make_api_call", refused)
    answer = search(local)
    assert (answer["returned"], answer["complete"], answer["next_cursor"]) == (10, True, None)
    assert {"cache_unavailable"} <= {hint["reason"] for hint in answer["hints"]}
