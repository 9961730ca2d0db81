"""A run of a watch in memory: what it reads of the context, how far it comes, and what its report says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from shared.answers.saved_search_runs import WatchRun
from shared.bibliography.paper import Paper, Retraction, RetractionStatus
from shared.errors import NotFound
from shared.graph.pages import GraphPage
from shared.legs.leg import Leg, LegAnswer
from shared.outcomes import Outcome
from shared.papers.dependencies import PaperDependencies
from shared.providers.capabilities import ProviderCapabilities
from shared.providers.provider import ProviderReply
from shared.query.question import Lookup
from shared.saved_searches.run import PaperNews
from shared.saved_searches.seen import ReportedPaper
from shared.saved_searches.watch import MAX_PAPERS, Watch, WatchDependencies, cited_papers, run_watch
from tests.unit.records import record

NONE: Any = None
CAPABILITIES: Mapping[str, ProviderCapabilities] = {
    name: ProviderCapabilities(operations={"search": (), "lookup": ("doi",)}, tracks_integrity=name == "crossref")
    for name in ("crossref", "semantic_scholar")
}


def mention(key: str, relation: str = "cited_in") -> Any:
    return {"key": key, "relation": relation}


def dois(count: int) -> list[str]:
    return [f"doi:10.1000/{number:04}" for number in range(count)]


class WatchHarness:
    """Sources that have every paper asked for, but for those `missing`; and what the runs have stored."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, keys: Sequence[str]) -> None:
        self.mentions = [mention(key) for key in keys]
        self.outcomes: dict[str, Outcome] = {}
        self.missing: set[str] = set()
        self.retracted: set[str] = set()
        self.known: dict[int, ReportedPaper] = {}
        self.events: list[dict[str, Any]] = []
        self.positions: list[str | None] = []
        self.published: list[str] = []
        self.seconds = 0.0
        self.lookups: list[int] = []
        monkeypatch.setattr("shared.papers.lookup.answer_legs", self._answers)

    def _answers(self, legs: Sequence[Leg], dependencies: Any, *, until: float, fresh: bool) -> list[LegAnswer]:
        assert fresh
        self.seconds += 3
        return [LegAnswer(self._reply(leg)) for leg in legs]

    def _reply(self, leg: Leg) -> ProviderReply:
        assert isinstance(leg.question, Lookup)
        self.lookups.append(len(leg.question.names))
        outcome = self.outcomes.get(leg.provider, Outcome.OK)
        found = [name for name in leg.question.names if outcome.answered and name not in self.missing]
        papers = tuple(self._paper(leg.provider, rank, name) for rank, name in enumerate(found, start=1))
        return ProviderReply(provider=leg.provider, family=leg.provider, outcome=outcome, papers=papers)

    def _paper(self, provider: str, rank: int, name: str) -> Paper:
        status = RetractionStatus.RETRACTED if name in self.retracted else RetractionStatus.NONE
        return record(
            f"Paper {name}", f"Author{name[-4:]}, A", 2024, doi=name.removeprefix("doi:"), provider=provider, rank=rank,
            asked=(name,), retraction=Retraction(status if provider == "crossref" else RetractionStatus.UNKNOWN),
        )  # fmt: skip

    def write_news(self, news: Sequence[PaperNews]) -> None:
        for it in news:
            self.known[it.known.number] = it.known
            self.events += [{**event} for event in it.events]

    def save_position(self, position: str | None) -> None:
        self.positions.append(position)

    def page(self, cursor: str | None) -> GraphPage[Any]:
        first = int(cursor or 0)
        more = str(first + 100) if first + 100 < len(self.mentions) else None
        return GraphPage(self.mentions[first : first + 100], more)

    def run(self, *, seconds: float = 75.0) -> WatchRun:
        papers = PaperDependencies(
            legs=NONE, capabilities=CAPABILITIES, result_sets=NONE, known=NONE, publish=self._publish,
            observe=lambda answers: None, monotonic=lambda: self.seconds, now=lambda: "2026-11-23T06:00:00Z",
        )  # fmt: skip
        watch = Watch(first_run=not self.positions, position=self.positions[-1] if self.positions else None)
        dependencies = WatchDependencies(papers=papers, read_context=self.page, run_id="r")
        return run_watch(watch, list(self.known.values()), self, dependencies, until=self.seconds + seconds)

    def _publish(self, results: Any, context: Any) -> Any:
        assert context is None
        self.published += [result["key"] for result in results]


@pytest.fixture
def harness(monkeypatch: pytest.MonkeyPatch) -> WatchHarness:
    return WatchHarness(monkeypatch, dois(250))


