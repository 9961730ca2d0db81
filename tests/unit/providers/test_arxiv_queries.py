"""Queries to arXiv: words, operators and filters in its own syntax."""

from __future__ import annotations

from typing import Any

import pytest

from functions.providers import arxiv
from shared.providers.provider import ProviderReply
from shared.query.query import Query
from tests.replay import OWN_RECORDINGS, replay, requests_of

HITS = (OWN_RECORDINGS / "arxiv" / "zero-hits.xml").read_text(encoding="utf-8")


def search_query(text: str, **filters: Any) -> str:
    """The `search_query` that is sent."""
    return requests_of(arxiv, Query(text=text, **filters), [HITS])[0].url.params["search_query"]


def leg(text: str = "graphene", **filters: Any) -> ProviderReply:
    return replay(arxiv, HITS, query=Query(text=text, **filters))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("graphene", "all:graphene"),
        ("quantum error correction", "(all:quantum AND all:error AND all:correction)"),
        ("the theory of everything", "(all:theory AND all:everything)"),
        ("to be or not", "all:not"),
        ("what is it", "(all:what AND all:is AND all:it)"),
        ("COVID-19", 'all:"COVID 19"'),
        ("graph-based learning", '(all:"graph based" AND all:learning)'),
        ('"neural network"', 'all:"neural network"'),
        ('"the art of war"', 'all:"the art of war"'),
        ("graphene AND silicon", "all:graphene AND all:silicon"),
        ("graphene OR silicon", "all:graphene OR all:silicon"),
        ("graphene NOT silicon", "all:graphene ANDNOT all:silicon"),
        ('a1 AND (b1 OR "c d") NOT e1', 'all:a1 AND (all:b1 OR all:"c d") ANDNOT all:e1'),
        ("deep learning OR support vector", "(all:deep AND all:learning) OR (all:support AND all:vector)"),
        ("Gödel's theorem", "(all:Gödel's AND all:theorem)"),
        ("量子 纠错", "(all:量子 AND all:纠错)"),
        ("ti:graphene", "all:graphene"),
        ("graphene && [2007 TO 2008]*?", "(all:graphene AND all:2007 AND all:2008)"),
        ("SU(2) symmetry", "(all:SU AND all:2 AND all:symmetry)"),
        ("C++ / & --", "all:C"),
        ("“typographic quotes”", 'all:"typographic quotes"'),
    ],
)
def test_words_and_operators_in_arxivs_syntax(text: str, expected: str) -> None:
    assert search_query(text) == expected


@pytest.mark.parametrize(
    ("filters", "clause"),
    [
        ({"date_from": "2020"}, "submittedDate:[202001010000 TO 299912312359]"),
        ({"date_to": "2020-02"}, "submittedDate:[199101010000 TO 202002292359]"),
        ({"date_from": "2019-05", "date_to": "2020-03-04"}, "submittedDate:[201905010000 TO 202003042359]"),
        ({"author": "Ashish Vaswani"}, "(au:Ashish AND au:Vaswani)"),
        ({"author": "Vaswani"}, "au:Vaswani"),
        ({"author": "Vaswani A"}, "au:Vaswani"),
        ({"author": "Gomez, A.N."}, "au:Gomez"),
        ({"author": "Schmidt-Hieber, Johannes"}, '(au:"Schmidt Hieber" AND au:Johannes)'),
        ({"author": "Li Wu"}, "(au:Li AND au:Wu)"),
        ({"author": "X. Y."}, "(au:X AND au:Y)"),
        ({"journal": "Nature Physics"}, "(jr:Nature AND jr:Physics)"),
        ({"journal": "The Journal of Chemical Physics"}, "(jr:Journal AND jr:Chemical AND jr:Physics)"),
    ],
)
def test_a_filter_becomes_a_clause(filters: dict[str, Any], clause: str) -> None:
    assert search_query("graphene", **filters) == f"all:graphene AND {clause}"


