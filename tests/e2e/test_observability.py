"""One request can be traced through the logs of all functions by the caller's id and by the request id."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from tests.e2e.deployment import WRITTEN_S, Deployment, until

SENT, RETURNED = "sent by the caller", "returned in the answer"
REST, MCP = "REST", "MCP"
BEHIND_BOTH = ("dispatcher", "crossref", "citation_writer")
ON_THE_WAY = [(REST, function) for function in BEHIND_BOTH]
ON_THE_WAY += [(MCP, function) for function in ("mcp_server", *BEHIND_BOTH)]
FOR_MCP = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25"}


@pytest.fixture(scope="module")
def ids(deployed: Deployment) -> dict[str, dict[str, str]]:
    """The ids of one search over REST and one over MCP."""
    return {REST: ids_of_a_search(deployed), MCP: ids_of_a_tool_call(deployed)}


def ids_of_a_search(deployed: Deployment) -> dict[str, str]:
    sent = f"e2e-{uuid4()}"
    body = {"query": "TREM2 R47H variant", "providers": ["crossref"], "timeout_ms": 20_000, "fresh": True}
    response = deployed.caller.post("v1/literature-search", json=body, headers={"x-correlation-id": sent})
    assert response.status_code == 200, response.text
    return {SENT: sent, RETURNED: response.json()["request_id"]}


def ids_of_a_tool_call(deployed: Deployment) -> dict[str, str]:
    sent = f"e2e-{uuid4()}"
    arguments = {"query": "microglia APOE", "providers": ["crossref"], "fresh": True}
    called: dict[str, Any] = {"name": "literature_search", "arguments": arguments}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": called}
    response = deployed.caller.post("mcp", json=message, headers={**FOR_MCP, "x-correlation-id": sent})
    assert response.status_code == 200, response.text
    result = response.json()["result"]
    assert not result.get("isError"), result
    return {SENT: sent, RETURNED: result["structuredContent"]["request_id"]}


@pytest.mark.parametrize("which", [RETURNED, SENT])
@pytest.mark.parametrize(("way", "function"), ON_THE_WAY)
def test_an_id_is_in_the_log_of_every_function_involved(
    deployed: Deployment, ids: dict[str, dict[str, str]], way: str, function: str, which: str
) -> None:
    request_id = ids[way][which]
    until(WRITTEN_S, lambda: [line for line in deployed.logged(function) if request_id in line])
