"""What holds for every request before its fields are looked at, and how much an error says."""

from __future__ import annotations

from typing import Any

import pytest

from shared.api.problems import problem_of
from shared.errors import MAX_ERRORS, MAX_MESSAGE_CHARS, BadRequest, FieldError, Unprocessable
from shared.graph.citation_request import CitationRequest, read_citations
from shared.papers.request import ExportRequest, PapersRequest, ResolveRequest
from shared.saved_searches.fields import SavedSearchRequest
from shared.search.request import SearchRequest
from shared.validation import MAX_NESTING, MAX_VALUES, validated

HALF = "10.1084/jem.\ud800"
CONTEXT = {"type": "debate", "id": "x"}


def refusal(model: Any, data: dict[str, Any]) -> BadRequest:
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
    error = refusal(model, data)
    assert isinstance(error, Unprocessable)
    assert [fault.field for fault in error.errors] == [field]
    assert "surrogate" in error.message


def test_too_many_values_are_refused_by_the_name_of_their_field() -> None:
    error = refusal(CitationRequest, {"context": CONTEXT, "papers": [1] * (MAX_VALUES + 1)})
    assert [fault.field for fault in error.errors] == ["papers"]
    assert "20,000 values" in error.message


def test_values_nested_too_deep_are_refused() -> None:
    deep: Any = "a"
    for _ in range(500):
        deep = [deep]
    error = refusal(PapersRequest, {"ids": deep})
    assert error.errors[0].field == ".".join(["ids"] + ["0"] * (MAX_NESTING - 1))


@pytest.mark.parametrize("data", [
    {"references": [{}] * 5_000},
    {"references": [{"title": "a", "authors": [1] * 100}] * 100},
    {"references": [{"x" * 200: 1}] * 100},
    {"references": ["a"], **{f"{'unknown' * 20}{number}": 1 for number in range(5_000)}},
])  # fmt: skip
def test_an_error_names_ten_fields_and_counts_the_others(data: dict[str, Any]) -> None:
    error = refusal(ResolveRequest, data)
    problem = problem_of(error, None)
    assert len(problem["errors"]) == MAX_ERRORS + 1
    assert problem["errors"][-1] == {"field": "errors", "message": f"and {error.more_errors:,} more errors"}
    assert error.more_errors > 80
    assert len(problem["detail"]) <= MAX_MESSAGE_CHARS


def test_ids_that_cannot_be_read_are_counted_too() -> None:
    with pytest.raises(Unprocessable) as caught:
        read_citations({"context": CONTEXT, "papers": ["no id " * 100] * 7 + [f"none {it}" for it in range(30)]})
    assert (len(caught.value.errors), caught.value.more_errors) == (10, 21)


def test_few_errors_have_no_count() -> None:
    error = BadRequest.fields([FieldError("a", "wrong"), FieldError("b", "missing")])
    assert (error.message, error.more_errors) == ("a: wrong; b: missing", 0)
    assert [fault["field"] for fault in problem_of(error, None)["errors"]] == ["a", "b"]
