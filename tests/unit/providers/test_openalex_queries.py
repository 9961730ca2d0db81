"""Queries to OpenAlex: words, operators, filters, order, and the journal's id first."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from functions.providers import openalex
from shared.query.query import FILTERS, Query
from tests.replay import OWN_RECORDINGS, ask, client_for, replay, requests_of

BODIES = OWN_RECORDINGS / "openalex"
NO_HITS = json.loads((BODIES / "zero-hits.json").read_text(encoding="utf-8"))
SOURCES = json.loads((BODIES / "sources.json").read_text(encoding="utf-8"))


def parameters(text: str = "graphene", **filters: Any) -> dict[str, str]:
    """The parameters of the search that is sent."""
    return dict(requests_of(openalex, Query(text=text, **filters), [NO_HITS])[-1].url.params)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("graphene", "graphene"),
        ("quantum error correction", "quantum error correction"),
        ('"neural network"', '"neural network"'),
        ("graphene AND silicon", "graphene AND silicon"),
        ("graphene OR silicon", "graphene OR silicon"),
        ("graphene NOT silicon", "graphene NOT silicon"),
        ("deep learning OR support vector", "(deep learning) OR (support vector)"),
        ('a1 AND (b1 OR "c d") NOT e1', 'a1 AND (b1 OR "c d") NOT e1'),
        ("what causes cancer?", "what causes cancer "),
        ("neuro* '~x' \"gene?\"", "(neuro ' x') AND \"gene \""),
        ("COVID-19: Gödel's", "COVID-19: Gödel's"),
        ("“typographic quotes”", '"typographic quotes"'),
    ],
)
def test_words_and_operators_in_openalexs_syntax(text: str, expected: str) -> None:
    sent = parameters(text)["search"]
    assert sent.split() == expected.split()
    assert not set("*?~") & set(sent)


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"date_from": "2020"}, "from_publication_date:2020-01-01"),
        ({"date_to": "2020-02"}, "to_publication_date:2020-02-29"),
        (
            {"date_from": "2019-05", "date_to": "2020-03-04"},
            "from_publication_date:2019-05-01,to_publication_date:2020-03-04",
        ),
        ({"author": "Jane Doe"}, "raw_author_name.search:Jane Doe"),
        ({"author": "Doe, Jane|x:!y"}, "raw_author_name.search:Doe Jane x y"),
        ({"open_access": True}, "open_access.is_oa:true"),
        ({"min_citations": 5}, "cited_by_count:>4"),
        ({"publication_types": ("journal-article", "review")}, "type:article|review"),
        ({"publication_types": ("journal-article", "clinical-trial")}, "type:article"),
        ({"publication_types": ("retraction-notice",)}, "type:retraction"),
        ({"exclude_preprints": True}, "type:!preprint"),
        ({"exclude_retracted": True}, "is_retracted:false"),
    ],
)
def test_a_filter_in_openalexs_syntax(filters: dict[str, Any], expected: str) -> None:
    assert parameters(**filters)["filter"] == expected


def test_without_filters_none_is_sent() -> None:
    assert "filter" not in parameters()


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, {"sort": "relevance_score:desc", "per_page": "100"}),
        ({"sort": "citations"}, {"sort": "cited_by_count:desc"}),
        ({"sort": "date"}, {"sort": "publication_date:desc"}),
        ({"limit": 10}, {"per_page": "10"}),
        ({"limit": 500}, {"per_page": "100"}),
    ],
)
def test_order_and_depth(filters: dict[str, Any], expected: dict[str, str]) -> None:
    assert expected.items() <= parameters(**filters).items()


@pytest.mark.parametrize(
    ("journal", "ids"),
    [
        pytest.param("science", "S3880285", id="exactly one of that name"),
        pytest.param("total environment", "S3880285|S86852077|S64187185", id="none exactly: all that OpenAlex finds"),
    ],
)
def test_a_journal_is_looked_up_first(journal: str, ids: str) -> None:
    first, second = requests_of(openalex, Query(text="graphene", journal=journal), [SOURCES, NO_HITS])
    assert (first.url.path, first.url.params["search"]) == ("/sources", journal)
    assert (second.url.path, second.url.params["filter"]) == ("/works", f"primary_location.source.id:{ids}")


def test_a_journal_that_openalex_does_not_know_is_an_empty_answer_with_a_reason() -> None:
    reply = replay(openalex, NO_HITS, query=Query(text="graphene", journal="Acta Nulla"))
    assert (reply.outcome.value, reply.total_estimate) == ("empty", 0)
    assert reply.warnings == ("OpenAlex knows no journal like 'Acta Nulla'",)


def test_sources_without_an_id_are_passed_over() -> None:
    sources = {"results": [{"display_name": "Science"}, None, *SOURCES["results"]]}
    sent = requests_of(openalex, Query(text="graphene", journal="Science"), [sources, NO_HITS])
    assert sent[-1].url.params["filter"] == "primary_location.source.id:S3880285"


def test_every_filter_is_applied_by_openalex_itself() -> None:
    assert openalex.SPEC.filters == frozenset(FILTERS) - {"language", "field_of_study"}


def test_the_key_travels_in_a_header_only() -> None:
    request = requests_of(openalex, Query(text="graphene", author="Doe"), [NO_HITS])[0]
    assert request.headers["authorization"] == "Bearer secret-key"
    assert "secret-key" not in str(request.url)


def test_without_a_key_no_authorization_is_sent() -> None:
    client = client_for(openalex, _refuse_authorization, key=None)
    assert openalex.search(Query(text="graphene"), client).total == 0


def _refuse_authorization(request: httpx.Request) -> httpx.Response:
    return httpx.Response(403 if "authorization" in request.headers else 200, json=NO_HITS)


def test_the_effective_query_is_what_was_sent_without_the_key() -> None:
    reply = replay(openalex, NO_HITS, query=Query(text="graphene NOT silicon", date_from="2020"))
    assert reply.effective_query == "search=graphene NOT silicon&filter=from_publication_date:2020-01-01"
    assert "secret-key" not in f"{reply.effective_query} {reply.warnings}"


def test_no_refused_key_is_reported() -> None:
    reply = ask(openalex, lambda request: httpx.Response(401, json={"error": "secret-key is not known"}))
    assert reply.outcome.value == "unavailable"
    assert "secret-key" not in " ".join(reply.warnings)
