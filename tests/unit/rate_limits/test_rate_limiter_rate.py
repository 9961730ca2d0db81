"""The rate that many callers together keep and use, and who goes first when it is scarce."""

from __future__ import annotations

import pytest

from shared.errors import BudgetSpent
from shared.rate_limits.budget import QUIET_WINDOWS
from shared.rate_limits.limits import Limits
from tests.unit.rate_limits.rate_limiter_setup import SimulatedProvider, most_in_a_window
from tests.virtual_time import START_S

HAMMERS = [
    pytest.param(Limits(requests=1, window_s=3.0, concurrency=1), 1.0, 120.0, id="arXiv: one in 3 s, one at once"),
    pytest.param(Limits(requests=3, window_s=1.0), 0.3, 40.0, id="PubMed: three a second"),
    pytest.param(Limits(requests=10, window_s=1.0), 0.3, 15.0, id="PubMed with a key: ten a second"),
    pytest.param(Limits(requests=3, window_s=1.0, concurrency=3), 0.6, 40.0, id="Crossref: three a second and at once"),
    pytest.param(Limits(requests=1, window_s=1.0), 0.5, 60.0, id="Semantic Scholar: one a second"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("limits", "takes_s", "seconds"), HAMMERS)
def test_fifty_callers_in_five_processes_use_the_rate_and_never_exceed_it(
    limits: Limits, takes_s: float, seconds: float
) -> None:
    provider = SimulatedProvider(limits, processes=5, way_s=0.004, late_s=0.01)
    provider.hammer(50, seconds, takes_s)
    sent = [moment for moment in provider.arrived if moment < START_S + seconds]
    assert most_in_a_window(provider.arrived, limits.window_s) <= limits.requests
    if limits.concurrency is not None:
        assert provider.most_at_once <= limits.concurrency
    assert len(sent) > 0.9 * seconds * limits.requests / limits.window_s


def test_callers_that_wake_up_too_late_return_their_permit_and_the_limit_holds() -> None:
    limits = Limits(requests=3, window_s=1.0)
    provider = SimulatedProvider(limits, processes=5, way_s=0.004, late_s=0.1)
    provider.hammer(20, 20.0, 0.2)
    assert most_in_a_window(provider.arrived, 1.0) <= 3
    assert len(provider.arrived) > 10


@pytest.mark.parametrize(
    "limits",
    [
        pytest.param(Limits(requests=3, window_s=1.0), id="PubMed: three a second"),
        pytest.param(Limits(requests=1, window_s=3.0, concurrency=1), id="arXiv: one in 3 s, one at once"),
        pytest.param(Limits(requests=3, window_s=1.0, concurrency=3), id="Crossref: three a second and at once"),
    ],
)
def test_callers_whose_connections_open_slowly_keep_the_rate_and_the_connections(limits: Limits) -> None:
    """The permit was looked at before the connection was opened: a request was sent when it had expired.

    Then connections were opened too late for their permits: three quarters of these were wasted.
    """
    seconds = 20.0 * limits.window_s
    provider = SimulatedProvider(limits, processes=5, way_s=0.004, opening_s=0.4)
    provider.hammer(20, seconds, 0.2)
    assert most_in_a_window(provider.arrived, limits.window_s) <= limits.requests
    assert provider.most_connections <= (limits.concurrency or provider.most_connections)
    in_time = sum(moment < START_S + seconds for moment in provider.arrived)
    assert in_time >= 0.9 * 20 * limits.requests


def test_a_leg_whose_connection_opens_too_late_waits_for_another_permit_longer_than_for_the_first() -> None:
    """Only the first wait is limited: a leg that has begun ends (decision 0101)."""
    provider = SimulatedProvider(Limits(requests=1, window_s=1.0))
    clock, (limiter,) = provider.clock, provider.processes
    sent: list[float] = []

    def slow() -> None:
        with limiter.permit(provider.limits, lambda: 15.0, longest_wait_s=0.1) as granted:
            clock.sleep(0.3)
            granted.confirm()
            sent.append(clock.time() - START_S)

    def other() -> None:
        clock.sleep(0.01)
        provider.ask(limiter)

    provider.run(slow, other)
    assert sent == [pytest.approx(2.1, abs=0.1)]


def test_a_slow_table_delays_requests_but_never_breaks_the_limit() -> None:
    provider = SimulatedProvider(Limits(requests=3, window_s=1.0), processes=5, way_s=0.06)
    provider.hammer(10, 20.0, 0.2)
    assert most_in_a_window(provider.arrived, 1.0) <= 3
    assert len(provider.arrived) > 40


def test_callers_in_a_queue_use_most_of_the_rate_though_a_read_takes_longer_than_the_slack() -> None:
    """The state was read again so shortly before the moment of a permit that it was over when it had been read."""
    provider = SimulatedProvider(Limits(requests=1, window_s=1.0), processes=3, way_s=0.15)
    provider.hammer(9, 60.0, takes_s=0.2)
    assert len(provider.arrived) > 45
    assert most_in_a_window(provider.arrived, 1.0) == 1


def test_a_single_caller_at_a_slow_table_is_late_once_and_then_requests_permits_earlier() -> None:
    provider = SimulatedProvider(Limits(requests=1, window_s=1.0), way_s=0.06)
    provider.run(lambda: provider.ask(provider.processes[0]))
    assert provider.table.writes == 2
    assert provider.arrived[0] - START_S < 0.3


@pytest.mark.parametrize("write_s", [0.088, 0.2, 0.6])
def test_a_caller_whose_first_write_was_faster_than_the_others_is_late_twice_at_most(write_s: float) -> None:
    """A lead of the last lateness alone alternates between too short and too short."""
    provider = SimulatedProvider(Limits(requests=1, window_s=1.0), way_s=write_s / 4)
    store = provider.processes[0]._store

    def ask() -> None:
        provider.clock.submit(lambda: provider.clock.sleep(write_s / 2)).add_done_callback(
            lambda _: setattr(store, "_way_s", write_s / 2)
        )
        provider.ask(provider.processes[0])

    provider.run(ask)
    assert provider.table.writes == 3
    assert provider.arrived[0] - START_S < 2.5


def test_scheduled_callers_get_half_of_the_rate_at_most_and_interactive_ones_go_first() -> None:
    provider = SimulatedProvider(Limits(requests=4, window_s=1.0), processes=2, way_s=0.004)
    scheduled: list[float] = []
    interactive: list[float] = []

    def sweep() -> None:
        while provider.clock.time() < START_S + 20:
            try:
                scheduled.append(provider.ask(provider.processes[0], takes_s=0.0, scheduled=True))
            except BudgetSpent:
                provider.sleep(0.1)

    def person() -> None:
        provider.sleep(10.0)
        while provider.clock.time() < START_S + 20:
            interactive.append(provider.ask(provider.processes[1], takes_s=0.0))

    provider.run(*[sweep] * 10, *[person] * 3)
    alone = [moment for moment in scheduled if moment < START_S + 10]
    assert most_in_a_window(alone, 1.0) == 2
    assert len(alone) >= 17
    assert most_in_a_window(provider.arrived, 1.0) <= 4
    assert len(interactive) > 0.9 * 40


@pytest.mark.parametrize("scheduled", [False, True], ids=["interactive", "scheduled"])
def test_at_a_rate_of_one_a_scheduled_caller_waits_for_idle_windows(scheduled: bool) -> None:
    provider = SimulatedProvider(Limits(requests=1, window_s=3.0))
    sent: list[float] = []

    def both() -> None:
        provider.ask(provider.processes[0], takes_s=0.0)
        sent.append(provider.ask(provider.processes[0], takes_s=0.0, scheduled=scheduled))

    provider.run(both)
    assert sent[0] - START_S == pytest.approx((QUIET_WINDOWS if scheduled else 1) * 3.15, abs=0.02)
