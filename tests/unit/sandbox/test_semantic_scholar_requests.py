"""Requests to Semantic Scholar's sandbox beyond those of our own provider, and refusals.

Statuses and bodies of errors: https://api.semanticscholar.org/api-docs/graph (Error400, Error404), and answers recorded
by the tests of other clients (a paper `0` with unknown fields is 404; only negative examples are 400).
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from werkzeug import Request
from werkzeug.test import EnvironBuilder

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.semantic_scholar import search as semantic_scholar_search
from infra.local.sandbox.services import semantic_scholar as sandbox
from tests.unit.sandbox.test_semantic_scholar import ARTICLE, FACTS, PREPRINT, REVIEW, SPRINGER

UNKNOWN = "Unrecognized or unsupported fields"
BEYOND = "Requested data for this limit and/or offset is not available"
pytestmark = pytest.mark.usefixtures("everything_is_covered")


def send(path: str, *, body: Any = None, key: str = "", **params: str) -> tuple[int, Any]:
    method = "GET" if body is None else "POST"
    headers = [("x-api-key", key)] if key else []
    builder = EnvironBuilder(path, method=method, query_string=params, json=body, headers=headers)
    answer = sandbox.answer(Request(builder.get_environ()), Corpus(FACTS))
    return answer.status_code, json.loads(answer.get_data())


def paper(path: str, **params: str) -> tuple[int, Any]:
    return send(f"/graph/v1/paper/{path}", **params)


def titles(answer: tuple[int, Any]) -> list[str]:
    assert answer[0] == 200, answer
    return [record["title"] for record in answer[1].get("data", [])]


@pytest.mark.parametrize(
    ("params", "found"),
    [
        ({"year": "2010"}, {REVIEW.title}),
        ({"year": "-1990"}, {ARTICLE.title, SPRINGER.title}),
        ({"year": "2010-"}, {REVIEW.title, PREPRINT.title}),
        ({"year": "1980-2010"}, {ARTICLE.title, REVIEW.title}),
        ({"publicationDateOrYear": "1987-05"}, {ARTICLE.title}),
        ({"venue": "J. Theor. Biol.,Science"}, {ARTICLE.title, REVIEW.title}),
        ({"venue": "ArXiv"}, {PREPRINT.title}),
        ({"venue": "science"}, set()),
        ({"venue": "J Theor Biol"}, set()),
        ({"fieldsOfStudy": "Art"}, set()),
        ({"minCitationCount": "20"}, {ARTICLE.title, REVIEW.title}),
    ],
)
def test_the_documented_filters_of_both_searches(params: dict[str, str], found: set[str]) -> None:
    assert set(titles(paper("search", query="turing", **params))) == found
    assert set(titles(paper("search/bulk", query="turing", **params))) == found


@pytest.mark.parametrize(
    ("path", "params", "status", "error"),
    [
        ("search", {"query": "x", "limit": "101"}, 400, "'limit' must be <= 100"),
        ("search", {"query": "x", "limit": "0"}, 400, "Unacceptable query params: [limit=0]"),
        ("search", {"query": "x", "year": "twenty"}, 400, "Unacceptable query params: [year=twenty]"),
        ("search", {"query": "x", "fields": "tldr,bad1"}, 400, f"{UNKNOWN}: [bad1]"),
        ("search", {"query": "x", "fields": "openAccessPdf.url"}, 400, f"{UNKNOWN}: [openAccessPdf.url]"),
        ("search", {"query": "turing", "offset": "4"}, 400, BEYOND),
        ("search/bulk", {"query": "x", "fields": "tldr"}, 400, f"{UNKNOWN}: [tldr]"),
        ("search/bulk", {"query": "x", "sort": "year"}, 400, "Unacceptable query params: [sort=year]"),
        ("search/bulk", {"query": "x", "token": "no"}, 400, "Unacceptable query params: [token=no]"),
        ("search/match", {"query": "zebra crossings"}, 200, None),
        ("0", {"fields": "t,i,t,l,e"}, 404, "Paper with id 0 not found"),
        (f"{'a' * 40}/tldr", {}, 404, f"Paper with id {'a' * 40}/tldr not found"),
        (f"{'a' * 40}/citations", {"fields": "authors.name"}, 400, f"{UNKNOWN}: [authors.name]"),
    ],
)  # fmt: skip
def test_a_request_is_refused_in_the_services_own_words(
    path: str, params: dict[str, str], status: int, error: str | None
) -> None:
    found = paper(path, **params)
    assert (found[0], found[1].get("error")) == (status, error)


def test_the_bulk_search_pages_by_token_and_ends_with_null(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(semantic_scholar_search, "BULK_PAGE", 3)
    first = paper("search/bulk", query="turing", sort="citationCount:desc")
    second = paper("search/bulk", query="turing", sort="citationCount:desc", token=first[1]["token"])
    assert [len(titles(first)), len(titles(second))] == [3, 1]
    assert titles(first)[:2] == [ARTICLE.title, REVIEW.title]
    assert second[1]["token"] is None


def test_papers_without_the_value_of_a_sort_come_last() -> None:
    found = titles(paper("search/bulk", query="turing", sort="publicationDate:desc"))
    assert found[0] == ARTICLE.title


def test_nested_fields_of_a_paper() -> None:
    status, found = paper("a" * 40, fields="authors.url,citations.title,embedding.specter_v2,citationStyles,corpusId")
    assert status == 200
    assert {*found["authors"][0]} == {"authorId", "url"}
    assert found["embedding"]["model"] == "specter_v2"
    assert found["citationStyles"]["bibtex"].startswith(
        "@Article{Meinhardt1987TuringPS,\n author = {Hans Meinhardt and"
    )
    assert (found["citations"], isinstance(found["corpusId"], int)) == ([], True)


@pytest.mark.parametrize(
    "name",
    [
        "URL:https://arxiv.org/abs/9901.00001v2",
        f"URL:https://www.semanticscholar.org/paper/x/{'a' * 40}",
        "arXiv:9901.00001",
    ],
)
def test_a_paper_is_found_by_an_address(name: str) -> None:
    assert paper(name)[1]["paperId"] == "a" * 40


def test_authors_are_searched_and_have_papers() -> None:
    found = send("/graph/v1/author/search", query="meinhardt", fields="name,paperCount,hIndex,papers.year")[1]
    (author,) = found["data"]
    assert (author["name"], author["paperCount"], author["papers"][0]["year"]) == ("Hans Meinhardt", 1, 1987)
    assert titles(send(f"/graph/v1/author/{author['authorId']}/papers", fields="title")) == [ARTICLE.title]
    assert send("/graph/v1/author/search", query="nobody")[1] == {"total": 0, "offset": 0, "data": []}
    assert send("/graph/v1/author/1", fields="aliases")[1] == {"error": "Author with id 1 not found"}
    assert send("/graph/v1/author/batch", body={"ids": ["1", author["authorId"]]})[1][0] is None


def test_recommendations_need_a_good_example() -> None:
    path = "/recommendations/v1/papers/"
    assert send(path, body={"positivePaperIds": ["a" * 40]})[0] == 200
    assert send(path, body={"negativePaperIds": ["a" * 40]}) == (400, {"error": "No positive paper examples given"})
    assert send(path, body={"positivePaperIds": ["0"]}) == (404, {"error": "Input papers not found"})


def test_recommendations_refuse_a_field_that_papers_in_lists_lack() -> None:
    path = f"/recommendations/v1/papers/forpaper/{'a' * 40}"
    assert send(path, fields="title,references") == (
        400, {"error": "Unrecognized or unsupported fields: [references]"},
    )  # fmt: skip
    assert send(path, fields="title,authors.name,openAccessPdf")[0] == 200


def test_a_key_that_was_removed_is_forbidden_by_the_gateway() -> None:
    found = send("/graph/v1/paper/search", query="turing", key=sandbox.REVOKED_KEY)
    assert found == (403, {"message": "Forbidden"})


def test_an_answer_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "MAX_BYTES", 100)
    status, body = paper("search", query="turing", fields="title,abstract")
    assert (status, body["error"][:35]) == (400, "Response would exceed maximum size.")
