"""Queries to Crossref: each filter in the API's own syntax, and a warning for the others."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from functions.providers import crossref
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from shared.query.query import Query
from tests.replay import OWN_RECORDINGS, ask, replay, requests_of

EMPTY = OWN_RECORDINGS / "crossref" / "zero_hits.json"
NO_HITS: dict[str, Any] = {"status": "ok", "message-type": "work-list", "message": {"total-results": 0, "items": []}}
BOOKS = ["type:book", "type:monograph", "type:edited-book", "type:reference-book"]
CHAPTERS = ["type:book-chapter", "type:book-section", "type:book-part", "type:reference-entry"]
PUBLISHED = [
    "type:journal-article", "type:proceedings-article", *CHAPTERS, *BOOKS, "type:dissertation", "type:report"
]  # fmt: skip
PAPERS = [*PUBLISHED[:2], "type:posted-content", *PUBLISHED[2:]]
# What the API answers to a request for an unknown element: the elements that `select` takes (autumn 2026).
SELECTABLE = (
    "abstract URL resource member posted score created degree update-policy short-title license ISSN container-title "
    "issued update-to issue prefix approved indexed article-number clinical-trial-number accepted author group-title "
    "DOI is-referenced-by-count updated-by event chair standards-body original-title funder translator published "
    "archive published-print alternative-id subject subtitle published-online publisher-location content-domain "
    "reference title link type publisher volume references-count ISBN issn-type assertion deposited page "
    "content-created short-container-title relation editor"
)


def sent(query: Query) -> httpx.Request:
    """The one request that a query becomes."""
    (request,) = requests_of(crossref, query, [NO_HITS])
    return request


def first_request(query: Query) -> httpx.Request:
    """The first request that a query becomes; a wider one may follow."""
    return requests_of(crossref, query, [NO_HITS])[0]


def filters_of(query: Query) -> list[str]:
    """The filters of a query's request."""
    return sent(query).url.params["filter"].split(",")


def empty_leg(query: Query) -> ProviderReply:
    """The leg of a query that finds nothing."""
    return replay(crossref, EMPTY, query=query)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        pytest.param(Query(text="x", date_from="2019"), ["from-pub-date:2019-01-01"], id="from-year"),
        pytest.param(Query(text="x", date_to="2020"), ["until-pub-date:2020-12-31"], id="to-year"),
        pytest.param(
            Query(text="x", date_from="2019-03", date_to="2020-02"),
            ["from-pub-date:2019-03-01", "until-pub-date:2020-02-29"],
            id="months",
        ),
        pytest.param(
            Query(text="x", date_from="2016-03-05", date_to="2020-06-06"),
            ["from-pub-date:2016-03-05", "until-pub-date:2020-06-06"],
            id="days",
        ),
        pytest.param(Query(text="x", open_access=True), ["has-license:true"], id="open-access"),
        pytest.param(Query(text="x", min_citations=10, exclude_retracted=True, sort="date"), [], id="checked-later"),
    ],
)
def test_a_filter_is_sent_beside_the_types_that_are_papers(query: Query, expected: list[str]) -> None:
    assert filters_of(query) == expected + PAPERS


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        pytest.param(Query(text="x", exclude_preprints=True), PUBLISHED, id="no-preprints"),
        pytest.param(Query(text="x", publication_types=("preprint",)), ["type:posted-content"], id="preprints"),
        pytest.param(
            Query(text="x", publication_types=("journal-article", "conference-paper")),
            ["type:journal-article", "type:proceedings-article"],
            id="two-types",
        ),
        pytest.param(Query(text="x", publication_types=("book", "book-chapter")), CHAPTERS + BOOKS, id="books"),
        pytest.param(Query(text="x", publication_types=("dataset",)), ["type:dataset", "type:database"], id="datasets"),
        pytest.param(Query(text="x", publication_types=("other",)), ["type:standard", "type:other"], id="other"),
        pytest.param(Query(text="x", publication_types=("review",)), ["type:journal-article"], id="review"),
        pytest.param(
            Query(text="x", publication_types=("erratum", "retraction-notice")),
            ["is-update:true", "type:journal-article"],
            id="notices",
        ),
        pytest.param(
            Query(text="x", publication_types=("erratum", "preprint"), exclude_preprints=True),
            ["type:journal-article"],
            id="preprints-wanted-and-excluded",
        ),
    ],
)
def test_types_are_requested_by_crossrefs_names(query: Query, expected: list[str]) -> None:
    assert filters_of(query) == expected


def test_preprints_cannot_be_both_the_only_type_and_excluded() -> None:
    query = Query(text="x", publication_types=("preprint",), exclude_preprints=True)
    assert empty_leg(query).outcome is Outcome.SKIPPED_UNSUPPORTED_FILTER
    assert requests_of(crossref, query, [NO_HITS]) == []


