"""Budgets and circuits in DynamoDB: several processes at one table."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from shared.aws.dynamodb.rate_limit_store import SharedStates, dynamodb_client, read_states
from shared.errors import BudgetSpent, CircuitOpen, KeyRefused, Unavailable
from shared.rate_limits.limits import Limits
from shared.rate_limits.state import ProviderState
from tests.integration.rate_limits.budget_processes import (
    TABLE,
    Line,
    Process,
    budgets_table,  # noqa: F401  a fixture
    most_in_a_second,
    run,
    throttled,
)
from tests.virtual_time import START_S, Clock

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


def test_a_cold_process_reads_once_and_a_warm_one_only_writes(table: DynamoDBClient) -> None:
    clock = Clock()
    process = Process(clock)
    run(clock, lambda: [process.ask() for _ in range(3)])
    assert process.line.calls == ["get_item", "put_item", "put_item", "put_item"]


def test_a_request_with_an_in_flight_slot_costs_two_writes_to_the_table(table: DynamoDBClient) -> None:
    clock = Clock()
    process = Process(clock)
    run(clock, lambda: process.ask(Limits(requests=3, window_s=1.0, concurrency=3)))
    assert process.line.calls == ["get_item", "put_item", "put_item"]


def test_a_lost_race_returns_the_newer_state(table: DynamoDBClient) -> None:
    clock = Clock()
    one, other = Process(clock), Process(clock)
    sent: list[float] = []

    def both() -> None:
        other.ask(takes_s=0.2)
        for _ in range(3):
            one.ask(takes_s=0.0)
        sent.append(other.ask())

    run(clock, both)
    assert other.line.calls[2:] == ["put_item", "put_item", "get_item"]  # the last, for it had to wait
    assert sent[0] >= START_S + 1.0


def test_concurrent_processes_keep_the_rate(table: DynamoDBClient) -> None:
    clock = Clock()
    sent: list[float] = []

    def work(process: Process) -> None:
        while clock.time() < START_S + 6.0:
            sent.append(process.ask())

    run(clock, *[partial(work, Process(clock, late_s=0.005)) for _ in range(10)])
    assert most_in_a_second(sent) <= 3
    assert len([moment for moment in sent if moment < START_S + 6.0]) > 0.9 * 18


def test_headers_received_by_one_process_hold_for_the_others(table: DynamoDBClient) -> None:
    clock = Clock()
    one, other = Process(clock), Process(clock)
    sent: list[float] = []

    def both() -> None:
        one.ask(limit="1")
        for _ in range(2):
            sent.append(other.ask(takes_s=0.0))

    run(clock, both)
    assert sent[1] - sent[0] >= 1.0


def test_a_retry_after_of_one_process_holds_for_the_others(table: DynamoDBClient) -> None:
    clock = Clock()
    one, other = Process(clock), Process(clock)

    def both() -> None:
        with pytest.raises(Unavailable):
            one.ask(fault=Unavailable("closed", retry_after_s=120.0))
        with pytest.raises(BudgetSpent) as caught:
            other.ask()
        assert caught.value.retry_after_s == pytest.approx(120, abs=1)

    run(clock, both)


def test_a_rejected_key_is_known_to_all_processes_after_one_read(table: DynamoDBClient) -> None:
    clock = Clock()
    one, other = Process(clock), Process(clock)

    def both() -> None:
        with pytest.raises(KeyRefused):
            one.ask(fault=KeyRefused("no"))
        with pytest.raises(CircuitOpen, match="set a valid key"):
            other.ask()

    run(clock, both)
    states = read_states(dynamodb_client(), TABLE, ["pubmed", "arxiv"], clock.time()).states
    assert states["pubmed"].circuit.open_until is not None
    assert states["arxiv"] == ProviderState()


@pytest.mark.slow
def test_the_item_is_small_and_holds_nothing_but_numbers_and_random_ids(table: DynamoDBClient) -> None:
    clock = Clock()
    process = Process(clock)
    run(clock, *[lambda: process.ask(Limits(requests=50, window_s=1.0, concurrency=30))] * 30)
    item = table.get_item(TableName=TABLE, Key={"pk": {"S": "provider#pubmed"}, "sk": {"S": "state"}})["Item"]
    assert set(item) == {"pk", "sk", "version", "state", "writer"}
    assert len(json.dumps(item)) < 4096


def test_all_states_are_read_by_one_request_and_none_if_the_table_fails(table: DynamoDBClient) -> None:
    line = Line(dynamodb_client(), lambda _: None)
    assert set(read_states(line, TABLE, ["pubmed", "arxiv", "pubmed"], START_S).states) == {"arxiv", "pubmed"}  # type: ignore[arg-type]
    line.fault = throttled()
    assert read_states(line, TABLE, ["pubmed"], START_S) == SharedStates({}, None)  # type: ignore[arg-type]
    assert line.calls == ["batch_get_item"] * 2


class Overloaded:
    """A client whose table leaves the keys with these texts unprocessed."""

    def __init__(self, client: DynamoDBClient, *left: str) -> None:
        self._client, self._left = client, left

    def batch_get_item(self, RequestItems: Any) -> Any:  # noqa: N803  boto3's name
        keys = RequestItems[TABLE]["Keys"]
        left = [key for key in keys if any(text in key["pk"]["S"] for text in self._left)]
        kept: Any = {TABLE: {"Keys": [key for key in keys if key not in left]}}
        answer = self._client.batch_get_item(RequestItems=kept)
        return {**answer, "UnprocessedKeys": {TABLE: {"Keys": left}} if left else {}}


def test_unprocessed_keys_are_unknown_and_not_the_default(table: DynamoDBClient) -> None:
    def read(*left: str) -> SharedStates:
        return read_states(Overloaded(table, *left), TABLE, ["pubmed", "arxiv"], START_S)  # type: ignore[arg-type]

    assert (set(read().states), read().off) == ({"arxiv", "pubmed"}, {})
    assert (set(read("arxiv").states), read("arxiv").off) == ({"pubmed"}, {})
    assert read("switch") == SharedStates(
        {**read().states}, None
    )  # a source that is off is not taken for one that is on
