"""Many callers in several processes, on a clock of their own: what the provider sees of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from random import Random

import pytest

from shared.budget import Budget, Take, decide
from shared.errors import BudgetSpent, CircuitOpen, KeyRefused, RateLimited, RequestRejected, Unavailable
from shared.limits import Limits, Told, rate_headers
from shared.provider_state import ProviderState, Seen
from shared.turns import Turns
from tests.unit.simulated_time import START, SimulatedTime

LEG_S = 15.0


class Table:
    """What all processes share."""

    def __init__(self) -> None:
        self.seen = Seen()
        self.reads = self.writes = self.lost = 0


class SlowStore:
    """One process's way to the table; each way takes its time, in which others are quicker."""

    def __init__(self, table: Table, time: SimulatedTime, way_s: float) -> None:
        self._table, self._time, self._way_s = table, time, way_s
        self._last = Seen()

    def _way(self) -> None:
        if self._way_s:
            self._time.pass_by(self._way_s)

    def last(self) -> Seen:
        return self._last

    def read(self) -> Seen:
        self._way()
        self._table.reads += 1
        self._last = self._table.seen
        return self._last

    def swap(self, seen: Seen, new: ProviderState) -> Seen | None:
        self._way()
        if self._table.seen.version != seen.version:
            self._table.lost += 1
            self._last = self._table.seen
            self._way()
            return self._last
        self._table.writes += 1
        self._table.seen = self._last = Seen(new, seen.version + 1)
        self._way()
        return None


