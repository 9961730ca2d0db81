"""How the legs of many searches are answered, in virtual time."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from shared.aws.dynamodb.leg_cache import FAILURE_S
from shared.aws.lambda_functions.provider_fan_out import INVOKE_RESERVE_S
from shared.legs.intervals import MAX_POLL_S, RENEW_EVERY_S
from shared.legs.leg import EMPTY_S, FRESH_S, LEASE_S, RETENTION_S, Leg
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from tests.unit.legs.leg_dependencies import (
    Reply,
    Shared,
    after,
    empty,
    failing,
    found,
    in_sequence,
    leg,
    one,
    run,
    unavailable,
)
from tests.virtual_time import Clock, Task

# The longest time between two looks of one who waits.
LOOK_S = min(RENEW_EVERY_S, 1.5 * MAX_POLL_S)
DAY_S = 24 * 3600.0


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_fresh_leg_is_used_without_a_request(clock: Clock) -> None:
    shared = Shared(clock, after(clock, 1.0))
    live, cached = one(shared), one(shared, at=3601.0)
    assert len(shared.sent) == 1
    assert (live.reply.source, live.fresh_s, live.coalesced) == ("live", FRESH_S, False)
    assert cached == replace(live, reply=replace(live.reply, source="cache"), fresh_s=FRESH_S - 3600)


@pytest.mark.parametrize(
    ("reply", "fresh_for_s"), [(found, FRESH_S), (empty, EMPTY_S)], ids=["an answer: a day", "an empty one: an hour"]
)
def test_a_leg_is_requested_again_when_it_is_no_longer_fresh(clock: Clock, reply: Reply, fresh_for_s: float) -> None:
    shared = Shared(clock, after(clock, 1.0, reply))
    for at in (0.0, fresh_for_s, fresh_for_s + 1.0):
        one(shared, at=at)
    assert [request.started for request in shared.sent] == [0.0, fresh_for_s + 1.0]


def test_200_searches_of_one_leg_send_one_request_and_get_equal_replies(clock: Clock) -> None:
    shared = Shared(clock, after(clock, 3.0), cache_s=0.004)
    answers = run(shared, *(Task(work=shared.search(leg()), at=0.01 * number) for number in range(200)))
    assert len(shared.sent) == 1
    assert {answer.reply for (answer,) in answers} == {found(leg())}
    assert Counter(answer.coalesced for (answer,) in answers) == {False: 1, True: 199}


def test_exactly_one_waiting_caller_takes_over_when_the_leader_dies(clock: Clock) -> None:
    shared = Shared(clock, after(clock, 5.0), cache_s=0.004)
    leader = Task(work=shared.search(leg()), dies_at=2.5)
    waiting = [Task(work=shared.search(leg(), seconds=12.0), at=0.1 + 0.01 * number) for number in range(50)]
    answers = run(shared, leader, *waiting)
    assert len(answers) == 50
    assert {answer.reply.outcome for (answer,) in answers} == {Outcome.OK}
    assert len(shared.sent) == 2
    assert 2.5 < shared.sent[1].started <= 2.5 + LEASE_S + LOOK_S
    assert max(shared.ended.values()) <= shared.sent[1].ended + LOOK_S + 0.01


def test_a_caller_that_waits_for_a_dead_leader_reports_a_timeout_at_its_own_deadline(clock: Clock) -> None:
    shared = Shared(clock, after(clock, 5.0))
    leader = Task(work=shared.search(leg()), dies_at=0.5)
    waiting = [Task(work=shared.search(leg(), seconds=2.0), at=0.25) for _ in range(10)]
    answers = run(shared, leader, *waiting)
    assert {answer.reply.outcome for (answer,) in answers} == {Outcome.TIMEOUT}
    assert set(shared.ended.values()) == {2.25}


def test_a_caller_with_a_long_request_holds_its_lease_by_renewing(clock: Clock) -> None:
    shared = Shared(clock, after(clock, 10.0), cache_s=0.004)
    answers = run(shared, *(Task(work=shared.search(leg()), at=0.5 * number) for number in range(10)))
    assert len(shared.sent) == 1
    assert all(answer.reply == found(leg()) for (answer,) in answers)
    assert shared.written.count("renew") == 9


def test_a_failure_is_shared_with_waiting_callers_and_briefly_with_later_ones(clock: Clock) -> None:
    shared = Shared(clock, in_sequence(clock, (2.0, unavailable), (1.0, found)))
    starts = (0.0, 1.0, 2.0 + 0.9 * FAILURE_S, 2.0 + FAILURE_S)
    answers = run(shared, *(Task(work=shared.search(leg()), at=at) for at in starts))
    shown = [(answer.reply.outcome, answer.reply.retry_after_s, answer.coalesced) for (answer,) in answers]
    failed = Outcome.UNAVAILABLE, 7.0
    assert shown == [(*failed, False), (*failed, True), (*failed, True), (Outcome.OK, None, False)]
    assert [request.started for request in shared.sent] == [0.0, 2.0 + FAILURE_S]


@pytest.mark.slow
def test_every_waiting_caller_sees_a_failure_at_any_poll_interval(clock: Clock) -> None:
    shared = Shared(clock, after(clock, 10.0, unavailable), cache_s=0.02)
    answers = run(shared, *(Task(work=shared.search(leg()), at=0.01 * number) for number in range(200)))
    assert len(shared.sent) == 1
    assert {answer.reply.outcome for (answer,) in answers} == {Outcome.UNAVAILABLE}


def test_after_a_failure_one_caller_retries_and_not_all(clock: Clock) -> None:
    shared = Shared(clock, after(clock, 0.5, unavailable), cache_s=0.004)
    run(shared, *(Task(work=shared.search(leg()), at=0.02 * number) for number in range(500)))
    assert len(shared.sent) == math.ceil(10.0 / (0.5 + FAILURE_S))


@pytest.mark.parametrize(
    ("outcome", "shared_with_others"),
    [
        (Outcome.TIMEOUT, False),
        (Outcome.SKIPPED_BUDGET, False),
        (Outcome.RATE_LIMITED, True),
        (Outcome.BAD_RESPONSE, True),
    ],
)
@pytest.mark.parametrize("hurry", [{"seconds": 1.0}, {"scheduled": True}], ids=["hurried", "scheduled"])
def test_a_timeout_of_a_caller_with_little_time_is_not_shared(
    clock: Clock, hurry: dict[str, Any], outcome: Outcome, shared_with_others: bool
) -> None:
    shared = Shared(clock, in_sequence(clock, (0.9, lambda leg: failing(leg, outcome)), (2.0, found)))
    waiting = [Task(work=shared.search(leg()), at=0.5) for _ in range(20)]
    _, *answers = run(shared, Task(work=shared.search(leg(), **hurry)), *waiting)
    assert len(shared.sent) == (1 if shared_with_others else 2)
    expected = outcome if shared_with_others else Outcome.OK
    assert {answer.reply.outcome for (answer,) in answers} == {expected}


def test_one_takes_over_at_the_next_look_from_a_leader_that_had_too_little_time(clock: Clock) -> None:
    shared = Shared(clock, after(clock, 4.0))
    waiting = [Task(work=shared.search(leg()), at=0.5) for _ in range(20)]
    (hurried,), *answers = run(shared, Task(work=shared.search(leg(), seconds=1.0)), *waiting)
    assert hurried.reply.outcome is Outcome.TIMEOUT
    assert {answer.reply for (answer,) in answers} == {found(leg())}
    assert len(shared.sent) == 2
    assert shared.sent[1].started <= 1.0 + LOOK_S


def test_a_leader_past_its_deadline_no_longer_renews_and_another_takes_over(clock: Clock) -> None:
    shared = Shared(clock, lambda leg, left: after(clock, 4.0 if len(shared.sent) > 1 else 60.0)(leg, 99.0))
    waiting = [Task(work=shared.search(leg()), at=0.5) for _ in range(20)]
    answers = run(shared, Task(work=shared.search(leg(), seconds=1.0)), *waiting)
    assert {answer.reply.outcome for (answer,) in answers[1:]} == {Outcome.OK}
    assert len(shared.sent) == 2
    assert shared.sent[1].started <= LEASE_S + LOOK_S


def test_a_caller_without_time_left_does_not_take_the_lease(clock: Clock) -> None:
    shared = Shared(clock, after(clock, 1.0))
    dead = Task(work=shared.search(leg()), dies_at=0.5)
    spent = [Task(work=shared.search(leg(), seconds=LEASE_S + 0.002 * number)) for number in range(20)]
    waiter = Task(work=shared.search(leg()), at=LEASE_S - 0.1)
    *_, (answer,) = run(shared, dead, *spent, waiter)
    assert answer.reply == found(leg())
    assert max(shared.ended.values()) <= LEASE_S + LOOK_S + 1.0 + LOOK_S


def test_a_cached_leg_replaces_a_failed_one_and_is_marked_stale(clock: Clock) -> None:
    shared = Shared(clock, in_sequence(clock, (1.0, found), (1.0, unavailable)))
    one(shared)
    stale = one(shared, at=3 * DAY_S)
    assert (stale.reply.outcome, stale.reply.source, stale.reply.papers) == (Outcome.OK, "stale", found(leg()).papers)
    assert "unavailable" in stale.reply.warnings[0]
    assert (stale.reply.retry_after_s, stale.fresh_s) == (7.0, 0.0)


def test_a_cached_leg_is_used_for_seven_days_and_not_longer(clock: Clock) -> None:
    shared = Shared(clock, in_sequence(clock, (0.0, found), (1.0, unavailable)))
    one(shared)
    sources = [one(shared, at=at).reply.source for at in (RETENTION_S - 2.0, RETENTION_S + 100.0)]
    assert sources == ["stale", "live"]


def test_a_cached_leg_is_used_when_time_runs_out(clock: Clock) -> None:
    shared = Shared(clock, in_sequence(clock, (1.0, found), (60.0, found)))
    one(shared)
    stale = one(shared, at=2 * DAY_S, seconds=4.0)
    assert (stale.reply.source, clock.monotonic()) == ("stale", 2 * DAY_S + 4.0 - INVOKE_RESERVE_S)


def test_fresh_requests_even_when_an_answer_is_cached(clock: Clock) -> None:
    shared = Shared(clock, in_sequence(clock, (1.0, found), (1.0, unavailable), (1.0, found)))
    one(shared)
    answers = [one(shared, at=at, fresh=True) for at in (10.0, 20.0)]
    assert [(answer.reply.source, answer.failure) for answer in answers] == [
        ("stale", Outcome.UNAVAILABLE), ("live", None),
    ]  # fmt: skip
    assert one(shared, at=30.0).reply.source == "cache"


def test_a_scheduled_fresh_search_takes_no_cached_answer_in_place_of_a_failed_one(clock: Clock) -> None:
    """It would pass for what the provider holds now; the search is repeated later."""
    shared = Shared(clock, in_sequence(clock, (1.0, found), (1.0, unavailable)))
    one(shared)
    assert one(shared, at=10.0, fresh=True, scheduled=True).reply.outcome is Outcome.UNAVAILABLE


def test_fresh_uses_the_answer_of_a_request_under_way(clock: Clock) -> None:
    shared = Shared(clock, after(clock, 2.0))
    _, (joined,) = run(shared, Task(work=shared.search(leg())), Task(work=shared.search(leg(), fresh=True), at=1.0))
    assert (joined.coalesced, joined.reply) == (True, found(leg()))
    assert len(shared.sent) == 1


def test_a_blocked_provider_is_not_queried_and_a_cached_leg_replaces_it(clock: Clock) -> None:
    shared = Shared(clock, after(clock, 1.0))
    one(shared)
    shared.refusals["openalex"] = failing(leg(), Outcome.CIRCUIT_OPEN, retry_after_s=20.0)
    cached, unknown = one(shared, at=2 * DAY_S), one(shared, leg("other"), at=2 * DAY_S + 9.0)
    assert (cached.reply.source, cached.reply.retry_after_s) == ("stale", 20.0)
    assert (unknown.reply.outcome, unknown.fresh_s) == (Outcome.CIRCUIT_OPEN, 0.0)
    assert len(shared.sent) == 1


def test_legs_are_requested_concurrently_and_answered_in_their_order(clock: Clock) -> None:
    shared = Shared(clock, lambda leg, left: after(clock, 3.0 - len(leg.provider) / 10)(leg, left))
    names = ("arxiv", "crossref", "openalex", "europe_pmc", "semantic_scholar")
    (answers,) = run(shared, Task(work=shared.search(*(leg(provider=name) for name in names))))
    assert tuple(answer.reply.provider for answer in answers) == names
    assert clock.monotonic() == 2.5


@pytest.mark.parametrize("hangs_s", [30.0, math.inf], ids=["for long", "for ever"])
def test_a_search_ends_at_its_deadline_though_its_provider_does_not_answer(clock: Clock, hangs_s: float) -> None:
    def ask(leg: Leg, left: float) -> ProviderReply:
        clock.sleep(hangs_s if leg.provider == "arxiv" else 1.0)
        return found(leg)

    shared = Shared(clock, ask)
    ((hung, answered),) = run(shared, Task(work=shared.search(leg(provider="arxiv"), leg(), owner="it")))
    assert (hung.reply.outcome, answered.reply) == (Outcome.TIMEOUT, found(leg()))
    assert shared.ended == {"it": 19.25}


@pytest.mark.parametrize("reply", [found, unavailable], ids=["answered", "failed"])
def test_a_leg_that_ends_after_the_deadline_is_not_cached_and_its_lease_is_released(clock: Clock, reply: Reply) -> None:
    def ask(leg: Leg, left: float) -> ProviderReply:
        clock.sleep(4.0)
        return reply(leg)

    shared = Shared(clock, ask)
    assert (one(shared, seconds=1.0).reply.outcome, clock.monotonic()) == (Outcome.TIMEOUT, 4.0)
    assert shared.written == ["lease", "release"]


def test_the_second_caller_for_a_lease_waits_for_the_first(clock: Clock) -> None:
    shared = Shared(clock, after(clock, 2.0), cache_s=0.02)
    answers = run(shared, *(Task(work=shared.search(leg())) for _ in range(3)))
    assert shared.written.count("lease") == 3
    assert len(shared.sent) == 1
    assert {answer.reply for (answer,) in answers} == {found(leg())}


def test_two_wordings_that_are_the_same_leg_are_requested_once(clock: Clock) -> None:
    shared = Shared(clock, after(clock, 2.0))
    (answers,) = run(shared, Task(work=shared.search(leg("TREM2"), leg(" trem2 ", wording=1))))
    assert len(shared.sent) == 1
    assert [answer.reply for answer in answers] == [found(leg("TREM2"))] * 2
