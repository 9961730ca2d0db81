"""A parameter that is repeated in a URL is refused, or is a list: none of its values is left out in silence."""

from __future__ import annotations

import json
from typing import Any

import pytest

from infra.local.gateway import rest_event
from infra.local.machine import Machine
from tests.integration.saved_searches.requests import PATH, add_events, save


def get(local: Machine, path: str, **query: list[str]) -> tuple[int, Any]:
    response = local.invoke("dispatcher", rest_event("GET", path, query=query, headers={"x-api-key": "one"}))
    return response["statusCode"], json.loads(response["body"])


@pytest.mark.parametrize(("field", "values"), [
    ("limit", ["2", "3"]), ("format", ["atom", "json"]), ("cursor", ["9", "8"]), ("after", ["1", "1"]),
])  # fmt: skip
def test_a_feed_refuses_a_repeated_parameter(running: Machine, field: str, values: list[str]) -> None:
    status, problem = get(running, f"{PATH}/{save(running)['id']}/new", **{field: values})
    assert (status, problem["errors"]) == (400, [{"field": field, "message": "is given more than once"}])


def test_a_feed_combines_its_types(running: Machine) -> None:
    saved = save(running)
    add_events(saved, range(1, 3), "baseline")
    add_events(saved, range(3, 5))
    for types in (["baseline", "new_paper"], ["baseline,new_paper"], ["new_paper", "baseline", ""]):
        status, feed = get(running, f"{PATH}/{saved['id']}/new", types=types)
        assert (status, [it["number"] for it in feed["events"]]) == (200, [4, 3, 2, 1])


@pytest.mark.parametrize(("path", "field", "values"), [
    ("export", "format", ["csv", "jsonld"]), ("export", "kind", ["papers", "edges"]), ("export", "limit", ["1", "2"]),
    ("export", "max_tokens", ["900", "900"]), ("contexts/debate/7", "limit", ["1", "2"]),
    ("contexts/debate/7", "cursor", ["a", "b"]),
])  # fmt: skip
def test_the_graph_refuses_a_repeated_parameter(running: Machine, path: str, field: str, values: list[str]) -> None:
    status, problem = get(running, f"/v1/graph/{path}", **{field: values})
    assert (status, problem["errors"]) == (400, [{"field": field, "message": "is given more than once"}])
