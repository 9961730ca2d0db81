"""The clock that the tests of waiting rest on."""

from __future__ import annotations

import math
import time
from functools import partial

import pytest

from tests import virtual_time
from tests.virtual_time import START, Blocked, Clock, Deadlock, Runaway, Task, Vanished


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_tasks_run_in_the_order_of_their_wake_up_times_then_of_their_sleeps(clock: Clock) -> None:
    seen: list[tuple[float, str]] = []

    def sleeper(name: str, seconds: float) -> Task:
        def work() -> None:
            for _ in range(2):
                clock.sleep(seconds)
                seen.append((clock.monotonic(), name))

        return Task(work=work)

    clock.run([sleeper("slow", 3600.0), sleeper("one", 1800.0), sleeper("other", 1800.0)])
    assert seen == [
        (1800.0, "one"), (1800.0, "other"), (3600.0, "slow"), (3600.0, "one"), (3600.0, "other"), (7200.0, "slow"),
    ]  # fmt: skip
    assert (clock.now() - START).total_seconds() == 7200.0


def test_a_wait_ends_with_the_first_that_ends_or_with_its_time(clock: Clock) -> None:
    def work() -> list[float]:
        begun = [clock.submit(partial(clock.sleep, seconds)) for seconds in (5.0, 2.0)]
        moments = []
        for _ in range(3):
            clock.wait([it for it in begun if not it.done()], 2.5)
            moments.append(clock.monotonic())
        return moments

    assert clock.run([Task(work=work)])[0].result() == [2.0, 4.5, 5.0]


def test_a_process_ends_with_all_tasks_that_it_started(clock: Clock) -> None:
    seen: list[float] = []

    def later(seconds: float) -> None:
        clock.sleep(seconds)
        seen.append(clock.monotonic())

    def work() -> None:
        for seconds in (3.0, 1.0):
            clock.submit(partial(later, seconds))
        clock.sleep(9.0)

    (end,) = clock.run([Task(work=work, dies_at=2.0)])
    assert isinstance(end.exception(), Vanished)
    assert seen == [1.0]


def test_sleeping_forever_is_a_deadlock(clock: Clock) -> None:
    with pytest.raises(Deadlock, match="1 of 2"):
        clock.run([Task(work=lambda: clock.sleep(math.inf)), Task(work=lambda: clock.sleep(1.0))])


def test_never_ending_is_a_runaway() -> None:
    clock = Clock(max_steps=100)

    def work() -> None:
        while True:
            clock.sleep(0.0)

    with pytest.raises(Runaway):
        clock.run([Task(work=work)])


def test_waiting_for_anything_else_is_an_error(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(virtual_time, "REAL_S", 0.05)
    with pytest.raises(Blocked):
        clock.run([Task(work=lambda: time.sleep(0.5))])
