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
    language="de",
    sort="date",
)


def sent(query: Query) -> httpx.Request:
    """The first request that a query becomes."""
    return requests_of(europe_pmc, query, [EMPTY])[0]


def form(text: str) -> tuple[str, str | None]:
    """The query that is sent first, and the wider one that follows, or None."""
    queries = [request.url.params["query"] for request in requests_of(europe_pmc, Query(text=text), [EMPTY])]
    return queries[0], queries[1] if len(queries) > 1 else None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("cancer", "TITLE_ABS:cancer", id="word"),
        pytest.param("gene therapy", "TITLE_ABS:(gene AND therapy)", id="words"),
        pytest.param('"gene therapy"', 'TITLE_ABS:"gene therapy"', id="phrase"),
        pytest.param("gene therapy OR crispr", "(TITLE_ABS:(gene AND therapy) OR TITLE_ABS:crispr)", id="or"),
        pytest.param('"gene therapy" AND mouse', '(TITLE_ABS:"gene therapy" AND TITLE_ABS:mouse)', id="and"),
        pytest.param("wheat NOT gluten", "(TITLE_ABS:wheat NOT TITLE_ABS:gluten)", id="not"),
        pytest.param("(a OR b) AND c", "((TITLE_ABS:a OR TITLE_ABS:b) AND TITLE_ABS:c)", id="parentheses"),
        pytest.param("TITLE:brain tumour", "(TITLE:brain AND TITLE_ABS:tumour)", id="own-title-tag"),
        pytest.param(
            'AUTH:"Doudna JA" AND PUB_YEAR:[2015 TO 2020]',
            '(AUTH:"Doudna JA" AND PUB_YEAR:[2015 TO 2020])',
            id="own-tags",
        ),
        pytest.param("src:ppr AND year:2020", "(SRC:ppr AND PUB_YEAR:2020)", id="own-names-in-any-case"),
        pytest.param("TREM2[tiab] AND glia[mh]", '(TITLE_ABS:TREM2 AND MESH:"glia")', id="tags-of-pubmed"),
        pytest.param(
            "x1 AND 2015:2020[dp]", "(TITLE_ABS:x1 AND FIRST_PDATE:[2015-01-01 TO 2020-12-31])", id="dates-of-pubmed"
        ),
        pytest.param(
            "english[la] AND 17[pmid] AND Doudna JA[au]",
            '(LANG:"eng" AND (EXT_ID:17 AND SRC:MED) AND AUTH:"Doudna JA")',
            id="other-tags-of-pubmed",
        ),
        pytest.param(
            "brain[ti] AND Nature Physics[ta]",
            '(TITLE:brain AND (JOURNAL:"Nature Physics" OR JOURNAL:"Nat Phys"))',
            id="journal-tag-of-pubmed",
        ),
        pytest.param("ti:brain AND cat:cs.CL", "TITLE:brain", id="tags-of-arxiv"),
        pytest.param("-aardvark", "TITLE_ABS:aardvark", id="a-minus-is-no-not"),
        pytest.param("10.1038/nature12373", 'TITLE_ABS:"10.1038/nature12373"', id="a-slash"),
        pytest.param("CD4+ T-cells", "TITLE_ABS:(CD4+ AND T-cells)", id="plus-and-hyphen-in-words"),
        pytest.param("ATM c.7390T>C", "TITLE_ABS:(ATM AND c.7390T>C)", id="a-variant"),
        pytest.param("immun* te*t", 'TITLE_ABS:(immun* AND "te*t")', id="wildcards"),
        pytest.param("2^n a~b", 'TITLE_ABS:("2^n" AND "a~b")', id="carets"),
        pytest.param("back\\slash", 'TITLE_ABS:"back slash"', id="backslash"),
        pytest.param("α-synuclein", "TITLE_ABS:(α-synuclein OR alpha-synuclein)", id="greek"),
        pytest.param("Déjà vu", "TITLE_ABS:(Déjà AND vu)", id="accents"),
    ],
)
def test_words_and_operators_become_the_query(text: str, expected: str) -> None:
    assert form(text)[0] == expected


def test_a_question_is_its_telling_words_or_a_title_and_then_words_of_full_texts() -> None:
    """Titles and abstracts first, without words of grammar."""
    title = "How does CRISPR-Cas9 cause off-target effects in human cells"
    words = "(CRISPR-Cas9 AND off-target AND human AND cells)"
    assert form(f"{title}?") == (f'(TITLE:"{title}" OR TITLE_ABS:{words})', words)


def test_at_most_twelve_words_are_sent_and_four_for_full_texts() -> None:
    strict, wide = form(" ".join(f"gene{number}" for number in range(60)))
    assert (strict.count("gene"), str(wide).count("gene")) == (12, 4)


@pytest.mark.parametrize("text", ["wheat NOT gluten", "TITLE:brain", "AUTH:doudna"])
def test_no_wider_form_where_it_would_exclude_more_or_be_the_same(text: str) -> None:
    assert form(text)[1] is None


@pytest.mark.parametrize("text", ["gene therapy OR crispr", '"gene therapy"'])
def test_an_expression_is_widened_to_full_texts(text: str) -> None:
    assert form(text)[1] == {'"gene therapy"': '"gene therapy"'}.get(text, "((gene AND therapy) OR crispr)")


