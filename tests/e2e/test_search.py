"""Searches over HTTPS, through API Gateway, the dispatcher and one Lambda per provider."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest

from infra.functions import searched_by_default
from tests.e2e.deployment import Deployment

QUERY = "TREM2 microglia"
CALLERS = 5
# Few enough that five dispatchers start in reasonable time; crossref and openalex hold the topic.
SOME = ("crossref", "europe_pmc", "openalex")
# The sandbox delays its answers this long, so that all callers have sent their requests before, even on a slow machine.
BUSY_MS, DELAY_MS = 3_000, 8_000
# The timeout of a search, and a provider that is slower than that.
TIMEOUT_MS, SLOW_MS = 10_000, 12_000


def test_a_search_queries_every_provider_and_reports_each_outcome(deployed: Deployment) -> None:
    before = deployed.requests_received()
    answer = deployed.search("microglia amyloid TREM2")  # no other test searches this
    assert set(answer["providers"]) == set(searched_by_default())
    assert answer["complete"] is True
    assert answer["cache"] == "miss"
    assert answer["returned"] > 0
    assert {"crossref", "openalex"} <= {
        name for name, report in answer["providers"].items() if report["outcome"] == "ok"
    }
    assert {name for name in answer["providers"] if deployed.requests_received()[name] > before[name]} == {
        name for name, report in answer["providers"].items() if report["outcome"] != "skipped_no_key"
    }


def test_a_repeated_search_queries_no_provider(deployed: Deployment) -> None:
    first = deployed.search(QUERY, max_results=5)
    before = deployed.requests_received()
    again = deployed.search(QUERY, max_results=5)
    assert again["cache"] == "hit"
    assert deployed.requests_received() == before
    assert [result["key"] for result in again["results"]] == [result["key"] for result in first["results"]]


def keep_busy(deployed: Deployment, number: int) -> None:
    """Keep a dispatcher busy for a while."""
    body = {"query": f"busy {number}", "providers": ["openalex"], "cite_in_kg": False}
    deployed.caller.post("v1/literature-search", json=body)


def test_concurrent_searches_share_one_request_to_each_provider(deployed: Deployment) -> None:
    def ask(_: int) -> dict[str, Any]:
        return deployed.search("R47H microglia", providers=list(SOME), cite_in_kg=False)  # no other test searches this

    with ThreadPoolExecutor(CALLERS) as callers:
        # Start a dispatcher for each of them first.
        deployed.sandbox.faults["openalex"] = {"delay_ms": BUSY_MS}
        list(callers.map(partial(keep_busy, deployed), range(CALLERS)))
        deployed.sandbox.faults.update({name: {"delay_ms": DELAY_MS} for name in SOME})
        before = len(deployed.sandbox.requests)
        answers = list(callers.map(ask, range(CALLERS)))
    requests = Counter(seen.provider for seen in deployed.sandbox.requests[before:] if "r47h" in seen.query.lower())
    assert requests == dict.fromkeys(SOME, 1)
    states = Counter(answer["cache"] for answer in answers)
    # One search queries each provider for all of them; one that begins after the end of another finds its answer.
    assert set(states) <= {"miss", "partial", "coalesced", "hit"}, states
    assert states["coalesced"] + states["hit"] >= CALLERS - len(SOME), states
    assert len({str(answer["results"]) for answer in answers}) == 1
    assert all(answer["complete"] for answer in answers)


@pytest.mark.parametrize(
    ("fault", "outcome", "query"),  # a cached leg would replace the failed one: no other test searches these
    [
        ({"status": 429, "retry_after": 1}, "rate_limited", "microglia synapse"),
        ({"status": 500, "retry_after": 0}, "unavailable", "microglia plaques"),
        ({"delay_ms": SLOW_MS}, "timeout", "microglia ageing"),
    ],
    ids=["429", "500", "slow"],
)
def test_a_failing_provider_is_reported_and_does_not_affect_the_others(
    deployed: Deployment, fault: dict[str, int], outcome: str, query: str
) -> None:
    deployed.sandbox.faults["openalex"] = fault
    answer = deployed.search(query, providers=["openalex", "crossref"], timeout_ms=TIMEOUT_MS, cite_in_kg=False)
    assert answer["complete"] is False
    assert answer["providers"]["openalex"]["outcome"] == outcome
    assert answer["providers"]["crossref"]["outcome"] == "ok"
    assert answer["returned"] == 10
    assert "providers_failed" in {hint["reason"] for hint in answer["hints"]}
