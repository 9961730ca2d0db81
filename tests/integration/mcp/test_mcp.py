"""MCP as its clients meet it: the SDK's own client over HTTP on loopback and over stdio, in two protocol versions."""

from __future__ import annotations

import json
import logging
import os
import sys
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from infra.local.gateway import rest_event
from infra.local.machine import Machine
from shared.tools import registry
from tests.integration import mcp_calls
from tests.integration.mcp_calls import message, refusal
from tests.unit.mcp.test_server import VERSIONS, in_both_versions

ROOT = Path(__file__).parents[3]
ELIFE = "10.7554/eLife.20391"
CITED = {"context": {"type": "debate", "id": "mcp"}, "text": f"as in doi:{ELIFE}"}


def cited_by(key_id: str) -> dict[str, Any]:
    """The same in a context of this key's own."""
    return {**CITED, "context": {"type": "debate", "id": f"of {key_id}"}}


CALLS: dict[str, dict[str, Any]] = {
    "literature_search": {"query": "TREM2 microglia", "max_results": 2},
    "pubmed_search": {"query": "TREM2"},
    "get_papers": {"ids": [ELIFE]},
    "citation_network": {"seeds": [ELIFE], "max_nodes": 5},
    "resolve_reference": {"title": "Attention is all you need", "year": 2017},
    "cite_in_context": CITED,
    "search": {"query": "TREM2 microglia"},
    "fetch": {"id": f"doi:{ELIFE}"},
}
WRONG: dict[str, dict[str, Any]] = {
    "a wrong type": {"query": "a", "max_results": "many"},
    "a number out of its range": {"query": "a", "max_results": 1000},
    "an unknown provider": {"query": "a", "providers": ["google"]},
    "an impossible date": {"query": "a", "date_from": "2020-13"},
    "nothing at all": {},
    "empty strings for everything": {"query": "", "providers": "", "journal": "", "date_from": "", "cursor": ""},
    "an object for a text": {"query": {"text": "a"}},
    "an unknown field": {"query": "a", "colour": "red"},
}


def stdio() -> StdioServerParameters:
    return StdioServerParameters(
        command=sys.executable, args=["-m", "infra.local.mcp", "--sandbox"], env=dict(os.environ), cwd=ROOT
    )


