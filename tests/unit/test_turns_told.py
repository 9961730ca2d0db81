"""What one request was told, by headers or by its failure, holds for the turns of all."""

from __future__ import annotations

import pytest

from shared.budgets.limits import Limits, Told, rate_headers
from shared.budgets.state import Seen
from shared.errors import BudgetSpent, CircuitOpen, KeyRefused, RateLimited, RequestRejected, Unavailable
from tests.unit.turns_world import World, most_in_a_window


def test_headers_that_make_the_limit_stricter_hold_for_all_processes() -> None:
    world = World(Limits(requests=10, window_s=1.0), processes=2)

    def first() -> None:
        world.ask(world.processes[0], takes_s=0.0, headers={"limit": "1", "interval": "2s"})

    def later() -> None:
        world.sleep(5.0)
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
        world.sleep(0.01)
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
        world.sleep(31.0)
        try:
            world.ask(world.processes[number % 5], takes_s=1.0)
        except CircuitOpen:
            opened.append(world.clock.time())

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
        world.sleep(0.1)
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


def test_who_last_saw_the_circuit_open_looks_again_before_giving_up() -> None:
    world = World(Limits(requests=5, window_s=1.0))

    def refused() -> None:
        with pytest.raises(KeyRefused):
            world.ask(world.processes[0], fault=KeyRefused("no"))

    world.run(refused)
    world.table.seen = Seen(version=world.table.seen.version + 1)  # another process has closed it since
    world.run(lambda: world.ask(world.processes[0]))
    assert len(world.arrived) == 2


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
