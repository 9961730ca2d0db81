"""Gives every list of values, and every limited text in a list, a name of its own under `components/schemas`.

Generators of clients name an inline schema after its place and make one type for each place (`Format1`, `Format2`,
`SearchRequestLanguage`, `PubmedSearchRequestLanguage`). A component is one type, written once.
https://spec.openapis.org/oas/v3.1.1.html#components-object
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from shared.api.openapi_types import PathItem
from shared.canonical_json import canonical
from shared.field_schema import JsonSchema

REF = "#/components/schemas/{model}"
# Names for values whose field's name would be unclear or is taken: by field, or by `Owner.field`.
_NAMES = {
    "GetResultSet.source": "SourceName", "agrees": "ComparedField", "authors": "AuthorName", "cache": "CacheState",
    "differs": "ComparedField", "fields": "PaperField", "ids": "AnyPaperId", "kind": "GraphTable", "list": "GraphList",
    "papers": "GraphPaperId", "providers": "ProviderName", "publication_types": "PaperType", "queries": "Wording",
    "reason": "CircuitReason", "roles": "NetworkRole", "seeds": "PaperId", "state": "CircuitState",
    "unlike": "PaperId",
}  # fmt: skip
# What is said of one use of a schema stands beside the reference to it.
_OF_ONE_USE = ("description", "default")
# Data, not schemas; the keys of an object are not a type in any generator.
_NO_SCHEMAS = ("example", "examples", "default", "propertyNames")


class _Use(NamedTuple):
    owner: str  # the component or operation
    field: str  # its property or parameter
    content: str  # the schema, as JSON with sorted keys


def with_names(
    schemas: Mapping[str, JsonSchema], paths: Mapping[str, PathItem]
) -> tuple[dict[str, JsonSchema], dict[str, PathItem]]:
    """The components with those named here, and the paths, both with references in place of the schemas."""
    components = [it for name, schema in schemas.items() for it in _uses(schema, name, "")]
    operations = [it for path in paths.values() for each in path.values() for it in _of_operation(each)]
    names = _names([*components, *operations], schemas)
    named = {names[_content(it)]: it for it in map(json.loads, names) if names[_content(it)] not in schemas}
    small = {name: {key: _named(it, names) for key, it in schema.items()} for name, schema in schemas.items()}
    return {**small, **dict(sorted(named.items()))}, {name: _named(it, names) for name, it in paths.items()}


def _of_operation(operation: Any) -> Iterator[_Use]:
    owner = _pascal(operation["operationId"])
    for parameter in operation.get("parameters", ()):
        yield from _uses(parameter["schema"], owner, parameter["name"], is_field=True)


def _uses(schema: Any, owner: str, field: str, *, is_field: bool = False, is_item: bool = False) -> Iterator[_Use]:
    """Every schema within this one that gets a name; the owner itself has one."""
    if not isinstance(schema, Mapping):
        return
    if field and _is_named(schema, is_item=is_item):
        yield _Use(owner, field, _content(schema))
    for name, it in schema.get("properties", {}).items():
        yield from _uses(it, owner, name, is_field=True)
    yield from _uses(schema.get("items"), owner, field, is_item=is_field)
    yield from _uses(schema.get("additionalProperties"), owner, field)
    for option in schema.get("anyOf", ()):
        yield from _uses(option, owner, field)
    if not field and "enum" in schema:
        yield _Use("", owner, _content(schema))  # a component that others with its values refer to


def _is_named(schema: Mapping[str, Any], *, is_item: bool) -> bool:
    return "enum" in schema or (is_item and schema.get("type") == "string" and "maxLength" in schema)


def _content(schema: Mapping[str, Any]) -> str:
    """The schema without what belongs to one use of it; a list of values needs no other limit."""
    bare = {"type": "string", "enum": schema["enum"]} if "enum" in schema else schema
    return canonical({key: it for key, it in bare.items() if key not in _OF_ONE_USE})


def _names(uses: list[_Use], taken: Mapping[str, JsonSchema]) -> dict[str, str]:
    """The name of each content: an existing component's, else its field's, else its first owner's and field's."""
    names = {use.content: use.field for use in uses if not use.owner}
    contents: dict[str, list[_Use]] = {}
    for use in uses:
        contents.setdefault(use.content, []).append(use)
    wished = {content: _wish(found) for content, found in contents.items() if content not in names}
    for content, wish in wished.items():
        is_free = wish not in taken and list(wished.values()).count(wish) == 1
        first = contents[content][0]
        names[content] = wish if is_free else first.owner + _pascal(first.field)
    return names


def _wish(uses: list[_Use]) -> str:
    known = [name for use in uses if (name := _NAMES.get(f"{use.owner}.{use.field}") or _NAMES.get(use.field))]
    return known[0] if known else _pascal(uses[0].field)


def _pascal(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def _named(value: Any, names: Mapping[str, str]) -> Any:
    """The same, with a reference in place of each schema that has a name."""
    if isinstance(value, list):
        return [_named(it, names) for it in value]
    if not isinstance(value, Mapping):
        return value
    if isinstance(value.get("type", "string"), str) and ("enum" in value or "maxLength" in value):
        name = names.get(_content(value))
        if name:
            beside = {key: value[key] for key in _OF_ONE_USE if key in value}
            return {"$ref": REF.format(model=name), **beside}
    return {key: it if key in _NO_SCHEMAS else _named(it, names) for key, it in value.items()}
