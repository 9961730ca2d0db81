"""CORE: the queries that it is sent, its works as papers, and its refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from functions.providers import core
from shared.bibliography.paper import Author, Location, Paper
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from shared.query.query import Query
from shared.query.question import Lookup, Question
from tests.recorded.every_recording import expected, folder, manifest, needs_recordings, replay_recording
from tests.replay import OWN_RECORDINGS, ask, replay

WORKS = OWN_RECORDINGS / "core" / "works.json"


def sent(question: Question, body: dict[str, Any] | None = None) -> tuple[list[dict[str, Any]], ProviderReply]:
    """The JSON of each request, and the reply if each is answered by this body."""
    seen: list[dict[str, Any]] = []

    def answer(request: httpx.Request) -> httpx.Response:
        assert request.headers["authorization"] == "Bearer secret-key"
        assert (request.method, request.url.path) == ("POST", "/v3/search/works")
        seen.append(json.loads(request.content))
        return httpx.Response(200, json=body or {"results": [], "totalHits": 0})

    return seen, ask(core, answer, question)


def papers() -> list[Paper]:
    return list(replay(core, WORKS).papers)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("green tea", "(green AND tea)"),
        ("Does green tea improve sleep?", "(green AND tea AND sleep)"),
        ("COVID-19 (children)", '("COVID-19" AND children)'),
        ('tea AND ("deep sleep" OR coffee)', '(tea AND ("deep sleep" OR coffee))'),
        ("tea NOT coffee", "tea"),
        ("sleep[ti] AND Costa A[au]", '(title:"sleep" AND authors.name:"Costa")'),
        ("green tea[ti]", '(title:"green" AND title:"tea")'),
        ('"green tea"[ti]', 'title:"green tea"'),
        (
            "green tea[tiab] AND sleep",
            '(((title:"green" OR abstract:"green") AND (title:"tea" OR abstract:"tea")) AND sleep)',
        ),
        ("catech* tea", "tea"),
        ("catech*[ti] AND tea", "tea"),
        ('"green catech*" AND tea', "(green AND tea)"),
        ("HLA-A*02 AND tea", '(("HLA-A" AND 02) AND tea)'),
    ],
)
def test_a_query_is_in_cores_syntax(text: str, query: str) -> None:
    assert sent(Query(text=text))[0][0]["q"] == query


def test_full_texts_are_left_out_and_a_page_is_small_enough_to_be_answered_in_time() -> None:
    """Each hit has its text; a hundred hits without texts take CORE half a minute."""
    (body,), _ = sent(Query(text="tea", limit=100))
    assert (body["exclude"], body["limit"]) == (["fullText"], 25)


def test_filters_are_years_and_names_in_quotation_marks() -> None:
    (body,), reply = sent(Query(text="tea", date_from="2015-03", date_to="2016", author="Costa A", language="en"))
    assert body["q"] == 'tea AND yearPublished>=2015 AND yearPublished<=2016 AND authors.name:"Costa"'
    assert reply.unsupported_filters == ("language",)
    assert reply.warnings == ("CORE compares years: the days are checked afterwards",)


@pytest.mark.parametrize("dates", [{}, {"date_from": "2015"}, {"date_to": "2016"}, {"date_to": "2016-12-31"}])
def test_whole_years_need_no_warning(dates: dict[str, Any]) -> None:
    assert sent(Query(text="tea", **dates))[1].warnings == ()


def test_excluded_words_are_checked_afterwards() -> None:
    _, reply = sent(Query(text="tea NOT coffee"))
    assert reply.unsupported_filters == ("operators",)
    assert "CORE was not sent the excluded words: the records are checked afterwards" in reply.warnings


def test_a_wildcard_is_left_out_with_a_warning_and_the_records_of_an_expression_are_checked() -> None:
    """Its manual documents none: the word without its wildcard would find next to nothing."""
    _, reply = sent(Query(text="catech* tea"))
    assert (reply.warnings, reply.unsupported_filters) == (("CORE has no wildcards: catech* left out",), ())
    _, reply = sent(Query(text="tea AND catech*"))
    assert (reply.warnings, reply.unsupported_filters) == (
        ("CORE has no wildcards: catech* left out",), ("operators",),
    )  # fmt: skip


@pytest.mark.parametrize("text", ["catech*", "catech*[ti]", '"catech*"'])
def test_a_wildcard_alone_is_not_searched_for(text: str) -> None:
    requests, reply = sent(Query(text=text, date_from="2015"))
    assert (requests, reply.outcome) == ([], Outcome.SKIPPED_UNSUPPORTED_FILTER)


def test_a_work_is_read_whole() -> None:
    paper = papers()[0]
    assert (paper.title, paper.ids.doi, paper.ids.arxiv) == ("Sleep and tea", "10.9999/sleep.1", "2001.00001")
    assert paper.authors == (
        Author("Costa", "Ana"), Author(name="Tea Sleep Study Group"), Author("van der Berg", "Maria"),
    )  # fmt: skip
    assert (paper.year, paper.publication_date, paper.journal) == (2020, "2020-05-09", "Journal of Sleep")
    assert (paper.language, paper.landing_page) == ("en", "https://core.ac.uk/works/900001")


def test_the_comment_at_the_end_of_arxivs_summaries_is_left_out() -> None:
    assert [paper.abstract for paper in papers()] == ["We measured sleep.", None, None]


def test_stale_counts_of_citations_are_left_out() -> None:
    assert papers()[0].citation_count is None


def test_a_copy_is_open_without_a_licence_unless_one_is_stated() -> None:
    first, second, third = (paper.open_access for paper in papers())
    assert (first.is_oa, first.license) == (True, None)
    assert (second.is_oa, second.locations) == (None, ())
    assert third.locations == (Location("https://example.org/3.pdf", None, "cc-by-4.0", "repository"),)


def test_empty_fields_are_missing_and_a_work_without_a_title_is_skipped() -> None:
    reply = replay(core, WORKS)
    _, thesis, odd = reply.papers
    assert (thesis.type, thesis.ids.doi, thesis.publication_date) == ("dissertation", "10.9999/thesis", "2012")
    assert (odd.year, odd.publication_date, odd.language, odd.journal, odd.type) == (None,) * 5
    assert reply.warnings == ("record 4 skipped: CORE's work 900004 has no title",)


def test_all_names_are_looked_up_at_once_and_a_work_with_a_copy_comes_first() -> None:
    works = json.loads(WORKS.read_text(encoding="utf-8"))["results"]
    bare = {**works[0], "id": 900010, "downloadUrl": "", "links": []}
    names = ("doi:10.9999/sleep.1", "arxiv:2001.00002", "doi:10.9999/thesis")
    (body,), reply = sent(Lookup(names), {"results": [bare, *works[:2]], "totalHits": 3})
    assert body["q"] == 'doi:"10.9999/sleep.1" OR arxivId:"2001.00002" OR doi:"10.9999/thesis"'
    assert [(it.rank, it.asked, it.open_access.is_oa) for it in reply.papers] == [
        (1, names[:1], True), (3, names[2:], None),
    ]  # fmt: skip


def test_without_a_key_it_is_not_queried() -> None:
    reply = ask(core, lambda _: httpx.Response(500), Query(text="tea"), key=None)
    assert (reply.outcome, reply.warnings) == (
        Outcome.SKIPPED_NO_KEY, ("CORE needs a key: set CORE_API_KEY",),
    )  # fmt: skip


def test_a_429_states_the_end_of_the_wait_as_a_time() -> None:
    headers = {"x-ratelimit-retry-after": "2026-11-20T12:00:40+0000"}
    reply = replay(core, "", status=429, content_type="text/html", headers=headers, query=Query(text="tea"))
    assert (reply.outcome, reply.retry_after_s) == (Outcome.RATE_LIMITED, 40.0)


@pytest.mark.parametrize("body", [{}, {"results": None}, {"results": {}}])
def test_an_answer_without_works_is_no_empty_one(body: dict[str, Any]) -> None:
    assert replay(core, body).outcome is Outcome.BAD_RESPONSE


@needs_recordings
@pytest.mark.parametrize("name", sorted(expected("core")))
def test_every_recording_ends_as_expected(name: str) -> None:
    reply = replay_recording(core, name)
    assert [reply.outcome.value, len(reply.papers)] == expected("core")[name]


@needs_recordings
def test_every_recording_is_expected() -> None:
    assert set(manifest("core")) == set(expected("core"))
    assert all((Path(folder("core")) / name).is_file() for name in expected("core"))
