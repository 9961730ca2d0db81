"""Which tools there are, in the forms that agents' makers want, and how one is run for an agent.

An agent's arguments are read kindly where the meaning is plain (an array written as JSON text, an empty string for
nothing) and refused by name where it is not. What is wrong with a value is for the API to say.
"""

from __future__ import annotations

import functools
import inspect
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, create_model

import shared.client.tools  # noqa: F401  lists the functions
from shared.agent_tools.schemas import OUTPUTS, input_schema
from shared.answers.content_trust import UNTRUSTED
from shared.api.problems import problem_of
from shared.client.errors import ToolError
from shared.client.tool_calls import TOOL_FUNCTIONS, ToolFunction
from shared.client.transport import CURRENT_API, Api
from shared.errors import LiteratureError
from shared.validation import validated

CATEGORY = "literature_search"


@dataclass(frozen=True)
class Tool(ToolFunction):
    """A tool with the schemas that agents read."""

    @functools.cached_property
    def input_schema(self) -> dict[str, Any]:
        """JSON Schema of the arguments."""
        return input_schema(self.name, inspect.signature(self.function).parameters)

    @property
    def output_schema(self) -> dict[str, Any]:
        """JSON Schema of the answer: its main fields; there may be more."""
        return OUTPUTS[self.name]

    @property
    def annotations(self) -> dict[str, Any]:
        """What MCP calls hints: writing adds, takes nothing away, and does so once however often it is asked."""
        if self.writes:
            return {
                "readOnlyHint": False,
                "destructiveHint": False,
                "idempotentHint": True,
                "openWorldHint": False,
            }
        return {"readOnlyHint": True, "openWorldHint": True}

    @functools.cached_property
    def names(self) -> type[BaseModel]:
        """A model that knows the arguments' names and nothing of their values."""
        fields: dict[str, Any] = dict.fromkeys(self.input_schema["properties"], (Any, None))
        return create_model(self.name, __config__=ConfigDict(extra="forbid", protected_namespaces=()), **fields)


TOOLS = {name: Tool(name, it.title, it.description, it.function, it.writes) for name, it in TOOL_FUNCTIONS.items()}


def run_tool(name: str, arguments: Mapping[str, Any], api: Api) -> dict[str, Any]:
    """A tool's answer to an agent, marked as words from outside. Raises ToolError, always with a whole problem object.

    KeyError when there is no such tool.
    """
    entry = TOOLS[name]
    token = CURRENT_API.set(api)
    try:
        answer = entry.function(**_read(entry, arguments))
    except LiteratureError as error:
        raise ToolError(error.message, problem_of(error, None)) from None
    finally:
        CURRENT_API.reset(token)
    # Titles, abstracts and texts were written by others, whichever route they came by.
    return {**answer, "content_trust": UNTRUSTED}


def _read(entry: Tool, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Only known names, without empty values; what is required and missing is left for the API to name."""
    given = validated(entry.names, arguments).model_dump(exclude_unset=True)
    kinds = {name: schema.get("type") for name, schema in entry.input_schema["properties"].items()}
    required = dict.fromkeys(entry.input_schema["required"])
    return {**required, **{name: _unquoted(value, kinds[name]) for name, value in given.items()}}


def _unquoted(value: Any, kind: str | None) -> Any:
    """Models like to write an array or an object as text."""
    if kind not in ("array", "object") or not isinstance(value, str) or not value.lstrip().startswith(("[", "{")):
        return value
    try:
        read = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return read if isinstance(read, list if kind == "array" else dict) else value


def registry() -> list[dict[str, Any]]:
    """`[{name, description, title, category, input_schema, output_schema, annotations, openai, anthropic}]`, sorted."""
    return [_told(entry) for _, entry in sorted(TOOLS.items())]


def _told(entry: Tool) -> dict[str, Any]:
    named = {"name": entry.name, "description": entry.description}
    return {
        **named,
        "title": entry.title,
        "category": CATEGORY,
        "input_schema": entry.input_schema,
        "output_schema": entry.output_schema,
        "annotations": entry.annotations,
        "openai": {"type": "function", **named, "parameters": entry.input_schema},
        "anthropic": {**named, "input_schema": entry.input_schema},
    }
