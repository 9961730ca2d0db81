"""Crossref Plus, 150 requests a second and 50 at once, through its declaration and a table with a real throughput."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from botocore.exceptions import ClientError

from functions.providers import crossref
from shared.aws.dynamodb.rate_limit_store import DynamoStore
from shared.aws.dynamodb.slot_counter import DynamoSlotCounter, slots_of
from shared.errors import BudgetSpent
from shared.rate_limits.circuit_breaker import Circuit, Reason
from shared.rate_limits.limits import Overrides, limits_of
from shared.rate_limits.outage import REASON
from shared.rate_limits.permit_queue import queue_s
from shared.rate_limits.rate_limiter import RateLimiter
from shared.rate_limits.recent_hour import public_hour
from shared.rate_limits.slots import HIGH_RATE, Slots, interval_s, is_high, with_slots
from shared.rate_limits.state import ProviderState, public_status
from tests.simulations.high_rates import HighRates, Load, measured, plus_limits
from tests.simulations.hot_table import WRITE_UNITS
from tests.simulations.simulated_providers import most_at_once, most_in_any
from tests.virtual_time import START_S, Task

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("declared_limits")]  # many processes on virtual time
FAST = (0.2, 0.4)


def state_of(running: HighRates) -> ProviderState:
    """What the table has in the end."""
    return (
        DynamoStore(running.table.client(), "budgets", "crossref", now=running.clock.time, process_id="reader")
        .last()
        .state
    )


def keeps_the_limits(running: HighRates) -> bool:
    began = [it.started for it in running.requests]
    return most_in_any(began, 1.0) <= 150 and most_at_once(running.requests) <= 50


def test_the_declared_rate_of_a_key_is_high_and_that_without_one_is_not() -> None:
    assert is_high(plus_limits())
    assert not is_high(limits_of(crossref.SPEC, has_key=False))
    assert not is_high(plus_limits(requests_per_second=HIGH_RATE))
    assert 1.0 / interval_s(plus_limits()) == pytest.approx(150 / 1.05)


def test_a_daily_allowance_is_counted_in_the_state_at_any_rate() -> None:
    overrides = Overrides(requests_per_day=1_000)
    assert not is_high(limits_of(crossref.SPEC, has_key=True, overrides=overrides))


def test_150_a_second_and_50_at_once_hold_and_are_used() -> None:
    running = HighRates(Load(arrivals=200.0, seconds=4.0, takes_s=FAST)).run()
    assert keeps_the_limits(running)
    assert measured(running).sent_a_second >= 140
    assert running.table.throttled == 0


def test_a_provider_with_room_answers_every_caller_at_once() -> None:
    running = HighRates(Load(arrivals=45.0, seconds=4.0)).run()
    assert keeps_the_limits(running)
    assert len(running.requests) == running.arrived
    assert measured(running).p95_wait_s < 0.05


@pytest.mark.slow
@pytest.mark.parametrize("arrivals", [45.0, 75.0, 140.0, 160.0, 200.0])
@pytest.mark.parametrize("takes_s", [FAST, (0.2, 0.6)])
def test_at_any_load_the_limits_hold_and_what_they_allow_is_sent(arrivals: float, takes_s: tuple[float, float]) -> None:
    running = HighRates(Load(arrivals=arrivals, seconds=min(20.0, 1_500 / arrivals), takes_s=takes_s)).run()
    seen = measured(running)
    possible = min(arrivals, 150 / 1.05, 50 / (sum(takes_s) / 2))
    assert keeps_the_limits(running)
    assert seen.sent_a_second > 0.9 * possible
    assert seen.writes_a_second < 0.7 * WRITE_UNITS


@pytest.mark.parametrize(("arrivals", "seconds", "share"), [(0.02, 600.0, 0.8), (20.0, 60.0, 0.4)])
def test_the_requests_of_slots_are_counted_with_other_writes(arrivals: float, seconds: float, share: float) -> None:
    """What a process has not written when it ends is missing: at most what it has sent in the last half minute."""
    running = HighRates(Load(arrivals=arrivals, seconds=seconds, takes_s=FAST)).run()
    counts = [it["requests"] for it in public_hour(state_of(running).hour, running.clock.time())]
    assert share * len(running.requests) < sum(counts) <= len(running.requests)


def test_processes_that_wake_up_late_keep_the_rate() -> None:
    running = HighRates(Load(arrivals=160.0, seconds=3.0, takes_s=FAST, late_s=0.02)).run()
    assert keeps_the_limits(running)
    assert measured(running).sent_a_second > 100


def test_processes_whose_connections_open_slowly_keep_the_rate_and_use_it() -> None:
    """A connection that was opened at the moment of its slot wasted it: 52 a second were sent."""
    running = HighRates(Load(arrivals=160.0, seconds=3.0, takes_s=FAST, opening_s=0.2)).run()
    assert keeps_the_limits(running)
    assert measured(running).sent_a_second > 130


def test_connections_of_crashed_processes_are_free_again_when_their_time_is_over() -> None:
    load = Load(arrivals=20.0, seconds=24.0, takes_s=(0.2, 0.3), crashes=0.3, limits=plus_limits(concurrency=10))
    running = HighRates(load).run()
    assert most_at_once(running.requests) <= 10
    late = [it for it in running.requests if it.started > 18.0]
    assert len(late) > 20  # ten connections that never come back would leave none
    slots = slots_of(running.table.items["slots#crossref slots"])
    assert len(slots.in_flight) <= 10


def test_a_table_that_throttles_is_no_permission_to_send() -> None:
    running = HighRates(Load(arrivals=60.0, seconds=3.0, takes_s=FAST))
    running.table.write_units = 40
    running.run()
    assert keeps_the_limits(running)
    assert running.table.throttled > 0
    assert len(running.requests) < 60 * 3


def test_a_process_that_is_throttled_for_all_of_its_time_is_refused() -> None:
    running = HighRates(Load(arrivals=5.0, seconds=2.0))
    running.table.write_units = 0
    running.run()
    assert running.requests == []
    assert len(running.refused) == running.arrived
    assert all(REASON in message for message in running.refused)


def test_while_the_table_is_gone_processes_send_no_more_than_their_shares() -> None:
    running = HighRates(Load(arrivals=100.0, seconds=14.0, takes_s=FAST))
    running.table.down = lambda at: at >= 4.0
    running.run()
    outage = [it for it in running.requests if it.started >= 4.5]
    assert outage
    assert most_in_any([it.started for it in outage], 1.0) <= 150
    assert most_at_once(outage) <= 50


def test_scheduled_searches_alone_get_half_of_the_rate_and_people_go_first() -> None:
    limits = plus_limits(requests_per_second=60.0, concurrency=50)
    load = Load(arrivals=80.0, seconds=4.0, takes_s=FAST, limits=limits, scheduled=1.0)
    alone = measured(HighRates(load).run())
    assert 20 < alone.sent_a_second <= 30
    both = HighRates(replace(load, arrivals=100.0, scheduled=0.5)).run()
    assert most_in_any([it.started for it in both.requests], 1.0) <= 60
    assert len([it for it in both.requests if it.started < 4.0]) > 45 * 4


def test_the_limits_that_headers_state_and_the_processes_are_in_the_state() -> None:
    running = HighRates(Load(arrivals=60.0, seconds=2.0, takes_s=FAST)).run()
    state = state_of(running)
    assert state.budget.header_rate == 150.0
    assert len(state.processes) > 5


def test_readers_of_the_state_see_the_queue_and_the_connections_of_the_slots() -> None:
    slots = Slots(1_000.5, {"a-1": 1_010.0, "a-2": 990.0})
    state = with_slots(ProviderState(), slots, 1_000.0)
    assert queue_s(state.budget, 1_000.0) == 0.5
    budget = public_status(state, plus_limits(), 1_000.0)["budget"]
    assert (budget["left_now"], budget["under_way"]) == (0, 1)
    later = public_status(state, plus_limits(), 1_000.6)["budget"]
    assert later["left_now"] == 49
    for none in (None, Slots(), Slots(5_000.0)):  # the last is too far ahead to have been written
        assert with_slots(ProviderState(), none, 1_000.0) == ProviderState()


def test_a_probe_that_comes_too_late_is_sent_by_the_next_try() -> None:
    """The moment of its slot passed while the table was slow: the circuit kept the unsent probe for fifteen seconds."""
    running = HighRates(Load(arrivals=1.0, seconds=1.0))
    table, clock = running.table, running.clock
    late = iter([3.0])

    class SlowCounter(DynamoSlotCounter):
        def take(self, *given: Any) -> float | Slots:
            taken = super().take(*given)
            if isinstance(taken, float):
                clock.sleep(next(late, 0.0))
            return taken

    store = DynamoStore(table.client(), "budgets", "crossref", now=clock.time, process_id="a")
    limiter = RateLimiter(
        crossref.SPEC.title, store, read_limits=crossref.read_limits, now=clock.time,
        sleep=clock.sleep, jitter=clock.jitter, process_id="a",
        slots=SlowCounter(table.client(), "budgets", "crossref", lost=store.lost),
    )  # fmt: skip
    sent: list[float] = []

    def request() -> None:
        opened = Circuit(open_until=clock.time() - 1.0, open_s=30.0, reason=Reason.OUTAGE)
        assert store.swap(store.read(), replace(store.last().state, circuit=opened)) is None
        deadline = clock.time() + 15.0
        with limiter.permit(plus_limits(), lambda: deadline - clock.time()) as granted:
            granted.confirm()
            sent.append(clock.time() - START_S)

    (end,) = clock.run([Task(work=request)])
    end.result()
    assert 3.0 < sent[0] < 6.0
    assert state_of(running).circuit == Circuit()


def test_a_slot_that_is_missed_while_the_table_throttles_leaves_no_request_in_flight() -> None:
    """The connection opened too late for its slot; none is left when the state refuses this process."""
    running = HighRates(Load(arrivals=1.0, seconds=1.0))
    table, clock = running.table, running.clock
    store = DynamoStore(table.client(), "budgets", "crossref", now=clock.time, process_id="a")
    counter = DynamoSlotCounter(table.client(), "budgets", "crossref", lost=store.lost)
    limiter = RateLimiter(
        crossref.SPEC.title, store, now=clock.time, sleep=clock.sleep, jitter=clock.jitter, process_id="a",
        slots=counter,
    )  # fmt: skip
    throttled: Any = {"Error": {"Code": "ThrottlingException", "Message": ""}}

    def request() -> None:
        deadline = clock.time() + 15.0
        with limiter.permit(plus_limits(), lambda: deadline - clock.time()) as granted:
            clock.sleep(0.2)
            store.lost(ClientError(throttled, "GetItem"))
            granted.confirm()

    (end,) = clock.run([Task(work=request)])
    with pytest.raises(BudgetSpent, match=REASON):
        end.result()
    (read,) = clock.run([Task(work=counter.read)])
    assert read.result().in_flight == {}
