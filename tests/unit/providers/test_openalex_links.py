"""What a work cites and who cites it: OpenAlex's two filters, their pages, and what an empty list means."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from functions.providers import openalex
from shared.providers.provider import ProviderReply
from shared.providers.records.openalex import FIELDS
from shared.query.question import Links, Relation
from tests.replay import OWN_RECORDINGS, ask, replay, requests_of

NOT_FOUND = (OWN_RECORDINGS / "openalex" / "not-found.html").read_bytes()
NONE: dict[str, Any] = {"meta": {"count": 0}, "results": []}
RELATIONS: tuple[Relation, ...] = ("references", "citations")
every_relation = pytest.mark.parametrize("relation", RELATIONS)


def page(first: int, last: int, count: int) -> dict[str, Any]:
    """Works numbered from `first` to `last`, of `count` in all."""
    works = [{"id": f"https://openalex.org/W1{n:03d}", "title": f"Paper {n}"} for n in range(first, last + 1)]
    return {"meta": {"count": count}, "results": works}


def pages(count: int) -> list[dict[str, Any]]:
    return [page(1, min(count, 100), count), page(101, min(count, 200), count)]


def empty(work: httpx.Response, relation: Relation) -> ProviderReply:
    """The leg in which the list is empty and the work itself is as given."""

    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json=NONE) if request.url.path == "/works" else work

    return ask(openalex, answer, Links(relation, "openalex:W123"))


def test_references_are_queried_by_their_citing_paper() -> None:
    (request,) = requests_of(openalex, Links("references", "openalex:W123"), [page(1, 3, 3)])
    parameters = {"filter": "cited_by:W123", "per_page": "100", "select": ",".join(FIELDS)}
    assert (request.url.path, dict(request.url.params)) == ("/works", parameters)


def test_citations_are_requested_most_cited_first() -> None:
    (request,) = requests_of(openalex, Links("citations", "openalex:W123"), [page(1, 3, 3)])
    assert (request.url.path, request.url.params["filter"]) == ("/works", "cites:W123")
    assert request.url.params["sort"] == "cited_by_count:desc"


@every_relation
def test_works_are_papers_in_their_order_and_the_total_is_returned(relation: Relation) -> None:
    reply = replay(openalex, OWN_RECORDINGS / "openalex" / "search.json", query=Links(relation, "openalex:W123"))
    assert (reply.outcome.value, len(reply.papers), reply.total_estimate) == ("ok", 10, 10)
    assert [paper.rank for paper in reply.papers] == list(range(1, 11))
    assert all(paper.asked == () for paper in reply.papers)
    assert (reply.pointers, reply.warnings) == ((), ())


@every_relation
@pytest.mark.parametrize(
    ("count", "limit", "lengths", "brought"),
    [
        pytest.param(30, 1000, ["100"], 30, id="one page"),
        pytest.param(100, 1000, ["100"], 100, id="exactly one page"),
        pytest.param(130, 1000, ["100", "100"], 130, id="two pages"),
        pytest.param(5000, 1000, ["100", "100"], 200, id="no third page"),
        pytest.param(5000, 100, ["100"], 100, id="as many as one page holds"),
        pytest.param(5000, 150, ["100", "100"], 150, id="a limit inside the second page"),
    ],
)
def test_at_most_two_pages(relation: Relation, count: int, limit: int, lengths: list[str], brought: int) -> None:
    question = Links(relation, "openalex:W123", limit)
    requests = requests_of(openalex, question, pages(count))
    assert [request.url.params["per_page"] for request in requests] == lengths
    assert [request.url.params.get("page") for request in requests] == [None, "2"][: len(lengths)]
    reply = replay(openalex, *pages(count), query=question)
    assert [paper.title for paper in reply.papers] == [f"Paper {n}" for n in range(1, brought + 1)]
    assert [paper.rank for paper in reply.papers] == list(range(1, brought + 1))
    assert reply.total_estimate == count


def test_a_small_limit_makes_a_small_page() -> None:
    (request,) = requests_of(openalex, Links("citations", "openalex:W123", 7), [page(1, 7, 5000)])
    assert request.url.params["per_page"] == "7"


@every_relation
def test_a_work_that_openalex_does_not_know_is_an_empty_page_with_a_warning(relation: Relation) -> None:
    reply = empty(httpx.Response(404, content=NOT_FOUND, headers={"content-type": "text/html"}), relation)
    assert (reply.outcome.value, reply.papers, reply.total_estimate) == ("empty", (), 0)
    assert reply.warnings == ("OpenAlex does not know W123",)


@pytest.mark.parametrize(
    ("relation", "fields", "warnings"),
    [
        ("references", {"referenced_works_count": 0}, ()),
        ("citations", {"cited_by_count": 0}, ()),
        ("citations", {"cited_by_count": None}, ()),
        ("references", {"referenced_works_count": 12}, ("OpenAlex counts 12 of them and lists none",)),
        ("citations", {"cited_by_count": 3}, ("OpenAlex counts 3 of them and lists none",)),
    ],
)
def test_an_empty_list_is_compared_with_the_works_own_count(
    relation: Relation, fields: dict[str, Any], warnings: tuple[str, ...]
) -> None:
    reply = empty(httpx.Response(200, json={"id": "https://openalex.org/W123", **fields}), relation)
    assert (reply.outcome.value, reply.warnings) == ("empty", warnings)


def test_a_merged_work_is_returned_with_its_new_id() -> None:
    reply = empty(httpx.Response(200, json={"id": "https://openalex.org/W456", "cited_by_count": 9}), "citations")
    assert reply.warnings == ("OpenAlex has merged W123 into W456: request that one",)


def test_the_question_behind_an_empty_list_is_small_and_the_last() -> None:
    known = {"id": "https://openalex.org/W123", "cited_by_count": 0}
    requests = requests_of(openalex, Links("citations", "openalex:W123"), [NONE, known])
    assert [request.url.path for request in requests] == ["/works", "/works/W123"]
    assert dict(requests[1].url.params) == {"select": "id,cited_by_count"}


@every_relation
def test_a_failure_is_never_an_empty_list(relation: Relation) -> None:
    reply = replay(openalex, {"error": "x"}, status=500, query=Links(relation, "openalex:W123"))
    assert reply.outcome.value == "unavailable"
    assert empty(httpx.Response(500), relation).outcome.value == "unavailable"


@every_relation
def test_a_failing_second_page_fails_the_leg(relation: Relation) -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        return httpx.Response(500) if "page" in request.url.params else httpx.Response(200, json=page(1, 100, 300))

    assert ask(openalex, answer, Links(relation, "openalex:W123")).outcome.value == "unavailable"


def test_the_effective_query_is_the_filter() -> None:
    reply = replay(openalex, page(1, 2, 2), query=Links("citations", "openalex:W123"))
    assert reply.effective_query == "/works?filter=cites:W123"