@pytest.mark.parametrize(("limit", "rows"), [pytest.param(1, "1", id="one"), pytest.param(100, "100", id="hundred")])
def test_the_whole_depth_is_one_call_in_order_of_score(limit: int, rows: str) -> None:
    params = sent(Query(text="x", limit=limit)).url.params
    assert (params["rows"], params["sort"]) == (rows, "score")


def test_only_elements_that_select_takes_are_selected() -> None:
    selected = set(sent(Query(text="x")).url.params["select"].split(","))
    assert selected <= set(SELECTABLE.split())


@pytest.mark.parametrize("element", ["updated-by", "update-to", "relation", "type", "DOI"])
def test_the_fields_that_report_retractions_are_selected(element: str) -> None:
    assert element in sent(Query(text="x")).url.params["select"].split(",")


def test_references_are_not_requested() -> None:
    assert "reference" not in sent(Query(text="x")).url.params["select"].split(",")


def test_the_contact_address_is_sent_and_never_reported() -> None:
    assert sent(Query(text="x")).url.params["mailto"] == "dev@example.org"
    assert "example.org" not in str(empty_leg(Query(text="x")))


def test_a_key_travels_as_the_header_of_the_paid_service_and_is_never_reported() -> None:
    request = first_request(Query(text='"x" NOT y', journal="Nature"))
    assert request.headers["crossref-plus-api-token"] == "Bearer secret-key"
    assert "secret-key" not in str(request.url)
    leg = empty_leg(Query(text='"x" NOT y', journal="Nature"))
    assert "secret-key" not in f"{leg.effective_query} {leg.warnings}"


def test_without_a_key_no_token_is_sent() -> None:
    requests: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        return httpx.Response(200, json=NO_HITS)

    ask(crossref, answer, key=None)
    assert "crossref-plus-api-token" not in requests[0].headers


def test_the_effective_query_is_the_sent_query() -> None:
    query = Query(text="TREM2 microglia", author="Colonna", date_from="2020", publication_types=("journal-article",))
    assert empty_leg(query).effective_query == (
        "query.bibliographic=TREM2 microglia&query.author=Colonna"
        "&filter=from-pub-date:2020-01-01,type:journal-article&sort=score"
    )


@pytest.mark.parametrize(
    ("query", "words"),
    [
        pytest.param(Query(text='"x"'), "does not support phrases", id="phrase"),
        pytest.param(Query(text="x OR y"), "not support phrases, AND, OR, NOT", id="operators"),
        pytest.param(Query(text="x", journal="Nature"), "checked afterwards", id="journal"),
        pytest.param(Query(text="x", author="Doudna"), "checked afterwards", id="author"),
        pytest.param(Query(text="x", open_access=True), "Creative Commons", id="open-access"),
        pytest.param(Query(text="x", date_from="2020-06"), "1 January", id="from-the-middle-of-a-year"),
        pytest.param(Query(text="x", publication_types=("review", "letter")), "letter, review", id="no-such-type"),
        pytest.param(Query(text="x", sort="citations"), "by relevance", id="citations"),
        pytest.param(Query(text="x", sort="date"), "by relevance", id="date"),
    ],
)
def test_approximations_are_reported_in_one_warning(query: Query, words: str) -> None:
    (warning,) = empty_leg(query).warnings
    assert words in warning


@pytest.mark.parametrize(
    "query",
    [
        pytest.param(Query(text="two words"), id="plain-words"),
        pytest.param(Query(text="x", date_from="2020", date_to="2021-03"), id="dates"),
        pytest.param(Query(text="x", publication_types=("preprint", "book")), id="types"),
        pytest.param(Query(text="x", min_citations=3, exclude_retracted=True, exclude_preprints=True), id="checkable"),
    ],
)
def test_exact_filters_and_those_checked_on_the_records_have_no_warning(query: Query) -> None:
    assert empty_leg(query).warnings == ()


@pytest.mark.parametrize(
    ("query", "unsupported", "applied"),
    [
        pytest.param(Query(text="a NOT b"), ("operators",), (), id="operators"),
        pytest.param(
            Query(text="x", journal="Nature", author="Doudna", open_access=True),
            ("journal", "author", "open_access"),
            (),
            id="scored-only",
        ),
        pytest.param(
            Query(text="x", date_from="2020", publication_types=("book",), exclude_preprints=True),
            (),
            ("date", "publication_types", "exclude_preprints"),
            id="applied",
        ),
        pytest.param(
            Query(text="x", min_citations=5, exclude_retracted=True),
            ("min_citations", "exclude_retracted"),
            (),
            id="checked-afterwards",
        ),
    ],
)
def test_the_leg_names_the_filters_that_crossref_applied(
    query: Query, unsupported: tuple[str, ...], applied: tuple[str, ...]
) -> None:
    leg = empty_leg(query)
    assert (leg.unsupported_filters, leg.applied_filters) == (unsupported, applied)
