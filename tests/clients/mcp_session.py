"""One session of the official MCP client: searches, opens a paper, reads the graph, and writes what it saw as JSON.

It runs in environments that have the client alone, in its first or second major version: it imports nothing of ours.
Usage: `mcp_session.py ADDRESS key|bearer|oauth [KEY]`, or `mcp_session.py stdio COMMAND…`
"""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import AsyncExitStack
from importlib.metadata import version
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from mcp import ClientSession, StdioServerParameters
from mcp.client.auth import OAuthClientProvider
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata

try:
    import httpx2 as http
except ImportError:  # the first version
    import httpx as http  # type: ignore[no-redef]

FIRST = version("mcp").startswith("1.")
BACK = "http://127.0.0.1:1/back"


class Remembered:
    """The storage of one session: its registration and its token."""

    def __init__(self) -> None:
        self.token: Any = None
        self.client: Any = None

    async def get_tokens(self) -> Any:
        """The token, if there is one."""
        return self.token

    async def set_tokens(self, tokens: Any) -> None:
        """Remember the token."""
        self.token = tokens

    async def get_client_info(self) -> Any:
        """The registration, if there is one."""
        return self.client

    async def set_client_info(self, client_info: Any) -> None:
        """Remember the registration."""
        self.client = client_info


class Browser:
    """The user agent of somebody who agrees to everything."""

    def __init__(self) -> None:
        self.answer: dict[str, str] = {}

    async def open(self, url: str) -> None:
        """Follow the issuer's address to the redirect, and remember what it carries."""
        async with http.AsyncClient() as client:
            location = (await client.get(url)).headers["Location"]
        assert location.startswith(BACK)
        self.answer = dict(parse_qsl(urlsplit(location).query))

    async def result(self) -> Any:
        """The code, in the form of this version."""
        if FIRST:
            return self.answer["code"], self.answer.get("state")
        from mcp.client.auth import AuthorizationCodeResult

        return AuthorizationCodeResult(**self.answer)


def signing_in(address: str) -> OAuthClientProvider:
    """The client's own implementation of the protocol's authorization, from the 401 on."""
    browser = Browser()
    metadata = OAuthClientMetadata.model_validate(
        {"redirect_uris": [BACK], "client_name": "test", "token_endpoint_auth_method": "none",
         "grant_types": ["authorization_code"], "response_types": ["code"]}
    )  # fmt: skip
    return OAuthClientProvider(
        f"{address}/mcp", metadata, Remembered(), redirect_handler=browser.open, callback_handler=browser.result
    )


async def visit(session: ClientSession) -> dict[str, Any]:
    """What an agent does: search, open the first result, read the graph."""
    begun = await session.initialize()
    tools = [tool.name for tool in (await session.list_tools()).tools]
    found = plain(await session.call_tool("search", {"query": "TREM2 microglia"}))["structuredContent"]["results"]
    paper = plain(await session.call_tool("fetch", {"id": found[0]["id"]}))["structuredContent"]
    graph = plain(await session.read_resource("literature://graph/stats"))["contents"][0]["text"]
    return {"client": version("mcp"), "protocol": plain(begun)["protocolVersion"], "tools": tools,
            "found": found[0]["title"], "opened": paper["title"], "graph": json.loads(graph)}  # fmt: skip


def plain(model: Any) -> dict[str, Any]:
    """A model of either version as its JSON."""
    return dict(json.loads(model.model_dump_json(by_alias=True)))


async def main(arguments: list[str]) -> dict[str, Any]:
    """Open the session by its door, and close it."""
    async with AsyncExitStack() as stack:
        if arguments[0] == "stdio":
            server = StdioServerParameters(command=arguments[1], args=arguments[2:])
            streams: Any = await stack.enter_async_context(stdio_client(server))
        else:
            address, door, *key = arguments
            headers = (
                {"Authorization": f"Bearer {key[0]}"} if door == "bearer" else {"x-api-key": key[0]} if key else {}
            )
            caller = http.AsyncClient(
                headers=headers, auth=signing_in(address) if door == "oauth" else None, timeout=60
            )
            caller = await stack.enter_async_context(caller)
            streams = await stack.enter_async_context(streamable_http_client(f"{address}/mcp", http_client=caller))
        return await visit(await stack.enter_async_context(ClientSession(streams[0], streams[1])))


if __name__ == "__main__":
    sys.stdout.write(json.dumps(asyncio.run(main(sys.argv[1:]))))
