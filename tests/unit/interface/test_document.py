"""The document: valid OpenAPI 3.1, and the same as what the models of the validation accept."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from shared.citation_request import read_citations
from shared.errors import BadRequest
from shared.input_faults import validated
from shared.interface.number_texts import number_text
from shared.interface.openapi import openapi_document
from shared.interface.operations import OPERATIONS
from shared.papers.request import NetworkRequest, PapersRequest, ResolveRequest
from shared.request import read_request
from shared.sizes import RESULT_FIELDS

PROVIDERS = ("arxiv", "crossref", "pubmed")
CONTEXT = {"type": "debate", "id": "42"}


@cache
def document() -> dict[str, Any]:
    return openapi_document("https://api.example.org", PROVIDERS)


@cache
def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"#/components/schemas/{name}", "components": document()["components"]})


def accepted(name: str, data: Any) -> bool:
    """Whether the API's own validation takes it."""
    models: dict[str, Any] = {
        "SearchRequest": lambda it: read_request(it, PROVIDERS, RESULT_FIELDS),
        "PapersRequest": lambda it: validated(PapersRequest, it),
        "NetworkRequest": lambda it: validated(NetworkRequest, it),
        "ResolveRequest": lambda it: validated(ResolveRequest, it),
        "CitationRequest": read_citations,
    }
    try:
        models[name](data)
    except BadRequest:
        return False
    return True


def test_it_is_valid_openapi() -> None:
    assert not list(OpenAPIV31SpecValidator(document()).iter_errors())
    assert document()["openapi"] == "3.1.0"


def test_every_operation_has_a_name_of_its_own_and_says_what_it_is() -> None:
    names = [operation.name for operation in OPERATIONS]
    assert len(set(names)) == len(names)
    for operations in document()["paths"].values():
        for told in operations.values():
            assert told["summary"] and told["description"] and told["tags"]


def test_only_the_pages_about_the_service_are_open_to_all() -> None:
    open_to_all = {
        path for path, told in document()["paths"].items() if any(it.get("security") == [] for it in told.values())
    }
    assert open_to_all == {"/health", "/openapi.json", "/docs", "/llms.txt"}
    assert document()["security"] == [{"apiKey": []}]


def test_every_field_of_a_request_has_a_meaning() -> None:
    for name, schema in document()["components"]["schemas"].items():
        if name.endswith("Request") or name in ("Reference", "ResolveMany", "ResolveOne", "Context"):
            assert all(it.get("description") for it in schema.get("properties", {}).values()), name


def test_every_example_is_what_its_schema_says() -> None:
    checked = 0
    for operations in document()["paths"].values():
        for told in operations.values():
            contents = [*told.get("requestBody", {}).get("content", {}).values()]
            for answer in told["responses"].values():
                contents += answer.get("content", {}).values()
            for content in contents:
                if "example" in content:
                    whole = {**content["schema"], "components": document()["components"]}
                    Draft202012Validator(whole).validate(content["example"])
                    checked += 1
    assert checked >= 20


def of(name: str, field: str, values: list[Any], **besides: Any) -> list[tuple[str, dict[str, Any]]]:
    """The same request with each value of a field; without a field, each request as it is."""
    return [(name, {**besides, field: it} if field else {**besides, **it}) for it in values]


