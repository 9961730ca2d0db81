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
    light_requests=st.integers(1, 4),
)


def assert_no_window_exceeds(limits: Limits, sent: list[tuple[float, bool]], window_s: float) -> None:
    """`sent`: when each request was sent, and whether it was a light one, in the order of time."""
    for first, _ in sent:
        light = [is_light for at, is_light in sent if first <= at < first + window_s - 1e-6]
        assert light.count(False) * limits.light_requests + light.count(True) <= limits.requests * limits.light_requests


@given(LIMITS, st.lists(st.tuples(st.floats(-3.0, 3.0), st.booleans(), st.booleans()), max_size=60))
def test_no_window_has_more_permits_or_requests_in_flight_than_allowed(
    limits: Limits, steps: list[tuple[float, bool, bool]]
) -> None:
    budget, now, granted = Budget(), NOON, list[tuple[float, bool]]()
    unlimited = replace(limits, concurrency=None)
    for number, (step, scheduled, light) in enumerate(steps):
        now += step
        decision = ask(budget, unlimited, now=now, permit_id=str(number), scheduled=scheduled, light=light)
        if isinstance(decision, Grant):
            budget = decision.budget
            granted.append((decision.at, light))
    assert [at for at, _ in granted] == sorted(at for at, _ in granted)
    assert_no_window_exceeds(limits, granted, limits.spacing_s)


@given(
    LIMITS,
    st.lists(st.tuples(st.floats(0.0, 2.0), st.sampled_from(["use", "miss", "crash"]), st.booleans()), max_size=80),
)
def test_missed_permits_and_dying_callers_never_exceed_rate_or_concurrency(
    limits: Limits, steps: list[tuple[float, str, bool]]
) -> None:
    budget, now, sent = Budget(), NOON, list[tuple[float, bool]]()
    ahead: list[tuple[Grant, str]] = []  # permits that their owners will wake up too late for
    for number, (step, fate, light) in enumerate(steps):
        now += step
        for late, owner in [entry for entry in ahead if entry[0].at + limits.slack_s < now]:
            ahead.remove((late, owner))
            budget = release(return_unused(budget, late.at, late.parts), owner)
        decision = ask(budget, limits, now=now, permit_id=str(number), light=light)
        if isinstance(decision, Grant):
            budget = decision.budget
            if fate == "miss":
                ahead.append((decision, str(number)))
            else:
                sent.append((decision.at, light))
            if fate == "use":
                budget = release(budget, str(number))
        live = sum(until > now for until in budget.in_flight.values())
        assert limits.concurrency is None or live <= limits.concurrency
        assert len(budget.permits) <= 2 * limits.requests * limits.light_requests
    assert_no_window_exceeds(limits, sent, limits.window_s)


@given(LIMITS, st.integers(0, 40))
def test_an_idle_provider_always_becomes_free_again(limits: Limits, callers: int) -> None:
    budget = Budget()
    for number in range(callers):
        decision = ask(budget, limits, permit_id=str(number))
        budget = decision.budget if isinstance(decision, Grant) else budget
    assert grant(budget, limits, now=NOON + 200).at == NOON + 200
