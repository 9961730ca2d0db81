"""JSON Schema keywords of a field beyond its type: description, range, format.

`Annotated[int, FieldSchema("Milliseconds.", minimum=0)]` reads the same to the code that builds an answer (an int) and
to the OpenAPI document. It needs no pydantic to be imported: pydantic finds the hook by its name.
https://docs.pydantic.dev/latest/concepts/json_schema/#implementing-__get_pydantic_json_schema__
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from shared.json_types import JsonObject

# A JSON Schema: keywords of many kinds, nested as deep as the type that it describes.
# https://json-schema.org/draft/2020-12/json-schema-core
JsonSchema: TypeAlias = dict[str, Any]
# Keywords that say something of a value and limit nothing.
_SAID = ("description", "examples")
_NULL = {"type": "null"}


class FieldSchema:
    """JSON Schema keywords of a field, under their own names (`minimum`, `maxItems`, `pattern` …)."""

    __slots__ = ("keywords",)

    def __init__(self, description: str | None = None, **keywords: object) -> None:
        self.keywords: JsonObject = {**({"description": description} if description else {}), **keywords}

    def __get_pydantic_json_schema__(self, core_schema: object, handler: Callable[[Any], JsonSchema]) -> JsonSchema:
        """The schema of the type, with these keywords beside it; of a type or null, the limits are the type's."""
        schema = handler(core_schema)
        said = {name: it for name, it in self.keywords.items() if name in _SAID or "anyOf" not in schema}
        limits = {name: it for name, it in self.keywords.items() if name not in said}
        if limits:
            schema["anyOf"] = [it if it == _NULL else {**it, **limits} for it in schema["anyOf"]]
        return {**schema, **said}
