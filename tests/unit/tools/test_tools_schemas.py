"""What an agent reads of the tools: small, strict for inputs, and nowhere different from the API."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from shared.agent_tools.registry import TOOLS
from shared.bibliography.paper import PAPER_TYPES
from shared.canonical_json import compact_json
from shared.tools import registry, run_tool
from tests.unit.mcp.recorded_api import CALLS, RecordedApi

PROVIDERS = ("arxiv", "crossref", "europe_pmc", "openalex", "paperclip", "pubmed", "semantic_scholar")
BYTES_PER_TOKEN = 3.1  # of JSON Schemas in English
MAX_TOKENS = 4_000
every_tool = pytest.mark.parametrize("name", CALLS)


def test_there_are_eight_tools_of_one_category() -> None:
    tools = registry()
    assert [tool["name"] for tool in tools] == sorted(CALLS)
    assert {tool["category"] for tool in tools} == {"literature_search"}


def test_only_tools_that_add_nothing_to_the_graph_are_read_only() -> None:
    reading = {tool["name"] for tool in registry() if tool["annotations"]["readOnlyHint"]}
    assert reading == {"search", "fetch"}
    writing = {tool["name"]: tool["annotations"] for tool in registry() if tool["name"] not in reading}
    assert all(hints["idempotentHint"] is True for hints in writing.values())
    assert {name for name, hints in writing.items() if hints["destructiveHint"]} == {"literature_search"}
    assert all("knowledge graph" in tool["description"] for tool in registry() if tool["name"] not in reading)


def test_all_schemas_together_are_few_tokens() -> None:
    shown = ("name", "title", "description", "input_schema", "output_schema", "annotations")
    listed = [{field: value for field, value in tool.items() if field in shown} for tool in registry(PROVIDERS)]
    assert len(compact_json(listed).encode()) / BYTES_PER_TOKEN < MAX_TOKENS


def arrays(schema: object) -> Iterator[dict[str, Any]]:
    """Every schema of an array inside of a schema."""
    if isinstance(schema, dict):
        if schema.get("type") == "array":
            yield schema
        for part in schema.values():
            yield from arrays(part)


@every_tool
def test_the_items_of_every_array_have_a_type(name: str) -> None:
    for schema in (TOOLS[name].input_schema_for(PROVIDERS), TOOLS[name].output_schema):
        for array in arrays(schema):
            assert array["items"]["type"], array


def test_the_names_of_providers_and_types_are_listed() -> None:
    fields = next(it for it in registry(PROVIDERS) if it["name"] == "literature_search")["input_schema"]["properties"]
    assert fields["providers"]["items"]["enum"] == ["auto", *PROVIDERS]
    assert fields["publication_types"]["items"]["enum"] == list(PAPER_TYPES)
    assert "medicine" in fields["field_of_study"]["enum"]


@every_tool
def test_the_schemas_are_schemas_and_hold_for_a_call_and_its_answer(name: str) -> None:
    tool = TOOLS[name]
    for schema, value in (
        (tool.input_schema, CALLS[name][0]),
        (tool.output_schema, run_tool(name, CALLS[name][0], RecordedApi())),
    ):
        Draft202012Validator.check_schema(schema)
        Draft202012Validator(schema).validate(value)


@every_tool
def test_an_argument_that_is_not_listed_is_refused_by_the_schema(name: str) -> None:
    assert not Draft202012Validator(TOOLS[name].input_schema).is_valid({**CALLS[name][0], "other": 1})


@every_tool
def test_defaults_are_the_apis(name: str) -> None:
    schema = TOOLS[name].input_schema["properties"]
    for parameter in inspect.signature(TOOLS[name].function).parameters.values():
        default = schema[parameter.name].get("default")
        given = None if parameter.default in ("", (), None, inspect.Parameter.empty) else parameter.default
        if parameter.name in ("detail", "sort", "ranking") and given is None:  # the API's, or the MCP server's own
            continue
        assert default == given, parameter.name


def test_a_search_takes_what_the_contract_says_in_its_order() -> None:
    schema = TOOLS["literature_search"].input_schema
    assert list(schema["properties"])[:9] == [
        "query", "max_results", "providers", "date_from", "date_to", "journal", "author", "include_abstract",
        "cite_in_kg",
    ]  # fmt: skip
    assert schema["properties"]["max_results"]["maximum"] == 100
    assert schema["properties"]["detail"]["enum"] == ["compact", "standard", "full"]
    assert list(TOOLS["pubmed_search"].input_schema["properties"]) == ["query", "max_results", "max_tokens"]


@pytest.mark.parametrize(("name", "only"), [("search", "query"), ("fetch", "id")])
def test_deep_research_clients_need_give_one_text_alone(name: str, only: str) -> None:
    schema = TOOLS[name].input_schema
    assert schema["required"] == [only]
    assert schema["properties"][only]["type"] == "string"


def test_each_tool_is_described_in_the_formats_of_both_vendors() -> None:
    for tool in registry():
        named = {"name": tool["name"], "description": tool["description"]}
        assert tool["openai"] == {"type": "function", **named, "parameters": tool["input_schema"]}
        assert tool["anthropic"] == {**named, "input_schema": tool["input_schema"]}
        assert tool["description"]


def test_the_context_of_a_search_shows_its_papers_and_does_not_cite_them() -> None:
    said = {tool["name"]: tool["input_schema"]["properties"].get("context", {}) for tool in registry()}
    assert "cites" in said["cite_in_context"]["description"]
    assert "not cited" in said["literature_search"]["description"]
