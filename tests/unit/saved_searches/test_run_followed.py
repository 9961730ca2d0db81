"""What becomes of papers that were told, of some that never were, and of a search that takes several runs to begin."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import date, timedelta

import pytest

from shared.bibliography.paper import Version
from shared.errors import Outcome
from shared.query.query import Query
from shared.saved_searches.windows import never_searched
from tests.unit.records import record
from tests.unit.saved_searches.test_run import RETRACTED, World, dated, finds, paper

TEAM = "Smith, J; Doe, A; Roe, B"
PREPRINT = record("Prime editing screens of microglia", TEAM, 2026, doi="10.1101/2026.01.05.512345", type="preprint")
ARTICLE = record("Functional maps of variants in microglia", TEAM, 2026, doi="10.5555/article")


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    return World(monkeypatch)


@pytest.mark.slow
def test_a_broad_search_delivers_no_events_until_its_baseline_is_complete(world: World) -> None:
    """Sixty papers a day, also on days to come, as print dates are: all there before the search was saved."""
    world.since = "2026-11-23T05:00:00Z"
    every = [
        paper(60 * day + number, publication_date=(date(2026, 10, 15) + timedelta(days=day)).isoformat())
        for day in range(70)
        for number in range(60)
    ]

    def shows(query: Query) -> list[object]:
        first, last = query.date_from or "0", query.date_to or "9"
        return [it for it in every if first <= str(it.publication_date) <= last]

    world.sources["crossref"] = shows  # type: ignore[assignment]
    for _ in range(40):
        world.run()
        if not never_searched(world.windows):
            break
    assert {kind for kind, _ in world.told()} == {"baseline"}
    assert len(world.events) == len(every)


def test_an_earlier_retraction_is_not_reported_after_a_day_without_integrity_sources(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = World(monkeypatch, include_retracted=False)
    world.shows("crossref", paper(1), replace(paper(2), retraction=RETRACTED))
    world.run()
    world.sources["crossref"] = lambda query: Outcome.UNAVAILABLE
    world.shows("openalex", paper(1), paper(2))
    world.run()
    world.shows("crossref", paper(1), replace(paper(2), retraction=RETRACTED))
    world.run()
    assert world.told() == [("baseline", "10.1000/1")]


def test_a_preprint_linked_to_an_already_reported_article_is_reported_as_published_once(world: World) -> None:
    world.shows("crossref", PREPRINT)
    world.run()
    world.shows("crossref", PREPRINT, ARTICLE)
    world.run()
    linked = replace(PREPRINT, versions=(Version("published", doi="10.5555/article"),))
    back = replace(ARTICLE, versions=(Version("preprint", doi=PREPRINT.ids.doi),))
    world.shows("crossref", linked, back)
    for _ in range(3):
        world.run()
    assert [kind for kind, _ in world.told()] == ["baseline", "new_paper", "now_published"]
    assert world.events[-1]["preprint_key"] == f"doi:{PREPRINT.ids.doi}"


def test_the_preprints_key_is_the_reported_one(world: World) -> None:
    early = replace(PREPRINT, ids=replace(PREPRINT.ids, doi=None, paper_id="a" * 40))
    world.shows("crossref", early)
    world.run()
    world.shows("crossref", replace(PREPRINT, ids=replace(PREPRINT.ids, paper_id="a" * 40)))
    world.run()
    linked = replace(ARTICLE, versions=(Version("preprint", doi=PREPRINT.ids.doi),))
    world.shows("crossref", linked)
    world.run()
    assert [kind for kind, _ in world.told()] == ["baseline", "now_published"]
    assert world.events[-1]["preprint_key"] == world.events[0]["key"] == f"s2:{'a' * 40}"


def test_reported_papers_are_followed_when_they_no_longer_pass_a_filter(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(monkeypatch, publication_types=["preprint"])
    world.shows("crossref", PREPRINT)
    world.run()
    world.shows(
        "crossref", replace(ARTICLE, type="journal-article", versions=(Version("preprint", doi=PREPRINT.ids.doi),))
    )
    world.run()
    assert [kind for kind, _ in world.told()] == ["baseline", "now_published"]


def test_a_day_of_which_a_source_shows_now_these_and_now_those_is_no_news(world: World) -> None:
    draw = random.Random(3)
    every = [paper(number, publication_date="2015-01-01") for number in range(260)]
    world.sources["crossref"] = lambda query: draw.sample(every, len(every))  # of which a hundred are shown
    for _ in range(6):
        world.run()
    assert len(world.events) > 200
    assert {kind for kind, _ in world.told()} == {"baseline"}
    every.append(paper(999, publication_date="2026-11-23"))
    world.sources["crossref"] = lambda query: every[::-1]
    world.run()
    assert [it for it in world.told() if it[0] == "new_paper"] == [("new_paper", "10.1000/999")]


def test_papers_published_while_the_first_runs_failed_are_new(world: World) -> None:
    world.sources["crossref"] = world.sources["openalex"] = lambda query: Outcome.UNAVAILABLE
    world.run()
    world.shows("crossref", paper(1, publication_date="2026-11-23"), paper(2, publication_date="2026-11-22"))
    world.run()
    assert world.told() == [("new_paper", "10.1000/1"), ("baseline", "10.1000/2")]


def test_no_window_is_begun_that_our_own_work_would_carry_beyond_the_end(world: World) -> None:
    world.sources["crossref"] = finds(dated(900, 7))
    world.work_s = 20.0
    world.run(seconds=75.0)
    assert world.seconds <= 75.0
    assert world.asked


def test_in_the_first_run_nothing_is_new_however_young(world: World) -> None:
    world.shows("crossref", paper(1, publication_date="2026-12-24"))
    assert world.run()["first_run"]
    assert world.told() == [("baseline", "10.1000/1")]
