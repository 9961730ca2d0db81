"""Many callers, one question: every leg is requested once, and all get the same answer."""

from __future__ import annotations

import json
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from infra.local.gateway import rest_event
from infra.local.machine import Machine
from tests.equal_answers import the_same

pytestmark = pytest.mark.slow  # many callers at once

CALLERS = 40
# Few papers: one process does here what 40 Lambdas would.
QUERY = "TREM2 microglia"


def post(local: Machine, fields: dict[str, Any]) -> dict[str, Any]:
    event = rest_event("POST", "/v1/literature-search", body=json.dumps({"timeout_ms": 25_000, **fields}))
    response = local.invoke("dispatcher", event)
    assert response["statusCode"] == 200, response["body"]
    return dict(json.loads(response["body"]))


def all_at_once(local: Machine, requests: list[dict[str, Any]]) -> list[dict[str, Any]]:
    with ThreadPoolExecutor(max_workers=len(requests)) as callers:
        return list(callers.map(lambda fields: post(local, fields), requests))


def repeated_requests(local: Machine) -> list[str]:
    """The requests that a service received more than once; for one leg a provider may send two different ones."""
    assert local.sandbox is not None
    counts = Counter(f"{seen.provider}{seen.path}?{seen.query}" for seen in local.sandbox.requests)
    return [request for request, count in counts.items() if count > 1]


def test_identical_concurrent_searches_query_each_provider_once_and_get_equal_answers(local: Machine) -> None:
    assert local.sandbox is not None
    names = ("crossref", "europe_pmc", "openalex")
    local.sandbox.faults.update({name: {"delay_ms": 300} for name in names})
    request = {"query": QUERY, "providers": ",".join(names), "cite_in_kg": False}
    answers = all_at_once(local, [request] * CALLERS)
    assert {seen.provider for seen in local.sandbox.requests} == set(names)
    assert not repeated_requests(local)
    states = Counter(answer["cache"] for answer in answers)
    assert states["coalesced"] > CALLERS / 2
    assert set(states) <= {"miss", "coalesced", "hit", "partial"}
    assert the_same(answers)


def test_different_concurrent_searches_request_a_shared_leg_once(local: Machine) -> None:
    assert local.sandbox is not None
    local.sandbox.faults["openalex"] = {"delay_ms": 300}
    requests = [
        {"query": QUERY, "providers": "openalex", "max_results": 1 + number % 100, "cite_in_kg": False,
         "ranking": ("balanced", "relevance")[number % 2]}
        for number in range(CALLERS)
    ]  # fmt: skip
    answers = all_at_once(local, requests)
    assert not repeated_requests(local)
    assert all(answer["complete"] for answer in answers)
    balanced = (answer for request, answer in zip(requests, answers, strict=True) if request["ranking"] == "balanced")
    whole = [result["key"] for result in max(balanced, key=lambda answer: int(answer["returned"]))["results"]]
    for request, answer in zip(requests, answers, strict=True):
        assert answer["returned"] == min(request["max_results"], len(whole))
        if request["ranking"] == "balanced":
            assert [result["key"] for result in answer["results"]] == whole[: answer["returned"]]


def test_each_of_many_callers_gets_the_answer_to_its_own_question(local: Machine) -> None:
    """Threads of one process, made to change over all the time: `make serve` answers so."""
    requests = [
        {"query": f"{QUERY} {number % 10}", "providers": "openalex", "cite_in_kg": False} for number in range(CALLERS)
    ]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        answers = all_at_once(local, requests)
    finally:
        sys.setswitchinterval(before)
    assert [answer["query"] for answer in answers] == [request["query"] for request in requests]
