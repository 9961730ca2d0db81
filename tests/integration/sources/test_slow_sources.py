"""A source that never ends its answer costs its own leg, and nothing that comes later."""

from __future__ import annotations

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import Any

import boto3
import pytest

from infra.functions import provider_names
from infra.local.gateway import rest_event
from infra.local.machine import Machine
from tests.simulations.slow_server import slow_server

pytestmark = pytest.mark.slow  # sources that are slow or without end

TOPIC = "TREM2"
SLOW = ("crossref", "openalex")
WAY = "100 Continue, dripping"


def search(local: Machine, query: str, timeout_ms: int) -> dict[str, Any]:
    asked = {"query": query, "providers": "crossref,openalex,europe_pmc", "timeout_ms": timeout_ms, "fresh": True}
    body = json.dumps({**asked, "cite_in_kg": False})
    answer = local.invoke("dispatcher", rest_event("POST", "/v1/literature-search", body=body))
    assert answer["statusCode"] in (200, 502, 504), answer["body"]  # a busy machine may leave no time for the sound one
    return dict(json.loads(answer["body"]))


def outcomes(answer: dict[str, Any]) -> dict[str, str]:
    return {name: report["outcome"] for name, report in answer.get("providers", {}).items()}


def forget_failures() -> None:
    budgets = boto3.resource("dynamodb").Table("local-provider-budgets")
    for name in provider_names():
        budgets.delete_item(Key={"pk": f"provider#{name}", "sk": "state"})


def break_and_heal(running: Machine, searches: int, at_once: int) -> Counter[str]:
    """So many searches while two sources never end, then one that is whole; how their legs ended before."""
    assert search(running, f"{TOPIC} before", 15_000)["complete"]
    with slow_server(WAY) as server, pytest.MonkeyPatch.context() as broken:
        for name in SLOW:
            broken.setenv(f"{name.upper()}_BASE_URL", server.url(WAY))
        with ThreadPoolExecutor(at_once) as callers:
            answers = list(callers.map(lambda n: search(running, f"{TOPIC} {n}", 2000), range(searches)))
        assert server.all_closed(WAY)
        assert server.connections[WAY] >= 1
    ended = Counter[str]()
    for answer in answers:
        assert not answer.get("complete")
        ended += Counter(outcome for name, outcome in outcomes(answer).items() if name in SLOW)
    assert ended.keys() <= {"timeout", "circuit_open", "skipped_budget", "skipped_overload"}
    forget_failures()
    healed = search(running, TOPIC, 15_000)
    assert (healed["complete"], {outcomes(healed)[name] for name in SLOW}) == (True, {"ok"})
    return ended


def test_the_search_after_a_source_has_recovered_is_whole(running: Machine) -> None:
    break_and_heal(running, 1, 1)


@pytest.mark.slow
def test_more_endless_legs_than_the_dispatcher_has_threads_leave_none_of_them_taken(
    as_deployed: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shared.rate_limits.circuit_breaker.FAILURES", 10_000)  # so that every leg is sent
    monkeypatch.setenv("FRESH_REQUESTS_PER_MINUTE", "1000")
    monkeypatch.setenv("FRESH_REQUESTS_PER_HOUR", "1000")
    threads = import_module("functions.dispatcher.wiring.legs").LEGS.most_legs
    ended = break_and_heal(as_deployed, threads // len(SLOW) + 10, 8)
    assert ended["timeout"] > threads
