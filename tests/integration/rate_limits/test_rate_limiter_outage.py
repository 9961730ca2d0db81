"""The shared state cannot be reached: however many processes there are, the provider's limits hold."""

from __future__ import annotations

from functools import partial
from math import ceil

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from shared.rate_limits.limits import Limits
from shared.rate_limits.outage import has_place
from tests.integration.rate_limits.table_outages import Processes, most_in_a_window
from tests.virtual_time import Task

pytestmark = pytest.mark.slow  # storms of processes

# The limits that the providers declare, and how many processes use them.
LIMITS = st.sampled_from([
    Limits(requests=1, window_s=1.0), Limits(requests=1, window_s=3.0), Limits(requests=3, window_s=1.0),
    Limits(requests=5, window_s=1.0), Limits(requests=10, window_s=1.0),
])  # fmt: skip
OUTAGE_S = 12.0


def bound(processes: int, limits: Limits, *, without_place: int) -> int:
    """requests * ceil(P / of_max) + U, as `shared.rate_limits.outage` states it."""
    of_max = max(1 << power for power in range(12) if 1 << power <= 10 * limits.requests)
    return limits.requests * ceil((processes - without_place) / of_max) + without_place


def without_place(running: Processes) -> int:
    """How many processes do not know the others, or may be unknown to one of them."""
    now = running.clock.time()
    return sum(
        not has_place(limiter.state.processes, f"process{number}", now)
        for number, limiter in enumerate(running.limiters)
    )


@settings(max_examples=8, deadline=None, phases=[Phase.explicit, Phase.generate])
@example(5, Limits(requests=3, window_s=1.0), 6.0)  # 16 requests in a window were measured here
@example(50, Limits(requests=1, window_s=1.0), 12.0)
@given(st.integers(1, 50), LIMITS, st.floats(0.0, 25.0))
def test_when_the_table_fails_for_all_no_window_exceeds_the_bound(
    processes: int, limits: Limits, fails_at: float
) -> None:
    running = Processes(processes, limits, lambda _, at: at >= fails_at)
    sent = running.run(fails_at + OUTAGE_S)
    most = most_in_a_window(sent, limits.window_s)
    assert most <= max(limits.requests, bound(processes, limits, without_place=without_place(running)))


def test_a_process_that_lost_the_table_for_a_moment_does_not_go_on_counting_requests_that_have_ended() -> None:
    """It was full from then on: with each reading it added what it had read before."""
    limits = Limits(requests=9, window_s=1.0, concurrency=3)
    running = Processes(4, limits, lambda number, at: number == 0 and 10.0 < at < 10.5)
    moments = [9.8, *(16.0 + 4.0 * count for count in range(8))]
    tasks = [Task(work=partial(running.send, 0, 0.3), at=at) for at in moments]
    for number in (1, 2, 3):
        tasks += [Task(work=partial(running.send, number, 0.7), at=1.0 + 0.13 * number + count) for count in range(48)]
    for end in running.clock.run(tasks):
        end.result()
    assert sum(number == 0 for _, number in running.sent) == len(moments)
    assert running.most_in_flight <= 3


@settings(max_examples=8, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(st.integers(1, 12), LIMITS, st.lists(st.floats(1.0, 9.0), min_size=1, max_size=5), st.integers(0, 2**12))
def test_a_flapping_table_that_only_some_processes_reach_adds_the_declared_rate_at_most(
    processes: int, limits: Limits, durations: list[float], affected: int
) -> None:
    edges = [20.0 + sum(durations[:number]) for number in range(len(durations) + 1)]

    def is_down(number: int, at: float) -> bool:
        return bool(affected >> number & 1) and sum(at >= edge for edge in edges) % 2 == 1

    running = Processes(processes, limits, is_down)
    sent = running.run(edges[-1] + 10.0)
    most = most_in_a_window(sent, limits.window_s)
    assert most <= limits.requests + bound(processes, limits, without_place=processes // 2)


@pytest.mark.parametrize(("processes", "least"), [(1, 0.8), (2, 0.5), (4, 0.5), (5, 0.3), (8, 0.5)])
def test_processes_that_know_each_other_use_much_of_the_rate_during_an_outage(processes: int, least: float) -> None:
    limits = Limits(requests=3, window_s=1.0)
    running = Processes(processes, limits, lambda _, at: at >= 20.0)
    sent = [moment for moment in running.run(60.0) if moment >= 24.0]
    assert most_in_a_window(sent, limits.window_s) <= 3
    assert len(sent) / 36.0 > least * 3 / limits.spacing_s  # less than all: looking for the table takes slots


@pytest.mark.parametrize("processes", [2, 5, 20])
def test_connections_are_divided_as_well(processes: int) -> None:
    limits = Limits(requests=10, window_s=1.0, concurrency=3)
    running = Processes(processes, limits, lambda _, at: at >= 20.0)
    running.run(50.0, takes_s=2.0)
    assert running.most_in_flight <= 3
    assert any(moment >= 40.0 for moment, _ in running.sent)


def test_the_rest_of_the_daily_quota_is_divided() -> None:
    limits = Limits(requests=10, window_s=1.0, a_day=120)
    running = Processes(4, limits, lambda _, at: at >= 8.0)
    sent = running.run(60.0)
    before = sum(moment < 8.0 for moment in sent)
    assert 60 < before < 120 - 8
    assert 120 - 8 < len(sent) <= 120 + 3  # what three others sent since each last saw the table


def test_permits_of_an_outage_are_written_when_the_table_is_back() -> None:
    limits = Limits(requests=1, window_s=4.0)
    running = Processes(2, limits, lambda _, at: 20.0 <= at < 31.0)
    sent = running.run(60.0)
    after = [moment for moment in sent if moment >= 42.0]
    assert most_in_a_window(after, limits.window_s) == 1
    assert len(after) >= 4


def test_a_process_idle_for_a_minute_does_not_rely_on_known_processes() -> None:
    limits = Limits(requests=3, window_s=1.0)
    running = Processes(1, limits, lambda _, at: at >= 5.0)
    sent = running.run(5.0 + 60.0 + 60.0)
    assert sum(10.0 < moment < 60.0 for moment in sent) > 0.8 * 50 * 3 / limits.spacing_s
    assert sum(70.0 < moment < 120.0 for moment in sent) <= 50 / 5


@pytest.mark.parametrize("shift_s", [0.0, 0.02, 0.04, 0.06])
def test_a_permit_whose_state_was_read_long_before_its_moment_is_in_no_window_with_those_of_an_outage(
    shift_s: float,
) -> None:
    """A slow reading began half a second before the moment: the others, whose tables fail at once, waited for 0.1 s."""
    limits, begin = Limits(requests=1, window_s=1.0), 6.35 + shift_s
    running = Processes(3, limits, lambda _, at: at >= begin + 5.93, fails_s=0.0)

    def slow() -> None:
        running.connections[0].way_s = 0.24
        running.send(0, 0.05)

    known = [(number % 3, 0.1 * number) for number in range(6)]
    queue = [(1, begin + 3.0), (1, begin + 3.0), (1, begin + 3.0), (2, begin + 5.931)]
    tasks = [Task(work=partial(running.send, number, 0.05), at=at) for number, at in (*known, *queue)]
    for end in running.clock.run([*tasks, Task(work=slow, at=begin + 3.05)]):
        end.result()
    assert most_in_a_window(sorted(at for at, _ in running.sent), limits.window_s) == 1