def test_tags_without_an_equal_are_named() -> None:
    leg = replay(europe_pmc, EMPTY, query=Query(text="brain AND cat:cs.CL AND loprovflybase[sb]"))
    assert leg.warnings == (
        "Europe PMC cannot search for cat:cs.CL: left out",
        "Europe PMC cannot search for loprovflybase[sb]: left out",
    )


def test_a_long_query_is_sent_as_a_form() -> None:
    request = sent(Query(text=" OR ".join(f'"слово {number}"' for number in range(40))))
    assert (request.method, request.url.path) == ("POST", "/europepmc/webservices/rest/searchPOST")


def test_synonyms_are_requested() -> None:
    assert sent(Query(text="cancer")).url.params["synonym"] == "true"


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
            Query(text="x", journal='The "Shell\\"'),
            '(JOURNAL:"The Shell" OR (SRC:PPR AND PUBLISHER:"The Shell"))',
            id="journal-with-quotes",
        ),
        pytest.param(
            Query(text="x", journal="Nature Physics"),
            '(JOURNAL:"Nature Physics" OR JOURNAL:"Nat Phys" OR'
            ' (SRC:PPR AND (PUBLISHER:"Nature Physics" OR PUBLISHER:"Nat Phys")))',
            id="journal-by-all-its-names",
        ),
        pytest.param(Query(text="x", author="doudna"), 'AUTH:"Doudna"', id="family-name"),
        pytest.param(Query(text="x", author="Doudna JA"), 'AUTH:"Doudna JA"', id="initials"),
        pytest.param(Query(text="x", author="J. A. Doudna"), 'AUTH:"Doudna JA"', id="initials-first"),
        pytest.param(Query(text="x", author="van der Maaten L"), 'AUTH:"van der Maaten L"', id="particles"),
        pytest.param(
            Query(text="x", author="Doudna, Jennifer A."),
            '(AUTH:"Doudna JA" OR AUTH:"Jennifer A Doudna")',
            id="full-name",
        ),
        pytest.param(
            Query(text="x", author="Zhang Feng"),
            '(AUTH:"Zhang F" OR AUTH:"Feng Z" OR AUTH:"Feng Zhang")',
            id="two-readings",
        ),
        pytest.param(Query(text="x", language="de"), 'LANG:"ger"', id="language"),
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
    assert sent(query).url.params["query"] == f"TITLE_ABS:x AND {clause}"


def test_initials_in_small_letters_are_initials() -> None:
    assert ' AND (AUTH:"Doudna JA" OR ' in sent(Query(text="x", author="doudna ja")).url.params["query"]


def test_every_filter_is_declared_and_applied() -> None:
    leg = replay(europe_pmc, EMPTY, query=EVERYTHING)
    assert SPEC.filters == set(FILTERS) - {"field_of_study"}
    assert leg.unsupported_filters == ()
    assert set(leg.applied_filters) == SPEC.filters - {"operators"}


def test_each_of_our_types_can_be_requested() -> None:
    assert set(TYPES) == set(PAPER_TYPES)


def test_core_records_are_requested_as_json_at_the_public_path() -> None:
    request = sent(Query(text="cancer", limit=37))
    assert request.url.path == "/europepmc/webservices/rest/search"
    assert dict(request.url.params) == {
        "query": "TITLE_ABS:cancer",
        "format": "json",
        "resultType": "core",
        "pageSize": "37",
        "synonym": "true",
    }


@pytest.mark.parametrize(
    ("sort", "parameter"), [("relevance", None), ("citations", "CITED desc"), ("date", "FIRST_PDATE_D desc")]
)
def test_the_order_is_requested_with_a_space(sort: str, parameter: str | None) -> None:
    assert sent(Query(text="x", sort=sort)).url.params.get("sort") == parameter


def test_a_sorted_search_leaves_full_texts_out_and_says_so() -> None:
    leg = replay(europe_pmc, EMPTY, query=Query(text="gene therapy OR crispr", sort="citations"))
    assert leg.effective_query == "(TITLE_ABS:(gene AND therapy) OR TITLE_ABS:crispr)&synonym=true&sort=CITED desc"
    assert leg.warnings == (
        "Europe PMC searched titles and abstracts only, because it sorts all hits, however marginal",
    )


def test_a_query_by_relevance_is_reported_as_sent() -> None:
    leg = replay(europe_pmc, EMPTY, query=Query(text="cancer", open_access=True))
    strict, wide = (f"{words} AND OPEN_ACCESS:Y&synonym=true" for words in ("TITLE_ABS:cancer", "cancer"))
    assert (leg.effective_query, leg.warnings) == (f"{strict} ; then, wider: {wide}", ())


def test_no_key_or_address_is_sent_or_reported() -> None:
    leg, request = replay(europe_pmc, EMPTY, query=EVERYTHING), sent(EVERYTHING)
    visible = " ".join([leg.effective_query or "", *leg.warnings, str(request.url), str(request.headers)])
    assert "secret-key" not in visible
    assert "dev@example.org" not in visible
