"""A search that only waits reads no reply as long as the leader may make its result set."""

from __future__ import annotations

import pytest

from shared.legs.endings import AllEnded, LeaderFinished
from shared.legs.leg import Leg, LegAnswer
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from tests.unit.legs.leg_dependencies import Ask, Shared, after, failing, leg, run
from tests.virtual_time import Clock, Task

LEGS = (leg(provider="openalex"), leg(provider="crossref"))


@pytest.fixture
def clock() -> Clock:
    return Clock()


class Leader:
    """The result that the leader has made, if it comes; counts how often it is asked for."""

    def __init__(self, *, comes: bool) -> None:
        self._comes, self.asked = comes, 0

    def __call__(self) -> str | None:
        self.asked += 1
        return "made by the leader" if self._comes else None


def both(shared: Shared, leader: Leader, seconds: float = 19.25) -> tuple[list[LegAnswer], list[LegAnswer]]:
    """The answers of a search, and of one that begins a moment later."""
    waits = shared.search(*LEGS, owner="waits", seconds=seconds, leaders_result=leader)
    first, second = run(shared, Task(work=shared.search(*LEGS)), Task(work=waits, at=0.01))
    assert len(shared.sent) == len(LEGS)
    return first, second


def apart(clock: Clock, first: Ask, second: Ask) -> Ask:
    """Another answer for each leg."""

    def ask(leg: Leg, left: float) -> ProviderReply:
        return (first if leg == LEGS[0] else second)(leg, left)

    return ask


def test_the_replies_are_not_read_if_the_leader_makes_the_result_set(clock: Clock) -> None:
    shared, leader = Shared(clock, after(clock, 2.0)), Leader(comes=True)
    _, answers = both(shared, leader)
    assert (answers, leader.asked) == ([], 1)
    assert shared.endings["waits"] == LeaderFinished("made by the leader")
    assert "waits" not in shared.replies_read


def test_the_replies_are_read_if_it_does_not_come(clock: Clock) -> None:
    shared, leader = Shared(clock, after(clock, 2.0)), Leader(comes=False)
    first, answers = both(shared, leader)
    assert [it.reply for it in answers] == [it.reply for it in first]
    assert all(it.coalesced for it in answers)
    assert leader.asked == 1
    assert shared.endings["waits"] == AllEnded(answers, awaited_leader=True)
    assert shared.replies_read.count("waits") == len(LEGS)


def test_a_failure_of_the_other_is_shared_and_its_result_set_is_not_awaited(clock: Clock) -> None:
    ask = apart(clock, lambda leg, _: failing(leg, Outcome.UNAVAILABLE), after(clock, 3.0))
    shared, leader = Shared(clock, ask), Leader(comes=True)
    _, answers = both(shared, leader)
    assert [it.reply.outcome for it in answers] == ["unavailable", "ok"]
    assert shared.endings["waits"] == AllEnded(answers, awaited_leader=False)
    assert leader.asked == 0


def test_a_search_that_takes_over_from_a_dead_one_follows_none(clock: Clock) -> None:
    shared, leader = Shared(clock, after(clock, 5.0)), Leader(comes=True)
    dies = Task(work=shared.search(LEGS[0]), dies_at=2.5)
    (answers,) = run(shared, dies, Task(work=shared.search(LEGS[0], leaders_result=leader), at=0.1))
    assert [it.reply.outcome for it in answers] == ["ok"]
    assert (len(shared.sent), leader.asked) == (2, 0)


def test_a_search_that_queried_a_provider_itself_reads_the_rest(clock: Clock) -> None:
    shared, leader = Shared(clock, after(clock, 2.0)), Leader(comes=True)
    _, answers = run(
        shared, Task(work=shared.search(LEGS[0])), Task(work=shared.search(*LEGS, leaders_result=leader), at=0.1)
    )
    assert [it.coalesced for it in answers] == [True, False]
    assert leader.asked == 0


def test_near_its_deadline_a_search_reads_what_there_is(clock: Clock) -> None:
    shared, leader = Shared(clock, apart(clock, after(clock, 1.0), after(clock, 12.0))), Leader(comes=True)
    _, answers = both(shared, leader, seconds=6.0)
    assert [it.reply.outcome for it in answers] == ["ok", "timeout"]
    assert leader.asked == 0
