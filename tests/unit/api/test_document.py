"""The document: valid OpenAPI 3.1, and nothing in it that the validation would refuse for its form."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from functions.dispatcher.file_responses import as_file
from shared.api.addresses import METADATA
from shared.api.openapi import openapi_document
from shared.api.operations import FILES, OPERATIONS
from shared.api.request_schemas import RequestSchemas
from shared.errors import BadRequest
from shared.exports.formats import FORMATS
from shared.graph.citation_request import read_citations
from shared.papers.reference_request import ResolveRequest
from shared.papers.request import NetworkRequest, PapersRequest
from shared.search.requests.search_request import read_request
from shared.search.sizes.details import RESULT_FIELDS
from shared.validation import validated
from tests.unit.api.request_forms import AGAINST_A_RULE, CANONICAL, OTHER_FORMS, REFUSED

PROVIDERS = ("arxiv", "crossref", "pubmed")


@cache
def document() -> dict[str, Any]:
    return {**openapi_document("https://api.example.org", PROVIDERS)}


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


def test_every_operation_has_a_unique_name_and_a_description() -> None:
    names = [operation.name for operation in OPERATIONS]
    assert len(set(names)) == len(names)
    for operations in document()["paths"].values():
        for described in operations.values():
            assert described["summary"] and described["description"] and described["tags"]


def test_only_the_pages_about_the_service_are_open_to_all() -> None:
    open_to_all = {
        path
        for path, described in document()["paths"].items()
        if any(it.get("security") == [] for it in described.values())
    }
    assert open_to_all == {"/", "/health", "/openapi.json", "/docs", "/llms.txt", f"/{METADATA}", f"/{METADATA}/mcp"}
    assert document()["security"] == [{"apiKey": []}, {"bearer": []}]


def test_every_file_is_marked_as_words_of_others_and_every_job_says_where_it_is() -> None:
    for operation in OPERATIONS:
        responses = document()["paths"][operation.path][operation.method.lower()]["responses"]
        answer = responses[str(operation.status)]
        is_file = bool(set(answer.get("content", {})) - {"application/json"}) and not operation.open_to_all
        assert ("Content-Trust" in answer.get("headers", {})) is is_file, operation.name
        assert {"Location", "Retry-After"} <= set(
            responses.get("202", {"headers": ["Location", "Retry-After"]})["headers"]
        )


def test_every_field_of_a_request_has_a_meaning() -> None:
    for name, schema in document()["components"]["schemas"].items():
        if name.endswith(("Request", "Change")) or name in ("Reference", "Context", "WatchedSearch"):
            assert all(it.get("description") for it in schema.get("properties", {}).values()), name


def test_every_example_is_what_its_schema_says() -> None:
    checked = 0
    for operations in document()["paths"].values():
        for described in operations.values():
            contents = [*described.get("requestBody", {}).get("content", {}).values()]
            for answer in described["responses"].values():
                contents += answer.get("content", {}).values()
            for content in contents:
                if "example" in content:
                    whole = {**content["schema"], "components": document()["components"]}
                    Draft202012Validator(whole).validate(content["example"])
                    checked += 1
    assert checked >= 20


def every(table: dict[str, list[dict[str, Any]]]) -> pytest.MarkDecorator:
    rows = [(name, data) for name, requests in table.items() for data in requests]
    return pytest.mark.parametrize(("name", "data"), rows, ids=lambda it: str(it)[:60])


@every(CANONICAL)
def test_every_input_that_the_schema_allows_is_accepted(name: str, data: dict[str, Any]) -> None:
    assert validator(name).is_valid(data)
    assert accepted(name, data)


@every(OTHER_FORMS)
def test_other_forms_are_accepted_without_a_schema(name: str, data: dict[str, Any]) -> None:
    assert not validator(name).is_valid(data)
    assert accepted(name, data)


@every(AGAINST_A_RULE)
def test_a_rule_over_several_fields_is_enforced_although_no_schema_states_it(name: str, data: dict[str, Any]) -> None:
    assert validator(name).is_valid(data)
    assert not accepted(name, data)


@every(REFUSED)
def test_refused_fields_are_not_in_the_schema(name: str, data: dict[str, Any]) -> None:
    assert not validator(name).is_valid(data)
    assert not accepted(name, data)


def test_the_document_says_that_text_forms_are_accepted() -> None:
    assert 'Text forms are accepted too: "10" for 10' in document()["info"]["description"]


def test_schemas_of_requests_have_no_unions_but_a_references_two_forms_and_a_webhooks_removal() -> None:
    schemas = RequestSchemas(PROVIDERS).components()
    unions = {
        (name, field) for name, schema in schemas.items() for field, it in schema["properties"].items()
        if "anyOf" in it or "oneOf" in it or "anyOf" in it.get("items", {})
    }  # fmt: skip
    assert unions == {("ResolveRequest", "references"), ("DeliveryChange", "webhook")}


def test_every_header_of_a_file_of_citations_is_described() -> None:
    file = as_file(FORMATS["ris"], (), complete=True)
    for operation in OPERATIONS:
        if set(FILES) <= set(operation.answers):
            described = document()["paths"][operation.path][operation.method.lower()]["responses"]["200"]["headers"]
            assert file.headers.keys() - {"Content-Disposition", "Content-Type"} <= described.keys(), operation.name
