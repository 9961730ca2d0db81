"""What holds for every request before its fields are looked at, and how much an error says."""

from __future__ import annotations

from typing import Any

import pytest

from shared.api.problems import problem_of
from shared.errors import BadRequest, FieldError, Unprocessable
from shared.exhaustive_searches.request import ExhaustiveSearchRequest
from shared.graph.citation_request import CitationRequest, read_citations
from shared.papers.reference_request import ResolveRequest
from shared.papers.request import ExportRequest, PapersRequest
from shared.saved_searches.fields import SavedSearchRequest
from shared.search.requests.search_request import SearchRequest
from shared.validation import MAX_ERRORS, MAX_NESTING, MAX_VALUES, refusal, validated

HALF = "10.1084/jem.\ud800"
CONTEXT = {"type": "debate", "id": "x"}


def refused(model: Any, data: dict[str, Any]) -> BadRequest:
    with pytest.raises(BadRequest) as caught:
        validated(model, data)
    return caught.value


@pytest.mark.parametrize(("model", "data", "field"), [
    (CitationRequest, {"context": CONTEXT, "papers": [HALF]}, "papers.0"),
    (CitationRequest, {"context": CONTEXT, "text": HALF}, "text"),
    (CitationRequest, {"context": {**CONTEXT, "id": HALF}, "text": "a"}, "context.id"),
    (CitationRequest, {"context": CONTEXT, "text": "a", "by": HALF}, "by"),
    (PapersRequest, {"ids": ["10.1/a", HALF]}, "ids.1"),
    (ExportRequest, {"ids": HALF}, "ids"),
    (SearchRequest, {"query": "a", "author": HALF}, "author"),
    (ResolveRequest, {"references": [{"title": "a"}, {"title": "b", "authors": [HALF]}]}, "references.1.authors.0"),
    (SavedSearchRequest, {"search": {"query": HALF}, "schedule": "rate(1 day)"}, "search.query"),
])  # fmt: skip
def test_half_a_character_is_refused_by_the_name_of_its_field(model: Any, data: dict[str, Any], field: str) -> None:
    error = refused(model, data)
    assert isinstance(error, Unprocessable)
    assert [fault.field for fault in error.errors] == [field]
    assert "surrogate" in error.message


@pytest.mark.parametrize(("model", "data", "field", "said"), [
    (SearchRequest, {"query": "a", "context": {**CONTEXT, "share": True}}, "context.share", "; did you mean shared?"),
    (SearchRequest, {"query": "a", "context": {**CONTEXT, "zzzz": 1}}, "context.zzzz", "; the fields are type, id"),
    (SearchRequest, {"query": "a", "filters": {}}, "filters", "; the fields are detail, fields,"),
    (ResolveRequest, {"references": [{"titel": "a"}]}, "references.0.titel", "; did you mean title?"),
    (ResolveRequest, {"references": [{"text": "a"}]}, "references.0.text", "; did you mean reference?"),
    (ResolveRequest, {"references": [{"citation": "a"}]}, "references.0.citation", "; did you mean reference?"),
    (ResolveRequest, {"references": [{"DOI": "10.1000/x"}]}, "references.0.DOI", "; did you mean doi?"),
    (ResolveRequest, {"references": ["a", {"foo": 1}]}, "references.1.foo", "; the fields are reference, title"),
])  # fmt: skip
def test_an_unknown_name_inside_an_object_gets_the_names_of_that_object(
    model: Any, data: dict[str, Any], field: str, said: str
) -> None:
    (fault,) = refused(model, data).errors
    assert fault.field == field
    assert fault.message.startswith(f"unknown field{said}")


def test_a_model_says_why_it_does_not_take_a_field() -> None:
    (fault,) = refused(ExhaustiveSearchRequest, {"query": "a", "max_results": 5}).errors
    assert (fault.field, "its pages take it" in fault.message) == ("max_results", True)


