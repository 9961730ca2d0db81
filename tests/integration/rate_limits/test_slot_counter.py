"""The item of a provider's slots, against moto's reading of the expressions; the simulated table reads them alike."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from botocore.exceptions import ClientError, ConnectTimeoutError

from shared.aws.dynamodb.rate_limit_store import dynamodb_client
from shared.aws.dynamodb.slot_counter import DynamoSlotCounter, slots_key, slots_of
from shared.rate_limits.slots import SlotRequest, Slots, TableLost, TableThrottled, TakeFirst, TakeNext
from tests.integration.rate_limits.budget_processes import (
    TABLE,
    budgets_table,  # noqa: F401  a fixture
    throttled,
)
from tests.simulations.hot_table import HotTable
from tests.virtual_time import Clock, Task

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

NOW = 1_795_000_000.0


def counter(client: Any, lost: Callable[[Exception], object] = lambda _: None) -> DynamoSlotCounter:
    return DynamoSlotCounter(client, TABLE, "crossref", lost=lost)


def request(permit_id: str, at: float = NOW, *, concurrency: int | None = 2, scheduled: bool = False) -> SlotRequest:
    return SlotRequest(
        permit_id=permit_id, first=at, latest=at + 13.0, interval_s=0.007, concurrency=concurrency,
        release_by=at + 15.2, scheduled=scheduled,
    )  # fmt: skip


def test_a_missing_item_is_made_and_its_first_slot_taken(table: DynamoDBClient) -> None:
    slots = counter(dynamodb_client())
    assert slots.read() == Slots()
    assert slots.take(request("a-1"), TakeFirst(NOW, enter=True), NOW) == Slots()
    assert slots.take(request("a-1"), TakeFirst(NOW, enter=True), NOW) == pytest.approx(NOW)
    item = table.get_item(TableName=TABLE, Key=slots_key("crossref"))["Item"]
    assert item == {
        **slots_key("crossref"), "next_at": {"N": "1795000000007000"}, "in_flight": {"M": {"a-1": {"N": "1795000016"}}},
    }  # fmt: skip


def test_of_two_callers_at_one_moment_the_second_sees_the_queue_and_takes_the_next_slot(table: DynamoDBClient) -> None:
    one, other = counter(dynamodb_client()), counter(dynamodb_client())
    one.take(request("a-1"), TakeFirst(NOW, enter=True), NOW)
    one.take(request("a-1"), TakeFirst(NOW, enter=True), NOW)
    seen = other.take(request("b-1"), TakeFirst(NOW, enter=True), NOW)
    assert isinstance(seen, Slots)
    assert seen.in_flight == {"a-1": NOW + 16}
    assert other.take(request("b-1"), TakeNext(), NOW) == pytest.approx(NOW + 0.007)


def test_no_more_connections_than_the_limit_are_taken_and_a_released_one_is_free(table: DynamoDBClient) -> None:
    slots = counter(dynamodb_client())
    slots.take(request("a-0"), TakeFirst(NOW, enter=False), NOW)
    assert [slots.enter(f"a-{number}", NOW + 15.0, 2) for number in range(3)] == [True, True, False]
    slots.release("a-0")
    slots.release("a-0")  # by then it may be over and removed
    assert slots.enter("a-2", NOW + 15.0, 2)


def test_an_update_that_is_repeated_finds_its_own_connection(table: DynamoDBClient) -> None:
    """Its answer was lost: the caller held the only connection, and waited for it until it expired."""
    slots = counter(dynamodb_client())
    slots.take(request("a-0"), TakeFirst(NOW, enter=False), NOW)
    assert [slots.enter(permit_id, NOW + 15.0, 1) for permit_id in ("a-1", "a-1", "a-2")] == [True, True, False]
    slots.release("a-1")
    assert slots.enter("a-2", NOW + 15.0, 1)


def test_connections_are_removed_only_when_their_time_is_over(table: DynamoDBClient) -> None:
    slots = counter(dynamodb_client())
    slots.take(request("a-0"), TakeFirst(NOW, enter=False), NOW)
    slots.enter("a-1", NOW + 1.0, 2)
    slots.enter("a-2", NOW + 15.0, 2)
    assert set(slots.clear(("a-1",), NOW + 0.9).in_flight) == {"a-1", "a-2"}
    assert set(slots.clear(("a-1", "a-2"), NOW + 2.0).in_flight) == {"a-1", "a-2"}
    assert set(slots.clear(("a-1",), NOW + 2.0).in_flight) == {"a-2"}


def test_an_item_of_an_unknown_form_is_read_as_if_there_were_none() -> None:
    unknown: list[dict[str, Any]] = [{}, {"next_at": {"S": "soon"}, "in_flight": {"M": {}}}]
    unknown.append({"next_at": {"N": "1"}, "in_flight": {"N": "2"}})
    assert [slots_of(item) for item in unknown] == [Slots()] * 3


def test_a_table_that_throttles_is_not_lost_and_one_that_is_gone_is(table: DynamoDBClient) -> None:
    class Failing:
        def __init__(self, fault: Exception) -> None:
            self.fault = fault

        def update_item(self, **_: Any) -> Any:
            raise self.fault

        get_item = update_item

    lost: list[Exception] = []
    with pytest.raises(TableThrottled):
        counter(Failing(throttled()), lost.append).read()
    assert lost == []
    with pytest.raises(TableLost):
        counter(Failing(ConnectTimeoutError(endpoint_url="local")), lost.append).release("a-1")
    with pytest.raises(TableLost):
        DynamoSlotCounter(dynamodb_client(), "gone", "crossref", lost=lost.append).read()
    assert [isinstance(error, ClientError) for error in lost] == [False, True]


def test_the_simulated_table_answers_as_moto_does(table: DynamoDBClient) -> None:
    clock = Clock()

    def steps(client: Any) -> list[Any]:
        slots, chance, answers = counter(client), Random(4), []
        for number in range(60):
            now, permit_id = NOW + number * 0.02, f"p-{chance.randrange(6)}"
            asked = request(permit_id, now, concurrency=chance.choice([2, 3, None]), scheduled=chance.random() < 0.2)
            answers.append(
                chance.choice([
                    lambda: slots.take(asked, TakeFirst(now, enter=chance.random() < 0.5), now),  # noqa: B023
                    lambda: slots.take(asked, TakeNext(), now),  # noqa: B023
                    lambda: slots.enter(permit_id, now + 0.3, 3),  # noqa: B023
                    lambda: slots.clear((permit_id, "p-0"), now),  # noqa: B023
                    lambda: slots.release(permit_id),  # noqa: B023
                    slots.read,
                ])()
            )  # fmt: skip
        return answers

    real, simulated = clock.run([
        Task(work=lambda: steps(dynamodb_client())), Task(work=lambda: steps(HotTable(clock).client()))
    ])  # fmt: skip
    assert simulated.result() == real.result()
