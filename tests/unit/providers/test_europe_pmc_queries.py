"""Queries to Europe PMC: words, operators and every filter in its own query language."""

from __future__ import annotations

import httpx
import pytest

from functions.providers import europe_pmc
from functions.providers.europe_pmc import SPEC
from shared.bibliography.paper import PAPER_TYPES
from shared.providers.records.europe_pmc import TYPES
from shared.query.query import FILTERS, Query
from tests.replay import replay, requests_of

EMPTY = {"hitCount": 0, "resultList": {"result": []}}
EVERYTHING = Query(
    text="gene therapy",
    date_from="2020",
    journal="Nature",
    author="Doudna J",
    open_access=True,
    min_citations=5,
    publication_types=("letter",),
    exclude_preprints=True,
    exclude_retracted=True,
    sort="date",
)


def sent(query: Query) -> httpx.Request:
    """The one request that a query becomes."""
    (request,) = requests_of(europe_pmc, query, [EMPTY])
    return request


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("cancer", "cancer", id="word"),
        pytest.param("gene therapy", "(gene therapy)", id="words"),
        pytest.param('"gene therapy"', '"gene therapy"', id="phrase"),
        pytest.param("gene therapy OR crispr", "((gene therapy) OR crispr)", id="or"),
        pytest.param('"gene therapy" AND mouse', '("gene therapy" AND mouse)', id="and"),
        pytest.param("wheat NOT gluten", "(wheat NOT gluten)", id="not"),
        pytest.param("(a OR b) AND c", "((a OR b) AND c)", id="parentheses"),
        pytest.param("TITLE:brain tumour", "(brain AND tumour)", id="a-title-tag"),
        pytest.param("COVID-19: a review", "(COVID-19 a review)", id="a-colon-after-a-word"),
        pytest.param("-aardvark", "aardvark", id="a-minus-is-no-not"),
        pytest.param("10.1038/nature12373", '"10.1038/nature12373"', id="a-slash"),
        pytest.param("CD4+ T-cells", "(CD4+ T-cells)", id="plus-and-hyphen-in-words"),
        pytest.param("ATM c.7390T>C", "(ATM c.7390T>C)", id="a-variant"),
        pytest.param("why? immun* te*t", '(why immun "te*t")', id="wildcards"),
        pytest.param("[Fe] 2^n a~b", '(Fe "2^n" "a~b")', id="brackets-and-carets"),
        pytest.param("back\\slash", '"back slash"', id="backslash"),
        pytest.param('cancer AND "***"', '(cancer AND "***")', id="nothing-but-signs"),
        pytest.param("Déjà vu α-synuclein", "(Déjà vu α-synuclein)", id="accents-and-greek"),
    ],
)
def test_words_and_operators_become_the_query(text: str, expected: str) -> None:
    assert sent(Query(text=text)).url.params["query"] == expected