def test_too_many_values_are_refused_by_the_name_of_their_field() -> None:
    error = refused(CitationRequest, {"context": CONTEXT, "papers": [1] * (MAX_VALUES + 1)})
    assert [fault.field for fault in error.errors] == ["papers"]
    assert "20,000 values" in error.message


def test_values_nested_too_deep_are_refused() -> None:
    deep: Any = "a"
    for _ in range(500):
        deep = [deep]
    error = refused(PapersRequest, {"ids": deep})
    assert error.errors[0].field == ".".join(["ids"] + ["0"] * (MAX_NESTING - 1))


@pytest.mark.parametrize("data", [
    {"references": [7] * 5_000},
    {"references": [{"title": "a", "authors": [1] * 100}] * 100},
    {"references": [{"x" * 200: 1}] * 100},
    {"references": ["a"], **{f"{'unknown' * 20}{number}": 1 for number in range(5_000)}},
])  # fmt: skip
def test_an_error_names_ten_fields_and_counts_the_others(data: dict[str, Any]) -> None:
    error = refused(ResolveRequest, data)
    problem = problem_of(error)
    assert len(problem["errors"]) == MAX_ERRORS + 1
    last = problem["errors"][-1]
    assert last["field"] == "errors"
    assert int(last["message"].removeprefix("and ").removesuffix(" more errors").replace(",", "")) > 80
    assert len(problem["detail"]) <= BadRequest.max_chars


def test_ids_that_cannot_be_read_are_counted_too() -> None:
    with pytest.raises(Unprocessable) as caught:
        read_citations({"context": CONTEXT, "papers": ["no id " * 100] * 7 + [f"none {it}" for it in range(30)]})
    assert len(caught.value.errors) == 11
    assert caught.value.errors[-1] == FieldError("errors", "and 21 more errors")


def test_few_errors_have_no_count() -> None:
    error = refusal(BadRequest, [FieldError("a", "wrong"), FieldError("b", "missing")])
    assert error.message == "a: wrong; b: missing"
    assert [fault["field"] for fault in problem_of(error)["errors"]] == ["a", "b"]


def test_a_context_that_is_no_object_is_refused_with_an_example() -> None:
    error = refused(CitationRequest, {"context": "debate-42", "papers": ["10.1000/a"]})
    (message,) = [it.message for it in error.errors if it.field == "context"]
    assert '{"type": "debate", "id": "42"}' in message


@pytest.mark.parametrize(
    ("written", "says"),
    [("36107206", "write PMID:36107206"), ("1234", "a DOI, PMID:…"), ("Vaswani 2017", "a DOI, PMID:…")],
)
def test_the_refusal_of_what_is_no_id_says_how_to_write_one(written: str, says: str) -> None:
    with pytest.raises(Unprocessable) as refused_ids:
        read_citations({"context": CONTEXT, "papers": [written]})
    assert says in refused_ids.value.errors[0].message


@pytest.mark.parametrize(
    "more", [{}, {"title": "Trem2 deficiency something else entirely"}, {"reference": "Jonsson 2013"}]
)
@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("36107206", "write PMID:36107206"),
        (" (36107206). ", "write PMID:36107206"),
        ("36107206, 27797938", "write PMID:36107206, PMID:27797938"),
        ("1234", "write a DOI, PMID:…"),
    ],
)
def test_a_number_as_the_id_of_a_reference_is_refused_and_not_left_out(
    written: str, says: str, more: dict[str, str]
) -> None:
    for body, place in (({"id": written, **more}, 0), ({"references": ["x", "", {"id": written, **more}]}, 2)):
        (error,) = refused(ResolveRequest, body).errors
        assert error.field == f"references.{place}.id"
        assert says in error.message


@pytest.mark.parametrize("written", ["PMID:36107206", "10.1000/a", "0" * 7 + "1" * 33])
def test_an_id_of_a_reference_that_says_what_it_is_is_read(written: str) -> None:
    assert validated(ResolveRequest, {"id": written}).references[0].ids == (written,)
