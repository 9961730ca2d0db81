"""Every list of values has one name in the document, so that a generated client has one type for it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import TypeAdapter

from shared.answers.fields import Wait
from shared.api.named_parameters import with_shared_parameters
from shared.api.named_schemas import with_names
from shared.canonical_json import compact_json
from tests.published_schemas import document

DATA = ("example", "examples", "default", "propertyNames")


def schemas(value: Any, *, is_component: bool = False) -> Iterator[dict[str, Any]]:
    """Every object of the document that is not data and not itself a component."""
    if isinstance(value, dict):
        if not is_component:
            yield value
        for name, it in value.items():
            if name not in DATA:
                yield from schemas(it)
    elif isinstance(value, list):
        for it in value:
            yield from schemas(it)


def inline() -> Iterator[dict[str, Any]]:
    yield from schemas(document()["paths"])
    for it in document()["components"]["schemas"].values():
        yield from schemas(it, is_component=True)


def test_no_list_of_values_is_inline() -> None:
    assert not [it for it in inline() if isinstance(it.get("enum"), list)]


def test_no_two_components_have_the_same_values() -> None:
    values = [json.dumps(it["enum"]) for it in document()["components"]["schemas"].values() if "enum" in it]
    assert len(values) == len(set(values)) > 20


@pytest.mark.parametrize(("name", "some"), [
    ("ProviderName", {"all", "auto", "europe_pmc", "pubmed"}), ("PaperType", {"review", "journal-article"}),
    ("Language", {"en", "zh"}), ("FieldOfStudy", {"medicine", "computer-science"}), ("PaperField", {"doi", "tldr"}),
])  # fmt: skip
def test_the_values_of_a_search_are_listed_by_name(name: str, some: set[str]) -> None:
    assert some < set(document()["components"]["schemas"][name]["enum"])
    assert f'"#/components/schemas/{name}"' in json.dumps(document()["components"]["schemas"]["SearchRequest"])


def test_every_array_says_what_its_items_are() -> None:
    in_answers = {"type": "array"}  # CSL-JSON is another standard's
    arrays = [it for it in inline() if it.get("type") == "array" and it != in_answers]
    assert arrays and not [it for it in arrays if "items" not in it or "contains" in it]


def test_limits_of_a_number_or_null_stand_with_the_number() -> None:
    beside = [it for it in inline() if "anyOf" in it and it.keys() - {"anyOf", "description", "default", "examples"}]
    assert not beside
    published = TypeAdapter[Any](Wait).json_schema()
    assert published["anyOf"] == [{"type": "number", "minimum": 0, "maximum": 86_400.0}, {"type": "null"}]


def test_a_parameter_of_several_operations_is_written_once() -> None:
    every = [it for path in document()["paths"].values() for each in path.values() for it in each.get("parameters", ())]
    written = [json.dumps(it, sort_keys=True) for it in every if "$ref" not in it]
    assert len(written) == len(set(written))
    assert {"$ref": "#/components/parameters/max_tokens"} in every


def test_a_name_that_means_two_things_has_its_owner_in_it() -> None:
    one, other = {"type": "string", "enum": ["a"]}, {"type": "string", "enum": ["b"]}
    made, paths = with_names(
        {"One": {"properties": {"sort": one}}, "Other": {"properties": {"sort": other}}}, {}
    )  # fmt: skip
    assert (made["OneSort"], made["OtherSort"], paths) == (one, other, {})
    assert made["One"]["properties"]["sort"] == {"$ref": "#/components/schemas/OneSort"}


def test_an_operation_without_parameters_stays_as_it_is() -> None:
    path: Any = {"get": {"operationId": "a", "responses": {}}}
    assert with_shared_parameters({"/a": path}) == ({"/a": path}, {})


def test_the_document_is_no_longer_than_it_needs_to_be() -> None:
    assert len(compact_json(document())) < 255_000
