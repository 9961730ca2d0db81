"""What a caller does by the slots that it sees: nothing here writes, and time is a number."""

from __future__ import annotations

from dataclasses import replace

import pytest

from shared.rate_limits.budget import Reject, Retry
from shared.rate_limits.limits import Limits
from shared.rate_limits.slots import (
    FULL_S,
    MAX_CLEARED,
    Clear,
    SlotRequest,
    Slots,
    TakeFirst,
    TakeNext,
    interval_s,
    is_high,
    plan,
)
from shared.rate_limits.stored_state import AHEAD_S

NOW = 1_000_000.0
REQUEST = SlotRequest(
    permit_id="p-1", first=NOW, latest=NOW + 13.0, interval_s=0.007, concurrency=2, release_by=NOW + 16.0,
    scheduled=False,
)  # fmt: skip
SCHEDULED = replace(REQUEST, scheduled=True)
FULL = {"p-2": NOW + 5.0, "p-3": NOW + 5.0}


def test_without_a_queue_a_caller_takes_the_slot_of_this_moment_with_a_connection() -> None:
    assert plan(Slots(NOW, {"p-2": NOW + 5.0}), REQUEST, NOW) == TakeFirst(NOW, enter=True)


def test_without_a_limit_of_connections_none_is_taken() -> None:
    assert plan(Slots(NOW, FULL), replace(REQUEST, concurrency=None), NOW) == TakeFirst(NOW, enter=False)


def test_in_a_queue_a_caller_takes_the_next_slot_only() -> None:
    assert plan(Slots(NOW + 1.0), REQUEST, NOW) == TakeNext()


def test_a_queue_longer_than_the_callers_time_is_a_refusal() -> None:
    refusal = plan(Slots(NOW + 13.5), REQUEST, NOW)
    assert isinstance(refusal, Reject)
    assert refusal.retry_after_s == pytest.approx(13.5)


def test_when_all_connections_are_taken_the_first_of_the_queue_looks_again_in_a_moment() -> None:
    assert plan(Slots(0.0, FULL), REQUEST, NOW) == TakeFirst(NOW + FULL_S, enter=False)
    assert plan(Slots(NOW + 1.0, FULL), REQUEST, NOW) == TakeNext()


def test_when_all_connections_are_taken_and_the_time_is_over_the_caller_is_refused() -> None:
    assert isinstance(plan(Slots(0.0, FULL), replace(REQUEST, latest=NOW), NOW), Reject)


def test_connections_whose_time_is_over_are_removed_some_at_a_time() -> None:
    over = {f"p-{number}": NOW for number in range(30)}
    assert plan(Slots(0.0, over), REQUEST, NOW) == Clear(tuple(over)[:MAX_CLEARED])


def test_a_moment_too_far_ahead_to_have_been_written_does_not_close_the_provider() -> None:
    assert plan(Slots(NOW + AHEAD_S + 1.0), REQUEST, NOW) == TakeFirst(NOW, enter=True)


def test_a_scheduled_caller_leaves_a_slot_empty_and_never_joins_a_queue() -> None:
    assert plan(Slots(NOW - 0.007), SCHEDULED, NOW) == TakeFirst(NOW, enter=True)
    for next_at in (NOW - 0.006, NOW + 1.0):
        wait = plan(Slots(next_at), SCHEDULED, NOW)
        assert isinstance(wait, Retry)
        assert wait.seconds == pytest.approx(next_at + 0.007 - NOW)


@pytest.mark.usefixtures("declared_limits")
@pytest.mark.parametrize(
    ("limits", "high"),
    [
        (Limits(requests=50, window_s=1 / 3), True),
        (Limits(requests=31, window_s=1.0), True),
        (Limits(requests=30, window_s=1.0), False),
        (Limits(requests=50, window_s=1 / 3, a_day=1_000), False),
    ],
)
def test_slots_are_for_rates_above_thirty_without_a_daily_allowance(limits: Limits, high: bool) -> None:
    assert is_high(limits) is high


def test_no_second_and_its_slack_have_more_slots_than_a_seconds_requests() -> None:
    assert interval_s(Limits(requests=50, window_s=1 / 3)) * 150 == pytest.approx(1.05)
