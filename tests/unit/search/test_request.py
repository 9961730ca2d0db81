"""What a caller may request, and the errors of invalid input."""

from __future__ import annotations

from typing import Any

import pytest

from shared.errors import BadRequest, Unprocessable
from shared.search.requests.search_request import SearchRequest, read_request

PROVIDERS = ("arxiv", "openalex", "pubmed")
RESULT_FIELDS = ("doi", "title")


def read(**fields: Any) -> SearchRequest:
    return read_request({"query": "TREM2", **fields}, PROVIDERS, RESULT_FIELDS)


MALFORMED = [
    pytest.param({"quary": "x"}, "quary", "did you mean query?", id="unknown field, with the nearest"),
    pytest.param({"zzz": 1}, "zzz", "the fields are", id="unknown field, with all of them"),
    pytest.param({"query": 5}, "query", "string", id="query that is a number"),
    pytest.param({"query": ["a", "b"]}, "query", "`queries`", id="query that is a list"),
    pytest.param({"max_results": "ten"}, "max_results", "integer", id="number in words"),
    pytest.param({"max_results": True}, "max_results", "whole number", id="flag for a number"),
    pytest.param({"max_results": 1.5}, "max_results", "whole number", id="half a result"),
    pytest.param({"providers": 7}, "providers", "array", id="providers that are a number"),
    pytest.param({"providers": [7]}, "providers.0", "string", id="a provider that is a number"),
    pytest.param({"open_access": "perhaps"}, "open_access", "true or false", id="flag that is neither"),
    pytest.param({"context": "debate"}, "context", "", id="context that is text"),
    pytest.param({"context": {"type": "debate"}}, "context.id", "required", id="context without id"),
    pytest.param({"context": {"type": "debate", "id": "1", "x": 1}}, "context.x", "unknown", id="context with more"),
]

IMPOSSIBLE = [
    pytest.param({"query": ""}, "query", "unless `queries` or `author`", id="empty query"),
    pytest.param({"query": "   "}, "query", "required", id="blank query"),
    pytest.param({"query": None}, "query", "required", id="null query"),
    pytest.param({"query": "x" * 2001}, "query", "2000 characters", id="long query"),
    pytest.param({"query": "\ufdfa" * 200}, "query", "2000 characters", id="a query that is long when written out"),
    pytest.param({"query": "!!!"}, "query", "letter or digit", id="query of marks"),
    pytest.param({"query": "(a OR b AND c"}, "query", "parenthesis", id="open parenthesis"),
    pytest.param({"query": "a) OR b"}, "query", "parenthesis", id="closing parenthesis"),
    pytest.param({"query": "(" * 51 + "a OR b" + ")" * 51}, "query", "more than 50 deep", id="deep parentheses"),
    pytest.param({"query": "(" * 499 + "a OR b" + ")" * 499}, "query", "more than 50 deep", id="very deep parentheses"),
    pytest.param({"providers": ["x" * 101]}, "providers.0", "100 characters", id="a long name of a provider"),
    pytest.param({"queries": ["a", "\ud800"]}, "queries.1", "surrogate", id="half a character"),
    pytest.param({"queries": '["a", "\\ud800"]'}, "queries.1", "unicode", id="half a character in JSON text"),
    pytest.param({"query": "NOT a"}, "query", "positive term", id="only a NOT"),
    pytest.param({"query": "(a OR"}, "query", "both sides", id="dangling OR"),
    pytest.param({"query": "a AND"}, "query", "both sides", id="dangling AND"),
    pytest.param({"queries": ["a"] * 6}, "queries", "5", id="six wordings"),
    pytest.param({"queries": ["x" * 2001]}, "queries.0", "2000 characters", id="a long wording"),
    pytest.param({"max_results": 0}, "max_results", "from 1 to 100, not 0", id="no results"),
    pytest.param({"max_results": 101}, "max_results", "from 1 to 100, not 101", id="too many results"),
    pytest.param({"max_results": -3}, "max_results", "not -3", id="negative results"),
    pytest.param({"date_from": "2020-13"}, "date_from", "YYYY-MM", id="month 13"),
    pytest.param({"date_from": "2023-02-29"}, "date_from", "a day that exists", id="no leap year"),
    pytest.param({"date_to": "yesterday"}, "date_to", "YYYY", id="date in words"),
    pytest.param({"date_to": "2020-1-1"}, "date_to", "YYYY", id="short month"),
    pytest.param({"date_from": "20200101"}, "date_from", "YYYY", id="date without dashes"),
    pytest.param({"date_from": "2021", "date_to": "2020"}, "date_from", "after date_to", id="reversed years"),
    pytest.param({"date_from": "2020-05-02", "date_to": "2020-05-01"}, "date_from", "after", id="reversed days"),
    pytest.param({"author": "0000-0001-5222-4988"}, "author", "an ORCID iD", id="no ORCID iD, by its last digit"),
    pytest.param({"min_citations": -1}, "min_citations", "not -1", id="negative citations"),
    pytest.param({"publication_types": "poem"}, "publication_types", "journal-article", id="unknown type"),
    pytest.param({"providers": "pubmed,scopus"}, "providers", "valid: all, arxiv, auto", id="unknown provider"),
    pytest.param({"fields": "doi,price"}, "fields", "valid: doi, title", id="unknown result field"),
    pytest.param({"sort": "oldest"}, "sort", "'relevance'", id="unknown sort"),
    pytest.param({"ranking": "magic"}, "ranking", "'balanced'", id="unknown ranking"),
    pytest.param({"detail": "huge"}, "detail", "'compact'", id="unknown detail"),
    pytest.param({"timeout_ms": 999}, "timeout_ms", "1000", id="short time"),
    pytest.param({"timeout_ms": 25001}, "timeout_ms", "25000", id="long time"),
    pytest.param({"max_tokens": 10}, "max_tokens", "200", id="no room for a result"),
    pytest.param({"abstract_chars": -1}, "abstract_chars", "not -1", id="negative abstract"),
    pytest.param({"context": {"type": "chat", "id": "1"}}, "context.type", "debate", id="context of an unknown type"),
]


