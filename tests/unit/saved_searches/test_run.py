"""A run in memory: new papers, the baseline, and broad searches that are read completely."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from shared.answers.saved_search_runs import LastRun
from shared.answers.search import Queued
from shared.bibliography.paper import Paper, Retraction, RetractionStatus
from shared.legs.leg import Leg, LegAnswer
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from shared.query.query import Query
from shared.saved_searches.request import monitoring_request
from shared.saved_searches.run import PaperNews, RunDependencies, SearchToRun, run_saved_search
from shared.saved_searches.seen import ReportedPaper
from shared.saved_searches.windows import Window, never_searched
from tests.unit.records import published, record

Source = Callable[[Query], Sequence[Paper] | Outcome]
PROVIDERS = {"crossref": ("any",), "openalex": ("any",)}
RETRACTED = Retraction(RetractionStatus.RETRACTED)


class RunHarness:
    """Sources with given answers, and what the runs of one search have stored and published."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, **search: Any) -> None:
        self.sources: dict[str, Source] = dict.fromkeys(PROVIDERS, lambda query: [])
        self.windows: tuple[Window, ...] = (Window(),)
        self.known: dict[int, ReportedPaper] = {}
        self.events: list[dict[str, Any]] = []
        self.published: list[Any] = []
        self.sent_queries: list[Query] = []
        self.seconds = self.work_s = 0.0
        self.since = "2026-11-22T06:00:00Z"
        self.runs = 0
        self.search = {"query": "microglia", **search}
        monkeypatch.setattr("shared.saved_searches.run.answer_legs", self._answers)

    def _answers(self, legs: Sequence[Leg], dependencies: Any, *, until: float, fresh: bool) -> list[LegAnswer]:
        assert fresh
        self.seconds += 1
        return [LegAnswer(self._reply(leg)) for leg in legs]

    def _reply(self, leg: Leg) -> ProviderReply:
        assert isinstance(leg.question, Query)
        self.sent_queries.append(leg.question)
        found = self.sources[leg.provider](leg.question)
        if isinstance(found, Outcome):
            return ProviderReply(provider=leg.provider, family=leg.provider, outcome=found)
        papers = [replace(it, provider=leg.provider, rank=rank) for rank, it in enumerate(found[:100], start=1)]
        outcome = Outcome.OK if papers else Outcome.EMPTY
        return ProviderReply(
            provider=leg.provider, family=leg.provider, outcome=outcome, papers=tuple(papers),
            total_estimate=len(found), applied_filters=("date", "operators"),
        )  # fmt: skip

    def write_news(self, news: Sequence[PaperNews]) -> None:
        numbers = [it.known.number for it in news]
        assert len(set(numbers)) == len(numbers), "DynamoDB writes an item once in a transaction"
        for it in news:
            self.known[it.known.number] = it.known
            self.events += [{**event} for event in it.events]

    def save_windows(self, windows: Sequence[Window]) -> None:
        self.windows = tuple(windows)

    def run(self, *, seconds: float = 75.0) -> LastRun:
        """One more run; its report."""
        search: dict[str, Any] = self.search
        saved = SearchToRun(
            id="s", owner="o", request=monitoring_request(search, PROVIDERS),
            without_retracted=search.get("include_retracted") is False, since=self.since,
            windows=self.windows, first_run=not self.runs,
        )  # fmt: skip
        none: Any = None
        dependencies = RunDependencies(
            legs=none, disciplines=PROVIDERS, tracks_integrity=(), run_id=f"run {self.runs}",
            publish=self._publish,
            observe=lambda answers: self._work(), monotonic=lambda: self.seconds,
            now=lambda: f"2026-11-23T06:00:{self.runs:02d}Z",
        )  # fmt: skip
        self.runs += 1
        return run_saved_search(saved, list(self.known.values()), self, dependencies, until=self.seconds + seconds)

    def _work(self) -> None:
        self.seconds += self.work_s

    def _publish(self, results: Any, context: Any) -> Queued:
        self.published.append((results, context))
        return {"queued": len(results), "skipped": 0}

    def shows(self, provider: str, *papers: Paper) -> None:
        self.sources[provider] = lambda query: papers

    def reported(self) -> list[tuple[str, str]]:
        return [(it["type"], it["key"].removeprefix("doi:")) for it in self.events]


