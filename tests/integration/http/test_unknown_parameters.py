"""A query parameter that an operation does not have is refused on every route, with the nearest known name."""

from __future__ import annotations

import json
from typing import Any

import pytest

from infra.local.gateway import rest_event
from infra.local.machine import Machine
from shared.api.operation import Operation
from shared.api.operations import OPERATIONS

VALUES = {"{id}": "10.7554%2FeLife.20391", "{type}": "debate"}


def send(local: Machine, method: str, path: str, query: dict[str, list[str]]) -> tuple[int, dict[str, Any]]:
    response = local.request(rest_event(method, path, query=query))
    return response["statusCode"], json.loads(response["body"])


def path_of(operation: Operation) -> str:
    path = operation.path
    for name, value in VALUES.items():
        path = path.replace(name, value)
    return path


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda it: str(it.name))
def test_every_operation_refuses_an_unknown_parameter(running: Machine, operation: Operation) -> None:
    status, problem = send(running, operation.method, path_of(operation), {"foo": ["1"]})
    assert (status, problem["code"]) == (400, "bad_request")
    (fault,) = problem["errors"]
    assert fault["field"] == "foo"
    assert fault["message"].startswith("unknown ")


@pytest.mark.parametrize(("method", "path", "name", "said"), [
    ("GET", "/v1/saved-searches/0123456789abcdef0123/new", "type", "unknown parameter; did you mean types?"),
    ("GET", "/v1/saved-searches/0123456789abcdef0123/new", "include",
     "unknown parameter; the fields are format, limit, max_tokens, cursor, after, types"),
    ("GET", "/v1/graph/papers/10.1000%2Fa%2Fb", "Limit", "unknown parameter; did you mean limit?"),
    ("GET", "/v1/graph/contexts/debate/42", "max_results", "unknown parameter; did you mean limit?"),
    ("GET", "/v1/graph/export", "formats", "unknown parameter; did you mean format?"),
    ("GET", "/v1/literature-search", "max_result", "unknown field; did you mean max_results?"),
    ("GET", "/v1/papers/10.1000%2Fa/references", "max_result", "unknown field; did you mean max_results?"),
    ("GET", "/health", "verbose", "unknown parameter; this operation has none in its URL"),
    ("POST", "/v1/literature-search", "query", "unknown parameter; this operation has none in its URL"),
])  # fmt: skip
def test_the_nearest_known_name_is_offered(running: Machine, method: str, path: str, name: str, said: str) -> None:
    status, problem = send(running, method, path, {name: ["1"]})
    assert status == 400
    assert [it["message"] for it in problem["errors"] if it["field"] == name] == [said]


@pytest.mark.parametrize(("path", "name"), [
    ("/v1/papers/10.1084%2Fjem.20212479", "ids"), ("/v1/papers/10.1084%2Fjem.20212479/references", "id"),
    ("/v1/papers/10.1084%2Fjem.20212479/citations", "id"), ("/v1/papers/10.1084%2Fjem.20212479/similar", "seeds"),
    ("/v1/papers/10.1084%2Fjem.20212479/fulltext", "id"),
    ("/v1/papers/10.1084%2Fjem.20212479", "id"), ("/v1/papers/10.1084%2Fjem.20212479/references", "ids"),
    ("/v1/papers/10.1084%2Fjem.20212479/similar", "id"), ("/v1/papers/10.1084%2Fjem.20212479/similar", "ids"),
    ("/v1/papers/10.1084%2Fjem.20212479/fulltext", "ids"), ("/v1/papers/10.1084%2Fjem.20212479/fulltext", "doi"),
])  # fmt: skip
def test_a_parameter_for_the_id_in_the_path_is_refused_and_not_offered(running: Machine, path: str, name: str) -> None:
    status, problem = send(running, "GET", path, {name: ["PMID:1"]})
    assert (status, problem["errors"]) == (400, [{"field": name, "message": "unknown field; the path says it"}])
    _, other = send(running, "GET", path, {"zzzz": ["1"]})
    offered = other["errors"][0]["message"].partition("the fields are ")[2].split(", ")
    assert "detail" in offered or "format" in offered
    assert name not in offered


@pytest.mark.parametrize("list_of", ["", "/references", "/citations", "/similar"])
def test_a_refused_format_of_citations_names_the_route_that_writes_it(running: Machine, list_of: str) -> None:
    status, problem = send(running, "GET", f"/v1/papers/10.1084%2Fjem.20212479{list_of}", {"format": ["bibtex"]})
    assert (status, problem["errors"][0]["field"]) == (400, "format")
    assert "/v1/exports?ids=…&format=bibtex" in problem["hint"]


def test_every_unknown_parameter_is_named_once(running: Machine) -> None:
    status, problem = send(running, "GET", "/v1/graph/stats", {"a": ["1", "2"], "b": [""], "limit": ["1"]})
    assert (status, [it["field"] for it in problem["errors"]]) == (400, ["a", "b", "limit"])


def test_known_parameters_and_unknown_paths_are_answered_as_before(running: Machine) -> None:
    assert send(running, "GET", "/v1/graph/stats", {})[0] == 200
    assert send(running, "GET", "/v1/graph/papers/10.1000%2Fnone", {"limit": ["1"]})[0] == 404
    assert send(running, "GET", "/v1/nothing", {"foo": ["1"]})[0] == 404
    assert send(running, "DELETE", "/health", {"foo": ["1"]})[0] == 405
