"""Every text of a request has a greatest length, which the document publishes and the API enforces by field name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from shared.errors import BadRequest
from shared.papers.reference_request import ResolveRequest
from shared.papers.request import ExportRequest, LinksRequest, NetworkRequest, PapersRequest
from shared.saved_searches.fields import AskedSchedule, AskedWebhook, SavedSearchRequest
from shared.search.requests.search_request import SearchRequest
from shared.validation import validated
from tests.published_schemas import document

LONG = "x" * 5_000
BOUNDED = {"enum", "const", "maxLength", "pattern"}


def texts(schema: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each schema of a text, with its path; references are followed."""
    if isinstance(schema, dict):
        if "$ref" in schema:
            yield from texts(referred(schema), path)
        if schema.get("type") == "string":
            yield ".".join(path), schema
        for name, part in schema.items():
            yield from texts(part, (*path, name))
    elif isinstance(schema, list):
        for number, part in enumerate(schema):
            yield from texts(part, (*path, str(number)))


def referred(it: Mapping[str, Any]) -> Any:
    """The component that a reference names; anything else as it is."""
    for part in it["$ref"].split("/")[1:] if "$ref" in it else ():
        it = document()[part] if part == "components" else it[part]
    return it


def requests() -> Iterator[tuple[str, Mapping[str, Any]]]:
    components = document()["components"]["schemas"]
    for path, operations in document()["paths"].items():
        for method, operation in operations.items():
            for parameter in map(referred, operation.get("parameters", ())):
                if parameter.get("in") == "header":
                    continue  # API Gateway bounds all headers together
                yield from texts(parameter, (method, path, parameter.get("name", "")))
    bodies = [name for name in components if name.endswith(("Request", "Change", "WatchedSearch"))]
    for name in [*bodies, "Context", "Reference", "AskedSchedule", "AskedDelivery", "AskedWebhook"]:
        yield from texts(components[name], (name,))


def test_the_document_bounds_every_text_of_a_request() -> None:
    found = list(requests())
    assert len(found) > 80
    assert not [path for path, schema in found if not BOUNDED & schema.keys()]


@pytest.mark.parametrize(("model", "data", "field", "most"), [
    (SearchRequest, {"query": LONG}, "query", 2_000),
    (SearchRequest, {"query": "a", "queries": ["b", LONG]}, "queries.1", 2_000),
    (SearchRequest, {"query": "a", "journal": LONG}, "journal", 300),
    (SearchRequest, {"query": "a", "author": LONG}, "author", 300),
    (SearchRequest, {"query": "a", "providers": ["crossref", LONG]}, "providers.1", 100),
    (SearchRequest, {"query": "a", "fields": f"doi,{LONG}"}, "fields", 100),
    (SearchRequest, {"query": "a", "publication_types": [LONG]}, "publication_types.0", 100),
    (SearchRequest, {"query": "a", "cursor": LONG}, "cursor", 500),
    (SearchRequest, {"query": "a", "context": {"type": "debate", "id": LONG}}, "context.id", 256),
    (PapersRequest, {"ids": ["10.1/a", LONG]}, "ids.1", 1_500),
    (LinksRequest, {"id": LONG}, "id", 1_500),
    (NetworkRequest, {"seeds": [LONG]}, "seeds.0", 1_500),
    (ExportRequest, {"ids": [LONG]}, "ids.0", 1_500),
    (ExportRequest, {"ids": "10.1/a", "format": LONG}, "format", 100),
    (ResolveRequest, {"references": [LONG]}, "references.0.reference", 2_000),
    (ResolveRequest, {"title": LONG}, "references.0.title", 1_000),
    (ResolveRequest, {"title": "a", "authors": ["b", LONG]}, "references.0.authors.1", 1_000),
    (ResolveRequest, {"title": "a", "journal": LONG}, "references.0.journal", 500),
    (ResolveRequest, {"title": "a", "pages": LONG}, "references.0.pages", 50),
    (SavedSearchRequest, {"name": LONG}, "name", 200),
    (AskedSchedule, {"expression": LONG}, "expression", 256),
    (AskedSchedule, {"expression": "a", "timezone": LONG}, "timezone", 50),
    (AskedWebhook, {"url": LONG}, "url", 2_000),
])  # fmt: skip
def test_a_longer_text_is_refused_by_field_and_limit(model: Any, data: dict[str, Any], field: str, most: int) -> None:
    with pytest.raises(BadRequest) as caught:
        validated(model, data)
    first = caught.value.errors[0]
    assert (first.field, first.message) == (field, f"String should have at most {most} characters, not {len(LONG):,}")
