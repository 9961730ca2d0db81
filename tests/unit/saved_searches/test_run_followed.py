"""Later events of reported papers and of unreported ones, and searches whose baseline takes several runs."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import date, timedelta

import pytest

from shared.bibliography.paper import Version
from shared.outcomes import Outcome
from shared.query.query import Query
from shared.saved_searches.windows import never_searched
from tests.unit.records import record
from tests.unit.saved_searches.test_run import RETRACTED, RunHarness, dated, finds, paper

TEAM = "Smith, J; Doe, A; Roe, B"
PREPRINT = record("Prime editing screens of microglia", TEAM, 2026, doi="10.1101/2026.01.05.512345", type="preprint")
ARTICLE = record("Functional maps of variants in microglia", TEAM, 2026, doi="10.5555/article")


@pytest.fixture
def harness(monkeypatch: pytest.MonkeyPatch) -> RunHarness:
    return RunHarness(monkeypatch)


@pytest.mark.slow
def test_a_broad_search_delivers_no_events_until_its_baseline_is_complete(harness: RunHarness) -> None:
    """Sixty papers a day, also on days to come, as print dates are: all there before the search was saved."""
    harness.since = "2026-11-23T05:00:00Z"
    every = [
        paper(60 * day + number, publication_date=(date(2026, 10, 15) + timedelta(days=day)).isoformat())
        for day in range(70)
        for number in range(60)
    ]

    def shows(query: Query) -> list[object]:
        first, last = query.date_from or "0", query.date_to or "9"
        return [it for it in every if first <= str(it.publication_date) <= last]

    harness.sources["crossref"] = shows  # type: ignore[assignment]
    for _ in range(40):
        harness.run()
        if not never_searched(harness.windows):
            break
    assert {kind for kind, _ in harness.reported()} == {"baseline"}
    assert len(harness.events) == len(every)


def test_an_earlier_retraction_is_not_reported_after_a_day_without_integrity_sources(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    harness = RunHarness(monkeypatch, include_retracted=False)
    harness.shows("crossref", paper(1), replace(paper(2), retraction=RETRACTED))
    harness.run()
    harness.sources["crossref"] = lambda query: Outcome.UNAVAILABLE
    harness.shows("openalex", paper(1), paper(2))
    harness.run()
    harness.shows("crossref", paper(1), replace(paper(2), retraction=RETRACTED))
    harness.run()
    assert harness.reported() == [("baseline", "10.1000/1")]


def test_a_preprint_linked_to_an_already_reported_article_is_reported_as_published_once(harness: RunHarness) -> None:
    harness.shows("crossref", PREPRINT)
    harness.run()
    harness.shows("crossref", PREPRINT, ARTICLE)
    harness.run()
    linked = replace(PREPRINT, versions=(Version("published", doi="10.5555/article"),))
    back = replace(ARTICLE, versions=(Version("preprint", doi=PREPRINT.ids.doi),))
    harness.shows("crossref", linked, back)
    for _ in range(3):
        harness.run()
    assert [kind for kind, _ in harness.reported()] == ["baseline", "new_paper", "now_published"]
    assert harness.events[-1]["preprint_key"] == f"doi:{PREPRINT.ids.doi}"


def test_the_preprints_key_is_the_reported_one(harness: RunHarness) -> None:
    early = replace(PREPRINT, ids=replace(PREPRINT.ids, doi=None, paper_id="a" * 40))
    harness.shows("crossref", early)
    harness.run()
    harness.shows("crossref", replace(PREPRINT, ids=replace(PREPRINT.ids, paper_id="a" * 40)))
    harness.run()
    linked = replace(ARTICLE, versions=(Version("preprint", doi=PREPRINT.ids.doi),))
    harness.shows("crossref", linked)
    harness.run()
    assert [kind for kind, _ in harness.reported()] == ["baseline", "now_published"]
    assert harness.events[-1]["preprint_key"] == harness.events[0]["key"] == f"s2:{'a' * 40}"


def test_reported_papers_are_followed_when_they_no_longer_pass_a_filter(monkeypatch: pytest.MonkeyPatch) -> None:
    harness = RunHarness(monkeypatch, publication_types=["preprint"])
    harness.shows("crossref", PREPRINT)
    harness.run()
    harness.shows(
        "crossref", replace(ARTICLE, type="journal-article", versions=(Version("preprint", doi=PREPRINT.ids.doi),))
    )
    harness.run()
    assert [kind for kind, _ in harness.reported()] == ["baseline", "now_published"]


@pytest.mark.slow
def test_varying_results_of_a_source_for_a_day_are_not_new(harness: RunHarness) -> None:
    draw = random.Random(3)
    every = [paper(number, publication_date="2015-01-01") for number in range(260)]
    harness.sources["crossref"] = lambda query: draw.sample(every, len(every))  # of which a hundred are shown
    for _ in range(6):
        harness.run()
    assert len(harness.events) > 200
    assert {kind for kind, _ in harness.reported()} == {"baseline"}
    every.append(paper(999, publication_date="2026-11-23"))
    harness.sources["crossref"] = lambda query: every[::-1]
    harness.run()
    assert [it for it in harness.reported() if it[0] == "new_paper"] == [("new_paper", "10.1000/999")]


def test_papers_published_while_the_first_runs_failed_are_new(harness: RunHarness) -> None:
    harness.sources["crossref"] = harness.sources["openalex"] = lambda query: Outcome.UNAVAILABLE
    harness.run()
    harness.shows("crossref", paper(1, publication_date="2026-11-23"), paper(2, publication_date="2026-11-22"))
    harness.run()
    assert harness.reported() == [("new_paper", "10.1000/1"), ("baseline", "10.1000/2")]


def test_no_window_is_begun_that_our_own_work_would_carry_beyond_the_end(harness: RunHarness) -> None:
    harness.sources["crossref"] = finds(dated(900, 7))
    harness.work_s = 20.0
    harness.run(seconds=75.0)
    assert harness.seconds <= 75.0
    assert harness.sent_queries


def test_in_the_first_run_nothing_is_new_however_young(harness: RunHarness) -> None:
    harness.shows("crossref", paper(1, publication_date="2026-12-24"))
    assert harness.run()["first_run"]
    assert harness.reported() == [("baseline", "10.1000/1")]
