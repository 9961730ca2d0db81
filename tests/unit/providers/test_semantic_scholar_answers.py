"""Semantic Scholar's envelopes: zero hits, last pages, errors, and answers that are not papers."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from functions.providers import semantic_scholar
from shared.outcomes import Outcome
from shared.query.query import Query
from shared.query.question import Citation, Links, Lookup, Match, Question
from tests.recorded.every_recording import expected, folder, manifest, needs_recordings
from tests.replay import OWN_RECORDINGS, ask, replay

OWN = OWN_RECORDINGS / "semantic_scholar"


def test_a_zero_hit_answer_without_data_is_empty() -> None:
    leg = replay(semantic_scholar, OWN / "zero_hits.json")
    assert (leg.outcome, leg.papers, leg.total_estimate, leg.warnings) == (Outcome.EMPTY, (), 0, ())


def test_a_last_page_without_next_is_whole() -> None:
    leg = replay(semantic_scholar, OWN / "sparse_records.json")
    assert (leg.outcome, len(leg.papers), leg.total_estimate) == (Outcome.OK, 3, 3)


def test_a_page_with_next_reports_the_whole_estimate() -> None:
    leg = replay(semantic_scholar, OWN / "arxiv_without_doi.json")
    assert (len(leg.papers), leg.total_estimate) == (1, 50000)


def test_a_null_token_at_the_end_of_a_bulk_search_does_not_matter() -> None:
    leg = replay(semantic_scholar, OWN / "bulk_last_page.json")
    assert [paper.title for paper in leg.papers] == [
        "Kubernetes Cluster for Automating Software Production Environment"
    ]


def test_the_order_of_keys_does_not_matter() -> None:
    assert replay(semantic_scholar, OWN / "titles_only.json").outcome is Outcome.OK


def test_a_record_without_title_is_skipped_and_the_others_stay() -> None:
    body = {"total": 2, "offset": 0, "data": [{"paperId": "0" * 40}, {"paperId": "1" * 40, "title": "Kept"}]}
    leg = replay(semantic_scholar, body)
    assert [(paper.rank, paper.title) for paper in leg.papers] == [(2, "Kept")]
    assert leg.warnings == (f"record 1 skipped: Semantic Scholar {'0' * 40} has no title",)


def test_a_record_of_an_unexpected_form_is_skipped() -> None:
    body = {"total": 2, "data": [{"paperId": "0" * 40, "title": "A", "journal": "Nature"}, {"title": "B"}]}
    leg = replay(semantic_scholar, body)
    assert [paper.title for paper in leg.papers] == ["B"]
    assert leg.warnings == ("record 1 skipped: unexpected form (AttributeError)",)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("references_null_ids.json", id="references"),
        pytest.param("references_withheld.json", id="references-withheld-by-the-publisher"),
        pytest.param("authors.json", id="authors"),
        pytest.param("batch_with_unknown_id.json", id="batch"),
        pytest.param("doi_with_colon.json", id="single-paper"),
        pytest.param("recommendations.json", id="recommendations"),
    ],
)
def test_an_answer_of_another_endpoint_is_a_bad_response(body: str) -> None:
    leg = replay(semantic_scholar, OWN / body)
    assert (leg.outcome, leg.papers) == (Outcome.BAD_RESPONSE, ())


@pytest.mark.parametrize(
    "body",
    [
        pytest.param({"total": 7, "offset": 0}, id="hits-without-data"),
        pytest.param({"total": 7, "offset": 0, "data": []}, id="hits-but-none-sent"),
        pytest.param({"total": 7, "offset": 0, "data": {}}, id="data-is-no-list"),
        pytest.param({}, id="empty-object"),
        pytest.param("[]", id="empty-list"),
        pytest.param('["a"]', id="list-of-words"),
        pytest.param("[1, 2", id="cut-off"),
    ],
)
def test_an_undocumented_answer_is_a_bad_response(body: str | dict[str, Any]) -> None:
    leg = replay(semantic_scholar, body)
    assert (leg.outcome, leg.papers) == (Outcome.BAD_RESPONSE, ())


@pytest.mark.parametrize(
    ("name", "status", "outcome"),
    [
        pytest.param("error_400.json", 400, Outcome.BAD_RESPONSE, id="unsupported-field"),
        pytest.param("error_403.json", 403, Outcome.UNAVAILABLE, id="wrong-key"),
        pytest.param("error_404.json", 404, Outcome.BAD_RESPONSE, id="no-title-match"),
        pytest.param("error_429.json", 429, Outcome.RATE_LIMITED, id="too-many"),
        pytest.param("error_403.json", 502, Outcome.UNAVAILABLE, id="gateway"),
        pytest.param("error_400.json", 200, Outcome.BAD_RESPONSE, id="error-under-200"),
        pytest.param("error_403.json", 200, Outcome.UNAVAILABLE, id="message-under-200"),
        pytest.param("error_429.json", 200, Outcome.RATE_LIMITED, id="code-in-quotes-under-200"),
    ],
)
def test_an_error_has_its_meaning_and_never_its_text(name: str, status: int, outcome: Outcome) -> None:
    leg = replay(semantic_scholar, OWN / name, status=status)
    assert (leg.outcome, leg.papers, len(leg.warnings)) == (outcome, (), 1)
    assert not any(word in leg.warnings[0] for word in ("colour", "Forbidden", "Title match", "apply"))


def test_too_many_requests_without_retry_after_is_tried_three_times() -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(429, json={"message": "Too Many Requests.", "code": "429"})

    leg = ask(semantic_scholar, answer)
    assert (len(seen), leg.outcome, leg.retry_after_s) == (3, Outcome.RATE_LIMITED, None)


def test_a_rejected_request_is_not_sent_again() -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(400, json={"error": "Unacceptable query params"})

    ask(semantic_scholar, answer)
    assert len(seen) == 1


@needs_recordings
@pytest.mark.parametrize("name", sorted(expected("semantic_scholar")))
def test_each_recording_ends_as_it_should(name: str) -> None:
    entry = manifest("semantic_scholar")[name]
    kind = (entry.get("headers") or {}).get("content-type")
    path = folder("semantic_scholar") / name
    leg = replay(semantic_scholar, path, status=entry["status"], content_type=kind, query=question(name))
    assert [leg.outcome.value, len(leg.papers)] == expected("semantic_scholar")[name]


def question(recording: str) -> Question:
    """The question, as the recording's name gives it; all others are searches, or are read as such."""
    if recording.startswith("batch"):
        return Lookup(tuple(f"corpus:{number}" for number in range(1, 5 if "null" in recording else 4)))
    if recording.startswith("references"):
        return Links("references", "pmid:20516115")
    if recording.startswith("citations"):
        return Links("citations", "corpus:14514057")
    if recording.startswith("search-match"):
        return Match((Citation(title="A title"),))
    return Query(text="test")


@needs_recordings
def test_every_recording_has_an_expected_outcome() -> None:
    files = {path.name for path in folder("semantic_scholar").iterdir()} - {"manifest.json"}
    assert set(expected("semantic_scholar")) == files
