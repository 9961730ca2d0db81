"""The MCP function of a Lambda imports a part of the SDK, and answers as a server that has imported all of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from infra.local.gateway import rest_event
from tests.source_tree import ROOT

MEDIA = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
CLIENT = {"name": "test", "version": "1"}
# What no request needs: the client, a second server, a web server, and the rules of every request model.
UNUSED = [
    "httpx2",
    "mcp.client",
    "mcp.server.mcpserver",
    "shared.search.requests.search_request",
    "shared.query",
    "uvicorn.main",
]
ANSWER = """
import json, sys
from functions.mcp_server.handler import handler
given = json.loads(sys.stdin.read())
imported = [name for name in given["unused"] if name in sys.modules]
answers = [handler(event, None) for event in given["events"]]
from mcp.server.context import ServerRequestContext
print()
print(json.dumps([imported, answers]))
"""


def event(version: str, method: str, params: dict[str, Any]) -> dict[str, Any]:
    """The event of one JSON-RPC message in a protocol version."""
    headers = {**MEDIA, "MCP-Protocol-Version": version}
    if version == "2026-07-28":
        own = {"protocolVersion": version, "clientInfo": CLIENT, "clientCapabilities": {}}
        params = {**params, "_meta": {f"io.modelcontextprotocol/{name}": value for name, value in own.items()}}
        headers |= {"Mcp-Method": method, **({"Mcp-Name": params["name"]} if "name" in params else {})}
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return rest_event("POST", "/mcp", headers=headers, body=json.dumps(message))


EVENTS = [
    event("2025-06-18", "initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": CLIENT}),
    event("2026-07-28", "server/discover", {}),
    *(
        event(version, method, params)
        for version in ("2025-06-18", "2026-07-28")
        for method, params in (
            ("tools/list", {}),
            ("resources/templates/list", {}),
            ("prompts/list", {}),
            ("tools/call", {"name": "literature_search", "arguments": {"nonsense": 1}}),
            ("tools/call", {"name": "no_such_tool"}),
            ("no/such/method", {}),
        )
    ),
]


def run(**environment: str) -> tuple[list[str], list[dict[str, Any]]]:
    """Which of UNUSED the function has imported before its first request, and its answers to EVENTS."""
    aws = {"AWS_DEFAULT_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "none", "AWS_SECRET_ACCESS_KEY": "none"}
    needed = {"DISPATCHER_FUNCTION": "dispatcher", "SEARCHED_PROVIDERS": "crossref,pubmed", "PATH": os.defpath}
    given = json.dumps({"unused": UNUSED, "events": EVENTS})
    done = subprocess.run(
        [sys.executable, "-c", ANSWER], input=given, env={**aws, **needed, **environment}, cwd=ROOT,
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    imported, answers = json.loads(done.stdout.splitlines()[-1])
    return imported, answers


@pytest.mark.slow
def test_a_part_of_the_sdk_answers_as_the_whole() -> None:
    (imported, answers), (everything, whole) = run(AWS_LAMBDA_FUNCTION_NAME="mcp"), run()
    assert [name for name in imported if not name.startswith("shared.")] == []
    assert {"mcp.client", "mcp.server.mcpserver", "uvicorn.main"} <= set(everything)
    assert answers == whole
    assert all("result" in json.loads(it["body"]) for it in answers[:6])
