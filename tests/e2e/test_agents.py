"""MCP with the SDK's own client: over HTTPS, through API Gateway, with an API key."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.e2e.deployment import Deployment
from tests.unit.mcp.test_server import VERSIONS, in_both_versions

TOOLS = {
    "literature_search", "pubmed_search", "get_papers", "citation_network", "resolve_reference", "cite_in_context",
    "search", "fetch",
}  # fmt: skip


def with_client(deployed: Deployment, mode: str, key: str | None, ask: Callable[[Client], Awaitable[Any]]) -> Any:
    with deployed.http(key) as caller:
        url, headers = f"{caller.base_url}mcp", {name: caller.headers[name] for name in ("host", "x-api-key") if key}

    async def run() -> Any:
        async with (
            httpx2.AsyncClient(headers=headers, verify=deployed.aws.trust, timeout=120) as http,
            Client(streamable_http_client(url, http_client=http), mode=mode) as client,
        ):
            assert client.protocol_version == VERSIONS[mode]
            return await ask(client)

    return anyio.run(run)


@in_both_versions
def test_an_agent_searches_and_fetches_what_it_found(deployed: Deployment, mode: str) -> None:
    async def ask(client: Client) -> Any:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        found = (await client.call_tool("search", {"query": "TREM2"})).structured_content["results"]
        return tools, found[0], (await client.call_tool("fetch", {"id": found[0]["id"]})).structured_content

    tools, found, fetched = with_client(deployed, mode, deployed.key, ask)
    assert tools == TOOLS
    assert (fetched["id"], fetched["title"]) == (found["id"], found["title"])


def test_an_invalid_argument_is_a_problem_that_names_the_field(deployed: Deployment) -> None:
    async def ask(client: Client) -> Any:
        return await client.call_tool("literature_search", {"query": "a", "max_results": 1000})

    answer = with_client(deployed, "auto", deployed.key, ask)
    assert answer.is_error
    assert [error["field"] for error in answer.structured_content["errors"]] == ["max_results"]


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_other_methods_are_refused_as_clients_of_mcp_expect(deployed: Deployment, method: str) -> None:
    response = deployed.caller.request(method, "mcp")
    assert (response.status_code, response.headers["allow"]) == (405, "POST")


def test_without_a_key_there_are_no_tools(deployed: Deployment) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    with deployed.http() as anonymous:
        refused = anonymous.post("mcp", json=message)
    assert (refused.status_code, refused.headers["www-authenticate"]) == (401, "Bearer")
