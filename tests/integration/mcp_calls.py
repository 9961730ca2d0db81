"""One message of MCP by one POST, without any handshake before it, as API Gateway passes it on."""

from __future__ import annotations

import json
from typing import Any

from infra.local.gateway import rest_event
from infra.local.machine import Machine
from tests.integration.papers_calls import fetch


def rpc(local: Machine, method: str, params: dict[str, Any], key_id: str | None = None) -> dict[str, Any]:
    """The message's answer, with `result` or `error`, for the caller with this key."""
    sent = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2025-11-25",
        "Host": "abc.execute-api.eu-central-1.amazonaws.com",
    }
    event = rest_event("POST", "/mcp", headers=headers, body=json.dumps(sent))
    event["requestContext"]["identity"]["apiKeyId"] = key_id
    answer = local.invoke("mcp_server", event)
    assert answer["multiValueHeaders"]["content-type"] == ["application/json"]
    message: dict[str, Any] = json.loads(answer["body"])
    assert ("result" in message) is (answer["statusCode"] == 200) or "error" in message, answer
    return message


def message(local: Machine, tool: str, arguments: dict[str, Any], key_id: str | None = None) -> dict[str, Any]:
    """The result of a tool."""
    result: dict[str, Any] = rpc(local, "tools/call", {"name": tool, "arguments": arguments}, key_id)["result"]
    return result


def called(local: Machine, tool: str, key_id: str | None = None, **arguments: Any) -> Any:
    """The content of a tool's answer, which must be good."""
    result = message(local, tool, arguments, key_id)
    assert not result.get("isError"), result
    return result["structuredContent"]


def both(local: Machine, **fields: Any) -> list[dict[str, Any]]:
    """The answers to a search over HTTP and over MCP."""
    asked = {"cite_in_kg": False, "max_results": 3, **fields}
    return [fetch(local, "POST", "/v1/literature-search", asked), called(local, "literature_search", **asked)]


def resource(local: Machine, uri: str, key_id: str | None = None) -> Any:
    """The text of a resource: the object, if it is JSON."""
    (content,) = rpc(local, "resources/read", {"uri": uri}, key_id)["result"]["contents"]
    assert content["uri"] == uri
    return json.loads(content["text"]) if content["mimeType"] == "application/json" else content["text"]


def refusal(local: Machine, uri: str, key_id: str | None = None) -> dict[str, Any]:
    """The problem object with which a resource is refused."""
    problem: dict[str, Any] = rpc(local, "resources/read", {"uri": uri}, key_id)["error"]["data"]
    return problem
