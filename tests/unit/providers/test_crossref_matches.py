"""Candidates for citations: the request to Crossref, and that all of its answer is passed on."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from functions.providers import crossref
from shared.outcomes import Outcome
from shared.query.question import Citation, Match
from tests.recorded.every_recording import folder, needs_recordings
from tests.replay import OWN_RECORDINGS, ask, replay, requests_of

OWN = OWN_RECORDINGS / "crossref"
NO_HITS: dict[str, Any] = {"status": "ok", "message-type": "work-list", "message": {"total-results": 0, "items": []}}
ATTENTION = Citation(
    title="Attention is all you need", authors=("Vaswani, Ashish", "Noam Shazeer", "Parmar N"), year=2017,
    journal="Advances in Neural Information Processing Systems", volume="30", pages="5998",
)  # fmt: skip


def sent(*citations: Citation) -> list[httpx.Request]:
    """The requests that citations become."""
    return requests_of(crossref, Match(citations), [NO_HITS])


@pytest.mark.parametrize(
    ("citation", "words"),
    [
        pytest.param(
            ATTENTION,
            "Attention is all you need Vaswani Shazeer Parmar Advances in Neural Information Processing Systems 2017",
            id="title-families-journal-year",
        ),
        pytest.param(
            Citation(text="Vaswani A,\n et al. Attention. 2017"), "Vaswani A et al. Attention. 2017", id="line"
        ),
        pytest.param(Citation(title="Attention", text="Vaswani A. Attention"), "Attention", id="title-before-line"),
        pytest.param(
            Citation(authors=("Todd",), journal="Drugs", year=1990, volume="40", pages="91-137"),
            "Todd Drugs 1990 40 91-137",
            id="place-where-there-is-no-title",
        ),
        pytest.param(Citation(title="注意" * 400), "注意" * 250, id="cut"),
    ],
)
def test_a_citation_is_queried_with_all_its_words(citation: Citation, words: str) -> None:
    (request,) = sent(citation)
    assert request.url.params["query.bibliographic"] == words
    assert len(request.url.raw_path) < 8000


def test_the_first_five_by_score_are_requested_with_their_retraction_fields() -> None:
    (request,) = sent(ATTENTION)
    params = request.url.params
    assert (request.url.path, params["rows"], params["sort"]) == ("/works", "5", "score")
    assert "order" not in params
    assert {"DOI", "type", "title", "author", "updated-by", "update-to"} <= set(params["select"].split(","))
    assert "reference" not in params["select"].split(",")


def test_parts_and_containers_are_no_candidates_and_books_and_standards_are() -> None:
    kinds = set(sent(ATTENTION)[0].url.params["filter"].split(","))
    assert {"type:journal-article", "type:book", "type:standard", "type:posted-content", "type:other"} <= kinds
    assert not kinds & {"type:component", "type:journal", "type:peer-review", "type:dataset", "type:grant"}


def test_each_citation_is_a_request_and_one_without_words_is_none() -> None:
    requests = sent(Citation(title="One"), Citation(), Citation(text="Two"))
    assert [request.url.params["query.bibliographic"] for request in requests] == ["One", "Two"]


def test_without_words_no_request_is_sent_and_nothing_is_found() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        raise AssertionError("it was asked")

    leg = ask(crossref, answer, Match((Citation(),)))
    assert (leg.outcome, leg.total_estimate) == (Outcome.EMPTY, 0)


def test_candidates_come_in_crossrefs_order_however_unlike() -> None:
    works = [{"DOI": f"10.5555/{n}", "type": "journal-article", "title": [f"Work {n}"]} for n in range(5)]
    body = {"status": "ok", "message-type": "work-list", "message": {"total-results": 12846365, "items": works}}
    leg = replay(crossref, body, query=Match((ATTENTION,)))
    assert [(paper.rank, paper.ids.doi) for paper in leg.papers] == [(n + 1, f"10.5555/{n}") for n in range(5)]
    assert (leg.total_estimate, leg.warnings) == (5, ())
    assert leg.effective_query == (
        "/works?query.bibliographic=Attention is all you need Vaswani Shazeer Parmar Advances in Neural Information "
        "Processing Systems 2017"
    )


def test_no_candidates_are_empty() -> None:
    leg = replay(crossref, OWN / "zero_hits.json", query=Match((ATTENTION,)))
    assert (leg.outcome, leg.total_estimate) == (Outcome.EMPTY, 0)


def test_a_failure_of_one_request_is_not_an_empty_answer() -> None:
    answers = [httpx.Response(200, json=NO_HITS), httpx.Response(400, json={"status": "failed"})]
    leg = ask(crossref, lambda request: answers.pop(0), Match((ATTENTION, ATTENTION)))
    assert leg.outcome is Outcome.BAD_RESPONSE


@needs_recordings
def test_the_recorded_candidate_is_another_paper_and_still_passed_on() -> None:
    name = "search-bibliographic-reference-match.json"
    leg = replay(crossref, folder("crossref") / name, query=Match((ATTENTION,)))
    (paper,) = leg.papers
    assert (paper.title, paper.ids.doi) == (
        "Self-Attention with Relative Position Representations",
        "10.18653/v1/n18-2074",
    )
    assert (paper.year, paper.type, paper.authors[0].family) == (2018, "conference-paper", "Shaw")
