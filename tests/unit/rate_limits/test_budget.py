"""When the next request may be sent: tables for single decisions, properties for all of them together."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from shared.rate_limits.budget import (
    DAY_S,
    HEADERS_VALID_S,
    Budget,
    Grant,
    PermitRequest,
    Reject,
    Retry,
    decide,
    effective_limits,
    reconcile,
    release,
    return_unused,
)
from shared.rate_limits.feedback import apply_headers, pause
from shared.rate_limits.limits import Limits, RateLimitHeaders

NOON = 1_795_176_000.0  # 2026-11-20
MIDNIGHT = 1_795_219_200.0
THREE = Limits(requests=3, window_s=1.0)
ONE_AT_ONCE = Limits(requests=1, window_s=3.0, concurrency=1)


def ask(
    budget: Budget,
    limits: Limits = THREE,
    *,
    now: float = NOON,
    permit_id: str = "a",
    left: float = 15.0,
    scheduled: bool = False,
    latest: float = math.inf,
    light: bool = False,
) -> Grant | Retry | Reject:
    request = PermitRequest(
        permit_id=permit_id,
        limits=replace(limits, is_light=light),
        time_left=lambda: left,
        scheduled=scheduled,
        latest=latest,
    )
    return decide(budget, request, now=now, deadline=now + left)


def grant(budget: Budget, limits: Limits = THREE, *, now: float = NOON, permit_id: str = "a") -> Grant:
    decision = ask(budget, limits, now=now, permit_id=permit_id)
    assert isinstance(decision, Grant)
    return decision


def permits_of(decisions: int, limits: Limits = THREE) -> list[float]:
    budget, found = Budget(), []
    for _ in range(decisions):
        decision = grant(budget, limits)
        budget = decision.budget
        found.append(round(decision.at - NOON, 3))
    return found


def test_a_windows_requests_are_granted_at_once_and_the_next_one_window_later() -> None:
    assert permits_of(7) == [0, 0, 0, 1.05, 1.05, 1.05, 2.1]


def test_a_rate_below_one_spaces_requests() -> None:
    assert permits_of(3, Limits(requests=1, window_s=3.0)) == [0, 3.15, 6.3]


def test_light_requests_count_as_a_part_of_one() -> None:
    limits, budget, found = replace(THREE, light_requests=3), Budget(), []
    for light in [False, *[True] * 7, False, True]:
        decision = ask(budget, limits, light=light)
        assert isinstance(decision, Grant)
        budget = decision.budget
        found.append(round(decision.at - NOON, 3))
    # One and six thirds fill the first window; the seventh waits for the one, and the next one for no more.
    assert found == [0, 0, 0, 0, 0, 0, 0, 1.05, 1.05, 1.05]


def test_scheduled_light_requests_leave_room_for_scheduled_others() -> None:
    limits, budget, now, others = replace(THREE, light_requests=3), Budget(), NOON, 0
    for turn in range(60):
        now += 0.36
        for light in (turn % 2 == 0, turn % 2 == 1):
            decision = ask(budget, limits, now=now, light=light, scheduled=True)
            if isinstance(decision, Grant):
                budget, others = decision.budget, others + (not light)
    assert others > 3


def test_a_window_of_many_requests_does_not_divide_them() -> None:
    assert [replace(THREE, requests=most, light_requests=3).parts for most in (1, 16, 17, 25, 50)] == [3, 3, 2, 2, 1]


def test_a_permit_after_the_deadline_is_rejected_and_uses_nothing() -> None:
    budget = grant(Budget(), Limits(requests=1, window_s=20.0)).budget
    refused = ask(budget, Limits(requests=1, window_s=20.0))
    assert isinstance(refused, Reject)
    assert refused.retry_after_s == pytest.approx(21.0)


def test_a_permit_after_the_latest_moment_that_is_waited_for_is_rejected() -> None:
    budget = grant(Budget(), ONE_AT_ONCE).budget
    free = replace(budget, in_flight={})
    assert isinstance(ask(free, ONE_AT_ONCE, permit_id="b", latest=NOON + 3.2), Grant)
    refused = ask(free, ONE_AT_ONCE, permit_id="b", latest=NOON + 3.0)
    assert isinstance(refused, Reject)
    assert refused.retry_after_s == pytest.approx(3.15)
    assert refused.reason == "its rate limit allows no request in time"
    assert isinstance(ask(Budget(), ONE_AT_ONCE, latest=NOON), Grant)  # nobody is ahead


def test_a_connection_is_polled_for_no_longer_than_it_is_waited_for() -> None:
    busy = grant(Budget(), ONE_AT_ONCE).budget
    assert isinstance(ask(busy, ONE_AT_ONCE, permit_id="b", now=NOON + 3.2, latest=NOON + 3.5), Retry)
    assert isinstance(ask(busy, ONE_AT_ONCE, permit_id="b", now=NOON + 3.6, latest=NOON + 3.5), Reject)


def test_a_short_time_is_enough_without_waiting() -> None:
    assert isinstance(ask(Budget(), left=0.1), Grant)


def test_no_time_left_is_rejected() -> None:
    assert isinstance(ask(Budget(), left=0.0), Reject)


def test_a_caller_without_a_free_slot_waits_and_reserves_no_permit() -> None:
    budget = grant(Budget(), ONE_AT_ONCE).budget
    waiting = ask(budget, ONE_AT_ONCE, permit_id="b")
    assert waiting == Retry(0.0)  # a place may be free at any moment; a waiting caller polls
    assert isinstance(ask(release(budget, "a"), ONE_AT_ONCE, permit_id="b"), Grant)


def test_an_in_flight_slot_that_was_never_released_expires() -> None:
    budget = grant(Budget(), ONE_AT_ONCE).budget
    assert isinstance(ask(budget, ONE_AT_ONCE, permit_id="b", now=NOON + 15.9), Retry)
    after = grant(budget, ONE_AT_ONCE, permit_id="b", now=NOON + 16.1)
    assert set(after.budget.in_flight) == {"b"}


def test_no_free_slot_before_the_deadline_is_rejected_with_its_reason() -> None:
    budget = grant(Budget(), ONE_AT_ONCE).budget
    refused = ask(budget, ONE_AT_ONCE, permit_id="b", left=2.0)
    assert isinstance(refused, Reject)
    assert "concurrent requests" in refused.reason


def test_a_caller_does_not_block_itself() -> None:
    taken = grant(Budget(), ONE_AT_ONCE)
    assert isinstance(ask(return_unused(taken.budget, taken.at), ONE_AT_ONCE, permit_id="a"), Grant)


def test_a_permit_of_yesterday_that_comes_back_does_not_add_to_the_allowance_of_today() -> None:
    limits = Limits(requests=3, window_s=1.0, a_day=2)
    missed = grant(Budget(), limits, now=MIDNIGHT - 0.01)
    budget = grant(missed.budget, limits, now=MIDNIGHT + 0.01, permit_id="b").budget
    assert return_unused(budget, missed.at).requests_today == 1
    assert return_unused(missed.budget, missed.at).requests_today == 0


def test_a_retry_after_delays_the_next_permit_of_all_callers() -> None:
    assert grant(pause(Budget(), 7.0, NOON)).at == NOON + 7.0


@pytest.mark.parametrize(
    ("seconds", "applied_s"), [(1e9, DAY_S), (-5.0, 0.0), (60.0, 60.0)], ids=["too long", "negative", "a minute"]
)
def test_a_retry_after_is_a_day_at_most(seconds: float, applied_s: float) -> None:
    assert pause(Budget(), seconds, NOON).not_before == NOON + applied_s


def test_a_shorter_retry_after_does_not_undo_a_longer_one() -> None:
    assert pause(pause(Budget(), 600.0, NOON), 1.0, NOON).not_before == NOON + 600.0


def test_a_days_requests_are_counted_until_midnight_utc() -> None:
    limits = replace(THREE, a_day=2)
    budget = grant(grant(Budget(), limits).budget, limits).budget
    refused = ask(budget, limits)
    assert isinstance(refused, Reject)
    assert refused.retry_after_s == MIDNIGHT - NOON
    assert "allowance is spent" in refused.reason
    assert isinstance(ask(budget, limits, now=MIDNIGHT + 1), Grant)


def test_scheduled_callers_leave_a_fifth_of_the_day_to_the_others() -> None:
    limits = replace(THREE, a_day=10)
    budget = Budget(day=int(NOON // DAY_S), requests_today=8)
    assert isinstance(ask(budget, limits, scheduled=True), Reject)
    assert isinstance(ask(budget, limits), Grant)


@pytest.mark.parametrize(
    ("hour", "used", "kind"),
    [(0, 3, Grant), (0, 4, Reject), (12, 43, Grant), (12, 44, Reject), (23, 79, Grant), (23, 80, Reject)],
)
def test_scheduled_callers_get_the_day_evenly_at_any_use_by_others(
    hour: int, used: int, kind: type[Grant | Reject]
) -> None:
    limits, today = replace(THREE, a_day=100), MIDNIGHT - DAY_S
    budget = Budget(day=int(NOON // DAY_S), requests_today=used)
    decision = ask(budget, limits, now=today + 3600 * hour, scheduled=True)
    assert isinstance(decision, kind)
    assert isinstance(ask(budget, limits, now=today + 3600 * hour), Grant)
    if isinstance(decision, Reject):
        again = today + 3600 * hour + decision.retry_after_s
        assert again <= MIDNIGHT
        assert isinstance(ask(budget, limits, now=again + 1, scheduled=True), Grant)


def credits_left(left: int) -> Budget:
    return apply_headers(
        Budget(), RateLimitHeaders(credits_left=left, credits_a_day=1000, credits_reset_s=3600.0), NOON
    )


@pytest.mark.parametrize(
    ("left", "scheduled", "kind"),
    [(0, False, Reject), (1, False, Grant), (200, True, Reject), (201, True, Grant)],
    ids=["spent", "nearly spent", "only the reserve, for a schedule", "more than the reserve, for a schedule"],
)
def test_stated_credits_are_used_up_to_the_end_or_to_the_reserve(
    left: int, scheduled: bool, kind: type[Grant | Reject]
) -> None:
    assert isinstance(ask(credits_left(left), scheduled=scheduled), kind)


def test_spent_credits_are_renewed_when_the_provider_stated() -> None:
    refused = ask(credits_left(0))
    assert isinstance(refused, Reject)
    assert refused.retry_after_s == 3600.0
    assert isinstance(ask(credits_left(0), now=NOON + 3601), Grant)


@pytest.mark.parametrize(
    ("left", "changed"),
    [(995, False), (980, True), (0, True)],
    ids=["within the same percent", "some percents less", "nothing left"],
)
def test_credits_are_stored_when_a_percent_is_used(left: int, changed: bool) -> None:
    budget = credits_left(998)
    later = RateLimitHeaders(credits_left=left, credits_a_day=1000, credits_reset_s=3599.0)
    assert (apply_headers(budget, later, NOON + 1) != budget) is changed


def test_the_last_percent_is_not_rounded_to_zero() -> None:
    budget = credits_left(3)
    assert apply_headers(budget, RateLimitHeaders(credits_left=0, credits_a_day=1000), NOON + 1).credits_left == 0


def test_limits_from_headers_hold_for_an_hour() -> None:
    budget = apply_headers(Budget(), RateLimitHeaders(requests_per_second=1.0), NOON)
    assert effective_limits(THREE, budget, NOON + HEADERS_VALID_S - 1).requests == 1
    assert effective_limits(THREE, budget, NOON + HEADERS_VALID_S).requests == 3


def test_empty_headers_change_nothing() -> None:
    budget = apply_headers(Budget(), RateLimitHeaders(requests_per_second=1.0), NOON)
    assert apply_headers(budget, RateLimitHeaders(), NOON + 1) is budget


def test_the_shared_budget_is_reconciled_with_unwritten_permits() -> None:
    before = Budget(permits=(1.0,), day=7, requests_today=1)
    known = replace(
        before, permits=(1.0, 1.0, 2.0, 3.0), in_flight={"other-1": 9.0, "own-1": 9.0}, not_before=5.0, requests_today=4
    )
    own = replace(
        before, permits=(1.0, 3.0), in_flight={"own-2": 8.0, "other-2": 9.0}, not_before=6.0, requests_today=2
    )
    both = reconcile(known, own, before, "own")
    assert (both.permits, both.not_before, both.requests_today) == ((1.0, 1.0, 2.0, 3.0, 3.0), 6.0, 5)
    # Its own have changed since it could not write, those of others since it could not read.
    assert dict(both.in_flight) == {"other-1": 9.0, "own-2": 8.0}
