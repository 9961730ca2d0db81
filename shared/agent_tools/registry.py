"""The registry of tools, in the forms of MCP, OpenAI and Anthropic, and how a tool is run for an agent.

Arguments are read leniently where the meaning is clear (an array written as JSON text, an empty string for no value).
Unknown names are rejected here; values are validated by the API.
"""

from __future__ import annotations

import functools
import inspect
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

from pydantic import BaseModel, ConfigDict, create_model

import shared.client.tools  # noqa: F401  registers the functions
from shared.agent_tools.hints import hints_in_words_of_mcp
from shared.agent_tools.schemas import OUTPUTS, input_schema
from shared.answers.content_trust import UNTRUSTED
from shared.api.problems import problem_of
from shared.client.errors import Problem, ToolError
from shared.client.json_types import ToolAnswer
from shared.client.tool_calls import TOOL_FUNCTIONS, ToolFunction
from shared.client.transport import CURRENT_API, Api
from shared.error_texts import EMPTY
from shared.errors import BadRequest, LiteratureError
from shared.field_schema import JsonSchema
from shared.json_types import JsonObject
from shared.query.query_sizes import MAX_QUERY_CHARS
from shared.validation import is_blank, validated

if TYPE_CHECKING:
    from shared.answers.service import Tool as ToolDescription

CATEGORY: Literal["literature_search"] = "literature_search"


@dataclass(frozen=True)
class Tool(ToolFunction):
    """A tool with the schemas that agents read."""

    @functools.cached_property
    def input_schema(self) -> JsonSchema:
        """JSON Schema of the arguments, without the names of the providers."""
        return self.input_schema_for(())

    def input_schema_for(self, providers: Collection[str]) -> JsonSchema:
        """JSON Schema of the arguments, where these providers can be searched."""
        return input_schema(self.name, self.parameters, providers)

    @property
    def parameters(self) -> Mapping[str, inspect.Parameter]:
        """The arguments of its function."""
        return inspect.signature(self.function).parameters

    @property
    def output_schema(self) -> JsonSchema:
        """JSON Schema of the answer: its main fields; there may be others."""
        return OUTPUTS[self.name]

    @property
    def annotations(self) -> JsonObject:
        """MCP's hints: what a tool writes it adds, unless it `deletes`; repeating a call has no further effect."""
        if self.writes:
            hints: JsonObject = {"destructiveHint": self.deletes, "idempotentHint": True, "openWorldHint": True}
            return {"readOnlyHint": False, **hints}
        return {"readOnlyHint": True, "openWorldHint": True}

    @functools.cached_property
    def names(self) -> type[BaseModel]:
        """A model of the arguments' names that accepts any value."""
        fields: dict[str, Any] = dict.fromkeys(self.input_schema["properties"], (Any, None))
        return create_model(self.name, __config__=ConfigDict(extra="forbid", protected_namespaces=()), **fields)


TOOLS = {
    name: Tool(name, it.title, it.description, it.function, it.writes, it.deletes)
    for name, it in TOOL_FUNCTIONS.items()
}


def run_tool(name: str, arguments: JsonObject, api: Api) -> ToolAnswer:
    """A tool's answer to an agent, marked as untrusted external content.

    Raises ToolError, always with a complete problem object, and KeyError for an unknown tool.
    """
    entry = TOOLS[name]
    token = CURRENT_API.set(api)
    try:
        answer = entry.function(**_read(entry, arguments))
    except LiteratureError as error:
        raise _in_words_of_mcp(error.message, {**problem_of(error), "request_id": None}) from None
    except ToolError as error:
        raise _in_words_of_mcp(error.message, error.problem) from None
    finally:
        CURRENT_API.reset(token)
    # Every tool returns text that third parties wrote.
    return {**answer, **hints_in_words_of_mcp(answer), "content_trust": UNTRUSTED}


def _in_words_of_mcp(message: str, problem: Problem) -> ToolError:
    return ToolError(message, cast("Problem", {**problem, **hints_in_words_of_mcp(problem)}))


def _read(entry: Tool, arguments: JsonObject) -> dict[str, Any]:
    """Only known names, without empty values. A missing required argument is reported by the API."""
    given = validated(entry.names, arguments).model_dump(exclude_unset=True)
    kinds = {name: _types(schema) for name, schema in entry.input_schema["properties"].items()}
    required = [name for name, it in entry.parameters.items() if it.default is inspect.Parameter.empty]
    for name in required:
        if arguments.get(name) in ([], {}):  # it would be left out of the request, and called absent
            raise BadRequest.field(name, EMPTY)
        if name == "query" and "queries" not in entry.parameters and is_blank(arguments.get(name)):
            raise BadRequest.field(name, f"required: 1 to {MAX_QUERY_CHARS:,} characters")
    return {**dict.fromkeys(required), **{name: _unquoted(value, kinds[name]) for name, value in given.items()}}


def _types(schema: JsonSchema) -> Sequence[str]:
    named = schema.get("type", ())
    return (named,) if isinstance(named, str) else named


def _unquoted(value: Any, kinds: Sequence[str]) -> Any:
    """Language models often send an array or an object as JSON text."""
    wanted = tuple({"array": list, "object": dict}[kind] for kind in kinds if kind in ("array", "object"))
    if not wanted or not isinstance(value, str) or not value.lstrip().startswith(("[", "{")):
        return value
    try:
        read = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return read if isinstance(read, wanted) else value


def registry(providers: Collection[str] = ()) -> list[ToolDescription]:
    """Every tool in all its forms, sorted by name, where these providers can be searched."""
    return [_description(entry, providers) for _, entry in sorted(TOOLS.items())]


def _description(entry: Tool, providers: Collection[str]) -> ToolDescription:
    named = {"name": entry.name, "description": entry.description}
    arguments = entry.input_schema_for(providers)
    return {
        "name": entry.name,
        "description": entry.description,
        "title": entry.title,
        "category": CATEGORY,
        "input_schema": arguments,
        "output_schema": entry.output_schema,
        "annotations": entry.annotations,
        "openai": {"type": "function", **named, "parameters": arguments},
        "anthropic": {**named, "input_schema": arguments},
    }
