"""A tool call is followed through every log, from the MCP server to the graph's writer, by its caller's id."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from infra.local.machine import Machine
from shared.aws.runtime.observability import logger
from tests.unit.mcp.test_server import VERSIONS, in_both_versions

ON_THE_WAY = {"tool call", "search", "leg", "message written"}


@pytest.fixture(scope="module")
def mcp_address(address: str) -> str:
    return f"{address}/mcp"


@pytest.fixture
def log(mcp_address: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> Iterator[io.StringIO]:
    """What every function writes into its log, as it writes it."""
    httpx2.get(mcp_address)  # the server's loggers are set up at its first request
    written = io.StringIO()
    for handler in logger.handlers:
        monkeypatch.setattr(handler, "stream", written)
    with caplog.at_level(logging.INFO, logger.name), caplog.at_level(logging.INFO, "literature_search.tools"):
        yield written


def lines(log: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.getvalue().splitlines()]


def call(mcp_address: str, mode: str, sent: str | None, tool: str, arguments: dict[str, Any]) -> Any:
    """A tool's result, for a client that names its call by this id."""
    headers = {"X-Correlation-Id": sent} if sent else {}

    async def run() -> Any:
        async with (
            httpx2.AsyncClient(headers=headers, timeout=60) as http,
            Client(streamable_http_client(mcp_address, http_client=http), mode=mode) as client,
        ):
            assert client.protocol_version == VERSIONS[mode]
            return await client.call_tool(tool, arguments)

    return anyio.run(run)


@pytest.mark.slow
@in_both_versions
def test_calls_at_once_are_each_followed_by_their_own_id(
    running: Machine, mcp_address: str, log: io.StringIO, mode: str
) -> None:
    sent = {
        f"MY-TRACE-{mode}-{number}": f"microglia {word}"
        for number, word in enumerate(("TREM2", "Alzheimer", "disease"))
    }

    def search(id_and_query: tuple[str, str]) -> Any:
        # Of each search its own context: equal papers with the same one are queued once a minute.
        context = {"type": "debate", "id": id_and_query[0]}
        search_arguments = {"query": f"{id_and_query[1]} {mode}", "providers": ["crossref"], "context": context}
        return call(mcp_address, mode, id_and_query[0], "literature_search", search_arguments)

    with ThreadPoolExecutor(len(sent)) as callers:
        assert not [it for it in callers.map(search, sent.items()) if it.is_error]
    running.drain_queue()
    logged = lines(log)
    for trace, query in sent.items():
        mine = [line for line in logged if line.get("correlation_id") == trace]
        assert {line["message"] for line in mine} == ON_THE_WAY
        assert len({line["request_id"] for line in mine}) == 1
        assert [line["arguments"]["query"] for line in mine if "arguments" in line] == [f"{query} {mode}"]


@in_both_versions
def test_a_call_without_provider_requests_returns_its_id_as_well(mcp_address: str, log: io.StringIO, mode: str) -> None:
    assert call(mcp_address, mode, "MY-TRACE-1", "fetch", {"id": ""}).is_error
    (line,) = [line for line in lines(log) if line["message"] == "tool call"]
    assert (line["outcome"], line["correlation_id"]) == ("bad_request", "MY-TRACE-1")


@pytest.mark.parametrize("sent", [None, "two words", "x" * 129], ids=["none", "words", "long"])
def test_without_a_correlation_id_of_the_caller_a_generated_one_is_used(
    running: Machine, mcp_address: str, log: io.StringIO, sent: str | None
) -> None:
    context = {"type": "debate", "id": str(len(sent or ""))}  # equal papers with the same one are queued once a minute
    search_arguments = {"query": "TREM2 microglia", "providers": ["crossref"], "fresh": True, "context": context}
    assert not call(mcp_address, "auto", sent, "literature_search", search_arguments).is_error
    running.drain_queue()
    logged = lines(log)
    assert {line["message"] for line in logged} >= ON_THE_WAY
    (ours,) = {line["request_id"] for line in logged if line["message"] in ON_THE_WAY}
    assert {line["correlation_id"] for line in logged if line["message"] in ON_THE_WAY} == {ours}
