"""The budgets' table fails: searches go on, and each process stays within its share of the limits."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from botocore.exceptions import ConnectTimeoutError

from shared.aws.dynamodb.rate_limit_store import PAUSE_S, DynamoStore, dynamodb_client, read_states
from shared.aws.runtime.observability import logger
from shared.errors import BudgetSpent
from shared.rate_limits.budget import Budget
from shared.rate_limits.limits import Limits
from shared.rate_limits.state import ProviderState, VersionedState
from tests.integration.rate_limits.budget_processes import (
    TABLE,
    Process,
    budgets_table,  # noqa: F401  a fixture
    most_in_a_second,
    run,
    throttled,
)
from tests.integration.rate_limits.table_outages import OneItem
from tests.virtual_time import START_S, Clock

pytestmark = pytest.mark.slow  # storms of processes

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


UNREACHABLE = ConnectTimeoutError(endpoint_url="local")
FAULTS = pytest.mark.parametrize("fault", [throttled(), UNREACHABLE], ids=["throttled", "unreachable"])


def test_the_only_process_keeps_its_whole_rate_during_an_outage_of_the_table(table: DynamoDBClient) -> None:
    clock = Clock()
    process = Process(clock)
    sent: list[float] = []

    def outage() -> None:
        sent.append(process.ask(takes_s=0.0))
        process.line.fault = UNREACHABLE
        sent.extend(process.ask(takes_s=0.0) for _ in range(6))

    run(clock, outage)
    assert most_in_a_second(sent) == 3
    assert clock.time() - START_S < 3.0
    assert process.line.calls == ["get_item", "put_item", "put_item"]


@FAULTS
def test_a_process_that_has_never_read_the_table_sends_one_request_in_five_to_ten_windows(
    table: DynamoDBClient, fault: Exception
) -> None:
    clock = Clock()
    process = Process(clock)
    process.line.fault = fault
    sent: list[float] = []
    run(clock, lambda: sent.extend(process.ask(takes_s=0.0) for _ in range(4)))
    gaps = [later - sooner for sooner, later in pairwise(sent)]
    assert all(5.0 < gap <= 10.0 for gap in gaps), gaps


def test_a_process_that_has_never_read_the_table_does_not_query_a_provider_that_limits_connections(
    table: DynamoDBClient,
) -> None:
    clock = Clock()
    process = Process(clock)
    process.line.fault = throttled()

    def refused() -> None:
        with pytest.raises(BudgetSpent, match="state of its rate limit cannot be read") as caught:
            process.ask(Limits(requests=3, window_s=1.0, concurrency=3))
        assert caught.value.retry_after_s == PAUSE_S

    run(clock, refused)


def test_a_process_that_the_table_throttles_adds_one_request_in_five_windows_to_those_of_the_others(
    table: DynamoDBClient,
) -> None:
    """It added what its share of two processes allows, or all that the limit does if it knew no other process."""
    clock = Clock()
    one, other = Process(clock), Process(clock)
    sent: list[float] = []
    throttled_sent: list[float] = []

    def often(process: Process, seen: list[float]) -> None:
        while clock.time() < START_S + 40.0:
            seen.append(process.ask(takes_s=0.0))

    def throttle() -> None:
        clock.sleep(0.5)
        one.line.fault = throttled()

    run(clock, lambda: often(one, throttled_sent), lambda: often(other, sent), throttle)
    late = [at for at in throttled_sent if at > START_S + 2.0]
    assert len(late) > 3
    assert all(later - sooner > 5.0 for sooner, later in pairwise(late))
    assert most_in_a_second(sorted([*sent, *throttled_sent])) <= 3 + 1


def test_each_failure_of_the_table_is_logged_once(table: DynamoDBClient, monkeypatch: pytest.MonkeyPatch) -> None:
    logged: list[tuple[str, str]] = []
    monkeypatch.setattr(logger, "error", lambda text, **more: logged.append((text, more["error"])))
    clock = Clock()
    process = Process(clock)

    def outage() -> None:
        process.ask(takes_s=0.0)
        process.line.fault = UNREACHABLE
        for _ in range(5):
            process.ask(takes_s=0.0)

    run(clock, outage)
    assert logged == [("the table of rate limits cannot be reached", "ConnectTimeoutError")]


def test_a_failure_of_the_table_is_a_metric_of_the_provider(
    table: DynamoDBClient, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "false")
    clock = Clock()
    process = Process(clock)
    process.line.fault = throttled()
    run(clock, process.ask)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines() if "BudgetTableLost" in line]
    # One a failed try: a process whose share comes late tries the table again after a pause.
    assert lines
    assert all((line["provider"], line["BudgetTableLost"]) == ("pubmed", [1.0]) for line in lines)


def test_a_missing_table_fails_no_request(table: DynamoDBClient) -> None:
    clock = Clock()
    process = Process(clock, table="gone")
    run(clock, process.ask)
    assert set(process.line.calls) == {"get_item"}


def test_unwritten_permits_still_count_after_the_outage(table: DynamoDBClient) -> None:
    clock = Clock()
    one, other = Process(clock), Process(clock)
    slow = Limits(requests=1, window_s=8.0)
    sent: list[float] = []

    def outage() -> None:
        sent.append(one.ask(slow))
        one.line.fault = UNREACHABLE
        sent.append(one.ask(slow))
        one.line.fault = None
        other.store.swap(other.store.read(), ProviderState(Budget(permits=(START_S,))))
        clock.sleep(PAUSE_S)
        sent.append(one.ask(slow))

    run(clock, outage)
    assert sent[2] - sent[1] >= 8.0


def test_a_write_that_succeeds_after_another_has_failed_ends_the_pause_with_the_outage() -> None:
    """Permits of the pause were in memory only, and no outage limited them to a share."""

    class Client:
        writes = 0

        def put_item(self, **_: Any) -> dict[str, Any]:
            self.writes += 1
            if self.writes == 1:  # another thread's request fails while this one is under way
                store.lost(UNREACHABLE)
            return {}

    client: Any = Client()
    store = DynamoStore(client, TABLE, "pubmed", now=lambda: START_S, process_id="a")
    for _ in range(2):
        assert store.swap(store._memory.last(), ProviderState()) is None
    assert (client.writes, store.outage) == (2, None)


def test_a_write_that_is_repeated_finds_its_own() -> None:
    """Its answer was lost: the permit was in the table, nobody used it, and an open circuit waited for its probe."""

    class Repeating(OneItem):
        def put_item(self, **options: Any) -> dict[str, Any]:
            super().put_item(**options)
            return super().put_item(**options)

    table: Any = Repeating()
    one, other = (DynamoStore(table, TABLE, "pubmed", now=lambda: START_S, process_id=name) for name in "ab")
    permit = ProviderState(Budget(permits=(START_S,)))
    assert one.swap(one.last(), permit) is None
    assert one.last() == VersionedState(permit, version=1)
    lost = other.swap(other._memory.last(), permit)  # the very same state, and not its own
    assert lost == one.last()


def test_a_deleted_item_is_created_again(table: DynamoDBClient) -> None:
    clock = Clock()
    process = Process(clock)

    def twice() -> None:
        process.ask()
        table.delete_item(TableName=TABLE, Key={"pk": {"S": "provider#pubmed"}, "sk": {"S": "state"}})
        process.ask()

    run(clock, twice)
    assert len(read_states(dynamodb_client(), TABLE, ["pubmed"], clock.time()).states["pubmed"].budget.permits) == 1


@pytest.mark.parametrize("text", ["{", "{}", '{"budget": {"turns": 3}, "circuit": {}}'], ids=["cut", "empty", "other"])
def test_a_state_of_unknown_form_is_reset(table: DynamoDBClient, text: str) -> None:
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
