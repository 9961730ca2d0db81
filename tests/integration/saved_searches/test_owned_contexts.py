"""A saved search writes only to a context that its owner may write to, and makes it its own."""

from __future__ import annotations

import json
from typing import Any

from infra.local.gateway import rest_event
from infra.local.machine import Machine

SCHEDULE = {"expression": "rate(1 day)"}


def call(local: Machine, key: str, method: str, path: str, body: Any = None) -> tuple[int, Any]:
    event = rest_event(method, path, headers={"x-api-key": key}, body=json.dumps(body) if body is not None else None)
    answer = local.invoke("dispatcher", event)
    return answer["statusCode"], json.loads(answer["body"])


def save(local: Machine, key: str, context: str) -> tuple[int, Any]:
    search = {"query": "microglia", "context": {"type": "debate", "id": context}}
    return call(local, key, "POST", "/v1/saved-searches", {"name": "n", "search": search, "schedule": SCHEDULE})


def cite(local: Machine, key: str, context: str) -> int:
    body = {"context": {"type": "debate", "id": context}, "papers": ["10.7554/eLife.20391"]}
    return call(local, key, "POST", "/v1/citations", body)[0]


def test_a_search_for_a_context_of_another_key_is_not_saved(local: Machine) -> None:
    assert cite(local, "a", "own") == 200
    status, problem = save(local, "b", "own")
    assert (status, problem["code"]) == (404, "not_found")


def test_the_context_of_a_saved_search_belongs_to_its_owner(local: Machine) -> None:
    assert save(local, "b", "free")[0] == 201
    assert cite(local, "a", "free") == 404
    assert cite(local, "b", "free") == 200


def test_a_change_to_a_context_of_another_key_is_refused(local: Machine) -> None:
    assert cite(local, "a", "own") == 200
    _, saved = save(local, "b", "free")
    change = {"search": {"query": "microglia", "context": {"type": "debate", "id": "own"}}}
    assert call(local, "b", "PATCH", f"/v1/saved-searches/{saved['id']}", change)[0] == 404
