"""How OpenAlex's answers end: lists, single works and what they cite, zero hits, other things, a spent allowance."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from functions.providers import openalex
from shared.query.query import Query
from tests.recorded.every_recording import expected, folder, needs_recordings, replay_recording
from tests.replay import OWN_RECORDINGS, ask, replay

BODIES = OWN_RECORDINGS / "openalex"
OUTCOMES = expected("openalex")


@needs_recordings
@pytest.mark.parametrize("name", OUTCOMES)
def test_a_recording_ends_as_judged(name: str) -> None:
    reply = replay_recording(openalex, name)
    assert [reply.outcome.value, len(reply.papers)] == OUTCOMES[name]


@needs_recordings
def test_every_recording_is_judged() -> None:
    assert set(OUTCOMES) == {path.name for path in folder("openalex").iterdir()} - {"manifest.json"}


def test_a_list_gives_its_works_in_order_and_their_number() -> None:
    reply = replay(openalex, BODIES / "search.json")
    assert (reply.outcome.value, len(reply.papers), reply.total_estimate) == ("ok", 10, 10)
    assert [paper.rank for paper in reply.papers] == list(range(1, 11))


def test_a_single_work_is_one_record() -> None:
    reply = replay(openalex, BODIES / "single-work.json")
    assert [paper.ids.doi for paper in reply.papers] == ["10.1103/physrevc.109.014910"]


def test_zero_hits_are_an_empty_answer() -> None:
    reply = replay(openalex, BODIES / "zero-hits.json")
    assert (reply.outcome.value, reply.total_estimate, reply.warnings) == ("empty", 0, ())


@pytest.mark.parametrize("name", ["topics.json", "select-oa.json", "group-by.json", "budget-spent.json"])
def test_answers_without_works_are_bad_responses_and_never_empty(name: str) -> None:
    assert replay(openalex, BODIES / name).outcome.value == "bad_response"


@pytest.mark.parametrize(
    "body",
    [
        pytest.param([], id="a list"),
        pytest.param({"meta": {"count": 7}, "results": []}, id="announced, but not sent"),
        pytest.param({"results": []}, id="no count"),
        pytest.param({"meta": [], "results": []}, id="another kind of meta"),
        pytest.param({"meta": {"count": 1}, "results": {"id": 1}}, id="results that are not a list"),
        pytest.param({"error": "Invalid query parameters error.", "id": None}, id="an error"),
        pytest.param({"id": "https://openalex.org/A5023888391", "display_name": "A Person"}, id="an author"),
    ],
)
def test_a_body_that_holds_no_works_is_a_bad_response(body: Any) -> None:
    assert replay(openalex, json.dumps(body)).outcome.value == "bad_response"


def test_an_exhausted_quota_is_a_rate_limit_until_midnight_after_one_request() -> None:
    sent = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        body = (BODIES / "budget-spent.json").read_bytes()
        return httpx.Response(429, content=body, headers={"content-type": "application/json", "retry-after": "47052"})

    reply = ask(openalex, answer)
    assert (reply.outcome.value, reply.retry_after_s, len(sent)) == ("rate_limited", 47052.0, 1)
    assert reply.warnings == ("OpenAlex's allowance for the day is spent; it is renewed at midnight UTC",)


@pytest.mark.parametrize("headers", [{}, {"retry-after": "1"}])
def test_going_too_fast_is_another_rate_limit(headers: dict[str, str]) -> None:
    reply = replay(openalex, {"error": "Rate limit exceeded"}, status=429, headers=headers)
    assert reply.outcome.value == "rate_limited"
    assert reply.warnings == ("OpenAlex answered HTTP 429: too many requests",)


@pytest.mark.parametrize(
    ("status", "outcome"),
    [(301, "bad_response"), (400, "bad_response"), (401, "unavailable"), (403, "unavailable"), (500, "unavailable")],
)
def test_statuses_become_outcomes(status: int, outcome: str) -> None:
    body = {"error": "Invalid query parameters error.", "message": "nonsense_field is not a valid field."}
    reply = replay(openalex, body, status=status)
    assert (reply.outcome.value, reply.papers) == (outcome, ())
    assert "nonsense" not in " ".join(reply.warnings)


@pytest.mark.parametrize(("status", "outcome"), [(404, "bad_response"), (200, "bad_response")])
def test_a_404_page_in_html_is_not_an_answer(status: int, outcome: str) -> None:
    page = (BODIES / "not-found.html").read_bytes()
    assert replay(openalex, page, status=status, content_type="text/html").outcome.value == outcome


def test_a_list_of_journals_in_another_form_is_a_bad_response() -> None:
    reply = replay(openalex, {"error": "x"}, BODIES / "search.json", query=Query(text="test", journal="Science"))
    assert reply.outcome.value == "bad_response"


def test_an_exhausted_quota_during_the_journal_lookup_is_a_rate_limit_too() -> None:
    reply = replay(
        openalex,
        BODIES / "budget-spent.json",
        status=429,
        headers={"retry-after": "47052"},
        query=Query(text="test", journal="Science"),
    )
    assert (reply.outcome.value, reply.retry_after_s) == ("rate_limited", 47052.0)


@pytest.mark.parametrize(
    ("works", "references"),
    [
        (
            ["https://openalex.org/W111", "https://openalex.org/W22", "https://openalex.org/W111", "no id"],
            ("openalex:W111", "openalex:W22"),
        ),
        (None, ()),
    ],
    ids=["some twice, one without an id", "none"],
)
def test_a_works_references_are_listed_by_id(works: list[str] | None, references: tuple[str, ...]) -> None:
    work = {"id": "https://openalex.org/W9900000099", "title": "A title", "referenced_works": works}
    assert replay(openalex, work).papers[0].references == references