class World:
    """Processes with turns at one provider, and the provider, which notes when requests come and go."""

    def __init__(self, limits: Limits, *, processes: int = 1, way_s: float = 0.0, late_s: float = 0.0) -> None:
        self.time = SimulatedTime(late_s=late_s)
        self.table = Table()
        self.limits = limits
        self.arrived: list[float] = []
        self.most_at_once = self._at_once = 0
        self.random = Random(7)
        ids = count()
        self.processes = [
            Turns(
                "Testing",
                SlowStore(self.table, self.time, way_s),
                read_limits=rate_headers("limit", "interval", "at-once"),
                now=self.time.now,
                sleep=self.time.sleep,
                jitter=self.time.jitter,
                new_id=lambda: f"turn-{next(ids)}",
            )
            for _ in range(processes)
        ]

    def ask(
        self,
        turns: Turns,
        *,
        takes_s: float = 0.2,
        scheduled: bool = False,
        leg_s: float = LEG_S,
        fault: Exception | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> float:
        """One request; when it was sent. Raises what the turn raises, and `fault`."""
        deadline = self.time.now() + leg_s
        with turns.turn(self.limits, lambda: deadline - self.time.now(), scheduled=scheduled) as tell:
            sent = self.time.now()
            self.time.pass_by(0.015 * self.random.random())  # the network
            self.arrived.append(self.time.now())
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            self.time.sleep(takes_s)
            self._at_once -= 1
            tell(headers or {})
            if fault:
                raise fault
        return sent

    def run(self, *workers: Callable[[], object]) -> None:
        self.time.run([lambda worker=worker: worker() for worker in workers])  # type: ignore[misc]

    def hammer(self, workers: int, seconds: float, takes_s: float) -> None:
        """Everybody asks as often as possible."""

        def work(number: int) -> None:
            while self.time.now() < START + seconds:
                try:
                    self.ask(self.processes[number % len(self.processes)], takes_s=takes_s)
                except BudgetSpent:
                    self.time.sleep(0.1)

        self.time.run([lambda number=number: work(number) for number in range(workers)])  # type: ignore[misc]


def most_in_a_window(moments: list[float], window_s: float) -> int:
    """The most that any window of this length holds; one that begins with each moment is enough."""
    return max(sum(first <= other < first + window_s for other in moments) for first in moments)


HAMMERS = [
    pytest.param(Limits(requests=1, window_s=3.0, concurrency=1), 1.0, 120.0, id="arXiv: one in 3 s, one at once"),
    pytest.param(Limits(requests=3, window_s=1.0), 0.3, 40.0, id="PubMed: three a second"),
    pytest.param(Limits(requests=10, window_s=1.0), 0.3, 15.0, id="PubMed with a key: ten a second"),
    pytest.param(Limits(requests=3, window_s=1.0, concurrency=3), 0.6, 40.0, id="Crossref: three a second and at once"),
    pytest.param(Limits(requests=1, window_s=1.0), 0.5, 60.0, id="Semantic Scholar: one a second"),
]


@pytest.mark.parametrize(("limits", "takes_s", "seconds"), HAMMERS)
def test_fifty_callers_in_five_processes_use_the_rate_and_never_exceed_it(
    limits: Limits, takes_s: float, seconds: float
) -> None:
    world = World(limits, processes=5, way_s=0.004, late_s=0.01)
    world.hammer(50, seconds, takes_s)
    sent = [moment for moment in world.arrived if moment < START + seconds]
    assert most_in_a_window(world.arrived, limits.window_s) <= limits.requests
    if limits.concurrency is not None:
        assert world.most_at_once <= limits.concurrency
    assert len(sent) > 0.9 * seconds * limits.requests / limits.window_s


def test_callers_that_wake_up_too_late_give_their_turn_up_and_the_limit_holds() -> None:
    limits = Limits(requests=3, window_s=1.0)
    world = World(limits, processes=5, way_s=0.004, late_s=0.1)
    world.hammer(20, 20.0, 0.2)
    assert most_in_a_window(world.arrived, 1.0) <= 3
    assert len(world.arrived) > 10


def test_a_slow_table_costs_time_and_not_the_limit() -> None:
    world = World(Limits(requests=3, window_s=1.0), processes=5, way_s=0.06)
    world.hammer(10, 20.0, 0.2)
    assert most_in_a_window(world.arrived, 1.0) <= 3
    assert len(world.arrived) > 40


def test_a_lone_caller_at_a_slow_table_is_late_once_and_then_takes_its_turn_ahead() -> None:
    world = World(Limits(requests=1, window_s=1.0), way_s=0.06)
    world.run(lambda: world.ask(world.processes[0]))
    assert world.table.writes == 2
    assert world.arrived[0] - START < 0.3


def test_a_request_alone_costs_one_write_and_no_waiting() -> None:
    world = World(Limits(requests=3, window_s=1.0))
    world.run(lambda: world.ask(world.processes[0]))
    assert (world.table.reads, world.table.writes) == (0, 1)
    assert world.arrived[0] - START < 0.02


def test_a_request_with_a_hold_costs_two_writes() -> None:
    world = World(Limits(requests=3, window_s=1.0, concurrency=3))
    world.run(lambda: world.ask(world.processes[0]))
    assert (world.table.reads, world.table.writes) == (0, 2)
    assert world.table.seen.state.budget.holds == {}


def test_two_requests_of_an_idle_provider_go_at_once() -> None:
    world = World(Limits(requests=3, window_s=1.0))
    world.run(*[lambda: world.ask(world.processes[0])] * 2)
    assert world.arrived[1] - START < 0.02


def test_a_turn_that_cannot_come_in_time_is_refused_at_once_and_tells_when() -> None:
    world = World(Limits(requests=1, window_s=30.0))
    told: list[BudgetSpent] = []

    def second() -> None:
        world.time.sleep(1.0)
        with pytest.raises(BudgetSpent, match="no turn for us in time") as caught:
            world.ask(world.processes[0])
        told.append(caught.value)
        assert world.time.now() == START + 1.0

    world.run(lambda: world.ask(world.processes[0]), second)
    assert told[0].retry_after_s == pytest.approx(30.5, abs=0.1)


def test_a_caller_that_dies_with_its_turn_blocks_the_others_until_its_deadline_only() -> None:
    world = World(Limits(requests=3, window_s=1.0, concurrency=1))
    deadline = START + 4.0
    taken = decide(Budget(), world.limits, turn_id="dead", now=START, deadline=deadline, hold_until=deadline + 1.0)
    assert isinstance(taken, Take)
    world.table.seen = Seen(ProviderState(taken.budget), version=1)
    sent: list[float] = []

    def survivor() -> None:
        world.time.sleep(1.0)
        sent.append(world.ask(world.processes[0]))

    world.run(survivor)
    assert deadline + 1.0 <= sent[0] < deadline + 1.6


def test_scheduled_callers_get_half_of_the_rate_at_most_and_interactive_ones_go_first() -> None:
    world = World(Limits(requests=4, window_s=1.0), processes=2, way_s=0.004)
    scheduled: list[float] = []
    interactive: list[float] = []

    def sweep() -> None:
        while world.time.now() < START + 20:
            try:
                scheduled.append(world.ask(world.processes[0], takes_s=0.0, scheduled=True))
            except BudgetSpent:
                world.time.sleep(0.1)

    def person() -> None:
        world.time.sleep(10.0)
        while world.time.now() < START + 20:
            interactive.append(world.ask(world.processes[1], takes_s=0.0))

    world.run(*[sweep] * 10, *[person] * 3)
    alone = [moment for moment in scheduled if moment < START + 10]
    assert most_in_a_window(alone, 1.0) == 2
    assert len(alone) >= 17
    assert most_in_a_window(world.arrived, 1.0) <= 4
    assert len(interactive) > 0.9 * 40


@pytest.mark.parametrize("scheduled", [False, True], ids=["interactive", "scheduled"])
def test_of_a_rate_of_one_a_scheduled_caller_waits_for_two_windows(scheduled: bool) -> None:
    world = World(Limits(requests=1, window_s=3.0))
    sent: list[float] = []

    def both() -> None:
        world.ask(world.processes[0], takes_s=0.0)
        sent.append(world.ask(world.processes[0], takes_s=0.0, scheduled=scheduled))

    world.run(both)
    assert sent[0] - START == pytest.approx(6.3 if scheduled else 3.15, abs=0.02)


def test_headers_that_make_the_limit_stricter_hold_for_all_processes() -> None:
    world = World(Limits(requests=10, window_s=1.0), processes=2)

    def first() -> None:
        world.ask(world.processes[0], takes_s=0.0, headers={"limit": "1", "interval": "2s"})

    def later() -> None:
        world.time.sleep(5.0)
        world.ask(world.processes[1], takes_s=0.0)

    world.run(first, *[later] * 4)
    assert most_in_a_window(world.arrived, 2.0) == 1


def test_headers_that_say_the_same_again_are_not_written_again() -> None:
    world = World(Limits(requests=10, window_s=1.0))

    def thrice() -> None:
        for _ in range(3):
            world.ask(world.processes[0], headers={"limit": "5", "interval": "1s"})

    world.run(thrice)
    assert world.table.writes == 4


def test_a_retry_after_is_kept_by_everybody_also_by_who_has_a_turn_already() -> None:
    world = World(Limits(requests=1, window_s=1.0), processes=3)
    late: list[BudgetSpent] = []

    def refused() -> None:
        with pytest.raises(RateLimited):
            world.ask(world.processes[0], fault=RateLimited("slow down", retry_after_s=600.0))

    def waiting() -> None:
        world.time.sleep(0.01)
        with pytest.raises(BudgetSpent) as caught:
            world.ask(world.processes[1])
        late.append(caught.value)

    world.run(refused, *[waiting] * 3)
    assert len(world.arrived) == 1
    assert all(590 < (error.retry_after_s or 0) <= 600 for error in late)
    assert world.table.seen.state.budget.holds == {}


def test_after_five_failures_nobody_asks_and_then_one_probe_of_many_callers() -> None:
    world = World(Limits(requests=50, window_s=1.0), processes=5, way_s=0.004)
    outage = Unavailable("down", status=503)

    def first(number: int) -> None:
        with pytest.raises(Unavailable):
            world.ask(world.processes[number], fault=outage)

    opened: list[float] = []

    def later(number: int) -> None:
        world.time.sleep(31.0)
        try:
            world.ask(world.processes[number % 5], takes_s=1.0)
        except CircuitOpen:
            opened.append(world.time.now())

    world.run(*[lambda number=number: first(number) for number in range(5)])
    world.run(*[lambda number=number: later(number) for number in range(20)])
    assert len(world.arrived) == 6
    assert len(opened) == 19
    assert max(opened) - min(opened) < 0.2
    assert world.table.seen.state.circuit.open_until is None


def test_a_caller_that_waits_for_its_turn_learns_that_the_circuit_opened_meanwhile() -> None:
    world = World(Limits(requests=5, window_s=10.0), processes=2)

    def failing() -> None:
        with pytest.raises(Unavailable):
            world.ask(world.processes[0], fault=Unavailable("down"))

    def waiting() -> None:
        world.time.sleep(0.1)
        with pytest.raises(CircuitOpen, match="last requests failed"):
            world.ask(world.processes[1])

    world.run(*[failing] * 5, *[waiting] * 3)
    assert len(world.arrived) == 5
    assert len(world.table.seen.state.budget.turns) == 5


def test_a_refused_key_is_told_as_such() -> None:
    world = World(Limits(requests=5, window_s=1.0))

    def twice() -> None:
        with pytest.raises(KeyRefused):
            world.ask(world.processes[0], fault=KeyRefused("no"))
        with pytest.raises(CircuitOpen, match="set a valid key") as caught:
            world.ask(world.processes[0])
        assert caught.value.retry_after_s == pytest.approx(600, abs=1)

    world.run(twice)


def test_a_rejected_request_gives_its_hold_back_and_leaves_the_circuit() -> None:
    world = World(Limits(requests=50, window_s=1.0, concurrency=1))

    def often() -> None:
        for _ in range(8):
            with pytest.raises(RequestRejected):
                world.ask(world.processes[0], fault=RequestRejected("wrong"))

    world.run(often)
    assert len(world.arrived) == 8
    assert world.table.seen.state.budget.holds == {}


def test_an_answer_whose_headers_say_nothing_is_no_news() -> None:
    assert rate_headers("limit")({}) == Told()
