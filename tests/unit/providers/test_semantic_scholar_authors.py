"""Papers of a person in Semantic Scholar: the author's name goes to the search for authors, never among the words."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from functions.providers import semantic_scholar
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from shared.query.query import Query
from tests.replay import ask

AUTHORS = [
    {"authorId": "1", "name": "J. Doudna", "paperCount": 3},
    {"authorId": "2", "name": "Jennifer A. Doudna", "paperCount": 500},
    {"authorId": "3", "name": "Andrew Doudna", "paperCount": 900},
]
PAPERS = [
    {"paperId": "a" * 40, "title": "Base editing", "year": 2020, "citationCount": 5},
    {"paperId": "b" * 40, "title": "CRISPR base editing in mice", "year": 2021, "citationCount": 900},
    {"paperId": "c" * 40, "title": "Ribozymes", "year": 1990, "s2FieldsOfStudy": [{"category": "Chemistry"}]},
]


def answered(
    query: Query, authors: Any = AUTHORS, papers: Any = PAPERS, batch: int = 200
) -> tuple[ProviderReply, list[httpx.Request]]:
    sent: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        path = request.url.path.removeprefix("/graph/v1/")
        if path == "author/search":
            return httpx.Response(200, json={"total": len(authors), "offset": 0, "data": authors})
        if path == "author/batch" and batch == 400:
            return httpx.Response(400, json={"error": "Response would exceed maximum size."})
        if path == "author/batch":
            return httpx.Response(
                200, json=[{"authorId": "2", "papers": papers}, None, {"authorId": "1", "papers": papers}]
            )
        return httpx.Response(200, json={"total": 0, "offset": 0})

    return ask(semantic_scholar, answer, query), sent


def test_the_authors_papers_are_requested_and_those_about_the_words_come_first() -> None:
    leg, sent = answered(Query(text="CRISPR editing", author="Jennifer Doudna"))
    assert [request.url.path for request in sent] == ["/graph/v1/author/search", "/graph/v1/author/batch"]
    assert sent[0].url.params["query"] == "Jennifer Doudna"
    assert json.loads(sent[1].content) == {"ids": ["2", "1"]}
    assert [(paper.title, paper.relaxed) for paper in leg.papers] == [
        ("CRISPR base editing in mice", False),
        ("Base editing", True),
    ]
    assert leg.effective_query == "author/batch 2,1 (Jennifer Doudna)"


def test_an_author_alone_has_all_papers() -> None:
    leg, _ = answered(Query(text="", author="Doudna JA"))
    assert (len(leg.papers), leg.total_estimate, any(paper.relaxed for paper in leg.papers)) == (3, 3, False)


def test_initials_are_searched_by_the_family_name_alone() -> None:
    assert answered(Query(text="x", author="Doudna JA"))[1][0].url.params["query"] == "Doudna"


def test_a_name_with_a_hyphen_is_sent_without_it() -> None:
    _, sent = answered(Query(text="x", author="Jean-Pierre Changeux"))
    assert "-" not in sent[0].url.params["query"]


@pytest.mark.parametrize(
    ("sort", "first"), [("date", "CRISPR base editing in mice"), ("citations", "CRISPR base editing in mice")]
)
def test_an_order_is_applied_to_the_papers(sort: str, first: str) -> None:
    assert answered(Query(text="", author="Jennifer Doudna", sort=sort))[0].papers[0].title == first


def test_filters_are_checked_on_the_papers_afterwards() -> None:
    leg, _ = answered(Query(text="", author="Jennifer Doudna", date_from="2020", min_citations=5))
    assert leg.unsupported_filters == ("date", "min_citations")


def test_a_field_of_study_is_compared_with_the_records() -> None:
    leg, _ = answered(Query(text="", author="Jennifer Doudna", field_of_study="chemistry"))
    assert [paper.title for paper in leg.papers] == ["Ribozymes"]
    assert leg.applied_filters == ("author", "field_of_study")


NAMESAKES = [{"authorId": str(number), "name": "F. Zhang", "paperCount": 1} for number in range(9)]


@pytest.mark.parametrize(
    ("name", "authors", "batch"),
    [("Zhang F", NAMESAKES, 200), ("Jennifer Doudna", AUTHORS[2:], 200), ("Jennifer Doudna", AUTHORS, 400)],
    ids=["too many namesakes", "nobody of the name", "too many papers"],
)
def test_the_words_are_searched_without_the_name_of_an_uncertain_author(name: str, authors: Any, batch: int) -> None:
    leg, sent = answered(Query(text="ribozymes", author=name), authors, batch=batch)
    (search,) = [request for request in sent if request.url.path == "/graph/v1/paper/search"]
    assert search.url.params["query"] == "ribozymes"
    assert leg.outcome is Outcome.EMPTY


def test_an_author_alone_with_too_many_namesakes_is_not_searched_for() -> None:
    assert answered(Query(text="", author="Zhang F"), NAMESAKES)[0].outcome is Outcome.SKIPPED_UNSUPPORTED_FILTER


def test_an_expression_is_searched_without_the_name() -> None:
    _, sent = answered(Query(text="a OR b", author="Jennifer Doudna"))
    assert [request.url.path for request in sent] == ["/graph/v1/paper/search/bulk"]


@pytest.mark.parametrize("papers", [None, "x", ["x", {"paperId": 1}]])
def test_odd_lists_of_papers_are_no_crash(papers: Any) -> None:
    leg, _ = answered(Query(text="", author="Jennifer Doudna"), papers=papers)
    assert leg.outcome in (Outcome.EMPTY, Outcome.BAD_RESPONSE)
