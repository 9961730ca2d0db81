"""PubMed: envelopes, errors and order; an outage is never an empty answer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import httpx
import pytest

from functions.providers import pubmed
from shared.errors import ProviderError
from shared.outcomes import Outcome
from shared.query.query import Query
from tests.recorded.every_recording import expected, folder, needs_recordings
from tests.replay import client_for, replay
from tests.unit.providers.pubmed_replay import OWN, article, article_set, found, replay_step


def failing(message: str) -> dict[str, Any]:
    return {"esearchresult": {"ERROR": message}}


def test_papers_come_in_the_order_of_esearch_and_not_of_efetch() -> None:
    reply = replay(pubmed, found("5", "9", "7"), article_set(article("9"), article("7"), article("5")))
    assert [(paper.ids.pmid, paper.rank) for paper in reply.papers] == [("5", 1), ("9", 2), ("7", 3)]


def test_ids_without_a_record_become_a_warning() -> None:
    reply = replay(pubmed, found("5", "9", "7"), article_set(article("7")))
    assert [paper.ids.pmid for paper in reply.papers] == ["7"]
    assert reply.warnings == ("PubMed sent no record of 2 hits: PMID 5, 9",)


def test_an_unrequested_record_is_last_and_is_reported() -> None:
    reply = replay(pubmed, found("5", "7"), article_set(article("8"), article("7")))
    assert [paper.ids.pmid for paper in reply.papers] == ["7", "8"]
    assert "PubMed sent 1 record not requested" in reply.warnings


def test_books_and_articles_share_one_set() -> None:
    chapter = "<BookDocument><PMID>7</PMID><ArticleTitle>Cells</ArticleTitle></BookDocument>"
    book = f"<PubmedBookArticle>{chapter}</PubmedBookArticle>"
    reply = replay(pubmed, found("7", "5"), article_set(article("5"), book))
    assert [paper.type for paper in reply.papers] == ["book-chapter", None]


def test_deleted_citations_beside_the_records_are_no_records() -> None:
    reply = replay(pubmed, found("5"), article_set(article("5"), "<DeleteCitation><PMID>6</PMID></DeleteCitation>"))
    assert [paper.ids.pmid for paper in reply.papers] == ["5"]


def test_one_record_without_its_set_is_one_paper() -> None:
    assert [paper.ids.pmid for paper in replay(pubmed, found("5"), article("5")).papers] == ["5"]


@pytest.mark.parametrize("count", ["9" * 5_000, chr(0xB2), "-1", "1.5", "", None], ids=lambda value: ascii(value)[:8])
def test_a_count_that_is_no_number_is_a_bad_response(count: str | None) -> None:
    reported = found("5")
    reported["esearchresult"]["count"] = count
    reply = replay(pubmed, reported, article_set(article("5")))
    assert (reply.outcome, reply.warnings) == (
        Outcome.BAD_RESPONSE,
        ("PubMed answered with an invalid count or without a valid id",),
    )


def test_counts_are_strings() -> None:
    counted = found("5")
    counted["esearchresult"]["count"] = "1200"
    assert replay(pubmed, counted, article_set(article("5"))).total_estimate == 1200


def test_zero_hits_are_empty_with_the_reason_and_no_second_step() -> None:
    reply = replay(pubmed, OWN / "esearch-nothing.json", b"never asked for")
    assert reply.outcome is Outcome.EMPTY
    assert reply.total_estimate == 0
    assert reply.warnings == ("PubMed does not know and left out: xqzzv",)


def test_a_doctype_is_passed_over_without_being_loaded() -> None:
    reply = replay(pubmed, found("20301577"), OWN / "efetch-book.xml")
    assert reply.outcome is Outcome.OK


def test_declared_entities_are_refused() -> None:
    body = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e "boom">]><PubmedArticleSet>&e;</PubmedArticleSet>'
    assert replay(pubmed, found("1"), body).outcome is Outcome.BAD_RESPONSE


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        (failing("Search Backend failed: Unable to open connection to #PMQuerySrv"), Outcome.UNAVAILABLE),
        (failing("Search Backend failed: Database is not supported: pubmed"), Outcome.UNAVAILABLE),
        (failing("Invalid db name specified: pubmed"), Outcome.UNAVAILABLE),
        (failing("proxy_stream() failed"), Outcome.UNAVAILABLE),
        ("<eSearchResult><ERROR>External viewer error: Status: Timeout</ERROR></eSearchResult>", Outcome.UNAVAILABLE),
        ('{"esearchresult":{"ERROR":"NCBI C++ Exception:\n\tbroken JSON"}}', Outcome.UNAVAILABLE),
        (failing("'retstart' cannot be larger than 9998"), Outcome.BAD_RESPONSE),
        (failing("Search Backend failed: Exception: Position 15000 is out of acceptable range [9999,9998]"),
         Outcome.BAD_RESPONSE),
        (failing("Empty term and query_key - nothing todo"), Outcome.BAD_RESPONSE),
        (OWN / "error-rate-limit.json", Outcome.RATE_LIMITED),
        ({"error": "API key invalid", "api-key": "secret-key"}, Outcome.UNAVAILABLE),
    ],
    ids=[
        "connection", "database", "db-name", "proxy", "xml-timeout", "broken-json", "retstart", "range", "empty-term",
        "rate-limit-under-200", "key-refused-under-200",
    ],
)  # fmt: skip
def test_an_error_with_status_200_is_never_an_empty_answer(body: Any, outcome: Outcome) -> None:
    reply = replay(pubmed, body)
    assert reply.outcome is outcome
    assert "secret-key" not in repr(reply)


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        (OWN / "efetch-empty-set.xml", Outcome.BAD_RESPONSE),
        (OWN / "efetch-error-empty-id.xml", Outcome.BAD_RESPONSE),
        ("<eFetchResult><ERROR>Unable to open connection</ERROR></eFetchResult>", Outcome.UNAVAILABLE),
        (OWN / "error-rate-limit.json", Outcome.RATE_LIMITED),
        ("<PubmedArticleSet><PubmedArticle>", Outcome.BAD_RESPONSE),
        ("<eLinkResult><LinkSet/></eLinkResult>", Outcome.BAD_RESPONSE),
        ("<eSummaryResult><DocSum><Id>1</Id></DocSum></eSummaryResult>", Outcome.BAD_RESPONSE),
        (article_set(article(pmid="1", title="")), Outcome.BAD_RESPONSE),
    ],
    ids=["empty-set", "empty-id", "passing", "rate-limit", "cut-off", "links", "summaries", "all-broken"],
)
def test_a_failing_second_step_is_never_an_empty_answer(body: Any, outcome: Outcome) -> None:
    assert replay(pubmed, found("1"), body).outcome is outcome


@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        {"esearchresult": {}},
        {"esearchresult": {"count": "1"}},
        {"esearchresult": {"count": "3", "idlist": []}},
        {"esearchresult": {"count": "1", "idlist": ["x"]}},
        {"esearchresult": {"idlist": ["1"]}},
        {"result": {"uids": ["1"], "1": {"uid": "1", "error": "cannot get document summary"}}},
        "<eSearchResult><Count>0</Count><IdList/></eSearchResult>",
        "<html><pre>Pubmed-entry ::= { pmid 1 }</pre></html>",
        b"",
    ],
    ids=[
        "nothing", "list", "no-ids", "count-only", "hits-without-ids", "ids-that-are-none", "no-count", "summaries",
        "xml-where-json-was-promised", "asn1-in-html", "empty-body",
    ],
)  # fmt: skip
def test_a_first_step_in_another_form_is_a_bad_response(body: Any) -> None:
    content = "[]" if body == [] else body
    assert replay(pubmed, content, article_set(article("1"))).outcome is Outcome.BAD_RESPONSE


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        (302, Outcome.BAD_RESPONSE),
        (400, Outcome.BAD_RESPONSE),
        (403, Outcome.UNAVAILABLE),
        (414, Outcome.BAD_RESPONSE),
        (429, Outcome.RATE_LIMITED),
        (502, Outcome.UNAVAILABLE),
    ],
)
def test_statuses_become_outcomes(status: int, outcome: Outcome) -> None:
    assert replay(pubmed, "<html>upstream words</html>", status=status).outcome is outcome


@pytest.mark.parametrize("status", [200, 400, 429, 500])
def test_a_rate_limit_is_reported_for_any_status_without_the_echoed_key(status: int) -> None:
    reply = replay(pubmed, OWN / "error-rate-limit.json", status=status)
    assert reply.outcome is Outcome.RATE_LIMITED
    assert "secret-key" not in repr(reply)


def test_a_temporary_error_with_status_400_is_unavailable_and_not_a_rejected_request() -> None:
    assert replay(pubmed, failing("proxy_stream()"), status=400).outcome is Outcome.UNAVAILABLE


class Backend:
    """Answers with its bodies in turn (the last again and again), and counts."""

    def __init__(self, *bodies: Any) -> None:
        self.bodies, self.requests = list(bodies), 0

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests += 1
        body = self.bodies.pop(0) if len(self.bodies) > 1 else self.bodies[0]
        if isinstance(body, dict):
            return httpx.Response(200, json=body)
        return httpx.Response(200, text=body, headers={"content-type": "text/xml"})


def test_a_temporary_error_is_retried_in_both_steps() -> None:
    outage = "<eFetchResult><ERROR>Status: Timeout</ERROR></eFetchResult>"
    backend = Backend(failing("proxy_stream()"), found("5"), outage, article_set(article("5")))
    page = pubmed.search(Query(text="x"), client_for(pubmed, backend))
    assert [paper.ids.pmid for paper in page.papers] == ["5"]
    assert backend.requests == 4


@pytest.mark.parametrize(
    ("message", "seconds_left", "times"),
    [("proxy_stream()", 15.0, 3), ("proxy_stream()", 0.4, 1), ("Empty term", 15.0, 1)],
    ids=["three-times", "not-beyond-the-deadline", "a-rejected-request-once"],
)
def test_errors_are_retried_a_limited_number_of_times(message: str, seconds_left: float, times: int) -> None:
    backend = Backend(failing(message))
    client = replace(client_for(pubmed, backend), time_left=lambda: seconds_left)
    with pytest.raises(ProviderError):
        pubmed.search(Query(text="x"), client)
    assert backend.requests == times


@needs_recordings
@pytest.mark.parametrize(("name", "ending"), expected("pubmed").items(), ids=list(expected("pubmed")))
def test_every_recording_ends_as_it_should(name: str, ending: list[Any]) -> None:
    reply = replay_step(name)
    assert [reply.outcome.value, len(reply.papers)] == ending


@needs_recordings
def test_every_recording_has_its_outcome() -> None:
    recorded = {path.name for path in folder("pubmed").iterdir()} - {"manifest.json"}
    assert set(expected("pubmed")) == recorded


@needs_recordings
def test_the_recorded_unknown_term_is_reported() -> None:
    reply = replay_step("esearch-2026-08-phrase-not-found-40362.json")
    assert reply.warnings == ("PubMed does not know and left out: p.E1317Q",)
    assert reply.total_estimate == 40362
