"""CORE's sandbox: its query language, its refusals, and its works."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from werkzeug import Request, Response
from werkzeug.test import EnvironBuilder

from functions.providers import core as provider
from infra.local.sandbox.corpus import Corpus, default_corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.services import core as sandbox
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from shared.query.query import Query
from shared.query.question import Lookup
from tests.replay import ask
from tests.unit.sandbox.bridge import over

CORPUS = Corpus((
    Fact(title="Green tea and sleep", doi="10.9/a", year=2015, abstract="Of adults.", authors=(("Costa", "Ana"),)),
    Fact(title="Black tea", doi="10.9/b", year=2018, abstract="Of deep sleep."),
    Fact(title="Coffee", arxiv_id="2001.00001", year=2020, abstract="Of tea drinkers.", type="preprint"),
))  # fmt: skip
KEY = {"Authorization": "Bearer a-key"}
pytestmark = pytest.mark.usefixtures("everything_is_covered")


def respond(path: str = "/v3/search/works", method: str = "POST", **how: Any) -> Response:
    builder = EnvironBuilder(path, method=method, headers=how.pop("headers", KEY), **how)
    return sandbox.answer(Request(builder.get_environ()), CORPUS)


def body(**fields: Any) -> dict[str, Any]:
    answer = respond(json=fields)
    assert answer.status_code == 200
    return dict(json.loads(answer.get_data()))


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("tea sleep", {2015, 2018}),
        ("tea AND sleep AND yearPublished>2015", {2018}),
        ("green OR coffee AND drinkers", {2015, 2020}),
        ("(green OR coffee) AND drinkers", {2020}),
        ('"deep sleep"', {2018}),
        ('title:"black tea"', {2018}),
        ('doi:"10.9/A" OR arxivId:"2001.00001"', {2015, 2020}),
        ('authors.name:"Costa"', {2015}),
        ("authors.name:Costa", set()),  # a value without quotation marks finds nothing
    ],
)
def test_a_query_is_read_as_core_reads_it(query: str, found: set[int]) -> None:
    assert {work["yearPublished"] for work in body(q=query)["results"]} == found


def test_full_texts_come_with_the_works_unless_they_are_excluded() -> None:
    assert all("fullText" in work for work in body(q="tea")["results"])
    assert not any("fullText" in work for work in body(q="tea", exclude=["fullText"])["results"])


def test_a_get_needs_the_slash_at_its_end() -> None:
    redirected = respond(method="GET", query_string={"q": "tea"})
    assert (redirected.status_code, redirected.headers["Location"]) == (301, "/v3/search/works/?q=tea")
    assert respond("/v3/search/works/", "GET", query_string={"q": "tea"}).status_code == 200


@pytest.mark.parametrize(
    ("how", "status"),
    [
        ({"json": {"q": "tea"}, "headers": {}}, 429),
        ({"json": {"q": "tea"}, "headers": {"Authorization": "Bearer revoked"}}, 401),
        ({"json": {"q": "tea", "limit": 200}}, 504),
        ({"json": {"q": "(tea"}}, 500),
        ({"json": {}}, 400),
        ({"path": "/v3/search", "json": {"q": "tea"}}, 404),
    ],
)
def test_a_refusal_has_the_status_that_core_sends(how: dict[str, Any], status: int) -> None:
    assert respond(**how).status_code == status


def test_every_paper_of_the_shipped_corpus_in_repositories_can_be_looked_up() -> None:
    corpus = default_corpus()
    names = [f"doi:{(fact.doi or '').lower()}" for fact in corpus.covered("core") if fact.doi and not fact.arxiv_id]
    assert len(names) > 50
    for at in range(0, len(names), 12):
        reply = ask(provider, over(sandbox, corpus), Lookup(tuple(names[at : at + 12])))
        assert [name for paper in reply.papers for name in paper.asked] == names[at : at + 12], reply.warnings
        assert all(paper.open_access.is_oa for paper in reply.papers)


def crowded(most: int) -> tuple[list[dict[str, Any]], ProviderReply]:
    """Two DOIs, of which the first has more works than a page holds: the requests, of which `most` are answered."""
    corpus, seen = default_corpus(), []
    answer = over(sandbox, corpus)

    def counted(request: httpx.Request) -> httpx.Response:
        seen.append(json.loads(request.content))
        return answer(request) if len(seen) <= most else httpx.Response(400, json={})

    return seen, ask(provider, counted, Lookup((f"doi:{next(iter(sandbox.MANY_WORKS))}", "doi:10.1084/jem.20142322")))


def test_a_doi_that_the_works_of_another_left_no_room_is_looked_up_again() -> None:
    requests, reply = crowded(most=2)
    assert [it["q"] for it in requests] == [
        'doi:"10.1111/codi.14994" OR doi:"10.1084/jem.20142322"',
        'doi:"10.1084/jem.20142322"',
    ]
    assert [paper.ids.doi for paper in reply.papers] == ["10.1111/codi.14994", "10.1084/jem.20142322"]
    assert (reply.not_queried, reply.partial, reply.warnings) == ((), False, ())


def test_a_doi_without_room_has_no_answer_if_it_cannot_be_looked_up_again() -> None:
    """It is not unknown to CORE."""
    _, reply = crowded(most=1)
    assert [paper.ids.doi for paper in reply.papers] == ["10.1111/codi.14994"]
    assert (reply.outcome, reply.not_queried, reply.partial) == (Outcome.OK, (1,), True)
    assert len(reply.warnings) == 1


def test_a_doi_that_core_lacks_is_looked_up_once() -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return over(sandbox, CORPUS)(request)

    reply = ask(provider, answer, Lookup(("arxiv:2001.00001", "doi:10.9999/unknown")))
    assert (len(seen), len(reply.papers), reply.not_queried) == (1, 1, ())


def test_a_search_reads_every_work() -> None:
    reply = ask(provider, over(sandbox, default_corpus()), Query(text="attention"))
    assert reply.papers
    assert reply.warnings == ()