@pytest.fixture
def harness(monkeypatch: pytest.MonkeyPatch) -> RunHarness:
    return RunHarness(monkeypatch)


def paper(number: int, **other: Any) -> Paper:
    fields = {"doi": f"10.1000/{number}", **other}
    return record(f"Microglia and factor {number}", f"Author{number}, A", 2026, **fields)


def test_the_first_results_are_the_baseline_and_later_ones_are_new(harness: RunHarness) -> None:
    harness.shows("crossref", paper(1), paper(2))
    harness.run()
    harness.shows("crossref", paper(1), paper(2), paper(3))
    report = harness.run()
    assert harness.reported() == [("baseline", "10.1000/1"), ("baseline", "10.1000/2"), ("new_paper", "10.1000/3")]
    assert report["events"] == {"new_paper": 1, "now_published": 0, "retracted": 0, "baseline": 0}
    assert (report["complete"], harness.run()["events"]["new_paper"]) == (True, 0)


@pytest.mark.parametrize(
    "day, kind",
    [("2026-11-22", "new_paper"), ("2026-12-01", "baseline"), ("2026-11-21", "baseline"), ("2026-11", "baseline"),
     ("2027", "baseline"), (None, "baseline")],
)  # fmt: skip
def test_only_papers_published_since_are_new_from_a_source_that_answers_late(
    harness: RunHarness, day: str | None, kind: str
) -> None:
    harness.shows("crossref", paper(1))
    harness.sources["openalex"] = lambda query: Outcome.UNAVAILABLE
    assert not harness.run()["complete"]
    harness.shows("openalex", paper(2, publication_date=day))
    assert harness.run()["complete"]
    assert harness.reported()[1:] == [(kind, "10.1000/2")]
    harness.shows("openalex", paper(2, publication_date=day), paper(3))
    harness.run()
    assert harness.reported()[2:] == [("new_paper", "10.1000/3")]


def test_a_retraction_is_reported_once_and_a_publication_with_the_preprints_key(harness: RunHarness) -> None:
    early, late = paper(1, doi="10.1101/2026.01.01.111111", type="preprint"), paper(1, doi="10.1016/j.1")
    harness.shows("crossref", early, paper(2))
    harness.run()
    harness.shows("crossref", replace(early, versions=published(doi="10.1016/j.1")), late)
    harness.shows("openalex", replace(paper(2), retraction=RETRACTED))
    harness.run()
    harness.run()
    assert sorted(harness.reported()[2:]) == [("now_published", "10.1016/j.1"), ("retracted", "10.1000/2")]
    assert [it["preprint_key"] for it in harness.events[2:]] in (
        ["doi:10.1101/2026.01.01.111111", None],
        [None, "doi:10.1101/2026.01.01.111111"],
    )


def test_a_search_without_retracted_papers_reports_the_retraction_of_a_shown_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    harness = RunHarness(monkeypatch, include_retracted=False)
    harness.shows("crossref", paper(1), replace(paper(2), retraction=RETRACTED))
    harness.run()
    harness.shows("crossref", *(replace(paper(number), retraction=RETRACTED) for number in (1, 2, 3)))
    harness.run()
    assert harness.reported() == [("baseline", "10.1000/1"), ("retracted", "10.1000/1")]


@pytest.mark.parametrize("cite, count", [(True, 1), (False, 0)])
def test_reported_papers_are_sent_to_the_graph_unless_the_search_opts_out(
    monkeypatch: pytest.MonkeyPatch, cite: bool, count: int
) -> None:
    harness = RunHarness(monkeypatch, cite_in_kg=cite, context={"type": "report", "id": "r1"})
    harness.shows("crossref", paper(1))
    for _ in range(2):
        harness.run()
    assert len(harness.published) == count
    if cite:
        results, context = harness.published[0]
        assert ([it["doi"] for it in results], context) == (["10.1000/1"], {"type": "report", "id": "r1"})


