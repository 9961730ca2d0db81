"""Saved searches beside people who search: limits hold, no person waits for a run, and what a run misses comes later.

Hours represent days, at the density of 5,000 searches a day; `python -m tests.benchmarks.scheduled_load` has the days.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from statistics import mean

import pytest

from shared.rate_limits.budget import DAILY_RESERVE, DAY_S, SCHEDULED_LEAD_S
from tests.simulations.scheduled_arrivals import DAILY, MIDNIGHT_S, MORNING, Load, firings_of
from tests.simulations.scheduled_load import (
    CREDITED,
    CREDITS_A_REQUEST,
    Observations,
    ScheduledLoad,
    ended,
    never_answered,
    quantile,
)
from tests.simulations.simulated_providers import LIMITS, SPECS, most_at_once, most_in_any

pytestmark = pytest.mark.slow

SAVED = 5_000
# A person does not wait for more than 3.5 s in a queue. The request of a run that has begun may be a part of it.
REFUSED = 0.01
HOUR = 1 / 24
CREDITS = 15_000  # more than people need of them
SPREAD = Load(saved=round(SAVED * HOUR), expression="rate(1 hour)", low=0.1, peak=0.1, days=3 * HOUR, credits=CREDITS)
# As many a second as 5,000 within an hour: those of a window of two minutes, and again after four.
CRUSH = replace(SPREAD, saved=round(SAVED * HOUR * 24 / 30), expression="cron(0/4 * * * ? *)", days=HOUR / 7.5)


@pytest.fixture(scope="module")
def alone() -> Observations:
    return ScheduledLoad(replace(SPREAD, saved=0)).run()


@pytest.fixture(scope="module")
def spread() -> Observations:
    return ScheduledLoad(SPREAD).run()


@pytest.fixture(scope="module")
def crush() -> Observations:
    return ScheduledLoad(CRUSH).run()


def waits(seen: Observations) -> list[float]:
    return [it.seconds for it in seen.people]


def test_daily_schedules_are_spread_over_the_day() -> None:
    hours = Counter(int((it.at - MIDNIGHT_S) // 3600) for it in firings_of(Load(saved=SAVED, expression=DAILY)))
    assert sorted(hours) == list(range(24))
    assert max(hours.values()) <= 1.3 * SAVED / 24


def test_schedules_at_a_given_time_are_spread_over_its_hour() -> None:
    minutes = Counter(int((it.at - MIDNIGHT_S) // 60) for it in firings_of(Load(saved=SAVED, expression=MORNING)))
    assert sorted(minutes) == list(range(7 * 60, 8 * 60))
    assert max(minutes.values()) <= 1.5 * SAVED / 60


@pytest.mark.parametrize("load", ["spread", "crush"])
@pytest.mark.parametrize("name", sorted(SPECS))
def test_no_window_holds_more_requests_than_a_provider_allows(
    name: str, load: str, request: pytest.FixtureRequest
) -> None:
    seen: Observations = request.getfixturevalue(load)
    limits, requests = LIMITS[name], [it for it in seen.requests if it.provider == name]
    assert 0 < most_in_any([it.started for it in requests], limits.window_s) <= limits.requests
    assert limits.concurrency is None or most_at_once(requests) <= limits.concurrency


def test_runs_take_their_share_of_the_days_credits_evenly_and_leave_the_rest_to_people(spread: Observations) -> None:
    requests = [it for it in spread.requests if it.provider == CREDITED]
    scheduled = [it.started for it in requests if it.query.startswith("alert")]
    for moment in scheduled:
        before = sum(it.started <= moment for it in requests) * CREDITS_A_REQUEST
        share = (moment - MIDNIGHT_S + SCHEDULED_LEAD_S) / DAY_S
        assert before <= ((1 - DAILY_RESERVE) * share + 0.02) * CREDITS  # what is left is known in whole percents
    assert scheduled
    assert ended(spread, "run", CREDITED)[1] > len(spread.runs) / 2
    assert ended(spread, "person", CREDITED)[1:] == (0, 0)
    assert not spread.out_of_credits


def test_interactive_searches_wait_no_longer_than_without_the_runs(alone: Observations, spread: Observations) -> None:
    assert sorted(it.at for it in spread.people) == sorted(it.at for it in alone.people)
    assert len(alone.people) > 900
    assert mean(waits(spread)) <= 1.05 * mean(waits(alone))
    # Of so few people the slowest are chance: two such hours alone differ by some percents, too.
    assert quantile(waits(spread), 0.95) <= 1.1 * quantile(waits(alone), 0.95)


@pytest.mark.parametrize("name", sorted(SPECS))
def test_interactive_searches_are_answered_as_without_the_runs(
    alone: Observations, spread: Observations, name: str
) -> None:
    allowed = REFUSED * len(alone.people)
    assert ended(spread, "person", name)[0] >= ended(alone, "person", name)[0] - allowed


def test_a_leg_that_a_run_missed_is_caught_up_by_a_later_run(spread: Observations) -> None:
    waiting = never_answered(spread, "arxiv")
    assert 0 < waiting[0] < 0.7 * SPREAD.saved
    assert waiting == sorted(waiting, reverse=True)
    assert waiting[-1] < waiting[0] / 2
    for name in {"crossref", "europe_pmc", "pubmed"}:
        assert never_answered(spread, name)[-1] == 0


def test_under_full_load_runs_are_skipped_and_interactive_searches_are_not(crush: Observations) -> None:
    for name in SPECS:
        _, skipped, failed = ended(crush, "person", name)
        assert failed == 0
        assert skipped <= (0.05 * len(crush.people) if name == "arxiv" else 0)  # of 45: its queue is often 3.5 s long
    assert ended(crush, "run", "arxiv")[1] > len(crush.runs) / 2
    assert never_answered(crush, "europe_pmc")[-1] == 0
    for name in SPECS:
        waiting = never_answered(crush, name)
        assert waiting == sorted(waiting, reverse=True)
