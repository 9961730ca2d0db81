"""Crossref's envelopes: zero hits, errors that hold a `message` too, and answers that are not papers."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from functions.providers import crossref
from shared.outcomes import Outcome
from tests.recorded.every_recording import expected, folder, needs_recordings, replay_recording
from tests.replay import OWN_RECORDINGS, ask, replay

OWN = OWN_RECORDINGS / "crossref"
OK = {"status": "ok", "message-type": "work-list"}


def test_a_list_without_items_is_empty() -> None:
    leg = replay(crossref, OWN / "zero_hits.json")
    assert (leg.outcome, leg.papers, leg.total_estimate, leg.warnings) == (Outcome.EMPTY, (), 0, ())


def test_a_single_work_is_one_record() -> None:
    leg = replay(crossref, OWN / "work.json")
    assert [(paper.ids.doi, paper.rank) for paper in leg.papers] == [("10.1007/s00441-010-1037-x", 1)]
    assert leg.total_estimate == 1


def test_the_huge_count_of_a_query_of_any_word_is_the_estimate() -> None:
    assert replay(crossref, OWN / "a_paper_among_containers.json").total_estimate == 12846365


def test_the_score_is_not_needed() -> None:
    body = {**OK, "message": {"items": [{"DOI": "10.5555/a", "title": ["A"], "score": 0.0}]}}
    leg = replay(crossref, body)
    assert ([paper.title for paper in leg.papers], leg.total_estimate) == (["A"], None)


def test_containers_are_skipped_by_name_and_the_paper_keeps_its_rank() -> None:
    leg = replay(crossref, OWN / "a_paper_among_containers.json")
    assert [(paper.rank, paper.ids.doi) for paper in leg.papers] == [(2, "10.3917/mult.095.0001")]
    assert leg.warnings == (
        "record 1 skipped: Crossref 10.5402/dentistry is a journal, not a paper",
        "record 3 skipped: Crossref 10.7752/jpes.2018.03256 has no title",
    )


@pytest.mark.parametrize(
    "kind",
    [
        "journal", "journal-issue", "journal-volume", "component", "peer-review", "grant", "proceedings",
        "proceedings-series", "book-series", "book-set", "book-track", "report-series", "standard-series",
    ],
)  # fmt: skip
def test_parts_and_containers_of_papers_are_no_papers(kind: str) -> None:
    body = {**OK, "message": {"items": [{"DOI": "10.5555/a", "title": ["A"], "type": kind}]}}
    assert replay(crossref, body).outcome is Outcome.BAD_RESPONSE


def test_an_answer_of_containers_alone_is_no_empty_answer() -> None:
    assert replay(crossref, OWN / "no_papers.json").outcome is Outcome.BAD_RESPONSE


def test_a_record_of_an_unexpected_form_is_skipped_and_the_others_stay() -> None:
    body = {**OK, "message": {"items": [{"title": ["A"], "author": ["Someone"]}, None, {"title": ["B"]}]}}
    leg = replay(crossref, body)
    assert [(paper.rank, paper.title) for paper in leg.papers] == [(3, "B")]
    assert [warning.partition(":")[0] for warning in leg.warnings] == ["record 1 skipped", "record 2 skipped"]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("agency.json", id="agency-of-a-doi"),
        pytest.param("facets_only.json", id="no-rows"),
    ],
)
def test_an_answer_of_another_endpoint_is_a_bad_response(body: str) -> None:
    leg = replay(crossref, OWN / body)
    assert (leg.outcome, leg.papers) == (Outcome.BAD_RESPONSE, ())


@pytest.mark.parametrize(
    "body",
    [
        pytest.param({**OK, "message": {"total-results": 7, "items": []}}, id="hits-but-none-sent"),
        pytest.param({**OK, "message": {"total-results": 7}}, id="hits-without-items"),
        pytest.param({**OK, "message": {"total-results": 0}}, id="no-items"),
        pytest.param({**OK, "message": []}, id="message-is-a-list"),
        pytest.param({**OK, "message": {"items": {}}}, id="items-is-no-list"),
        pytest.param({"message": {"total-results": 0, "items": []}}, id="no-status"),
        pytest.param({"status": "ok", "message-type": "work", "message": {}}, id="work-without-a-doi"),
        pytest.param(
            {"status": "ok", "message-type": "member-list", "message": {"total-results": 0, "items": []}}, id="members"
        ),
        pytest.param({}, id="empty-object"),
        pytest.param("[]", id="empty-list"),
        pytest.param('{"status": "ok", "mess', id="cut-off"),
    ],
)
def test_an_undocumented_answer_is_a_bad_response(body: str | dict[str, Any]) -> None:
    leg = replay(crossref, body)
    assert (leg.outcome, leg.papers) == (Outcome.BAD_RESPONSE, ())


@pytest.mark.parametrize(
    ("name", "status", "kind", "outcome"),
    [
        pytest.param("error_400.json", 400, None, Outcome.BAD_RESPONSE, id="validation-failure"),
        pytest.param("error_404_cursor.json", 404, None, Outcome.BAD_RESPONSE, id="cursor-invalid"),
        pytest.param("not_found.txt", 404, "text/plain", Outcome.BAD_RESPONSE, id="record-not-found-in-plain-text"),
        pytest.param("error_500.json", 500, None, Outcome.UNAVAILABLE, id="exception"),
        pytest.param("gateway_timeout.txt", 504, "text/html", Outcome.UNAVAILABLE, id="gateway-in-html"),
        pytest.param("too_many.txt", 429, "text/html", Outcome.RATE_LIMITED, id="too-many-in-html"),
        pytest.param("too_many.txt", 403, "text/html", Outcome.UNAVAILABLE, id="blocked"),
        pytest.param("error_400.json", 200, None, Outcome.BAD_RESPONSE, id="failed-under-200"),
        pytest.param("error_500.json", 200, None, Outcome.UNAVAILABLE, id="exception-under-200"),
        pytest.param("gateway_timeout.txt", 200, "text/html", Outcome.BAD_RESPONSE, id="html-under-200"),
    ],
)
def test_an_error_has_its_meaning_and_never_its_text(
    name: str, status: int, kind: str | None, outcome: Outcome
) -> None:
    leg = replay(crossref, OWN / name, status=status, content_type=kind)
    assert (leg.outcome, leg.papers, len(leg.warnings)) == (outcome, (), 1)
    for word in ("select", "cursor", "Exception", "Gateway", "<"):
        assert word not in leg.warnings[0]


@pytest.mark.parametrize(("status", "calls"), [pytest.param(400, 1, id="rejected"), pytest.param(500, 3, id="broken")])
def test_a_rejected_request_is_never_sent_again(status: int, calls: int) -> None:
    requests: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        return httpx.Response(status, json={"status": "failed", "message-type": "validation-failure", "message": []})

    ask(crossref, answer)
    assert len(requests) == calls


def test_a_retry_after_of_the_service_is_reported() -> None:
    leg = replay(crossref, OWN / "too_many.txt", status=429, content_type="text/html", headers={"retry-after": "60"})
    assert (leg.outcome, leg.retry_after_s) == (Outcome.RATE_LIMITED, 60.0)


@needs_recordings
@pytest.mark.parametrize("name", sorted(expected("crossref")))
def test_every_recording_ends_as_judged(name: str) -> None:
    leg = replay_recording(crossref, name)
    assert [leg.outcome.value, len(leg.papers)] == expected("crossref")[name]


@needs_recordings
def test_every_recording_is_judged() -> None:
    names = {path.name for path in folder("crossref").iterdir()} - {"manifest.json"}
    assert set(expected("crossref")) == names