def test_each_wording_is_queried_and_a_paper_of_one_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    harness = RunHarness(monkeypatch, query="TREM2 microglia", queries=["glacier ice"], providers="crossref")
    one = record("TREM2 in microglia", doi="10.1000/1", abstract="-")
    other = record("Ice of a glacier", doi="10.1000/2", abstract="-")
    harness.sources["crossref"] = lambda query: [one] if "TREM2" in query.text else [other, one]
    harness.run()
    assert [query.text for query in harness.sent_queries] == ["(TREM2 AND microglia)", "(glacier AND ice)"]
    assert sorted(doi for _, doi in harness.reported()) == ["10.1000/1", "10.1000/2"]


def test_without_time_no_request_is_sent_and_the_run_is_incomplete(harness: RunHarness) -> None:
    report = harness.run(seconds=4.0)
    assert (harness.sent_queries, report["windows"]["asked"], report["complete"]) == ([], 0, False)


def dated(count: int, seed: int, *, shown: Callable[[date], str] = date.isoformat) -> dict[int, tuple[date, Paper]]:
    """Papers and the days under which a source finds them, which may be others than those it shows."""
    draw = random.Random(seed)
    days = [date(2020, 1, 1) + timedelta(days=draw.randrange(2_000)) for _ in range(count)]
    return {it: (day, paper(it, publication_date=shown(day))) for it, day in enumerate(days)}


def finds(papers: dict[int, tuple[date, Paper]]) -> Source:
    def found(query: Query) -> list[Paper]:
        low, high = query.first_day or date.min, query.last_day or date.max
        assert low <= high
        return [it for day, it in papers.values() if low <= day <= high]

    return found


SHOWN: dict[str, Callable[[date], str]] = {
    "the same days": date.isoformat,
    "months": lambda day: day.isoformat()[:7],
    "years": lambda day: day.isoformat()[:4],
    "a month later": lambda day: (day + timedelta(days=31)).isoformat(),
}


@pytest.mark.slow
@pytest.mark.parametrize("shown", SHOWN.values(), ids=SHOWN)
def test_a_broad_search_is_read_completely_over_some_runs_and_later_papers_are_new(
    harness: RunHarness, shown: Callable[[date], str]
) -> None:
    papers = dated(900, 7, shown=shown)
    harness.sources["crossref"] = finds(papers)
    reports = [harness.run()]
    while reports[-1]["windows"]["left"]:
        assert not reports[-1]["complete"] and len(reports) < 12
        reports.append(harness.run())
    assert len(reports) > 2 and all(report["windows"]["asked"] <= 8 for report in reports)
    assert sorted(harness.reported()) == sorted(("baseline", f"10.1000/{number}") for number in papers)
    assert reports[-1]["watched_from"] is None
    papers[5_000] = (date(2026, 11, 24), paper(5_000, publication_date="2026-11-24"))
    harness.run()
    assert harness.reported()[len(papers) - 1 :] == [("new_paper", "10.1000/5000")]


def test_a_window_that_becomes_too_full_is_divided_and_its_unseen_papers_are_new(harness: RunHarness) -> None:
    papers = dated(100, 7)
    harness.sources["crossref"] = finds(papers)
    harness.run()
    papers |= {100 + number: it for number, it in dated(60, 8).items()}
    papers |= {number: (day, paper(number, publication_date=day.isoformat())) for number, (day, _) in papers.items()}
    assert harness.run()["windows"]["all"] == 2 and never_searched(harness.windows) == 0
    assert sorted(harness.reported()) == sorted(
        ("baseline" if number < 100 else "new_paper", f"10.1000/{number}") for number in papers
    )
