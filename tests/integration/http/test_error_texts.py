"""Errors say what the caller sent wrong, by the name under which it was sent."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from infra.local.gateway import rest_event
from infra.local.machine import Machine
from tests.integration.mcp_calls import message
from tests.integration.papers_calls import call


@pytest.mark.parametrize("body", ['{"query": "é"}'.encode("latin-1"), '{"query": "a"}'.encode("utf-16"), b"\xff"])
def test_a_body_that_is_not_in_utf_8_is_refused_as_that(running: Machine, body: bytes) -> None:
    """API Gateway hands such a body on in base64, which the caller has not written."""
    event = rest_event("POST", "/v1/literature-search", body=base64.b64encode(body).decode(), is_base64=True)
    answer = running.invoke("dispatcher", event)
    problem = json.loads(answer["body"])
    assert (answer["statusCode"], problem["errors"][0]["field"]) == (400, "body")
    assert problem["detail"] == "the body must be JSON in UTF-8"


@pytest.mark.parametrize(("path", "name", "values"), [
    ("/v1/literature-search", "max_results", ["1", "2"]), ("/v1/literature-search", "sort", ["date", "citations"]),
    ("/v1/literature-search", "date_from", ["2020", "2021"]), ("/v1/literature-search", "open_access", ["true"] * 2),
    ("/v1/literature-search", "format", ["csv", "ris"]), ("/v1/exports", "format", ["csv", "ris"]),
    ("/v1/papers/10.7554/eLife.20391", "detail", ["full", "compact"]),
])  # fmt: skip
def test_a_parameter_that_is_given_twice_is_refused_as_that(
    running: Machine, path: str, name: str, values: list[str]
) -> None:
    """RFC 3986 gives a repeated name no meaning; a list repeats its name, one value does not."""
    other = {"/v1/literature-search": {"query": ["a"]}, "/v1/exports": {"ids": ["10.7554/eLife.20391"]}}.get(path, {})
    answer = running.invoke("dispatcher", rest_event("GET", path, query={**other, name: values}))
    problem = json.loads(answer["body"])
    assert (answer["statusCode"], problem["errors"]) == (400, [{"field": name, "message": "is given more than once"}])


def test_a_list_may_repeat_its_name_and_names_the_wrong_item(running: Machine) -> None:
    event = rest_event("GET", "/v1/literature-search", query={"query": ["a"], "providers": ["arxiv", "nowhere"]})
    problem = json.loads(running.invoke("dispatcher", event)["body"])
    assert "'nowhere' is unknown" in problem["detail"]
    _, sent = call(running, "POST", "/v1/literature-search", {"query": "a", "max_results": [1, 2]})
    assert sent["errors"] == [{"field": "max_results", "message": "Input should be a valid integer"}]


@pytest.mark.parametrize("ids", [[], "", " "])
def test_an_empty_list_is_not_called_absent(running: Machine, ids: Any) -> None:
    status, problem = call(running, "POST", "/v1/papers", {"ids": ids})
    assert (status, problem["errors"]) == (400, [{"field": "ids", "message": "must not be empty"}])
    _, absent = call(running, "POST", "/v1/papers", {"ids": None})
    assert absent["errors"] == [{"field": "ids", "message": "Field required"}]


@pytest.mark.parametrize(("tool", "name"), [("get_papers", "ids"), ("citation_network", "seeds")])
def test_an_empty_argument_of_a_tool_is_not_called_absent(running: Machine, tool: str, name: str) -> None:
    assert faults(running, tool, {name: []}) == [{"field": name, "message": "must not be empty"}]
    assert faults(running, tool, {}) == [{"field": name, "message": "Field required"}]


@pytest.mark.parametrize(("given", "text"), [
    (["10.7554/eLife.20391"], "Input should be a valid string"), (5, "Input should be a valid string"),
    ("x" * 2_000, "String should have at most 1500 characters"),
])  # fmt: skip
def test_fetch_names_the_argument_that_it_has(running: Machine, given: Any, text: str) -> None:
    result = message(running, "fetch", {"id": given})["structuredContent"]
    assert result["errors"] == [{"field": "id", "message": text}]
    assert result["detail"] == f"id: {text}"


def faults(running: Machine, tool: str, arguments: dict[str, Any]) -> list[dict[str, str]]:
    """The wrong arguments that a tool names."""
    result = message(running, tool, arguments)
    assert result["isError"]
    named: list[dict[str, str]] = result["structuredContent"]["errors"]
    return named
