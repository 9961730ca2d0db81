"""The JSON Schemas of requests: the canonical form of the models that validate them.

The API accepts more forms than these (numbers as text, comma-separated lists, empty values), as the document says in
its introduction. Rules that concern several fields are in the descriptions.
"""

from __future__ import annotations

from collections.abc import Collection

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from shared.api.named_schemas import REF
from shared.api.openapi_types import Parameter
from shared.exhaustive_searches.request import (
    NOT_TAKEN,
    ExhaustiveSearchFile,
    ExhaustiveSearchPage,
    ExhaustiveSearchReport,
    ExhaustiveSearchRequest,
)
from shared.exports.formats import FORMATS
from shared.field_schema import JsonSchema
from shared.graph.citation_request import CitationRequest
from shared.papers.reference_request import Reference, ResolveRequest
from shared.papers.request import ExportRequest, LinksRequest, NetworkRequest, PapersRequest
from shared.papers.similar.request import SimilarRequest
from shared.papers.texts.request import FullTextRequest
from shared.passages.request import PassagesRequest
from shared.reference_checks.request import ReferenceCheckRequest, ReferencePage
from shared.saved_searches.fields import NAME, AskedDelivery, AskedSchedule, AskedWebhook, SavedSearchRequest
from shared.search.requests.context import MAX_JSON_CHARS, ContextName
from shared.search.requests.search_request import SearchRequest
from shared.search.result_set_page import FacetRequest, ResultSetRequest
from shared.search.sizes.details import RESULT_FIELDS

MODELS = (
    SearchRequest, PapersRequest, LinksRequest, NetworkRequest, Reference, ResolveRequest, CitationRequest,
    ExportRequest, ResultSetRequest, FacetRequest, SavedSearchRequest, ContextName, AskedSchedule,
    AskedDelivery, AskedWebhook,
    ReferenceCheckRequest, ReferencePage, FullTextRequest, PassagesRequest, SimilarRequest,
    ExhaustiveSearchRequest, ExhaustiveSearchPage, ExhaustiveSearchReport, ExhaustiveSearchFile,
)  # fmt: skip
ONLY_PUBMED: JsonSchema = {
    "type": "array",
    "items": {"type": "string", "const": "pubmed"},
    "minItems": 1,
    "maxItems": 1,
}
# Requests by GET alone: their fields are parameters.
_OF_URLS = {
    it.__name__
    for it in (
        LinksRequest, ResultSetRequest, FacetRequest, ReferencePage, FullTextRequest,
        ExhaustiveSearchPage, ExhaustiveSearchReport, ExhaustiveSearchFile,
    )
}  # fmt: skip
# pydantic publishes the constraints of an optional field under its own names.
_LIMITS = {"ge": "minimum", "le": "maximum"}


def ref(name: str) -> JsonSchema:
    """A reference to a component."""
    return {"$ref": REF.format(model=name)}


