"""A table of budgets that fails: no search fails for it, and each process keeps the limits by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from botocore.exceptions import ConnectTimeoutError

from shared.aws.observability import logger
from shared.aws.provider_budget import OUTAGE_PAUSE_S, dynamodb_client, read_states
from shared.budgets.budget import Budget
from shared.budgets.limits import Limits
from shared.budgets.state import ProviderState, VersionedState
from tests.integration.budget_processes import (
    TABLE,
    Process,
    budgets_table,  # noqa: F401  a fixture
    most_in_a_second,
    run,
    throttled,
)
from tests.virtual_time import START_S, Clock

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


@pytest.mark.parametrize(
    "fault", [throttled(), ConnectTimeoutError(endpoint_url="local")], ids=["throttled", "unreachable"]
)
def test_when_the_table_fails_the_process_keeps_the_limit_by_itself(table: DynamoDBClient, fault: Exception) -> None:
    clock = Clock()
    process = Process(clock)
    process.line.fault = fault
    sent: list[float] = []
    run(clock, lambda: sent.extend(process.ask(takes_s=0.0) for _ in range(7)))
    assert most_in_a_second(sent) == 3
    assert clock.time() - START_S < 3.0
    assert len(process.line.calls) == 1


def test_each_failure_of_the_table_is_logged_once(table: DynamoDBClient, monkeypatch: pytest.MonkeyPatch) -> None:
    logged: list[tuple[str, str]] = []
    monkeypatch.setattr(logger, "error", lambda text, **more: logged.append((text, more["error"])))
    clock = Clock()
    process = Process(clock)
    process.line.fault = throttled()
    run(clock, lambda: [process.ask(takes_s=0.0) for _ in range(5)])
    assert logged == [("the provider budgets cannot be reached", "ProvisionedThroughputExceededException")]


def test_a_table_that_is_gone_fails_no_request(table: DynamoDBClient) -> None:
    clock = Clock()
    process = Process(clock, table="gone")
    run(clock, process.ask)
    assert process.line.calls == ["get_item"]


def test_turns_that_could_not_be_written_still_count_when_the_table_is_back(table: DynamoDBClient) -> None:
    clock = Clock()
    one, other = Process(clock), Process(clock)
    slow = Limits(requests=1, window_s=8.0)
    sent: list[float] = []

    def outage() -> None:
        sent.append(one.ask(slow))
        one.line.fault = throttled()
        sent.append(one.ask(slow))
        one.line.fault = None
        other.store.swap(other.store.read(), ProviderState(Budget(permits=(START_S,))))
        clock.sleep(OUTAGE_PAUSE_S)
        sent.append(one.ask(slow))

    run(clock, outage)
    assert sent[2] - sent[1] >= 8.0


def test_an_item_that_was_deleted_is_begun_anew(table: DynamoDBClient) -> None:
    clock = Clock()
    process = Process(clock)

    def twice() -> None:
        process.ask()
        table.delete_item(TableName=TABLE, Key={"pk": {"S": "provider#pubmed"}, "sk": {"S": "state"}})
        process.ask()

    run(clock, twice)
    assert len(read_states(dynamodb_client(), TABLE, ["pubmed"])["pubmed"].budget.permits) == 1


@pytest.mark.parametrize("text", ["{", "{}", '{"budget": {"turns": 3}, "circuit": {}}'], ids=["cut", "empty", "other"])
def test_a_state_in_another_form_is_begun_anew(table: DynamoDBClient, text: str) -> None:
    item: dict[str, Any] = {"pk": {"S": "provider#pubmed"}, "sk": {"S": "state"}, "version": {"N": "7"}}
    table.put_item(TableName=TABLE, Item={**item, "state": {"S": text}})
    clock = Clock()
    process = Process(clock)
    seen: list[VersionedState] = []

    def work() -> None:
        seen.append(process.store.read())
        process.ask()
        seen.append(process.store.read())

    run(clock, work)
    assert seen[0] == VersionedState(ProviderState(), 7)
    assert (seen[1].version, len(seen[1].state.budget.permits)) == (8, 1)