def test_a_context_is_looked_up_in_batches_that_every_source_accepts(harness: WatchHarness) -> None:
    report = harness.run()
    assert harness.lookups == [100, 100, 100, 100, 50, 50]
    assert harness.positions == ["doi:10.1000/0099", "doi:10.1000/0199", None]
    assert (report["papers"]["cited"], report["papers"]["looked_up"], report["complete"]) == (250, 250, True)
    assert len(harness.known) == 250


def test_a_run_ends_in_time_and_the_next_one_continues(harness: WatchHarness) -> None:
    harness.retracted = {dois(250)[0], dois(250)[-1]}
    report = harness.run(seconds=10)
    assert (report["papers"]["looked_up"], report["papers"]["left"], report["complete"]) == (200, 50, False)
    assert [event["key"] for event in harness.events] == [dois(250)[0]]
    rest = harness.run()
    assert (rest["papers"]["looked_up"], rest["papers"]["left"], rest["complete"]) == (50, 0, True)
    assert [event["key"] for event in harness.events] == [dois(250)[0], dois(250)[-1]]
    assert harness.run()["papers"]["looked_up"] == 250


@pytest.mark.parametrize("position", ["pmid:9", dois(250)[-1]])
def test_a_run_begins_anew_where_nothing_waits_behind_its_position(harness: WatchHarness, position: str) -> None:
    harness.positions, harness.retracted = [position], {dois(250)[7]}
    report = harness.run()
    assert (report["papers"]["looked_up"], report["papers"]["left"], report["complete"]) == (250, 0, True)
    assert [event["key"] for event in harness.events] == [dois(250)[7]]
    assert harness.positions[-1] is None


def test_a_position_stays_while_the_context_cites_nothing(harness: WatchHarness) -> None:
    harness.positions, harness.mentions = ["pmid:9"], []
    report = harness.run()
    assert (report["papers"]["looked_up"], harness.positions) == (0, ["pmid:9"])


def test_a_paper_with_an_event_goes_to_the_graph(harness: WatchHarness) -> None:
    harness.run()
    harness.retracted = {dois(250)[7]}
    harness.run()
    assert harness.published == [dois(250)[7]]
    assert [(event["type"], event["at_start"]) for event in harness.events] == [("retracted", False)]


def test_a_paper_without_an_answer_of_a_tracker_is_counted_and_one_of_another_source_is_not(
    harness: WatchHarness,
) -> None:
    harness.outcomes["semantic_scholar"] = Outcome.TIMEOUT
    report = harness.run()
    assert (report["papers"]["unanswered"], report["complete"]) == (0, True)
    harness.outcomes = {"crossref": Outcome.RATE_LIMITED}
    report = harness.run()
    assert (report["papers"]["unanswered"], report["papers"]["not_found"], report["complete"]) == (250, 0, False)
    assert report["providers"]["crossref"]["outcome"] == "rate_limited"


def test_a_paper_that_no_source_has_is_not_found_and_no_failure(harness: WatchHarness) -> None:
    harness.missing = set(dois(3))
    report = harness.run()
    assert (report["papers"]["not_found"], report["papers"]["unanswered"], report["complete"]) == (3, 0, True)


def test_the_papers_cited_first_are_watched_and_the_others_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    every = dois(MAX_PAPERS + 20)[::-1]
    cited = cited_papers(WatchHarness(monkeypatch, [*every, "title:0123456789abcdef0123"]).page)
    assert (cited.names, cited.left_out, cited.all_read) == (sorted(every[:MAX_PAPERS]), 21, True)


def test_mentions_beyond_the_pages_that_are_read_make_the_run_incomplete(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shared.saved_searches.watch.MAX_PAGES", 2)
    harness = WatchHarness(monkeypatch, dois(250))
    report = harness.run()
    assert (report["papers"]["cited"], report["complete"]) == (200, False)


def test_papers_shown_in_a_context_or_cited_twice_are_not_looked_up_for_it(harness: WatchHarness) -> None:
    arxiv = "doi:10.48550/arxiv.1706.03762"
    harness.mentions = [mention(arxiv), mention("doi:10.1000/1", "shown_in"), mention(arxiv), mention("pmid:1")]
    assert list(cited_papers(harness.page).names) == ["arxiv:1706.03762", "pmid:1"]


def test_a_context_that_may_not_be_read_is_no_empty_context(harness: WatchHarness) -> None:
    def refuse(cursor: str | None) -> GraphPage[Any]:
        raise NotFound("there is no such context")

    assert cited_papers(refuse).all_read is False
    harness.page = refuse  # type: ignore[method-assign]
    assert harness.run()["complete"] is False
