"""Four hours of searches, most of them for few questions, in virtual time: what reaches the providers, and how often.

A smaller day than `python -m tests.benchmarks.zipf`, whose 10,000 searches take minutes of moto's time.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest

from infra.local.machine import machine
from shared.legs.leg import FRESH_S
from shared.providers.provider import LEG_TIMEOUT_S
from tests.simulations.simulated_providers import LIMITS, SPECS, most_at_once, most_in_any
from tests.simulations.zipf_workload import (
    DOWN,
    DOWN_FROM,
    DOWN_UNTIL,
    YESTERDAY_S,
    Arrival,
    Day,
    Observations,
    arrivals,
    table,
)

pytestmark = pytest.mark.slow

SEARCHES, DISTINCT = 500, 50


@pytest.fixture(scope="module")
def coming() -> list[Arrival]:
    return arrivals(SEARCHES, DISTINCT)


@pytest.fixture(scope="module")
def seen(coming: list[Arrival]) -> Iterator[Observations]:
    with machine(sandbox=None):
        yield Day().run(coming)


@pytest.mark.parametrize("name", sorted(SPECS))
def test_no_window_holds_more_requests_than_a_provider_allows(seen: Observations, name: str) -> None:
    limits, requests = LIMITS[name], [it for it in seen.requests if it.provider == name]
    assert 0 < most_in_any([it.started for it in requests], limits.window_s) <= limits.requests
    assert limits.concurrency is None or most_at_once(requests) <= limits.concurrency


@pytest.mark.parametrize("name", sorted(SPECS))
def test_a_leg_is_requested_again_only_when_its_answer_is_no_longer_fresh(
    seen: Observations, coming: list[Arrival], name: str
) -> None:
    answered = {query: moments for (provider, query), moments in seen.answered.items() if provider == name}
    assert set(answered) <= {it.query for it in coming}
    assert len(answered) > DISTINCT / 2
    for moments in answered.values():
        assert all(later - earlier >= FRESH_S for earlier, later in pairwise(moments))


def test_most_searches_send_no_request(seen: Observations) -> None:
    requested_today = sum(moment >= YESTERDAY_S for moments in seen.answered.values() for moment in moments)
    assert requested_today <= DISTINCT * len(SPECS)
    assert seen.searches["hit"] + seen.searches["coalesced"] > 0.7 * SEARCHES


def test_a_provider_that_is_down_is_queried_rarely_and_cached_answers_are_used(seen: Observations) -> None:
    spell = [it for it in seen.requests if it.provider == DOWN and DOWN_FROM <= it.started - YESTERDAY_S < DOWN_UNTIL]
    assert 5 <= len(spell) <= 20
    assert seen.legs[DOWN, "circuit_open"] > 2 * len(spell)
    assert seen.legs[DOWN, "stale"] > 0
    assert not any(seen.legs[name, "circuit_open"] + seen.legs[name, "unavailable"] for name in SPECS if name != DOWN)


def test_a_leg_without_a_permit_is_skipped_and_no_search_takes_longer_than_its_legs(seen: Observations) -> None:
    assert seen.legs["arxiv", "skipped_budget"] > 0
    assert seen.searches["failed"] == 0
    assert seen.longest_s <= LEG_TIMEOUT_S + 1.0


def test_every_search_is_in_the_table(seen: Observations, coming: list[Arrival]) -> None:
    assert seen.searches.total() == len(coming)
    print("\n" + table(seen))  # noqa: T201  shown by `pytest -s`
    for name in SPECS:
        assert seen.legs[name, "live"] == sum(len(it) for (of, _), it in seen.answered.items() if of == name)
