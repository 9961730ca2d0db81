"""A turn at a provider: what it costs, when it comes, and what happens when it does not."""

from __future__ import annotations

import pytest

from shared.budgets.budget import Budget, Take, decide
from shared.budgets.limits import Limits
from shared.budgets.state import ProviderState, Seen
from shared.errors import BudgetSpent
from tests.unit.turns_world import World
from tests.virtual_time import START_S


def test_a_request_alone_costs_one_write_and_no_waiting() -> None:
    world = World(Limits(requests=3, window_s=1.0))
    world.run(lambda: world.ask(world.processes[0]))
    assert (world.table.reads, world.table.writes) == (0, 1)
    assert world.arrived[0] - START_S < 0.02


def test_a_request_with_a_hold_costs_two_writes() -> None:
    world = World(Limits(requests=3, window_s=1.0, concurrency=3))
    world.run(lambda: world.ask(world.processes[0]))
    assert (world.table.reads, world.table.writes) == (0, 2)
    assert world.table.seen.state.budget.holds == {}


def test_two_requests_of_an_idle_provider_go_at_once() -> None:
    world = World(Limits(requests=3, window_s=1.0))
    world.run(*[lambda: world.ask(world.processes[0])] * 2)
    assert world.arrived[1] - START_S < 0.02


def test_a_turn_that_cannot_come_in_time_is_refused_at_once_and_tells_when() -> None:
    world = World(Limits(requests=1, window_s=30.0))
    told: list[BudgetSpent] = []

    def second() -> None:
        world.sleep(1.0)
        with pytest.raises(BudgetSpent, match="no turn for us in time") as caught:
            world.ask(world.processes[0])
        told.append(caught.value)
        assert world.clock.time() == START_S + 1.0

    world.run(lambda: world.ask(world.processes[0]), second)
    assert told[0].retry_after_s == pytest.approx(30.5, abs=0.1)


def test_a_caller_that_dies_with_its_turn_blocks_the_others_until_its_deadline_only() -> None:
    world = World(Limits(requests=3, window_s=1.0, concurrency=1))
    deadline = START_S + 4.0
    taken = decide(Budget(), world.limits, turn_id="dead", now=START_S, deadline=deadline, hold_until=deadline + 1.0)
    assert isinstance(taken, Take)
    world.table.seen = Seen(ProviderState(taken.budget), version=1)
    sent: list[float] = []

    def survivor() -> None:
        world.sleep(1.0)
        sent.append(world.ask(world.processes[0]))

    world.run(survivor)
    assert deadline + 1.0 <= sent[0] < deadline + 1.6
