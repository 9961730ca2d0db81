"""The forms in which fields of requests are read, where that is more than their models say."""

from __future__ import annotations

from typing import Any

from shared.exports.formats import FORMATS
from shared.saved.asked import MAX_NAME_CHARS, NAME

Schema = dict[str, Any]
REF = "#/components/schemas/{model}"
BLANK = r"^\s*$"
A_DATE = r"^(?!0000)[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$"
SHARED_FORMS: dict[str, Schema] = {
    "Absent": {
        "description": "The same as leaving the field out.",
        "anyOf": [
            {"type": "null"},
            {"type": "string", "pattern": BLANK},
            {"type": "array", "maxItems": 0},
            {"type": "object", "maxProperties": 0},
        ],
    },
    "Blank": {"description": "An empty part of a list: passed over.", "type": "string", "pattern": BLANK},
    "FlagText": {
        "description": "A flag as a number or a text.",
        "anyOf": [
            {"enum": [0, 1]},
            {
                "type": "string",
                "pattern": "^([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee]|[Yy][Ee][Ss]|[Nn][Oo]|[Oo][Nn]|[Oo][Ff][Ff]"
                "|[TtFfYyNn01])$",
            },
        ],
    },
}


def ref(name: str) -> Schema:
    """A reference to a component."""
    return {"$ref": REF.format(model=name)}


_WORDING = {"type": "string", "maxLength": 1_000, "pattern": r"\S"}
_PAPER_ID = {"type": "string", "format": "paper-id", "minLength": 1, "maxLength": 1_500}
_GRAPH_ID = {**_PAPER_ID, "format": "graph-id"}
_EXPRESSION = {"type": "string", "format": "schedule-expression", "maxLength": 256, "pattern": r"\S"}
_TEXT_OR_NUMBER = {"type": "integer", "minimum": 0, "maximum": 999_999_999_999_999}
SPECIAL: dict[str, Schema] = {
    "query": {**_WORDING, "format": "literature-query"},
    "queries": {"anyOf": [
        {
            "type": "array", "maxItems": 5,
            "items": {"anyOf": [{**_WORDING, "format": "literature-query"}, ref("Absent")]},
        },
        {**_WORDING, "format": "literature-query"},
    ]},
    "date_from": {"type": "string", "pattern": A_DATE},
    "date_to": {"type": "string", "pattern": A_DATE},
    "cursor": {"type": "string", "format": "cursor", "maxLength": 500},
    "ids": {"anyOf": [
        {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 100},
        {"type": "string", "pattern": r"[^\s,]"},
    ]},
    "seeds": {"anyOf": [{"type": "array", "items": _PAPER_ID, "minItems": 1, "maxItems": 10}, _PAPER_ID]},
    "papers": {"anyOf": [
        {
            "type": "array", "items": {"anyOf": [_GRAPH_ID, ref("Blank")]}, "minItems": 1, "maxItems": 500,
            "contains": {"pattern": r"\S"},
        },
        _GRAPH_ID,
    ]},
    "text": {"type": "string", "maxLength": 100_000},
    "context": ref("Context"),
    "references": {
        "type": "array", "minItems": 1, "maxItems": 50,
        "items": {"anyOf": [{"type": "string", "minLength": 1, "maxLength": 2_000}, ref("Reference")]},
    },
    "authors": {"anyOf": [{"type": "array", "items": {"type": "string"}, "maxItems": 200}, {"type": "string"}]},
    "id": {"type": "string", "format": "paper-id", "maxLength": 1_500},
    "doi": {"type": "string", "format": "paper-id", "maxLength": 1_500},
    "volume": {"anyOf": [{"type": "string", "maxLength": 50}, _TEXT_OR_NUMBER]},
    "pages": {"anyOf": [{"type": "string", "maxLength": 50}, _TEXT_OR_NUMBER]},
    "pmid": {"anyOf": [{"type": "string", "maxLength": 20}, _TEXT_OR_NUMBER]},
    "search": ref("WatchedSearch"),
    "schedule": {"anyOf": [ref("AskedSchedule"), _EXPRESSION]},
    "delivery": ref("AskedDelivery"),
    "webhook": ref("AskedWebhook"),
    "expression": _EXPRESSION,
    "timezone": {"type": "string", "format": "timezone", "maxLength": 50},
    "url": {"type": "string", "format": "webhook-url", "maxLength": 2_000, "pattern": "^[Hh][Tt][Tt][Pp][Ss]://"},
}  # fmt: skip
# Fields that the routes read apart from their request's model.
FILES = list(FORMATS)
OWN: dict[tuple[str, str], Schema] = {
    ("SavedSearchRequest", "name"): {"type": "string", "maxLength": MAX_NAME_CHARS, "pattern": NAME},
    ("ExportRequest", "format"): {"enum": FILES, "default": "markdown"},
    ("SearchRequest", "format"): {"enum": ["json", *FILES], "default": "json"},
}
FROM_PUBMED: Schema = {
    "anyOf": [{"const": "pubmed"}, {"type": "array", "items": {"const": "pubmed"}, "minItems": 1, "maxItems": 1}]
}
