"""Queries to OpenAlex: words, operators, filters, order, and the journal's id first."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from functions.providers import openalex
from shared.providers.records.openalex import FIELDS
from shared.query.query import FILTERS, Query
from tests.replay import OWN_RECORDINGS, ask, client_for, replay, requests_of

BODIES = OWN_RECORDINGS / "openalex"
NO_HITS = json.loads((BODIES / "zero-hits.json").read_text(encoding="utf-8"))
SOURCES = json.loads((BODIES / "sources.json").read_text(encoding="utf-8"))

_AUTHOR = "raw_author_name.search:"


def parameters(text: str = "graphene", **filters: Any) -> dict[str, str]:
    """The parameters of the first search that is sent."""
    return dict(requests_of(openalex, Query(text=text, **filters), [NO_HITS])[0].url.params)


def test_words_are_searched_for_in_titles_and_abstracts() -> None:
    """`search=` covers full texts."""
    sent = parameters("graphene transistors")
    assert sent["search.title_and_abstract"] == "graphene transistors"
    assert "search" not in sent


def test_only_the_fields_that_are_read_are_requested() -> None:
    """`select`."""
    assert parameters()["select"].split(",") == [*FIELDS, "relevance_score"]


def test_keywords_with_few_hits_are_looked_for_in_full_texts() -> None:
    first, second = requests_of(openalex, Query(text="graphene transistors"), [NO_HITS])
    assert first.url.params["search.title_and_abstract"] == second.url.params["search"] == "graphene transistors"


@pytest.mark.parametrize("filters", [{"sort": "date"}, {"sort": "citations"}, {"text": "graphene AND silicon"}])
def test_lists_in_another_order_and_expressions_are_not_widened(filters: dict[str, Any]) -> None:
    """By date or citations, hits in full texts are off topic."""
    assert len(requests_of(openalex, Query(**{"text": "graphene", **filters}), [NO_HITS])) == 1


def test_a_question_is_searched_for_by_its_meaning_as_well() -> None:
    query = Query(text="What causes lung cancer?", date_from="2019", date_to="2021", open_access=True, limit=100)
    words, meaning = requests_of(openalex, query, [NO_HITS])
    assert words.url.params["search.title_and_abstract"] == '("What causes lung cancer" OR (lung AND cancer))'
    assert meaning.url.params["search.semantic"] == "What causes lung cancer"
    assert meaning.url.params["filter"] == "open_access.is_oa:true,publication_year:2019-2021"
    assert meaning.url.params["per_page"] == "50"
    assert "sort" not in meaning.url.params


@pytest.mark.parametrize(
    "filters",
    [{"author": "Doe"}, {"min_citations": 2}, {"date_from": "2019-05"}, {"date_to": "2020-03-04"}, {"sort": "date"}],
)
def test_without_the_filters_there_is_no_search_by_meaning(filters: dict[str, Any]) -> None:
    sent = requests_of(openalex, Query(text="What causes lung cancer?", **filters), [NO_HITS])
    assert not any("search.semantic" in request.url.params for request in sent)


def test_an_author_alone_is_a_search() -> None:
    (sent,) = requests_of(openalex, Query(text="", author="Doudna"), [NO_HITS])
    assert (sent.url.params["filter"], sent.url.params["sort"]) == (
        "raw_author_name.search:Doudna",
        "relevance_score:desc",
    )
    assert not any(name.startswith("search") for name in sent.url.params)


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"date_from": "2020"}, "from_publication_date:2020-01-01"),
        ({"date_to": "2020-02"}, "to_publication_date:2020-02-29"),
        (
            {"date_from": "2019-05", "date_to": "2020-03-04"},
            "from_publication_date:2019-05-01,to_publication_date:2020-03-04",
        ),
        ({"author": "Jennifer A. Doudna"}, f"{_AUTHOR}Doudna Jennifer|Doudna J|Doudna JA|Doudna J.A"),
        ({"author": "Doudna JA"}, f"{_AUTHOR}Doudna"),
        ({"author": "J. A. Doudna"}, f"{_AUTHOR}Doudna"),
        ({"author": "van der Maaten L"}, f"{_AUTHOR}van der Maaten"),
        ({"author": "Doe, Jane|x:!y"}, f"{_AUTHOR}Doe Jane|Doe J|Doe JXY|Doe J.X.Y"),
        ({"author": "Gödel, Kurt"}, f"{_AUTHOR}Gödel Kurt|Gödel K|godel Kurt|godel K"),
        ({"author": "UK Biobank"}, f"{_AUTHOR}UK Biobank"),
        ({"language": "de"}, "language:de"),
        ({"field_of_study": "education"}, "primary_topic.subfield.id:3304"),
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
        pytest.param("Science", "S3880285", id="exactly one of that name"),
        pytest.param("total environment", "S3880285|S86852077|S64187185", id="none exactly: all that OpenAlex finds"),
    ],
)
def test_a_journal_is_looked_up_first_free_of_charge(journal: str, ids: str) -> None:
    """A journal's name costs no search."""
    first, second, *_ = requests_of(openalex, Query(text="graphene", journal=journal), [SOURCES, NO_HITS])
    assert (first.url.path, dict(first.url.params)) == ("/autocomplete/sources", {"q": journal})
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
    assert openalex.SPEC.filters == frozenset(FILTERS)


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
    assert reply.effective_query == (
        "search.title_and_abstract=(graphene NOT silicon)&filter=from_publication_date:2020-01-01"
    )
    assert "secret-key" not in f"{reply.effective_query} {reply.warnings}"


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        (Query(text="graphene AND silicon", sort="date"), "&sort=publication_date:desc"),
        (Query(text="graphene AND silicon", sort="citations"), "&sort=cited_by_count:desc"),
        (Query(text="graphene AND silicon"), ""),
    ],
    ids=["date", "citations", "relevance"],
)
def test_the_effective_query_has_the_sort_where_it_is_not_by_relevance(query: Query, shown: str) -> None:
    reply = replay(openalex, NO_HITS, query=query)
    assert reply.effective_query == f"search.title_and_abstract=(graphene AND silicon){shown}"


def test_no_refused_key_is_reported() -> None:
    reply = ask(openalex, lambda request: httpx.Response(401, json={"error": "secret-key is not known"}))
    assert reply.outcome.value == "unavailable"
    assert "secret-key" not in " ".join(reply.warnings)
