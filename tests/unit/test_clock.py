"""The deadline of a request, as searches and the routes about papers each computed it, and timestamps."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from shared.clock import Deadline, begun_epoch_s, epoch_s, timestamp


class Seconds:
    """A monotonic clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(
    ("timeout_ms", "legs_s"),
    [(25_000, 24.25), (20_000, 19.25), (3_000, 2.25), (2_000, 1.5), (1_000, 0.75)],  # a quarter of less than 3 s
)
def test_the_legs_leave_time_for_the_answer(timeout_ms: int, legs_s: float) -> None:
    clock = Seconds()
    deadline = Deadline(clock, timeout_ms)
    clock.now += 1  # the deadline does not move
    assert deadline.until == 100 + legs_s


@pytest.mark.parametrize(
    ("passed_s", "part", "share_s"),
    [(0, 0.5, 9.625), (9.25, 0.5, 5.0), (17.75, 0.4, 1.0), (18.75, 0.4, 0.5), (19.25, 0.5, 0.0), (30, 0.5, 0.0)],
)
def test_a_step_has_its_share_of_the_remaining_time_but_at_least_a_second(
    passed_s: float, part: float, share_s: float
) -> None:
    clock = Seconds()
    deadline = Deadline(clock, 20_000)
    clock.now += passed_s
    assert deadline.share(part) == clock.now + share_s


def test_the_elapsed_time_is_reported_in_whole_milliseconds() -> None:
    clock = Seconds()
    deadline = Deadline(clock, 20_000)
    clock.now += 1.2346
    assert deadline.elapsed_ms() == 1235


def test_a_timestamp_is_utc_to_the_second() -> None:
    assert timestamp(datetime(2026, 11, 2, 3, 4, 5, 999_999, tzinfo=UTC)) == "2026-11-02T03:04:05Z"


def test_an_epoch_second_that_has_begun_is_never_a_later_one() -> None:
    late = datetime(2026, 3, 1, 12, 0, 0, 900_000, tzinfo=UTC)
    assert (begun_epoch_s(late), epoch_s(late)) == (1_772_366_400, 1_772_366_401)