def answers(server: str | StdioServerParameters, mode: str, calls: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """What each call brings, after the tools have been listed."""

    async def run() -> dict[str, Any]:
        async with Client(server, mode=mode) as client:
            assert client.protocol_version == VERSIONS[mode]
            assert {tool.name for tool in (await client.list_tools()).tools} == set(CALLS)
            return {name: await client.call_tool(name, arguments) for name, arguments in calls.items()}

    return anyio.run(run)


def check(results: dict[str, Any]) -> None:
    for name, answer in results.items():
        assert not answer.is_error, (name, answer.structured_content)
        assert answer.structured_content["content_trust"] == "untrusted_external"
        assert json.loads(answer.content[0].text) == answer.structured_content
    content = {name: answer.structured_content for name, answer in results.items()}
    assert len(content["literature_search"]["results"]) == 2
    assert set(content["pubmed_search"]["providers"]) == {"pubmed"}
    assert content["get_papers"]["papers"][0]["status"] == "found"
    assert any(node["seed"] for node in content["citation_network"]["nodes"])
    assert content["resolve_reference"]["references"][0]["status"] == "matched"
    assert content["cite_in_context"]["recorded"] == 1
    assert set(content["search"]["results"][0]) == {"id", "title", "url"}
    assert "TREM2" in content["fetch"]["title"]


@in_both_versions
def test_every_tool_answers_over_http(address: str, mode: str) -> None:
    check(answers(f"{address}/mcp", mode, CALLS))


@pytest.mark.slow
@in_both_versions
def test_every_tool_answers_over_stdio(mode: str) -> None:
    check(answers(stdio(), mode, CALLS))


def test_fetch_returns_papers_that_search_found(address: str) -> None:
    async def run() -> tuple[Any, Any]:
        async with Client(f"{address}/mcp") as client:
            found = (await client.call_tool("search", {"query": "TREM2"})).structured_content["results"]
            return found[0], (await client.call_tool("fetch", {"id": found[0]["id"]})).structured_content

    found, fetched = anyio.run(run)
    assert (fetched["id"], fetched["title"]) == (found["id"], found["title"])


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_argument_is_the_same_problem_over_http_and_in_mcp(address: str, name: str) -> None:
    by_http = httpx.post(f"{address}/v1/literature-search", json=WRONG[name]).json()
    answer = answers(f"{address}/mcp", "auto", {"literature_search": WRONG[name]})["literature_search"]
    problem = answer.structured_content
    assert answer.is_error
    assert (problem["retryable"], "hint" in problem) == (False, True)
    # The names of the fields come in the order of the tool's own.
    different = {"request_id", "hint", *(("detail", "errors") if name == "an unknown field" else ())}
    assert {key: it for key, it in problem.items() if key not in different} == {
        key: it for key, it in by_http.items() if key not in different
    }
    assert [fault["field"] for fault in problem["errors"]] == [fault["field"] for fault in by_http["errors"]]
    assert "/v1/" not in problem["hint"]
    assert "/openapi.json" not in problem["hint"]


@pytest.fixture
def request_id(monkeypatch: pytest.MonkeyPatch) -> str:
    """The id that API Gateway gives to each message."""

    def with_id(*which: str, **fields: Any) -> dict[str, Any]:
        event = rest_event(*which, **fields)
        event["requestContext"]["requestId"] = "of-this-request"
        return event

    monkeypatch.setattr(mcp_calls, "rest_event", with_id)
    return "of-this-request"


@pytest.mark.parametrize(("tool", "arguments"), [
    ("literature_search", WRONG["an unknown field"]), ("get_papers", {"papers": ["PMID:1"]}), ("fetch", {"id": ""}),
    ("literature_search", WRONG["a wrong type"]),
])  # fmt: skip
def test_every_problem_has_the_id_of_its_request(
    running: Machine, request_id: str, tool: str, arguments: dict[str, Any]
) -> None:
    problem = message(running, tool, arguments)
    assert problem["isError"]
    assert problem["structuredContent"]["request_id"] == request_id


def test_a_refused_resource_has_the_id_of_its_request(running: Machine, request_id: str) -> None:
    assert refusal(running, "literature://no-such-list")["request_id"] == request_id


def test_both_report_a_retryable_error_when_no_provider_answers(
    running: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(running.functions, "local-pubmed", lambda event, context: None)
    search_arguments = {"query": "nobody answers this"}
    by_http = running.invoke("dispatcher", rest_event("POST", "/v1/pubmed-search", body=json.dumps(search_arguments)))
    problem = message(running, "pubmed_search", search_arguments)
    assert problem["isError"] is True
    expected = {**json.loads(by_http["body"]), "request_id": problem["structuredContent"]["request_id"]}
    assert problem["structuredContent"] == expected
    assert (expected["status"], expected["code"], expected["retryable"]) == (502, "all_providers_failed", True)
    assert expected["hint"]


@pytest.mark.slow
@pytest.mark.parametrize("tool", CALLS)
def test_a_tool_that_adds_to_the_graph_by_default_is_not_read_only(local: Machine, tool: str) -> None:
    # On a fresh machine: papers that another test's answer has queued are not queued again for a minute.
    arguments = cited_by("key-5") if tool == "cite_in_context" else CALLS[tool]
    assert not message(local, tool, arguments, "key-5").get("isError")
    wrote = local.drain_queue() > 0
    assert wrote is not registered(tool)["annotations"]["readOnlyHint"]
    assert wrote is ("knowledge graph" in registered(tool)["description"])


@pytest.mark.parametrize("tool", ["literature_search", "get_papers", "citation_network", "resolve_reference"])
def test_a_tool_adds_nothing_to_the_graph_when_it_is_not_to(running: Machine, tool: str) -> None:
    running.drain_queue()
    assert not message(running, tool, {**CALLS[tool], "cite_in_kg": False}, "key-5").get("isError")
    assert running.drain_queue() == 0


def registered(tool: str) -> Any:
    return next(it for it in registry() if it["name"] == tool)


def test_an_idempotency_key_belongs_to_the_caller_that_sent_it(running: Machine) -> None:
    other = {"context": {"type": "debate", "id": "another"}, "papers": [ELIFE]}
    mine = {**cited_by("key-1"), "idempotency_key": "same"}
    assert not message(running, "cite_in_context", mine, "key-1").get("isError")
    assert not message(running, "cite_in_context", {**other, "idempotency_key": "same"}, "key-2").get("isError")
    refused = message(running, "cite_in_context", {**other, "idempotency_key": "same"}, "key-1")
    assert refused["isError"] is True
    assert refused["structuredContent"]["code"] == "conflict"


def test_the_same_citation_twice_is_recorded_once(running: Machine) -> None:
    first = message(running, "cite_in_context", cited_by("key-3"), "key-3")["structuredContent"]
    again = message(running, "cite_in_context", cited_by("key-3"), "key-3")["structuredContent"]
    assert again["at"] == first["at"]


def test_a_call_is_logged_once_without_secrets(running: Machine, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="literature_search.tools"):
        message(running, "cite_in_context", {**cited_by("key-4"), "idempotency_key": "a-secret"}, "key-4")
    (record,) = [record for record in caplog.records if record.name == "literature_search.tools"]
    assert (record.__dict__["tool"], record.__dict__["outcome"]) == ("cite_in_context", "ok")
    assert "a-secret" not in repr(record.__dict__)


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_there_is_no_stream_to_wait_on_and_no_session_to_end(running: Machine, method: str) -> None:
    answer = running.invoke("mcp_server", rest_event(method, "/mcp", headers={"Accept": "text/event-stream"}))
    assert (answer["statusCode"], answer["multiValueHeaders"]["Allow"]) == (405, ["POST"])


@pytest.mark.parametrize("body", [None, "", "{", "[]", '"text"', '{"jsonrpc": "2.0", "id": 1, "method": "tools/call"}'])
def test_an_invalid_message_is_refused_with_the_protocols_error(running: Machine, body: str | None) -> None:
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    answer = running.invoke("mcp_server", rest_event("POST", "/mcp", headers=headers, body=body))
    assert answer["statusCode"] < 500
    assert "error" in json.loads(answer["body"])
