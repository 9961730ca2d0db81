"""A search as a caller makes it: over HTTPS, through API Gateway, the dispatcher and a Lambda for each provider."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest

from infra.functions import providers_for
from tests.e2e.deployment import Deployment

QUERY = "TREM2 microglia"
CALLERS = 5
# Few enough that five dispatchers start in reasonable time; crossref and openalex hold the topic.
SOME = ("crossref", "europe_pmc", "openalex")
# So long is a provider's answer held back that all callers are there before it comes, on a slow machine too.
BUSY_MS, HELD_MS = 3_000, 8_000
# A search that tells of one slow provider, and a provider slower than that.
WHOLE_MS, SLOW_MS = 10_000, 12_000


def test_a_search_asks_every_provider_and_tells_what_each_said(deployed: Deployment) -> None:
    before = deployed.asked()
    answer = deployed.search("microglia amyloid TREM2")  # nobody else's question
    assert set(answer["providers"]) == set(providers_for("search"))
    assert answer["complete"] is True
    assert answer["cache"] == "miss"
    assert answer["returned"] > 0
    assert {"crossref", "openalex"} <= {
        name for name, report in answer["providers"].items() if report["outcome"] == "ok"
    }
    assert {name for name in answer["providers"] if deployed.asked()[name] > before[name]} == {
        name for name, report in answer["providers"].items() if report["outcome"] != "skipped_no_key"
    }


def test_the_same_search_again_asks_nobody(deployed: Deployment) -> None:
    first = deployed.search(QUERY, max_results=5)
    before = deployed.asked()
    again = deployed.search(QUERY, max_results=5)
    assert again["cache"] == "hit"
    assert deployed.asked() == before
    assert [result["key"] for result in again["results"]] == [result["key"] for result in first["results"]]


def keep_busy(deployed: Deployment, number: int) -> None:
    """Hold a dispatcher for a while, whatever its search finds."""
    asked = {"query": f"busy {number}", "providers": ["openalex"], "cite_in_kg": False}
    deployed.caller.post("v1/literature-search", json=asked)


def test_searches_at_once_share_one_request_to_each_provider(deployed: Deployment) -> None:
    def ask(_: int) -> dict[str, Any]:
        return deployed.search("R47H microglia", providers=list(SOME), cite_in_kg=False)  # nobody else's question

    with ThreadPoolExecutor(CALLERS) as callers:
        # Each of them shall have a dispatcher of its own that has started already.
        deployed.sandbox.faults["openalex"] = {"delay_ms": BUSY_MS}
        list(callers.map(partial(keep_busy, deployed), range(CALLERS)))
        deployed.sandbox.faults.update({name: {"delay_ms": HELD_MS} for name in SOME})
        before = len(deployed.sandbox.requests)
        answers = list(callers.map(ask, range(CALLERS)))
    asked = Counter(seen.provider for seen in deployed.sandbox.requests[before:] if "r47h" in seen.query.lower())
    assert asked == dict.fromkeys(SOME, 1)
    states = Counter(answer["cache"] for answer in answers)
    # Each provider is asked for all by one of them; nobody came when all was over.
    assert set(states) <= {"miss", "partial", "coalesced"}, states
    assert states["coalesced"] >= CALLERS - len(SOME), states
    assert len({str(answer["results"]) for answer in answers}) == 1
    assert all(answer["complete"] for answer in answers)


@pytest.mark.parametrize(
    ("fault", "outcome"),
    [
        ({"status": 429, "retry_after": 1}, "rate_limited"),
        ({"status": 500, "retry_after": 0}, "unavailable"),
        ({"delay_ms": SLOW_MS}, "timeout"),
    ],
    ids=["429", "500", "slow"],
)
def test_a_fault_of_one_provider_is_told_and_costs_the_others_nothing(
    deployed: Deployment, fault: dict[str, int], outcome: str
) -> None:
    deployed.sandbox.faults["openalex"] = fault
    answer = deployed.search(
        QUERY, providers=["openalex", "crossref"], fresh=True, timeout_ms=WHOLE_MS, cite_in_kg=False
    )
    assert answer["complete"] is False
    assert answer["providers"]["openalex"]["outcome"] == outcome
    assert answer["providers"]["crossref"]["outcome"] == "ok"
    assert answer["returned"] == 10
    assert "providers_failed" in {hint["reason"] for hint in answer["hints"]}
