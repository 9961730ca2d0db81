"""A page belongs to its search; several wordings are reported as several; wrong names are corrected once."""

from __future__ import annotations

import json
from typing import Any

import pytest

from infra.local.gateway import rest_event
from infra.local.machine import Machine
from shared.tools import ToolError
from tests.integration.papers_calls import fetch
from tests.integration.search.test_sizes import by_mcp

SEARCH = "/v1/literature-search"


def refused(local: Machine, body: dict[str, Any]) -> dict[str, Any]:
    response = local.invoke("dispatcher", rest_event("POST", SEARCH, body=json.dumps(body)))
    assert response["statusCode"] in (400, 422), response["body"]
    return dict(json.loads(response["body"]))


@pytest.mark.parametrize(
    "other", [{"sort": "date"}, {"ranking": "impact"}, {"date_from": "2020"}, {"query": "glacier"}], ids=str
)
def test_a_cursor_of_another_search_is_refused(running: Machine, other: dict[str, Any]) -> None:
    cursor = fetch(running, "POST", SEARCH, {"query": "TREM2 microglia"})["next_cursor"]
    assert refused(running, {"cursor": cursor, **other})["errors"][0]["field"] == "cursor"
    with pytest.raises(ToolError, match="cursor"):
        by_mcp(running, "literature_search", **{"query": "TREM2 microglia", **other}, cursor=cursor)


@pytest.mark.parametrize("fields", [{}, {"sort": "date"}, {"sort": "date", "query": "TREM2"}], ids=str)
def test_a_cursor_alone_or_with_the_same_fields_is_the_next_page(running: Machine, fields: dict[str, Any]) -> None:
    cursor = fetch(running, "POST", SEARCH, {"query": "TREM2", "sort": "date"})["next_cursor"]
    assert fetch(running, "POST", SEARCH, {"cursor": cursor, **fields})["returned"] == 10
    refused(running, {"cursor": cursor, "sort": "relevance"})
    assert by_mcp(running, "literature_search", query="TREM2", cursor=cursor)["returned"] == 10


def test_a_leg_of_several_wordings_has_every_query_and_their_total(running: Machine) -> None:
    wordings = ["TREM2", "glacier hydrology"]
    answer = fetch(running, "POST", SEARCH, {"queries": wordings, "detail": "full"})
    alone = [fetch(running, "POST", SEARCH, {"query": it, "detail": "full"})["providers"] for it in wordings]
    for name, report in answer["providers"].items():
        reports = [it[name] for it in alone]
        assert report["effective_query"].split("\n") == [it["effective_query"] for it in reports], name
        assert report["total_estimate"] == sum(it["total_estimate"] for it in reports), name
        assert report["returned"] <= report["total_estimate"]


@pytest.mark.parametrize(
    ("field", "meant"), [("year", "date_from"), ("limit", "max_results"), ("max_result", "max_results"), ("q", "query")]
)
def test_an_unknown_field_is_corrected_once(running: Machine, field: str, meant: str) -> None:
    problem = refused(running, {"query": "TREM2", field: "2020"})
    assert problem["errors"] == [{"field": field, "message": f"unknown field; did you mean {meant}?"}]
    assert problem["detail"] == f"{field}: unknown field"
    with pytest.raises(ToolError) as raised:
        by_mcp(running, "literature_search", query="TREM2", **{field: "2020"})
    assert meant in str(raised.value.problem["errors"])


def test_the_valid_fields_are_listed_once(running: Machine) -> None:
    assert json.dumps(refused(running, {"query": "TREM2", "qwxzzy": 1})).count("date_from") == 1
