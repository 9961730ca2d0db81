"""Matching of citations by Semantic Scholar: its one guess for a single title, one bulk search for several."""

from __future__ import annotations

from typing import Any

import pytest

from functions.providers import semantic_scholar
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from shared.query.question import Citation, Match
from tests.recorded.every_recording import folder, needs_recordings
from tests.replay import OWN_RECORDINGS, replay, requests_of

OWN = OWN_RECORDINGS / "semantic_scholar"
ATTENTION = Citation(title="Attention is all you need", authors=("Vaswani A",), year=2017)


def cited(*titles: str | None) -> Match:
    return Match(tuple(Citation(title=title, year=2020) for title in titles))


def matched(body: Any, status: int = 200) -> ProviderReply:
    return replay(semantic_scholar, body, status=status, query=Match((ATTENTION,)))


def test_a_title_is_one_get_with_every_field() -> None:
    (request,) = requests_of(semantic_scholar, Match((ATTENTION,)), [{"data": []}])
    assert (request.method, request.url.path) == ("GET", "/graph/v1/paper/search/match")
    assert request.url.params["query"] == "Attention is all you need"
    assert {"externalIds", "authors", "journal", "year"} <= set(request.url.params["fields"].split(","))
    assert set(request.url.params) == {"query", "fields"}
    assert (request.headers["x-api-key"], "secret-key" in str(request.url)) == ("secret-key", False)


def test_several_titles_are_one_bulk_search_for_the_phrases_of_each_in_plain_words() -> None:
    long = "Predicting prime editing efficiency by deep learning"
    question = cited("End-to-end <i>recovery</i> of pose", "B &amp; C", "End‐to‐end recovery of pose", long)
    (request,) = requests_of(semantic_scholar, question, [{"data": []}])
    assert request.url.path == "/graph/v1/paper/search/bulk"
    assert request.url.params["query"] == (
        '"End to end recovery of pose" | "B & C" | "Predicting prime editing" | "efficiency by deep learning"'
    )


def test_the_guess_is_a_paper_at_any_score() -> None:
    leg = matched(OWN / "match.json")
    (paper,) = leg.papers
    assert (paper.rank, paper.title, paper.ids.arxiv) == (1, "Attention is All you Need", "1706.03762")
    assert (paper.year, paper.asked) == (2017, ())
    assert (leg.outcome, leg.total_estimate, leg.warnings) == (Outcome.OK, 1, ())
    assert leg.effective_query == "/graph/v1/paper/search/match Attention is all you need"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        pytest.param(OWN / "error_404.json", 404, id="404"),
        pytest.param(OWN / "error_404.json", 200, id="404-under-200"),
        pytest.param({"data": []}, 200, id="empty-list"),
    ],
)
def test_zero_hits_are_reported_in_several_ways(body: Any, status: int) -> None:
    leg = matched(body, status)
    assert (leg.outcome, leg.papers, leg.total_estimate, leg.warnings) == (Outcome.EMPTY, (), 0, ())


def test_at_most_five_candidates_per_title_are_compared() -> None:
    leg = matched({"data": [{"paperId": None, "title": f"T{number}"} for number in range(9)]})
    assert [paper.title for paper in leg.papers] == ["T0", "T1", "T2", "T3", "T4"]


def test_a_citation_without_a_title_is_skipped_and_named() -> None:
    question = Match((Citation(journal="Nature", year=2020), ATTENTION, Citation(title=" - ")))
    leg = replay(semantic_scholar, OWN / "match.json", query=question)
    assert len(leg.papers) == 1
    assert [warning.partition(":")[0] for warning in leg.warnings] == ["citation 1 skipped", "citation 3 skipped"]


def test_without_any_title_no_request_is_sent() -> None:
    question = Match((Citation(text="Nature 2020; 5: 1-9"),))
    assert requests_of(semantic_scholar, question, [{"data": []}]) == []
    leg = replay(semantic_scholar, {"data": []}, query=question)
    assert (leg.outcome, len(leg.warnings)) == (Outcome.EMPTY, 1)


@pytest.mark.parametrize(
    ("body", "status", "outcome"),
    [
        pytest.param(OWN / "error_400.json", 400, Outcome.BAD_RESPONSE, id="a-wrong-field"),
        pytest.param(OWN / "error_400.json", 200, Outcome.BAD_RESPONSE, id="error-under-200"),
        pytest.param("<html>Not Found</html>", 404, Outcome.BAD_RESPONSE, id="404-of-something-on-the-way"),
        pytest.param(OWN / "error_403.json", 200, Outcome.UNAVAILABLE, id="message-under-200"),
        pytest.param(OWN / "error_429.json", 429, Outcome.RATE_LIMITED, id="too-many"),
        pytest.param({}, 200, Outcome.BAD_RESPONSE, id="another-form"),
        pytest.param({"data": ["A"]}, 200, Outcome.BAD_RESPONSE, id="words-for-records"),
    ],
)
def test_a_fault_is_never_an_empty_match(body: Any, status: int, outcome: Outcome) -> None:
    leg = matched(body, status)
    assert (leg.outcome, leg.papers, len(leg.warnings)) == (outcome, (), 1)


@needs_recordings
@pytest.mark.parametrize(
    ("name", "title", "doi", "arxiv"),
    [
        ("search-match-arxiv-preprint.json", "Attention is All you Need", None, "1706.03762"),
        (
            "search-match-wrong-paper-venue-empty.json",
            "16. Marketing the Maple Leaf: The Curious Case of National Flag of Canada Day",
            "10.3138/9781442621534-019",
            None,
        ),
        (
            "search-match-title.json",
            "Mining association rules between sets of items in large databases",
            None,
            None,
        ),
    ],
)
def test_recorded_guesses(name: str, title: str, doi: str | None, arxiv: str | None) -> None:
    (paper,) = matched(folder("semantic_scholar") / name).papers
    assert (paper.title, paper.ids.doi, paper.ids.arxiv) == (title, doi, arxiv)
