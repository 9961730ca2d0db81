"""A table of budgets that fails: no search fails for it, and each process keeps the limits by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from botocore.exceptions import ConnectTimeoutError

from shared.aws.observability import logger
from shared.aws.provider_budget import AWAY_S, dynamodb_client, read_states
from shared.budget import Budget
from shared.limits import Limits
from shared.provider_state import ProviderState, Seen
from tests.integration.budget_processes import (
    TABLE,
    Process,
    budgets_table,  # noqa: F401  a fixture
    most_in_a_second,
    run,
    throttled,
)
from tests.unit.simulated_time import START, SimulatedTime

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


@pytest.mark.parametrize(
    "fault", [throttled(), ConnectTimeoutError(endpoint_url="local")], ids=["throttled", "unreachable"]
)
def test_when_the_table_fails_the_process_keeps_the_limit_by_itself(table: DynamoDBClient, fault: Exception) -> None:
    time = SimulatedTime()
    process = Process(time)
    process.line.fault = fault
    sent: list[float] = []
    run(time, lambda: sent.extend(process.ask(takes_s=0.0) for _ in range(7)))
    assert most_in_a_second(sent) == 3
    assert time.now() - START < 3.0
    assert len(process.line.calls) == 1


def test_each_failure_of_the_table_is_logged_once(table: DynamoDBClient, monkeypatch: pytest.MonkeyPatch) -> None:
    logged: list[tuple[str, str]] = []
    monkeypatch.setattr(logger, "error", lambda text, **more: logged.append((text, more["error"])))
    time = SimulatedTime()
    process = Process(time)
    process.line.fault = throttled()
    run(time, lambda: [process.ask(takes_s=0.0) for _ in range(5)])
    assert logged == [("the provider budgets cannot be reached", "ClientError")]


def test_a_table_that_is_gone_fails_no_request(table: DynamoDBClient) -> None:
    time = SimulatedTime()
    process = Process(time, table="gone")
    run(time, process.ask)
    assert process.line.calls == ["get_item"]


def test_turns_that_could_not_be_written_still_count_when_the_table_is_back(table: DynamoDBClient) -> None:
    time = SimulatedTime()
    one, other = Process(time), Process(time)
    slow = Limits(requests=1, window_s=8.0)
    sent: list[float] = []

    def outage() -> None:
        sent.append(one.ask(slow))
        one.line.fault = throttled()
        sent.append(one.ask(slow))
        one.line.fault = None
        other.store.swap(other.store.read(), ProviderState(Budget(turns=(START,))))
        time.sleep(AWAY_S)
        sent.append(one.ask(slow))

    run(time, outage)
    assert sent[2] - sent[1] >= 8.0


def test_an_item_that_was_deleted_is_begun_anew(table: DynamoDBClient) -> None:
    time = SimulatedTime()
    process = Process(time)

    def twice() -> None:
        process.ask()
        table.delete_item(TableName=TABLE, Key={"pk": {"S": "provider#pubmed"}, "sk": {"S": "state"}})
        process.ask()

    run(time, twice)
    assert len(read_states(dynamodb_client(), TABLE, ["pubmed"])["pubmed"].budget.turns) == 1


@pytest.mark.parametrize("text", ["{", "{}", '{"budget": {"turns": 3}, "circuit": {}}'], ids=["cut", "empty", "other"])
def test_a_state_in_another_form_is_begun_anew(table: DynamoDBClient, text: str) -> None:
    item: dict[str, Any] = {"pk": {"S": "provider#pubmed"}, "sk": {"S": "state"}, "version": {"N": "7"}}
    table.put_item(TableName=TABLE, Item={**item, "state": {"S": text}})
    time = SimulatedTime()
    process = Process(time)
    seen: list[Seen] = []

    def work() -> None:
        seen.append(process.store.read())
        process.ask()
        seen.append(process.store.read())

    run(time, work)
    assert seen[0] == Seen(ProviderState(), 7)
    assert (seen[1].version, len(seen[1].state.budget.turns)) == (8, 1)
