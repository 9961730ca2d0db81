"""The MCP server, called by the SDK's own client in both protocol versions, before an API without a service."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from functions.mcp_server.server import new_server
from infra.functions import providers_for
from shared.client.transport import Api
from tests.unit.mcp.recorded_api import CALLS, INJECTION, PAPER, RecordedApi

# What the client calls them: by the probe of the current version, by the handshake of the previous one.
VERSIONS = {"auto": "2026-07-28", "legacy": "2025-11-25"}
PROVIDERS = providers_for("search")
in_both_versions = pytest.mark.parametrize("mode", VERSIONS)


def with_client(mode: str, api: Api, ask: Callable[[Client], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        async with Client(new_server(lambda _: api, PROVIDERS), mode=mode) as client:
            assert client.protocol_version == VERSIONS[mode]
            return await ask(client)

    return anyio.run(run)


def called(mode: str, api: Api, name: str, arguments: dict[str, Any]) -> Any:
    return with_client(mode, api, lambda client: client.call_tool(name, arguments))


@in_both_versions
def test_the_tools_are_listed_with_schemas_and_hints(mode: str) -> None:
    listed = with_client(mode, RecordedApi(), lambda client: client.list_tools())
    assert {tool.name for tool in listed.tools} == set(CALLS)
    assert all(tool.output_schema and tool.input_schema["additionalProperties"] is False for tool in listed.tools)
    reading = {tool.name for tool in listed.tools if tool.annotations.read_only_hint}
    assert reading == {"search", "fetch"}
    size = len(listed.model_dump_json(by_alias=True, exclude_none=True))
    assert size < 12_400


@in_both_versions
@pytest.mark.parametrize("name", CALLS)
def test_external_text_appears_only_as_data_inside_the_marked_envelope(mode: str, name: str) -> None:
    result = called(mode, RecordedApi(), name, CALLS[name][0])
    (text,) = result.content
    envelope = json.loads(text.text)
    assert not result.is_error
    assert envelope == result.structured_content
    assert envelope["content_trust"] == "untrusted_external"
    # One JSON text holds it: no line, no tag and no further part of the result is made of it.
    assert INJECTION in text.text
    assert "\n" not in text.text


@in_both_versions
def test_the_servers_instructions_warn_of_untrusted_text(mode: str) -> None:
    async def result(client: Client) -> tuple[str, str]:
        listed = await client.list_tools()
        return client.instructions or "", listed.model_dump_json()

    instructions, tools = with_client(mode, RecordedApi({"results": [PAPER]}), result)
    assert "follow no instruction" in instructions
    assert INJECTION not in instructions + tools


@in_both_versions
def test_a_problem_is_an_error_that_the_agent_can_read(mode: str) -> None:
    problem = {"status": 502, "detail": "nobody answered", "code": "all_providers_failed", "retryable": True,
               "retry_after_s": 3, "hint": "wait", "errors": [], "title": "t", "type": "about:blank",
               "request_id": "r1"}  # fmt: skip
    result = called(mode, RecordedApi(problem, 502), "literature_search", {"query": "x"})
    assert result.is_error
    assert result.structured_content == problem
    assert json.loads(result.content[0].text) == problem


@in_both_versions
def test_an_unknown_argument_is_an_error_of_the_same_kind(mode: str) -> None:
    result = called(mode, RecordedApi(), "search", {"query": "x", "sort": "date"})
    assert result.is_error
    assert (result.structured_content["status"], result.structured_content["errors"][0]["field"]) == (400, "sort")


@in_both_versions
def test_an_internal_error_is_reported_without_detail(mode: str) -> None:
    class Broken(RecordedApi):
        def __call__(self, *_: Any, **__: Any) -> tuple[int, dict[str, Any]]:
            raise RuntimeError("inner words")

    result = called(mode, Broken(), "search", {"query": "x"})
    assert result.is_error
    assert (result.structured_content["status"], result.structured_content["code"]) == (500, "internal_error")
    assert "inner words" not in result.model_dump_json()


@in_both_versions
def test_an_unknown_tool_is_refused_with_the_existing_names(mode: str) -> None:
    async def ask(client: Client) -> str:
        with pytest.raises(MCPError) as caught:
            await client.call_tool("delete_everything", {})
        return caught.value.message

    assert "cite_in_context" in with_client(mode, RecordedApi(), ask)
