"""The tools' schemas, kept small: an agent reads all of them before its first call.

Inputs are generated from the API's request models (`shared/agent_tools/declared_inputs.py`), where the uploaded code
has no file of them. Outputs name only the fields that an agent needs first.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from functools import cache
from pathlib import Path

from shared.field_schema import JsonSchema

INPUTS_FILE = Path(__file__).with_name("inputs.json")  # only in the uploaded code: tool -> JSON Schema


def input_schema(tool: str, parameters: Iterable[str], providers: Collection[str] = ()) -> JsonSchema:
    """JSON Schema of a tool's arguments, which are exactly `parameters`; with the names of the `providers` if given."""
    schema = _stored_inputs().get(tool) or _declared(tool, parameters)
    named = schema["properties"].get("providers")
    if not (named and providers):
        return schema
    items = {"type": "string", "enum": ["auto", *sorted(providers)]}
    return {**schema, "properties": {**schema["properties"], "providers": {**named, "items": items}}}


@cache
def _stored_inputs() -> dict[str, JsonSchema]:
    """What the upload stored; nothing where this runs from the repository."""
    if not INPUTS_FILE.is_file():
        return {}
    stored: dict[str, JsonSchema] = json.loads(INPUTS_FILE.read_bytes())
    return stored


def _declared(tool: str, parameters: Iterable[str]) -> JsonSchema:
    from shared.agent_tools.declared_inputs import declared_input  # imports all request models

    return declared_input(tool, parameters)


def _object(**properties: JsonSchema) -> JsonSchema:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _or_file(**properties: JsonSchema) -> JsonSchema:
    """An answer that may be a file in place of these properties."""
    return {**_object(**properties, text=_TEXT), "required": ["complete", "content_trust"]}


def _objects(*names: str) -> JsonSchema:
    """A list of objects with, among others, these fields."""
    return {"type": "array", "items": {"type": "object", "properties": {name: {} for name in names}}}


_YES, _WHOLE, _TEXT, _THING = {"type": "boolean"}, {"type": "integer"}, {"type": "string"}, {"type": "object"}
_TEXTS: JsonSchema = {"type": "array", "items": _TEXT}
_OR_NOT: JsonSchema = {"type": ["string", "null"]}
_SEARCHED = _or_file(
    results=_objects("key", "title", "authors", "year", "journal", "abstract", "citation_uri", "retraction"),
    total_count=_WHOLE, complete=_YES, providers=_THING, next_cursor=_OR_NOT, content_trust=_TEXT,
)  # fmt: skip
OUTPUTS: dict[str, JsonSchema] = {
    "literature_search": _SEARCHED,
    "pubmed_search": _object(results=_objects("key", "title"), complete=_YES, next_cursor=_OR_NOT, content_trust=_TEXT),
    "get_papers": _or_file(
        papers=_objects("id", "status", "paper", "reason"), complete=_YES, providers=_THING, content_trust=_TEXT
    ),
    "citation_network": _or_file(
        nodes=_objects("key", "roles", "paper"), edges=_objects("source", "target"), complete=_YES, content_trust=_TEXT
    ),
    "resolve_reference": _object(
        references=_objects("status", "paper", "candidates"), complete=_YES, content_trust=_TEXT
    ),
    "cite_in_context": _object(
        recorded=_WHOLE, mentions=_objects("id", "status"), unresolved=_TEXTS, content_trust=_TEXT
    ),
    "search": _object(results=_objects("id", "title", "url"), complete=_YES, content_trust=_TEXT),
    "fetch": _object(id=_TEXT, title=_TEXT, text=_TEXT, url=_OR_NOT, metadata=_THING, content_trust=_TEXT),
}
