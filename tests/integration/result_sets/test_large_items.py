"""Values larger than an item, in moto's DynamoDB: whole or not at all."""

from __future__ import annotations

import os
import random
from typing import Any

import boto3
import pytest

from infra.local.machine import Machine
from shared.aws.dynamodb.large_items import PART_BYTES, Alias, LargeItems

NOW = 1_795_000_000
TABLE = "local-search-cache"


@pytest.fixture
def items(local: Machine) -> LargeItems:
    return LargeItems(boto3.resource("dynamodb"), TABLE)


def noise(size: int, seed: int = 1) -> bytes:
    """Bytes that do not compress."""
    return random.Random(seed).randbytes(size)


def rows() -> list[dict[str, Any]]:
    return list(boto3.resource("dynamodb").Table(TABLE).scan()["Items"])


@pytest.mark.parametrize("size", [0, 10, PART_BYTES - 200, PART_BYTES + 1, 3 * PART_BYTES, 2_000_000])
def test_a_value_of_any_size_is_read_back(items: LargeItems, size: int) -> None:
    items.put("k", noise(size), stored_at=NOW, expires_at=NOW + 60)
    found = items.get(["k"], now=NOW)
    assert found["k"].data == noise(size)
    assert found["k"].stored_at == NOW


def test_text_is_compressed(items: LargeItems) -> None:
    items.put("k", b"the same words " * 100_000, stored_at=NOW, expires_at=NOW + 60)
    assert len(rows()) == 1
    assert len(bytes(rows()[0]["packed"])) < 10_000


def test_many_keys_are_read_at_once_and_absent_ones_are_left_out(items: LargeItems) -> None:
    values = {f"k{number}": noise(100, number) for number in range(120)}
    for key, value in values.items():
        items.put(key, value, stored_at=NOW, expires_at=NOW + 60)
    found = items.get([*values, "absent", "k1"], now=NOW)
    assert {key: stored.data for key, stored in found.items()} == values


def test_an_expired_value_is_not_read_though_it_is_still_there(items: LargeItems) -> None:
    items.put("k", b"old", stored_at=NOW, expires_at=NOW + 60)
    assert items.get(["k"], now=NOW + 59) != {}
    assert items.get(["k"], now=NOW + 60) == {}
    assert len(rows()) == 1


def test_a_value_with_a_missing_part_is_no_value(items: LargeItems) -> None:
    items.put("k", noise(2 * PART_BYTES), stored_at=NOW, expires_at=NOW + 60)
    part = next(row for row in rows() if row["sk"] != "head")
    boto3.resource("dynamodb").Table(TABLE).delete_item(Key={"pk": part["pk"], "sk": part["sk"]})
    assert items.get(["k"], now=NOW) == {}


def test_a_second_value_replaces_the_first_whole(items: LargeItems) -> None:
    for seed in (1, 2):
        items.put("k", noise(2 * PART_BYTES, seed), stored_at=NOW + seed, expires_at=NOW + 60)
    assert items.get(["k"], now=NOW)["k"].data == noise(2 * PART_BYTES, 2)


@pytest.mark.parametrize("size", [10, 2 * PART_BYTES])
def test_an_alias_leads_to_the_value_for_as_long_as_it_lives(items: LargeItems, size: int) -> None:
    items.put("k", noise(size), stored_at=NOW, expires_at=NOW + 60, alias=Alias("other", NOW, NOW + 30))
    assert items.get(["other"], now=NOW)["other"].data == noise(size)
    assert items.get(["other"], now=NOW + 30) == {}
    assert items.get(["k"], now=NOW + 30)["k"].data == noise(size)


@pytest.mark.parametrize("order", [("complete", "incomplete"), ("incomplete", "complete")])
def test_an_incomplete_value_does_not_take_the_alias_of_a_complete_one(
    items: LargeItems, order: tuple[str, ...]
) -> None:
    for name in order:
        alias = Alias("other", NOW, NOW + 30, complete=name == "complete")
        items.put(name, name.encode(), stored_at=NOW, expires_at=NOW + 60, alias=alias)
    assert items.get(["other"], now=NOW)["other"].data == b"complete"


def test_an_incomplete_value_takes_the_alias_of_one_that_has_expired_or_is_incomplete(items: LargeItems) -> None:
    for number, (written_at, complete) in enumerate([(NOW, True), (NOW + 30, False), (NOW + 31, False)]):
        alias = Alias("other", written_at, NOW + 30 + number, complete)
        items.put(f"k{number}", b"%d" % number, stored_at=NOW, expires_at=NOW + 60, alias=alias)
    assert items.get(["other"], now=NOW + 31)["other"].data == b"2"


def test_the_table_is_the_one_in_the_functions_environment(local: Machine) -> None:
    assert os.environ["SEARCH_CACHE_TABLE"] == TABLE