@pytest.mark.parametrize(
    ("query", "clause"),
    [
        pytest.param(Query(text="x", date_from="2020"), "FIRST_PDATE:[2020-01-01 TO 3000-12-31]", id="from-year"),
        pytest.param(Query(text="x", date_to="2020-02"), "FIRST_PDATE:[1500-01-01 TO 2020-02-29]", id="to-month"),
        pytest.param(
            Query(text="x", date_from="2019-03", date_to="2020-06-06"),
            "FIRST_PDATE:[2019-03-01 TO 2020-06-06]",
            id="month-to-day",
        ),
        pytest.param(
            Query(text="x", journal="Biol Lett"),
            '(JOURNAL:"Biol Lett" OR (SRC:PPR AND PUBLISHER:"Biol Lett"))',
            id="journal",
        ),
        pytest.param(
            Query(text="x", journal='The "Lancet\\"'),
            '(JOURNAL:"The Lancet" OR (SRC:PPR AND PUBLISHER:"The Lancet"))',
            id="journal-with-quotes",
        ),
        pytest.param(Query(text="x", author="doudna"), '(AUTH:"doudna")', id="family-name"),
        pytest.param(Query(text="x", author="Doudna JA"), '(AUTH:"Doudna JA")', id="initials"),
        pytest.param(
            Query(text="x", author="Jennifer A. Doudna"),
            '(AUTH:"Doudna JA" OR AUTH:"Doudna Jennifer A")',
            id="full-name",
        ),
        pytest.param(
            Query(text="x", author="Doudna, Jennifer"), '(AUTH:"Doudna J" OR AUTH:"Doudna Jennifer")', id="comma"
        ),
        pytest.param(
            Query(text="x", author="Jan van der Berg"),
            '(AUTH:"van der Berg J" OR AUTH:"van der Berg Jan")',
            id="particles",
        ),
        pytest.param(Query(text="x", open_access=True), "OPEN_ACCESS:Y", id="open-access"),
        pytest.param(Query(text="x", min_citations=5), "CITED:[5 TO *]", id="citations"),
        pytest.param(
            Query(text="x", publication_types=("erratum", "letter")),
            '(PUB_TYPE:"published erratum" OR PUB_TYPE:"correction" OR PUB_TYPE:"letter")',
            id="types",
        ),
        pytest.param(
            Query(text="x", exclude_preprints=True), 'NOT (SRC:PPR OR PUB_TYPE:"preprint")', id="no-preprints"
        ),
        pytest.param(Query(text="x", exclude_retracted=True), 'NOT PUB_TYPE:"retracted publication"', id="unretracted"),
    ],
)
def test_a_filter_becomes_a_clause(query: Query, clause: str) -> None:
    assert sent(query).url.params["query"] == f"x AND {clause}"


def test_every_filter_is_declared_and_applied() -> None:
    leg = replay(europe_pmc, EMPTY, query=EVERYTHING)
    assert SPEC.filters == set(FILTERS) - {"language", "field_of_study"}
    assert leg.unsupported_filters == ()
    assert set(leg.applied_filters) == SPEC.filters - {"operators"}


def test_each_of_our_types_can_be_requested() -> None:
    assert set(TYPES) == set(PAPER_TYPES)


def test_core_records_are_requested_as_json_at_the_public_path() -> None:
    request = sent(Query(text="cancer", limit=37))
    assert request.url.path == "/europepmc/webservices/rest/search"
    assert dict(request.url.params) == {"query": "cancer", "format": "json", "resultType": "core", "pageSize": "37"}


@pytest.mark.parametrize(
    ("sort", "parameter"), [("relevance", None), ("citations", "CITED desc"), ("date", "FIRST_PDATE_D desc")]
)
def test_the_order_is_requested_with_a_space(sort: str, parameter: str | None) -> None:
    assert sent(Query(text="x", sort=sort)).url.params.get("sort") == parameter


def test_a_sorted_search_leaves_full_texts_out_and_says_so() -> None:
    leg = replay(europe_pmc, EMPTY, query=Query(text="gene therapy OR crispr", sort="citations"))
    assert leg.effective_query == "TITLE_ABS:((gene therapy) OR crispr)&sort=CITED desc"
    assert leg.warnings == (
        "Europe PMC searched titles and abstracts only, because it sorts all hits, however marginal",
    )


def test_a_query_by_relevance_is_reported_as_sent() -> None:
    leg = replay(europe_pmc, EMPTY, query=Query(text="cancer", open_access=True))
    assert (leg.effective_query, leg.warnings) == ("cancer AND OPEN_ACCESS:Y", ())


def test_no_key_or_address_is_sent_or_reported() -> None:
    leg, request = replay(europe_pmc, EMPTY, query=EVERYTHING), sent(EVERYTHING)
    visible = " ".join([leg.effective_query or "", *leg.warnings, str(request.url), str(request.headers)])
    assert "secret-key" not in visible
    assert "dev@example.org" not in visible
