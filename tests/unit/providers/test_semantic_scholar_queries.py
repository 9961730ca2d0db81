"""Queries to Semantic Scholar: each filter in the API's own syntax, and a warning for the others."""

from __future__ import annotations

import httpx
import pytest

from functions.providers import semantic_scholar
from shared.providers.provider import ProviderReply
from shared.query.query import Query
from tests.replay import ask, replay, requests_of

EMPTY = {"total": 0, "offset": 0}


def sent(query: Query) -> httpx.Request:
    """The first request that a query becomes."""
    return requests_of(semantic_scholar, query, [EMPTY])[0]


def empty_leg(query: Query) -> ProviderReply:
    """The leg of a query that finds nothing."""
    return replay(semantic_scholar, EMPTY, query=query)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        pytest.param(Query(text="graph neural networks"), {}, id="no-filter"),
        pytest.param(Query(text="x", date_from="2019"), {"publicationDateOrYear": "2019-01-01:"}, id="from-year"),
        pytest.param(Query(text="x", date_to="2020"), {"publicationDateOrYear": ":2020-12-31"}, id="to-year"),
        pytest.param(
            Query(text="x", date_from="2019-03", date_to="2020-02"),
            {"publicationDateOrYear": "2019-03-01:2020-02-29"},
            id="months",
        ),
        pytest.param(
            Query(text="x", date_from="2016-03-05", date_to="2020-06-06"),
            {"publicationDateOrYear": "2016-03-05:2020-06-06"},
            id="days",
        ),
        pytest.param(Query(text="x", journal="Nature"), {"venue": "Nature"}, id="journal"),
        pytest.param(
            Query(text="x", journal="NEJM"),
            {
                "venue": "New England Journal of Medicine,N Engl J Med,NEJM,The New England Journal of Medicine,"
                "N. Engl. J. Med."
            },
            id="all-names-of-a-journal",
        ),
        pytest.param(Query(text="x", journal="j. odd things"), {"venue": "j. odd things"}, id="an-unknown-journal"),
        pytest.param(Query(text="x", field_of_study="medicine"), {"fieldsOfStudy": "Medicine"}, id="field-of-study"),
        pytest.param(Query(text="x", journal="Proteins: Structure, Function"), {}, id="journal-with-commas"),
        pytest.param(Query(text="x", open_access=True), {"openAccessPdf": ""}, id="open-access-is-a-flag"),
        pytest.param(Query(text="x", min_citations=200), {"minCitationCount": "200"}, id="citations"),
        pytest.param(
            Query(text="x", publication_types=("review",)), {"publicationTypes": "MetaAnalysis,Review"}, id="review"
        ),
        pytest.param(
            Query(text="x", publication_types=("journal-article", "conference-paper")),
            {"publicationTypes": "Conference,JournalArticle,CaseReport,Study"},
            id="two-types",
        ),
        pytest.param(Query(text="x", publication_types=("review", "preprint")), {}, id="a-type-it-does-not-have"),
        pytest.param(Query(text="x", exclude_preprints=True, exclude_retracted=True), {}, id="exclusions"),
        pytest.param(Query(text="x", sort="citations"), {"sort": "citationCount:desc"}, id="most-cited"),
        pytest.param(Query(text="x", sort="date"), {"sort": "publicationDate:desc"}, id="newest"),
        pytest.param(Query(text='"x y"'), {"sort": "citationCount:desc"}, id="a-phrase-has-no-relevance"),
        pytest.param(
            Query(text="x AND 2015:2020[dp]"),
            {"sort": "citationCount:desc", "publicationDateOrYear": "2015-01-01:2020-12-31"},
            id="a-tagged-date",
        ),
    ],
)
def test_a_filter_becomes_the_apis_own_parameter(query: Query, expected: dict[str, str]) -> None:
    params = dict(sent(query).url.params)
    assert {name: value for name, value in params.items() if name not in ("query", "limit", "fields")} == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("graph neural networks", "graph neural networks", id="words"),
        pytest.param("COVID-19 self‑efficacy", "COVID 19 self efficacy", id="hyphens-find-nothing"),
        pytest.param("near−optimal – bounds", "near optimal bounds", id="minus-and-dash"),
        pytest.param("C++ a|b* ~2", "C++ a|b* ~2", id="there-is-no-syntax-to-escape"),
        pytest.param("Schrödinger’s café α=0.05%", "Schrödinger's café α=0.05%", id="letters-and-signs"),
        pytest.param(
            "How does CRISPR-Cas9 cause off-target effects in human cells?",
            "CRISPR Cas9 off target human cells",
            id="a-question",
        ),
        pytest.param(
            "TREM2 APOE CD33 PLCG2 ABI3 INPP5D SPI1 CLU BIN1 PICALM",
            "TREM2 CD33 PLCG2 ABI3 INPP5D SPI1 BIN1 PICALM",
            id="eight-words-at-most",
        ),
        pytest.param("机器学习", "机器学习", id="non-latin"),
    ],
)
def test_words_are_sent_plain_and_without_hyphens(text: str, words: str) -> None:
    request = sent(Query(text=text))
    assert (request.url.path, request.url.params["query"]) == ("/graph/v1/paper/search", words)


