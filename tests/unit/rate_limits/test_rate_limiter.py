"""A permit for one provider: its cost in table calls, its time, and its rejection."""

from __future__ import annotations

from dataclasses import replace

import pytest

from shared.errors import BudgetSpent, ProviderTimeout
from shared.outcomes import Outcome
from shared.rate_limits.budget import Budget, Grant, PermitRequest, Reject, decide
from shared.rate_limits.limits import Limits
from shared.rate_limits.permits import NoRoom
from shared.rate_limits.rate_limiter import RateLimiter
from shared.rate_limits.state import MemoryStore, ProviderState, VersionedState
from tests.unit.rate_limits.rate_limiter_setup import SimulatedProvider
from tests.virtual_time import START_S, Clock, Task


def test_a_request_alone_costs_one_write_and_no_waiting() -> None:
    provider = SimulatedProvider(Limits(requests=3, window_s=1.0))
    provider.run(lambda: provider.ask(provider.processes[0]))
    assert (provider.table.reads, provider.table.writes) == (0, 1)
    assert provider.arrived[0] - START_S < 0.02


def test_a_request_with_an_in_flight_slot_costs_two_writes() -> None:
    provider = SimulatedProvider(Limits(requests=3, window_s=1.0, concurrency=3))
    provider.run(lambda: provider.ask(provider.processes[0]))
    assert (provider.table.reads, provider.table.writes) == (0, 2)
    assert provider.table.seen.state.budget.in_flight == {}


def test_a_permit_that_expires_without_another_in_time_leaves_nothing_behind() -> None:
    """No request was sent: it counts in no window, in no day and as no failure. The limit had no other one in time."""
    provider = SimulatedProvider(Limits(requests=1, window_s=3.0, concurrency=1, a_day=100))
    limiter, clock = provider.processes[0], provider.clock
    refused: list[BudgetSpent] = []

    def slow() -> None:
        with limiter.permit(provider.limits, lambda: START_S + 4.0 - clock.time()) as granted:
            clock.sleep(1.0)
            taken = provider.table.seen.state.budget
            other = replace(taken, permits=(*taken.permits, clock.time() + 2.0))
            provider.table.seen = VersionedState(replace(provider.table.seen.state, budget=other), version=2)
            with pytest.raises(BudgetSpent) as caught:
                granted.confirm()
            refused.append(caught.value)

    provider.run(slow)
    state = provider.table.seen.state
    assert [it.outcome for it in refused] == [Outcome.SKIPPED_BUDGET]
    assert (state.budget.permits, state.budget.in_flight) == ((START_S + 3.0,), {})
    assert (state.budget.requests_today, state.hour) == (0, ())


def test_a_connection_that_takes_all_the_time_to_open_is_the_sources_timeout() -> None:
    """It was said to be our overload. It counts as a connection that was never opened does."""
    provider = SimulatedProvider(Limits(requests=3, window_s=1.0, concurrency=1), opening_s=40.0)
    timed_out: list[ProviderTimeout] = []

    def slow() -> None:
        with pytest.raises(ProviderTimeout, match="could not be reached in time") as caught:
            provider.ask(provider.processes[0], leg_s=6.0)
        timed_out.append(caught.value)

    provider.run(slow)
    state = provider.table.seen.state
    assert [it.outcome for it in timed_out] == [Outcome.TIMEOUT]
    assert (provider.arrived, state.budget.in_flight, len(state.circuit.failures)) == ([], {}, 1)
    assert [(it.requests, it.failed) for it in state.hour] == [(1, {Outcome.TIMEOUT: 1})]


def test_a_clock_that_is_set_back_makes_no_leg_longer() -> None:
    """It waited for its permit's moment by a clock that had to reach it again. It comes after the deadline."""
    clock, set_back = Clock(), [0.0]
    limiter = RateLimiter(
        "Testing", MemoryStore(), now=lambda: clock.time() - set_back[0], sleep=clock.sleep, jitter=clock.jitter,
        process_id="process",
    )  # fmt: skip

    def ask() -> None:
        with limiter.permit(Limits(requests=1, window_s=3.0), lambda: 15.0 - clock.monotonic()) as granted:
            granted.confirm()

    def wait() -> float:
        ask()
        with pytest.raises(BudgetSpent, match="no request in time"):
            ask()
        return clock.monotonic()

    def correct() -> None:
        set_back[0] = 600.0

    ended, _ = clock.run([Task(work=wait), Task(work=correct, at=1.0)])
    assert ended.result() == pytest.approx(15.0)


def test_two_requests_of_an_idle_provider_go_at_once() -> None:
    provider = SimulatedProvider(Limits(requests=3, window_s=1.0))
    provider.run(*[lambda: provider.ask(provider.processes[0])] * 2)
    assert provider.arrived[1] - START_S < 0.02


def test_a_permit_after_the_deadline_is_rejected_at_once_with_a_retry_after() -> None:
    provider = SimulatedProvider(Limits(requests=1, window_s=30.0))
    rejections: list[BudgetSpent] = []

    def second() -> None:
        provider.sleep(1.0)
        with pytest.raises(BudgetSpent, match="rate limit allows no request in time") as caught:
            provider.ask(provider.processes[0])
        rejections.append(caught.value)
        assert provider.clock.time() == START_S + 1.0

    provider.run(lambda: provider.ask(provider.processes[0]), second)
    assert rejections[0].retry_after_s == pytest.approx(30.5, abs=0.1)


def test_a_process_that_is_too_slow_for_a_free_budget_does_not_blame_the_budget() -> None:
    request = PermitRequest(
        permit_id="a", limits=Limits(requests=3, window_s=1.0), time_left=lambda: -1.0, scheduled=False
    )
    too_late = decide(Budget(), request, now=9.0, deadline=8.0)
    assert isinstance(too_late, Reject)
    assert too_late.is_ours
    provider = SimulatedProvider(Limits(requests=3, window_s=1.0))
    refusals: list[NoRoom] = []

    def slow() -> None:
        with pytest.raises(NoRoom, match="this service was too busy") as caught:
            provider.ask(provider.processes[0], leg_s=0.0)
        refusals.append(caught.value)

    provider.run(slow)
    assert [refusal.outcome for refusal in refusals] == [Outcome.SKIPPED_OVERLOAD]


def test_a_caller_that_dies_with_its_permit_blocks_the_others_until_its_deadline_only() -> None:
    provider = SimulatedProvider(Limits(requests=3, window_s=1.0, concurrency=1))
    deadline = START_S + 4.0
    request = PermitRequest(permit_id="dead", limits=provider.limits, time_left=lambda: 4.0, scheduled=False)
    taken = decide(Budget(), request, now=START_S, deadline=deadline)
    assert isinstance(taken, Grant)
    provider.table.seen = VersionedState(ProviderState(taken.budget), version=1)
    sent: list[float] = []

    def survivor() -> None:
        provider.sleep(1.0)
        sent.append(provider.ask(provider.processes[0]))

    provider.run(survivor)
    assert deadline + 1.0 <= sent[0] < deadline + 1.6