@pytest.mark.parametrize(("fields", "field", "message"), MALFORMED)
def test_input_of_the_wrong_form_is_a_bad_request_that_names_the_field(
    fields: dict[str, Any], field: str, message: str
) -> None:
    with pytest.raises(BadRequest) as caught:
        read(**fields)
    assert type(caught.value) is BadRequest
    assert [fault.field for fault in caught.value.errors] == [field]
    assert message in caught.value.errors[0].message


@pytest.mark.parametrize(("fields", "field", "message"), IMPOSSIBLE)
def test_an_impossible_value_is_unprocessable_and_names_the_field(
    fields: dict[str, Any], field: str, message: str
) -> None:
    with pytest.raises(Unprocessable) as caught:
        read(**fields)
    assert [fault.field for fault in caught.value.errors] == [field]
    assert message in caught.value.errors[0].message


@pytest.mark.parametrize("data", [[], "query", None, 5], ids=["list", "text", "null", "number"])
def test_a_request_that_is_no_object_is_refused(data: Any) -> None:
    with pytest.raises(BadRequest, match="JSON object"):
        read_request(data, PROVIDERS)


def test_several_errors_are_all_named() -> None:
    with pytest.raises(BadRequest) as caught:
        read(max_results="ten", sort="oldest")
    assert {fault.field for fault in caught.value.errors} == {"max_results", "sort"}


def test_empty_strings_and_nulls_mean_absent() -> None:
    empty = dict.fromkeys(SearchRequest.model_fields, "")
    assert read(**{**empty, "query": "TREM2"}) == read()
    assert read(**{**dict.fromkeys(SearchRequest.model_fields), "query": "TREM2"}) == read()


def test_a_comma_string_and_an_array_are_one_list() -> None:
    assert read(providers="pubmed, arxiv").providers == read(providers=["pubmed", "arxiv"]).providers
    assert read(publication_types="review,letter").publication_types == ("review", "letter")


def test_numbers_and_flags_may_come_as_text() -> None:
    request = read(max_results="25", open_access="true", include_abstract="false", timeout_ms="5000")
    assert (request.max_results, request.open_access, request.include_abstract, request.timeout_ms) == (
        25, True, False, 5000,
    )  # fmt: skip


def test_defaults_are_the_contracts() -> None:
    request = read()
    assert (request.max_results, request.sort, request.ranking, request.detail) == (
        10, "relevance", "balanced", "standard",
    )  # fmt: skip
    assert (request.include_abstract, request.cite_in_kg, request.include_retracted, request.fresh) == (
        True, True, True, False,
    )  # fmt: skip
    assert request.timeout_ms == 20_000


def test_each_wording_is_reported_once() -> None:
    request = read(queries=["TREM2", "microglia receptor", "TREM2  "])
    assert request.wordings == ("TREM2", "microglia receptor")


def test_a_cursor_stands_for_its_query() -> None:
    assert read_request({"cursor": "abc"}, PROVIDERS).query is None
