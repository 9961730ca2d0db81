"""Properties of the budget: any order of requests, unused permits and crashes keeps the provider's limits."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from shared.rate_limits.budget import Budget, Grant, release, return_unused
from shared.rate_limits.limits import Limits
from tests.unit.rate_limits.test_budget import NOON, ask, grant

LIMITS = st.builds(
    Limits,
    requests=st.integers(1, 6),
    window_s=st.floats(0.5, 10.0),
    concurrency=st.none() | st.integers(1, 4),
)


@given(LIMITS, st.lists(st.tuples(st.floats(-3.0, 3.0), st.booleans()), max_size=60))
def test_no_window_has_more_permits_or_requests_in_flight_than_allowed(
    limits: Limits, steps: list[tuple[float, bool]]
) -> None:
    budget, now, granted = Budget(), NOON, []
    for number, (step, scheduled) in enumerate(steps):
        now += step
        decision = ask(budget, replace(limits, concurrency=None), now=now, permit_id=str(number), scheduled=scheduled)
        if isinstance(decision, Grant):
            budget = decision.budget
            granted.append(decision.at)
    assert granted == sorted(granted)
    for first, last in zip(granted, granted[limits.requests :], strict=False):
        assert last - first >= limits.spacing_s - 1e-6


@given(LIMITS, st.lists(st.tuples(st.floats(0.0, 2.0), st.sampled_from(["use", "miss", "crash"])), max_size=80))
def test_missed_permits_and_dying_callers_never_exceed_rate_or_concurrency(
    limits: Limits, steps: list[tuple[float, str]]
) -> None:
    budget, now, sent = Budget(), NOON, []
    ahead: list[tuple[float, str]] = []  # permits that their owners will wake up too late for
    for number, (step, fate) in enumerate(steps):
        now += step
        for late in [entry for entry in ahead if entry[0] + limits.slack_s < now]:
            ahead.remove(late)
            budget = release(return_unused(budget, late[0]), late[1])
        decision = ask(budget, limits, now=now, permit_id=str(number))
        if isinstance(decision, Grant):
            budget = decision.budget
            if fate == "miss":
                ahead.append((decision.at, str(number)))
            else:
                sent.append(decision.at)
            if fate == "use":
                budget = release(budget, str(number))
        live = sum(until > now for until in budget.in_flight.values())
        assert limits.concurrency is None or live <= limits.concurrency
        assert len(budget.permits) <= 2 * limits.requests
    for first, last in zip(sent, sent[limits.requests :], strict=False):
        assert last - first >= limits.window_s


@given(LIMITS, st.integers(0, 40))
def test_an_idle_provider_always_becomes_free_again(limits: Limits, callers: int) -> None:
    budget = Budget()
    for number in range(callers):
        decision = ask(budget, limits, permit_id=str(number))
        budget = decision.budget if isinstance(decision, Grant) else budget
    assert grant(budget, limits, now=NOON + 200).at == NOON + 200