@pytest.mark.parametrize(
    "filters",
    [{"journal": "arXiv"}, {"open_access": True}, {"publication_types": ("preprint", "review")}, {"min_citations": 5}],
    ids=lambda filters: next(iter(filters)),
)
def test_a_filter_that_all_preprints_pass_or_that_arxiv_cannot_know_adds_nothing(filters: dict[str, Any]) -> None:
    assert search_query("graphene", **filters) == "all:graphene"


def test_operators_are_parenthesised_beside_filters() -> None:
    assert search_query("graphene OR silicon", author="Geim") == "(all:graphene OR all:silicon) AND au:Geim"


@pytest.mark.parametrize(
    ("filters", "parameters"),
    [
        ({}, {"sortBy": "relevance", "sortOrder": "descending", "max_results": "100"}),
        ({"sort": "date"}, {"sortBy": "submittedDate", "sortOrder": "descending"}),
        ({"sort": "citations"}, {"sortBy": "relevance"}),
        ({"limit": 10}, {"max_results": "10"}),
        ({"limit": 500}, {"max_results": "100"}),
    ],
)
def test_order_and_depth(filters: dict[str, Any], parameters: dict[str, str]) -> None:
    request = requests_of(arxiv, Query(text="graphene", **filters), [HITS])[0]
    assert parameters.items() <= dict(request.url.params).items()


def test_the_public_path_is_requested_once() -> None:
    requests = requests_of(arxiv, Query(text="graphene"), [HITS])
    assert [(request.method, request.url.path) for request in requests] == [("GET", "/api/query")]


def test_brackets_quotes_and_parentheses_are_percent_encoded() -> None:
    url = str(requests_of(arxiv, Query(text='"a b" OR c1', date_from="2020"), [HITS])[0].url)
    assert not set('[]"() ') & set(url)


@pytest.mark.parametrize("filters", [{"exclude_preprints": True}, {"publication_types": ("journal-article", "review")}])
def test_filters_that_no_preprint_passes_send_no_request_to_arxiv(filters: dict[str, Any]) -> None:
    assert leg(**filters).outcome.value == "skipped_unsupported_filter"
    assert requests_of(arxiv, Query(text="graphene", **filters), [HITS]) == []


def test_a_phrase_without_letters_sends_no_request_to_arxiv() -> None:
    assert leg('graphene OR "---"').outcome.value == "skipped_unsupported_filter"


@pytest.mark.parametrize(
    ("filters", "unsupported", "warnings"),
    [
        ({"min_citations": 5}, ("min_citations",), 0),
        ({"author": "Vaswani A"}, ("author",), 1),
        ({"author": "Ashish Vaswani"}, (), 0),
        ({"journal": "Nature Physics"}, (), 1),
        ({"journal": "arXiv"}, (), 0),
        ({"sort": "citations"}, (), 1),
        ({"date_from": "2020", "open_access": True, "exclude_retracted": True}, (), 0),
    ],
)
def test_filters_that_arxiv_cannot_apply_are_reported(
    filters: dict[str, Any], unsupported: tuple[str, ...], warnings: int
) -> None:
    reply = leg(**filters)
    assert reply.unsupported_filters == unsupported
    other_warnings = [warning for warning in reply.warnings if "read the query" not in warning]
    assert len(other_warnings) == warnings


def test_the_effective_query_is_what_was_sent() -> None:
    assert leg("graphene NOT silicon", sort="date").effective_query == (
        "search_query=all:graphene ANDNOT all:silicon&sortBy=submittedDate"
    )


def test_the_key_appears_nowhere() -> None:
    reply = leg(author="Vaswani A", min_citations=5)
    assert "secret-key" not in f"{reply.effective_query} {reply.warnings}"


def test_the_declared_pace_is_one_request_in_three_seconds_over_one_connection() -> None:
    assert (arxiv.SPEC.requests_per_second, arxiv.SPEC.concurrency) == (1 / 3, 1)