def test_the_search_is_one_get_with_every_field() -> None:
    request = sent(Query(text="x"))
    assert (request.method, request.url.path) == ("GET", "/graph/v1/paper/search")
    fields = request.url.params["fields"].split(",")
    assert {"externalIds", "abstract", "authors", "isOpenAccess", "openAccessPdf", "journal", "tldr"} <= set(fields)


@pytest.mark.parametrize(("wanted", "limit"), [(1, "1"), (10, "10"), (100, "100"), (250, "100")])
def test_the_limit_stays_within_a_hundred(wanted: int, limit: str) -> None:
    assert sent(Query(text="x", limit=wanted)).url.params["limit"] == limit


def test_the_key_travels_in_its_header_only() -> None:
    request = sent(Query(text="x"))
    assert request.headers["x-api-key"] == "secret-key"
    assert "secret-key" not in str(request.url)


def test_without_a_key_no_header_is_sent() -> None:
    seen: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, json=EMPTY)

    ask(semantic_scholar, answer, key=None)
    assert "x-api-key" not in seen[0].headers


@pytest.mark.parametrize("status", [200, 400, 403, 429, 500])
def test_the_key_is_in_no_report(status: int) -> None:
    query = Query(text='"a b" OR c', journal="Nature", author="Doudna", sort="date")
    leg = replay(semantic_scholar, EMPTY, query=query, status=status)
    assert leg.warnings
    assert "secret-key" not in f"{leg.effective_query} {leg.warnings}"


def test_the_effective_query_is_the_sent_query() -> None:
    query = Query(text="COVID-19", date_from="2020", journal="Nature", open_access=True, min_citations=5)
    assert empty_leg(query).effective_query == (
        "query=COVID 19&publicationDateOrYear=2020-01-01:&openAccessPdf=&minCitationCount=5"
    )


@pytest.mark.parametrize(
    ("query", "unsupported", "applied"),
    [
        pytest.param(Query(text="a b"), (), (), id="plain-words"),
        pytest.param(Query(text="a OR b"), (), ("operators",), id="or"),
        pytest.param(Query(text='"a b"'), (), ("operators",), id="phrase"),
        pytest.param(Query(text="a[tiab]"), ("operators",), (), id="tags-are-checked-afterwards"),
        pytest.param(Query(text="a", exclude_retracted=True), ("exclude_retracted",), (), id="retractions-unknown"),
        pytest.param(
            Query(text="a", exclude_preprints=True), ("exclude_preprints",), (), id="preprints-are-checked-afterwards"
        ),
        pytest.param(Query(text="a", author="Doudna"), ("author",), (), id="authors-are-checked-afterwards"),
        pytest.param(Query(text="a", language="en"), ("language",), (), id="languages-unknown"),
        pytest.param(Query(text="a", journal="Nature"), ("journal",), (), id="journal-without-a-hit"),
        pytest.param(Query(text="a", journal="Acids, Bases"), ("journal",), (), id="journal-with-a-comma"),
        pytest.param(Query(text="a", publication_types=("review",)), (), ("publication_types",), id="type"),
        pytest.param(
            Query(text="a", publication_types=("dissertation",)), ("publication_types",), (), id="type-unknown-to-it"
        ),
        pytest.param(
            Query(text="a", date_from="2020", open_access=True, min_citations=1),
            (),
            ("date", "open_access", "min_citations"),
            id="the-api-does-it",
        ),
    ],
)
def test_the_report_names_the_filters_that_were_not_applied(
    query: Query, unsupported: tuple[str, ...], applied: tuple[str, ...]
) -> None:
    leg = empty_leg(query)
    assert (leg.unsupported_filters, leg.applied_filters) == (unsupported, applied)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        pytest.param(Query(text="a AND b[ti]"), "titles and abstracts for b[ti]", id="a-title-tag"),
        pytest.param(Query(text="a AND au:doudna"), "left out, and checked afterwards: au:doudna", id="an-author-tag"),
        pytest.param(Query(text="a", journal="Nature"), "found nothing under this name", id="journal"),
        pytest.param(Query(text="a", journal="Acids, Bases"), "comma", id="journal-with-a-comma"),
        pytest.param(Query(text="a", publication_types=("report", "preprint")), "preprint, report", id="types"),
    ],
)
def test_an_approximation_has_a_warning(query: Query, words: str) -> None:
    assert [words in warning for warning in empty_leg(query).warnings] == [True]


def test_there_is_no_warning_without_an_approximation() -> None:
    assert empty_leg(Query(text="a b", date_from="2020", min_citations=3)).warnings == ()
    assert empty_leg(Query(text='"a b" OR c NOT d', sort="date")).warnings == ()
