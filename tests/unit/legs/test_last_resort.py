"""A search that every source would refuse for its queue waits for one of them, rather than fail."""

from __future__ import annotations

from dataclasses import replace

import pytest

from shared.legs.leg import Leg
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from tests.unit.legs.leg_dependencies import Shared, failing, found, leg
from tests.virtual_time import Clock, Task

QUEUES = {"openalex": 5.0, "arxiv": 9.0}


@pytest.fixture
def clock() -> Clock:
    return Clock()


def crowded(clock: Clock, answered: frozenset[str] = frozenset()) -> Shared:
    """Providers that refuse at once a leg that does not wait for their queue."""

    def ask(leg: Leg, left: float) -> ProviderReply:
        if leg.provider in answered:
            return found(leg)
        if leg.queue_s < QUEUES[leg.provider]:
            return failing(leg, Outcome.SKIPPED_BUDGET, retry_after_s=QUEUES[leg.provider])
        clock.sleep(QUEUES[leg.provider])
        return found(leg)

    return Shared(clock, ask)


def outcomes(shared: Shared, clock: Clock, *legs: Leg, seconds: float = 19.25) -> list[str]:
    (end,) = clock.run([Task(work=shared.search(*legs, seconds=seconds))])
    return [answer.reply.outcome.value for answer in end.result()]


def impatient() -> list[Leg]:
    return [replace(leg(provider=name), queue_s=3.5) for name in QUEUES]


def test_a_search_without_any_answer_waits_for_the_shortest_queue(clock: Clock) -> None:
    shared = crowded(clock)
    assert outcomes(shared, clock, *impatient()) == ["ok", "skipped_budget"]
    assert clock.monotonic() == QUEUES["openalex"]
    assert [it.leg.provider for it in shared.sent].count("arxiv") == 1


def test_a_search_with_an_answer_does_not_wait_for_another(clock: Clock) -> None:
    shared = crowded(clock, answered=frozenset({"arxiv"}))
    assert outcomes(shared, clock, *impatient()) == ["skipped_budget", "ok"]
    assert clock.monotonic() == 0.0


def test_a_queue_that_ends_too_late_is_not_waited_for(clock: Clock) -> None:
    shared = crowded(clock)
    assert outcomes(shared, clock, *impatient(), seconds=6.5) == ["skipped_budget", "skipped_budget"]
    assert len(shared.sent) == len(QUEUES)


def test_equal_searches_wait_together_for_one_request(clock: Clock) -> None:
    shared = crowded(clock)
    ends = clock.run([Task(work=shared.search(*impatient()), at=0.1 * number) for number in range(5)])
    assert all(end.result()[0].reply.outcome is Outcome.OK for end in ends)
    assert len([it for it in shared.sent if it.leg.queue_s > QUEUES["openalex"]]) == 1


def test_a_search_that_met_only_our_own_overload_sends_one_more_request(clock: Clock) -> None:
    busy = [True]

    def ask(leg: Leg, left: float) -> ProviderReply:
        return failing(leg, Outcome.SKIPPED_OVERLOAD, retry_after_s=1.0) if busy and busy.pop() else found(leg)

    assert outcomes(Shared(clock, ask), clock, replace(leg(), queue_s=3.5)) == ["ok"]


def test_a_refusal_for_the_queue_is_no_answer_for_a_leg_that_waits_longer(clock: Clock) -> None:
    shared = crowded(clock)
    hurried = [replace(leg(provider=name), queue_s=3.5) for name in ("arxiv", "openalex")]
    patient = [replace(leg(provider="arxiv"), queue_s=15.0)]
    ends = clock.run([Task(work=shared.search(*hurried)), Task(work=shared.search(*patient), at=0.5)])
    assert [answer.reply.outcome.value for answer in ends[1].result()] == ["ok"]


def test_a_crowd_waits_for_the_source_that_answers_most_of_it_soonest(clock: Clock) -> None:
    """Twelve different searches: at one request in a second the last would wait for twelve."""
    shared = crowded(clock)
    shared.rates = {"openalex": 1.0, "arxiv": 10.0}
    (end,) = clock.run([Task(work=shared.search(*impatient()))])
    assert [answer.reply.outcome.value for answer in end.result()] == ["skipped_budget", "ok"]


def test_a_search_tries_another_queue_while_it_has_time(clock: Clock) -> None:
    def ask(leg: Leg, left: float) -> ProviderReply:
        if leg.queue_s < QUEUES[leg.provider]:
            return failing(leg, Outcome.SKIPPED_BUDGET, retry_after_s=QUEUES[leg.provider])
        return failing(leg, Outcome.UNAVAILABLE) if leg.provider == "openalex" else found(leg)

    shared = Shared(clock, ask)
    assert outcomes(shared, clock, *impatient()) == ["unavailable", "ok"]
    assert len(shared.sent) == 4


def test_a_search_on_a_busy_machine_queues_for_less_long(clock: Clock) -> None:
    shared = Shared(clock, lambda leg, left: found(leg), cache_s=0.75)  # a table that is slow
    assert outcomes(shared, clock, replace(leg(), queue_s=3.5)) == ["ok"]
    assert [sent.leg.queue_s for sent in shared.sent] == [2.0]  # after one reading and one lease
