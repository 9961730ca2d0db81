"""Errors say what the caller sent wrong, by the name under which it was sent."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from infra.functions import providers_for
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
    assert sent["errors"] == [{"field": "max_results", "message": "Input should be a valid integer, not a list"}]


@pytest.mark.parametrize("ids", [[], "", " "])
def test_an_empty_list_is_not_called_absent(running: Machine, ids: Any) -> None:
    status, problem = call(running, "POST", "/v1/papers", {"ids": ids})
    assert (status, problem["errors"]) == (400, [{"field": "ids", "message": "must not be empty"}])
    _, absent = call(running, "POST", "/v1/papers", {"ids": None})
    assert absent["errors"][0]["message"].startswith("Field required, such as")


@pytest.mark.parametrize(("tool", "name"), [("get_papers", "ids"), ("citation_network", "seeds")])
def test_an_empty_argument_of_a_tool_is_not_called_absent(running: Machine, tool: str, name: str) -> None:
    assert faults(running, tool, {name: []}) == [{"field": name, "message": "must not be empty"}]
    assert faults(running, tool, {})[0]["message"].startswith("Field required, such as")


@pytest.mark.parametrize(("given", "text"), [
    (["10.7554/eLife.20391"], "Input should be a valid string, not a list"),
    (True, "Input should be a valid string, not true"),
    ("x" * 2_000, "String should have at most 1500 characters, not 2,000"),
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


IDS = 'Field required, such as ["10.7554/eLife.20391", "PMID:29618526"]'
ALL = (*providers_for("lookup"), *providers_for("search"))
SEARCH, EXHAUSTIVE = "/v1/literature-search", "/v1/exhaustive-searches"


@pytest.mark.parametrize(("path", "body", "field", "text"), [
    (SEARCH, {"query": "a", "date_from": "2021-13"}, "date_from",
     "must be YYYY, YYYY-MM or YYYY-MM-DD, and a day that exists, not '2021-13'"),
    (SEARCH, {"query": "a", "date_from": "2021", "date_to": "2019"}, "date_from",
     "must not be after date_to: 2021 is after 2019"),
    (SEARCH, {"query": "a", "max_results": 0}, "max_results", "must be from 1 to 100, not 0"),
    ("/v1/papers", {}, "ids", IDS), ("/v1/citation-network", {}, "seeds", IDS),
    ("/v1/resolve", {"references": [5]}, "references.0", "must be a text, or an object with fields such as `title`"),
    ("/v1/papers", {"ids": ["10.1/a"] * 101}, "ids", "Array should have at most 100 items, not 101"),
    (SEARCH, {"query": "a", "sort": "best"}, "sort", "Input should be 'relevance', 'citations' or 'date', not 'best'"),
    (SEARCH, {"query": "a", "open_access": "maybe"}, "open_access", "must be true or false, not 'maybe'"),
    (SEARCH, {"query": "a", "max_results": "ten"}, "max_results", "must be an integer, in digits alone, not 'ten'"),
    (SEARCH, {"query": 5}, "query", "Input should be a valid string, not 5"),
    (SEARCH, {"query": "a", "format": "xml"}, "format",
     "must be one of json, markdown, bibtex, ris, csl-json, csv, not 'xml'"),
    ("/v1/resolve", {"references": ["a", {"title": {"a": 1}}]}, "references.1.title",
     "Input should be a valid string, not an object"),
    ("/v1/resolve", {"references": ["", None, {}]}, "references", "must not be empty"),
    ("/v1/exports", {"result_set_id": "x"}, "result_set_id",
     "must be an id as an earlier answer has it: 32 characters, digits and the letters a to f"),
])  # fmt: skip
def test_an_error_names_the_value_and_what_is_valid(
    running: Machine, path: str, body: Any, field: str, text: str
) -> None:
    _, problem = call(running, "POST", path, body)
    assert problem["errors"] == [{"field": field, "message": text}]


def test_a_missing_list_of_references_has_an_example(running: Machine) -> None:
    _, problem = call(running, "POST", "/v1/resolve", {})
    assert "Vaswani A. et al. (2017)" in problem["errors"][0]["message"]


def test_a_cursor_of_another_form_is_not_answered_with_a_regular_expression(running: Machine) -> None:
    _, problem = call(running, "GET", f"{EXHAUSTIVE}/{'0' * 32}/papers", cursor="foo")
    assert problem["errors"] == [{"field": "cursor", "message": "must be `next_cursor` of the page before, unchanged"}]


def test_a_number_below_zero_is_answered_with_the_range(running: Machine) -> None:
    _, problem = call(running, "GET", "/v1/papers/PMC8371605/fulltext", start=-1)
    (error,) = problem["errors"]
    assert error["field"] == "start" and error["message"].endswith("not -1") and "0" in error["message"]


@pytest.mark.parametrize("body", ["", " \n"])
def test_an_empty_body_is_called_empty(running: Machine, body: str) -> None:
    problem = json.loads(running.invoke("dispatcher", rest_event("POST", SEARCH, body=body))["body"])
    assert problem["detail"] == "the body is empty"


def test_a_tool_is_not_advised_arguments_that_it_does_not_take(running: Machine) -> None:
    for arguments in ({}, {"query": " "}):
        (error,) = faults(running, "search", arguments)
        assert error == {"field": "query", "message": "required: 1 to 2,000 characters"}


def test_an_exhaustive_search_suggests_no_field_that_it_refuses(running: Machine) -> None:
    for name in ("limit", "detial", "zzzz"):
        _, problem = call(running, "POST", EXHAUSTIVE, {"query": "a", name: 5})
        (message,) = [it["message"] for it in problem["errors"]]
        assert not {"max_results", "detail", "cursor"} & set(message.replace(",", " ").replace("?", " ").split())


PAPER = "/v1/graph/papers/10.7554/eLife.20391"


@pytest.mark.parametrize(("path", "name", "given", "text"), [
    (PAPER, "list", "all", "must be one of cites, cited_by, contexts, not 'all'"),
    (PAPER, "limit", "0", "must be from 1 to 100, not '0'"),
    (PAPER, "cursor", "x", "pass the `next_cursor` of one of the paper's lists unchanged"),
    ("/v1/graph/export", "format", "zip", "must be one of jsonld, graphml, csv, not 'zip'"),
    ("/v1/graph/export", "kind", "all", "must be one of papers, edges, not 'all'"),
    ("/v1/graph/contexts/talk/1", "limit", "5", "must be one of debate, analysis, report, not 'talk'"),
])  # fmt: skip
def test_the_graph_names_the_value_and_what_is_valid(
    running: Machine, path: str, name: str, given: str, text: str
) -> None:
    status, problem = call(running, "GET", path, **{name: given})
    assert (status, problem["errors"][0]["message"]) == (422, text)


@pytest.mark.parametrize("running", [ALL], indirect=True)
def test_a_route_without_providers_does_not_advise_to_select_others(running: Machine) -> None:
    for method, path, body in (
        ("GET", "/v1/papers/10.7554/eLife.20391", None), ("GET", "/v1/papers/10.7554/eLife.20391/references", None),
        ("POST", "/v1/exports", {"ids": ["10.7554/eLife.20391"]}),
    ):  # fmt: skip
        status, problem = call(running, method, path, body)
        assert (status, problem["hint"]) == (502, "Retry later.")
    _, problem = call(running, "POST", SEARCH, {"query": "TREM2"})
    assert problem["hint"] == "Retry later, or select other providers with `providers`."
