"""What Semantic Scholar refuses and our provider asks for otherwise: a removed key, and too large an answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest

from functions.providers import semantic_scholar
from shared.outcomes import Outcome
from shared.query.query import Query
from shared.query.question import Citation, Links, Lookup, Match, Question
from tests.recorded.every_recording import folder, needs_recordings
from tests.replay import ask

FORBIDDEN = httpx.Response(403, json={"message": "Forbidden"}, headers={"x-amzn-errortype": "ForbiddenException"})
TOO_LARGE = {"error": "Response would exceed maximum size. Use limit and offset to make it smaller."}
PAPER = {"paperId": "a" * 40, "title": "A"}
QUESTIONS: dict[str, tuple[Question, Any]] = {
    "search": (Query(text="x y"), {"total": 1, "offset": 0, "data": [PAPER]}),
    "lookup": (Lookup(("pmid:1",)), [PAPER]),
    "references": (Links("references", "pmid:1"), {"offset": 0, "data": [{"citedPaper": PAPER}]}),
    "match": (Match((Citation(title="A"),)), {"data": [PAPER]}),
}


def counting(answer: Callable[[httpx.Request], httpx.Response]) -> tuple[list[httpx.Request], Callable[..., Any]]:
    requests: list[httpx.Request] = []

    def answered(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        return answer(request)

    return requests, answered


@pytest.mark.parametrize("operation", QUESTIONS)
def test_a_refused_key_is_left_out_and_the_answer_says_so(operation: str) -> None:
    question, body = QUESTIONS[operation]
    requests, answered = counting(
        lambda request: FORBIDDEN if "x-api-key" in request.headers else httpx.Response(200, json=body)
    )
    leg = ask(semantic_scholar, answered, question)
    assert ["x-api-key" in request.headers for request in requests] == [True, False]
    assert (leg.outcome, len(leg.papers)) == (Outcome.OK, 1)
    assert ["refused the key" in warning for warning in leg.warnings] == [True]
    assert "secret-key" not in str(leg.warnings)


def test_after_a_refusal_the_following_requests_go_without_the_key() -> None:
    """Asked again without the key."""

    def answer(request: httpx.Request) -> httpx.Response:
        if "x-api-key" in request.headers:
            return FORBIDDEN
        if int(request.url.params["limit"]) > 200:
            return httpx.Response(400, json=TOO_LARGE)
        return httpx.Response(200, json={"offset": 0, "data": [{"citingPaper": PAPER}]})

    requests, answered = counting(answer)
    leg = ask(semantic_scholar, answered, Links("citations", "pmid:1"))
    assert ["x-api-key" in request.headers for request in requests] == [True, False, False]
    assert ["refused the key" in warning for warning in leg.warnings].count(True) == 1


@pytest.mark.parametrize(("key", "sent"), [("secret-key", 2), (None, 1)])
def test_a_refusal_without_a_key_is_an_error(key: str | None, sent: int) -> None:
    requests, answered = counting(lambda _: FORBIDDEN)
    leg = ask(semantic_scholar, answered, Query(text="x y"), key=key)
    assert (leg.outcome in (Outcome.OK, Outcome.EMPTY), len(requests)) == (False, sent)


def test_another_refusal_is_not_tried_without_the_key() -> None:
    requests, answered = counting(lambda _: httpx.Response(401, json={"message": "Unauthorized"}))
    ask(semantic_scholar, answered, Query(text="x y"))
    assert len(requests) == 1


@needs_recordings
def test_the_recorded_refusal_is_the_one_that_is_tried_again() -> None:
    body = (folder("semantic_scholar") / "error-403-forbidden.json").read_bytes()
    requests, answered = counting(lambda _: httpx.Response(403, content=body))
    ask(semantic_scholar, answered, Query(text="x y"))
    assert len(requests) == 2


def test_links_that_would_be_too_large_are_requested_two_hundred_at_a_time() -> None:
    def answer(request: httpx.Request) -> httpx.Response:
        if int(request.url.params["limit"]) > 200:
            return httpx.Response(400, json=TOO_LARGE)
        return httpx.Response(200, json={"offset": 0, "next": 200, "data": [{"citingPaper": PAPER}]})

    requests, answered = counting(answer)
    leg = ask(semantic_scholar, answered, Links("citations", "pmid:1"))
    assert [request.url.params["limit"] for request in requests] == ["1000", "200"]
    assert (leg.outcome, len(leg.papers), leg.total_estimate) == (Outcome.OK, 1, None)
    assert "limit=200" in str(leg.effective_query)
    assert any("has more citations" in warning for warning in leg.warnings)


def test_links_that_are_too_large_even_then_are_an_error() -> None:
    requests, answered = counting(lambda _: httpx.Response(400, json=TOO_LARGE))
    leg = ask(semantic_scholar, answered, Links("citations", "pmid:1"))
    assert (leg.outcome, len(requests)) == (Outcome.BAD_RESPONSE, 2)