class RequestSchemas:
    """The requests of a deployment with these `providers`."""

    def __init__(self, providers: Collection[str]) -> None:
        _, whole = models_json_schema([(model, "validation") for model in MODELS], ref_template=REF)
        # Enumerations are written where they are used.
        objects = {name: it for name, it in whole["$defs"].items() if "properties" in it}
        self._schemas: dict[str, JsonSchema] = {name: _plain_object(it) for name, it in objects.items()}
        names = {
            "providers": sorted({"all", "auto", *providers}),
            "fields": list(RESULT_FIELDS),
            "source": sorted(providers),
        }
        for schema in self._schemas.values():
            for name in names.keys() & schema["properties"].keys():
                schema["properties"][name]["items"] = {"type": "string", "enum": names[name]}
        self._of("ExportRequest")["format"]["enum"] = list(FORMATS)
        self._of("ResolveRequest")["references"]["items"] = {
            "anyOf": [{"type": "string", "minLength": 1, "maxLength": 2_000}, ref("Reference")]
        }
        self._add_saved_searches()
        self._shorten_exhaustive_searches()
        # `format` is read by the routes, not by the model.
        self._of("SearchRequest")["format"] = {
            "description": self._of("ExportRequest")["format"]["description"],
            "enum": ["json", *FORMATS],
            "default": "json",
        }
        self._schemas["PubmedSearchRequest"] = self._search(providers={"description": "PubMed alone.", **ONLY_PUBMED})

    def components(self) -> dict[str, JsonSchema]:
        """The schemas of the bodies, by name."""
        return {name: it for name, it in self._schemas.items() if name not in _OF_URLS}

    def query(self, model: type[BaseModel], without: Collection[str] = ()) -> list[Parameter]:
        """The fields of a model as parameters of a URL."""
        fields = self._of(model.__name__)
        return [_parameter(name, it) for name, it in fields.items() if name not in without]

    def _of(self, name: str) -> dict[str, JsonSchema]:
        properties: dict[str, JsonSchema] = self._schemas[name]["properties"]
        return properties

    def _search(self, **fields: JsonSchema) -> JsonSchema:
        search = self._schemas["SearchRequest"]
        return {**search, "properties": {**search["properties"], **fields}}

    def _add_saved_searches(self) -> None:
        """Saved searches, whose parts are validated one by one, and changes to them, where every field is optional."""
        monitored = self._search()
        del monitored["properties"]["cursor"]
        self._schemas["WatchedSearch"] = {**monitored, "description": "A search that runs on a schedule."}
        self._of("AskedWebhook")["url"]["pattern"] = "^[Hh][Tt][Tt][Pp][Ss]://"
        self._of("SavedSearchRequest")["name"]["pattern"] = NAME
        self._link("AskedDelivery", "webhook", "AskedWebhook")
        parts = {
            "search": "WatchedSearch", "watch": "ContextName", "schedule": "AskedSchedule", "delivery": "AskedDelivery",
        }  # fmt: skip
        for field, model in parts.items():
            self._link("SavedSearchRequest", field, model)
        changes = {"AskedSchedule": "ScheduleChange", "AskedDelivery": "DeliveryChange"}
        for model, change in {**changes, "SavedSearchRequest": "SavedSearchChange"}.items():
            self._schemas[change] = _partial(self._schemas[model])
        self._of("DeliveryChange")["webhook"] = {
            "description": "Its URL; null removes it.",
            "anyOf": [ref("AskedWebhook"), {"type": "null"}],
        }
        self._link("SavedSearchChange", "schedule", "ScheduleChange")
        self._link("SavedSearchChange", "delivery", "DeliveryChange")
        self._schemas["SavedSearchRequest"]["required"] = ["schedule"]

    def _shorten_exhaustive_searches(self) -> None:
        """Their fields are those of a search, but for the form of its answer: described there."""
        fields = self._of("ExhaustiveSearchRequest")
        for name in NOT_TAKEN:
            del fields[name]
        for name in fields.keys() & self._of("SearchRequest").keys():
            fields[name] = {**fields[name], "description": "As in SearchRequest."}

    def _link(self, name: str, field: str, target: str) -> None:
        self._of(name)[field] = {"description": self._of(name)[field]["description"], **ref(target)}


def _partial(schema: JsonSchema) -> JsonSchema:
    """The same fields, all optional and without defaults: a missing field keeps its value."""
    fields = {
        name: {key: it for key, it in field.items() if key != "default"} for name, field in schema["properties"].items()
    }
    return {**{key: it for key, it in schema.items() if key != "required"}, "properties": fields}


def _parameter(name: str, field: JsonSchema) -> Parameter:
    schema = {key: it for key, it in field.items() if key != "description"}
    if "$ref" in schema:  # an object, in a URL as JSON text; generators of clients do not know `content` in its place
        schema = {"type": "string", "format": "context-json", "maxLength": MAX_JSON_CHARS}
    return {"name": name, "in": "query", "description": field["description"], "required": False, "schema": schema}


def _plain_object(schema: JsonSchema) -> JsonSchema:
    fields = {name: _plain(field) for name, field in schema["properties"].items()}
    return {**{key: it for key, it in schema.items() if key != "title"}, "properties": fields}


def _plain(field: JsonSchema) -> JsonSchema:
    """Without a title, and without a null default: a client leaves the field out instead."""
    schema = {name: it for name, it in field.items() if name != "title"}
    for option in schema.pop("anyOf", ()):
        if option != {"type": "null"}:
            schema |= {_LIMITS.get(key, key): it for key, it in option.items()}
    if schema.get("default", ()) in (None, [], ()):
        schema.pop("default", None)
    return schema
