"""Europe PMC's envelopes: zero hits, counts, errors under HTTP 200, and answers of other endpoints."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from functions.providers import europe_pmc
from shared.outcomes import Outcome
from shared.query.query import Query
from tests.recorded.every_recording import expected, folder, manifest, needs_recordings, replay_recording
from tests.replay import OWN_RECORDINGS, ask, replay

OWN = OWN_RECORDINGS / "europe_pmc"
RECORD = {"id": "1", "source": "MED", "title": "Kept."}


def test_a_zero_hit_answer_of_the_old_version_is_empty() -> None:
    leg = replay(europe_pmc, OWN / "zero_hits.json")
    assert (leg.outcome, leg.papers, leg.total_estimate, leg.warnings) == (Outcome.EMPTY, (), 0, ())


def test_the_hit_count_is_the_total_estimate() -> None:
    leg = replay(europe_pmc, OWN / "core_records.json", query=Query(text="cancer", limit=5))
    assert (leg.outcome, len(leg.papers), leg.total_estimate, leg.warnings) == (Outcome.OK, 5, 5059039, ())


def test_an_answer_without_next_cursor_is_whole() -> None:
    leg = replay(europe_pmc, OWN / "retractions.json")
    assert (leg.outcome, len(leg.papers), leg.warnings) == (Outcome.OK, 2, ())


def test_fewer_records_than_counted_are_reported() -> None:
    leg = replay(europe_pmc, OWN / "more_counted_than_sent.json")
    assert (len(leg.papers), leg.total_estimate) == (2, 3)
    assert leg.warnings == ("Europe PMC counts 3 hits, but sent only 2",)


def test_hits_that_are_counted_but_not_sent_are_no_empty_answer() -> None:
    leg = replay(europe_pmc, OWN / "counted_but_not_sent.json")
    assert (leg.outcome, leg.papers) == (Outcome.BAD_RESPONSE, ())


def test_a_single_article_answer_is_one_record() -> None:
    leg = replay(europe_pmc, OWN / "single_article.json")
    assert [paper.ids.europe_pmc for paper in leg.papers] == ["MED/39709209"]


def test_a_single_result_without_its_list_is_one_record() -> None:
    leg = replay(europe_pmc, {"hitCount": 1, "resultList": {"result": RECORD}})
    assert [paper.title for paper in leg.papers] == ["Kept"]


def test_a_record_without_title_is_skipped_and_the_others_stay() -> None:
    body = {"hitCount": 2, "resultList": {"result": [{"id": "PPR1", "source": "PPR"}, RECORD]}}
    leg = replay(europe_pmc, body)
    assert [(paper.rank, paper.title) for paper in leg.papers] == [(2, "Kept")]
    assert leg.warnings == ("record 1 skipped: Europe PMC PPR/PPR1 has no title",)


def test_a_record_of_an_unexpected_form_is_skipped() -> None:
    body = {"hitCount": 2, "resultList": {"result": [{"title": "A", "journalInfo": "Nature"}, RECORD]}}
    leg = replay(europe_pmc, body)
    assert [paper.title for paper in leg.papers] == ["Kept"]
    assert leg.warnings == ("record 1 skipped: unexpected form (AttributeError)",)


@pytest.mark.parametrize("name", ["citations.json", "database_links.json", "error_not_open_access.xml"])
def test_an_answer_of_another_endpoint_is_a_bad_response(name: str) -> None:
    leg = replay(europe_pmc, OWN / name)
    assert (leg.outcome, leg.papers) == (Outcome.BAD_RESPONSE, ())


@pytest.mark.parametrize(
    "body",
    [
        pytest.param({}, id="empty-object"),
        pytest.param({"version": "6.9", "hitCount": 0}, id="no-result-list"),
        pytest.param({"hitCount": 0, "resultList": {}}, id="no-result"),
        pytest.param({"hitCount": 0, "resultList": []}, id="result-list-is-a-list"),
        pytest.param({"hitCount": 1, "resultList": {"result": ["9500320"]}}, id="only-words"),
        pytest.param("[]", id="list"),
        pytest.param('{"hitCount": 5, "resultLi', id="cut-off"),
    ],
)
def test_an_undocumented_answer_is_a_bad_response(body: str | dict[str, Any]) -> None:
    leg = replay(europe_pmc, body)
    assert (leg.outcome, leg.papers) == (Outcome.BAD_RESPONSE, ())


@pytest.mark.parametrize(
    ("code", "outcome"),
    [
        pytest.param(404, Outcome.BAD_RESPONSE, id="page-size"),
        pytest.param(0, Outcome.BAD_RESPONSE, id="zero"),
        pytest.param("429", Outcome.RATE_LIMITED, id="too-many"),
        pytest.param(500, Outcome.UNAVAILABLE, id="their-fault"),
    ],
)
def test_an_error_with_status_200_has_its_meaning_and_never_its_text(code: int | str, outcome: Outcome) -> None:
    leg = replay(europe_pmc, {"errCode": code, "errMsg": "Invalid page size provided"})
    assert (leg.outcome, leg.papers, len(leg.warnings)) == (outcome, (), 1)
    assert "page size" not in leg.warnings[0]


def test_a_rejected_page_size_is_not_sent_again() -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, content=(OWN / "error_page_size.json").read_bytes())

    assert (ask(europe_pmc, answer).outcome, len(seen)) == (Outcome.BAD_RESPONSE, 1)


@pytest.mark.parametrize(
    ("status", "kind", "outcome"),
    [
        pytest.param(429, "text/html", Outcome.RATE_LIMITED, id="too-many"),
        pytest.param(503, "text/html", Outcome.UNAVAILABLE, id="incident-in-html"),
        pytest.param(500, "text/plain", Outcome.UNAVAILABLE, id="incident-in-plain-text"),
        pytest.param(404, "text/html", Outcome.BAD_RESPONSE, id="not-found"),
        pytest.param(200, "text/html", Outcome.BAD_RESPONSE, id="html-under-200"),
    ],
)
def test_a_failing_service_is_never_an_empty_answer(status: int, kind: str, outcome: Outcome) -> None:
    leg = replay(europe_pmc, "<html>Service notice</html>", status=status, content_type=kind)
    assert (leg.outcome, leg.papers) == (outcome, ())


@needs_recordings
@pytest.mark.parametrize(("name", "outcome"), sorted(expected("europe_pmc").items()))
def test_every_recording_ends_as_judged(name: str, outcome: list[Any]) -> None:
    leg = replay_recording(europe_pmc, name)
    assert [leg.outcome.value, len(leg.papers)] == outcome


@needs_recordings
def test_the_judgements_cover_the_whole_folder() -> None:
    files = {path.name for path in folder("europe_pmc").iterdir()} - {"manifest.json"}
    assert set(expected("europe_pmc")) == files == set(manifest("europe_pmc"))


def test_an_answer_with_nothing_but_the_version_is_requested_once_more() -> None:
    leg = replay(europe_pmc, {"version": "6.9"}, {"hitCount": 1, "resultList": {"result": [RECORD]}})
    assert [paper.title for paper in leg.papers] == ["Kept"]


def test_a_service_that_answers_with_nothing_but_its_version_is_unavailable() -> None:
    leg = replay(europe_pmc, {"version": "6.9"})
    assert (leg.outcome, leg.warnings) == (Outcome.UNAVAILABLE, ("Europe PMC answered with nothing but its version",))