FORMS: list[tuple[str, dict[str, Any]]] = [
    ("SearchRequest", {"query": "a"}),
    ("SearchRequest", {}),
    ("SearchRequest", {"query": ""}),
    ("SearchRequest", {"query": " "}),
    ("SearchRequest", {"queries": ["a", "b"]}),
    ("SearchRequest", {"queries": "a"}),
    ("SearchRequest", {"queries": [""]}),
    ("SearchRequest", {"queries": list("abcdef")}),
    ("SearchRequest", {"cursor": None}),
    *of("SearchRequest", "max_results", [
        1, 100, 0, 101, "1", "100", "0", "101", "007", "+5", " 5", "5.0", 5.0, 5.5, True, None, "", [], {}, [5], "٥",
    ], query="a"),
    *of("SearchRequest", "fresh", [
        True, False, 0, 1, 2, 1.0, "true", "TRUE", "tRuE", "yes", "n", "off", "maybe", "truee", None, "", [True],
    ], query="a"),
    *of("SearchRequest", "providers", [
        "pubmed", "pubmed,arxiv", " pubmed , arxiv ", "pubmed,,", ",", "auto", "Pubmed", "scopus", ["pubmed"],
        ["", " "], [" "], ["scopus"], [1], [{}], {}, {"a": 1}, 5, "pubmed arxiv",
    ], query="a"),
    *of("SearchRequest", "date_from", [
        "2020", "2020-02", "2020-13", "2020-00", "2020-02-29", "2020-02-32", "20", "0000", "2020-1", 2020, "2020-02-",
        "",
    ], query="a"),
    *of("SearchRequest", "context", [
        CONTEXT, {**CONTEXT, "more": 1}, {"type": "debate"}, {"type": "talk", "id": "1"}, {"type": "debate", "id": ""},
        {"type": "debate", "id": 5}, None, {}, "debate:42",
    ], query="a"),
    *of("SearchRequest", "nonsense", [1, None, "", [], {}], query="a"),
    ("SearchRequest", {"query": "a", "sort": "oldest"}),
    ("SearchRequest", {"query": "a", "journal": "x" * 301}),
    ("SearchRequest", {"query": "a", "publication_types": "review,letter"}),
    ("SearchRequest", {"query": "a", "publication_types": ["poem"]}),
    ("SearchRequest", {"query": "a", "fields": "title,key"}),
    ("SearchRequest", {"query": "a", "fields": ["title", "Key"]}),
    *of("PapersRequest", "ids", [
        [], "", ["x"], [""], "a b", ",", "x", [5], ["x"] * 100, ["x"] * 101, None, {"a": "x"},
    ]),
    ("PapersRequest", {}),
    *of("NetworkRequest", "seeds", [["10.1000/a"], "10.1000/a", [], ["10.1000/a"] * 11, 5]),
    *of("NetworkRequest", "depth", [1, 2, 3, "2", "3", 0], seeds="10.1000/a"),
    *of("ResolveRequest", "", [
        {"references": ["a"]}, {"references": "a"}, {"references": [""]}, {"references": []}, {"references": [{}]},
        {"references": [{"title": "a"}]}, {"references": [{"title": ""}]}, {"references": [{"year": 2000}]},
        {"references": [5]}, {"references": ["x" * 2001]}, {"references": [{"title": "a", "pages": 5}]},
        {"references": [{"title": "a", "pages": True}]}, {"references": [{"title": "a", "pages": 5.0}]},
        {"references": [{"title": "a", "pages": 10**40}]}, {"references": [{"title": "a", "volume": -1}]},
        {"title": "a"}, {"title": "a", "references": []}, {"title": "a", "references": ["b"]}, {"year": 1999},
        {"title": "a", "year": "1999"}, {"title": "a", "year": "1399"}, {"title": "a", "authors": "A B; C D"},
        {"title": "a", "authors": ["A B"]}, {"title": "a", "authors": [5]}, {"title": "a", "more": 1}, {},
        {"references": ["a"], "more": None}, {"reference": "a", "detail": "full"},
    ]),
    *of("CitationRequest", "", [
        {"text": "a"}, {"text": " "}, {"text": ""}, {"papers": ["10.1000/a"]}, {"papers": "10.1000/a"}, {"papers": []},
        {"text": "a", "papers": ["10.1000/a"]}, {"text": "a", "papers": []}, {"text": None, "papers": ["10.1000/a"]},
        {"text": "a", "by": "x" * 257}, {"text": 5}, {}, {"papers": [{}]}, {"papers": [5]},
    ], context=CONTEXT),
    ("CitationRequest", {"text": "a"}),
    ("CitationRequest", {"text": "a", "context": {}}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "data"), FORMS, ids=lambda it: it if isinstance(it, str) else json.dumps(it)[:60])
def test_the_schema_and_the_validation_agree(name: str, data: dict[str, Any]) -> None:
    assert validator(name).is_valid(data) == accepted(name, data)


@given(st.integers(0, 10**8), st.integers(0, 10**8), st.integers(0, 10**9), st.integers(0, 3))
def test_a_numbers_text_is_one_between_its_limits(one: int, other: int, number: int, zeros: int) -> None:
    low, high = sorted((one, other))
    pattern = number_text(low, high)
    for it in (number, low, high, high + 1, max(low - 1, 0)):
        assert bool(re.search(pattern, "0" * zeros + str(it))) == (low <= it <= high)
