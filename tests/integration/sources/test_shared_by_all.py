"""What all callers share of a provider: circuit, budget, numbers; and what they do not share: each other's words."""

from __future__ import annotations

import json
import os
import time
from typing import Any

import boto3
import pytest

from infra.functions import provider_names
from infra.local.gateway import rest_event
from infra.local.machine import SANDBOX_KEY, Machine
from shared.rate_limits.circuit_breaker import FAILURES, FIRST_OPEN_S
from shared.rate_limits.slots import HIGH_RATE

pytestmark = pytest.mark.slow  # storms of requests


def call(local: Machine, method: str, path: str, **event: Any) -> tuple[int, dict[str, Any]]:
    response = local.invoke("dispatcher", rest_event(method, path, **event))
    return response["statusCode"], json.loads(response["body"])


def search(local: Machine, **fields: Any) -> dict[str, Any]:
    fields_sent = {"query": "TREM2", "providers": "crossref,openalex", "cite_in_kg": False, "detail": "full", **fields}
    status, answer = call(local, "POST", "/v1/literature-search", body=json.dumps(fields_sent))
    assert status == 200, answer
    return answer


def circuit(local: Machine, name: str) -> dict[str, Any]:
    _, listing = call(local, "GET", "/v1/providers")
    return dict(listing["providers"][name]["circuit"])


def requests_to(local: Machine, name: str) -> int:
    assert local.sandbox is not None
    return sum(seen.provider == name for seen in local.sandbox.requests)


@pytest.fixture
def ahead_s(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """By how much the epoch's clock is ahead. Ask for it before `local`, whose functions take the clock at import."""
    ahead, now = [0.0], time.time
    monkeypatch.setattr(time, "time", lambda: now() + ahead[0])
    return ahead


def test_the_circuit_opens_for_a_provider_that_is_down_and_closes_after_one_probe(
    ahead_s: list[float], local: Machine
) -> None:
    assert local.sandbox is not None
    cached = search(local, query="microglia")
    local.sandbox.faults["crossref"] = {"status": 503, "retry_after": 0}
    outcomes = [
        search(local, query=f"TREM2 {number}")["providers"]["crossref"]["outcome"] for number in range(FAILURES + 1)
    ]
    assert outcomes == [*["unavailable"] * FAILURES, "circuit_open"]
    assert circuit(local, "crossref")["state"] == "open"

    local.sandbox.requests.clear()
    report = search(local, query="something new")["providers"]["crossref"]
    assert (report["outcome"], report["elapsed_ms"]) == ("circuit_open", 0)
    assert 0 < report["retry_after_s"] <= FIRST_OPEN_S
    assert "not queried for now" in report["warnings"][0]
    stale = search(local, query="microglia", fresh=False, max_results=11)["providers"]["crossref"]
    assert stale["retrieved_at"] == cached["providers"]["crossref"]["retrieved_at"]
    assert requests_to(local, "crossref") == 0

    local.sandbox.faults.clear()
    ahead_s[0] = FIRST_OPEN_S / 2
    assert search(local, query="too early")["providers"]["crossref"]["outcome"] == "circuit_open"
    ahead_s[0] = FIRST_OPEN_S
    assert circuit(local, "crossref")["state"] == "half_open"
    assert search(local, query="back to TREM2")["providers"]["crossref"]["outcome"] == "ok"
    assert requests_to(local, "crossref") == 1
    assert circuit(local, "crossref") == {"state": "closed", "reason": None, "retry_after_s": None}


def test_a_query_that_a_provider_cannot_answer_leaves_its_circuit_closed(local: Machine) -> None:
    assert local.sandbox is not None
    local.sandbox.faults["crossref"] = {"status": 500, "retry_after": 0}
    for number in range(2 * FAILURES):  # other callers, each of whom gets pages of another length
        search(local, query="{r175h}", max_results=number + 1, fresh=True)
    assert requests_to(local, "crossref") >= 2 * FAILURES
    assert circuit(local, "crossref")["state"] == "closed"
    local.sandbox.faults.clear()
    assert search(local, query="microglia")["providers"]["crossref"]["outcome"] == "ok"


@pytest.mark.parametrize("status", [400, 414, 422])
def test_rejected_queries_never_close_a_provider(local: Machine, status: int) -> None:
    assert local.sandbox is not None
    local.sandbox.faults["crossref"] = {"status": status}
    for number in range(2 * FAILURES):
        search(local, query=f"TREM2 {number}")
    assert requests_to(local, "crossref") == 2 * FAILURES
    assert circuit(local, "crossref")["state"] == "closed"


def test_a_single_403_costs_its_own_search_and_a_second_one_for_other_words_closes_the_provider(local: Machine) -> None:
    """A second witness."""
    assert local.sandbox is not None
    local.sandbox.faults["crossref"] = {"status": 403}
    for _ in range(3):
        assert search(local, query="' OR 1=1", fresh=True)["providers"]["crossref"]["outcome"] == "unavailable"
    assert circuit(local, "crossref")["state"] == "closed"
    local.sandbox.faults.clear()
    assert search(local, query="microglia")["providers"]["crossref"]["outcome"] == "ok"
    local.sandbox.faults["crossref"] = {"status": 403}
    search(local, query="first words")
    assert circuit(local, "crossref")["state"] == "closed"
    search(local, query="second words")
    assert circuit(local, "crossref")["reason"] == "key_refused"


def test_a_refused_key_opens_the_circuit_at_once_and_says_so(local: Machine) -> None:
    assert local.sandbox is not None
    local.sandbox.faults["crossref"] = {"status": 401}
    search(local)
    assert requests_to(local, "crossref") == 1
    report = search(local, query="another")["providers"]["crossref"]
    assert report["outcome"] == "circuit_open"
    assert "rejected the key" in report["warnings"][0]
    assert requests_to(local, "crossref") == 1
    assert circuit(local, "crossref")["reason"] == "key_refused"


@pytest.mark.parametrize("limits", ["declared_limits", "local"])  # permits in the state, and slots
def test_providers_show_what_became_of_the_requests_of_the_last_hour(
    local: Machine, limits: str, request: pytest.FixtureRequest
) -> None:
    request.getfixturevalue(limits)
    assert local.sandbox is not None
    search(local, query="Ozymandias")
    local.sandbox.faults["crossref"] = {"status": 503, "retry_after": 0}
    search(local, query="Ozymandias again")
    _, listing = call(local, "GET", "/v1/providers")
    for name in ("crossref", "openalex"):
        hour = listing["providers"][name]["last_hour"]
        assert 1 <= len(hour) <= 12
        assert sum(it["requests"] for it in hour) == requests_to(local, name)
    failed = [it["failed"] for it in listing["providers"]["crossref"]["last_hour"] if it["failed"]]
    assert sum(it["unavailable"] for it in failed) >= 1
    assert not any(it["failed"] for it in listing["providers"]["openalex"]["last_hour"])
    assert listing["providers"]["arxiv"]["last_hour"] == []
    assert "Ozymandias" not in json.dumps(
        boto3.client("dynamodb").scan(TableName=os.environ["PROVIDER_BUDGETS_TABLE"])["Items"]
    )


@pytest.mark.usefixtures("declared_limits")
def test_providers_show_circuit_budget_key_and_limits(local: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROSSREF_REQUESTS_PER_SECOND", "0.01")
    search(local, providers="crossref")
    status, listing = call(local, "GET", "/v1/providers")
    assert status == 200
    assert set(listing["providers"]) == set(provider_names())
    for name, provider in listing["providers"].items():
        assert provider["circuit"] == {"state": "closed", "reason": None, "retry_after_s": None}
        untouched = min(HIGH_RATE, provider["concurrency"] or HIGH_RATE)  # of the local machine
        assert provider["budget"]["left_now"] == (0 if name == "crossref" else untouched)
        assert {"filters", "sorts", "has_key", "requests_per_second", "concurrency"} <= set(provider)
        # A dispatcher of another version makes its `Limits` of these.
        assert set(local.invoke(name, {"operation": "describe"})["limits"]) == {
            "requests", "window_s", "concurrency", "a_day", "rate_is_set", "concurrency_is_set",
        }  # fmt: skip
    assert SANDBOX_KEY not in json.dumps(listing)


def test_the_metrics_show_the_outcome_the_source_and_the_credits_of_each_provider(
    local: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert local.sandbox is not None
    monkeypatch.setenv("POWERTOOLS_METRICS_DISABLED", "false")
    local.sandbox.faults["crossref"] = {"status": 400}
    search(local, query="TREM2 microglia")
    search(local, query="TREM2 microglia", providers="openalex")
    search(local, query="TREM2 microglia", providers="openalex")  # the whole answer is cached by now
    out = capsys.readouterr().out
    lines = [json.loads(line) for line in out.splitlines()]
    failed = [{name: line[name] for name in provider_names() if name in line} for line in lines if "counted" in line]
    assert failed == [{"crossref": [1.0], "openalex": [0.0]}]
    names = ("LegsLive", "LegsCache")
    assert [[line.get(name) for name in names] for line in lines if "service" in line] == [
        [[2.0], None], [None, [1.0]], [None, [1.0]],
    ]  # fmt: skip
    assert {line["provider"] for line in lines if "CreditsLeft" in line} == {"openalex"}
    for line in lines:
        for metrics in line["_aws"]["CloudWatchMetrics"]:
            assert metrics["Namespace"] == "literature-search"
            ((dimension,),) = metrics["Dimensions"]
            assert dimension in line
    assert "microglia" not in out


def test_one_callers_input_does_not_reach_another(local: Machine) -> None:
    search(local, query="  TREM2   MicroGlia ", author="MÜLLER", journal="Nature  Reviews")
    other = search(local, query="trem2 microglia", author="müller", journal="nature reviews")
    assert other["cache"] == "hit"
    shown = json.dumps(other, ensure_ascii=False)
    for word in ("MicroGlia", "MÜLLER", "Nature  Reviews"):
        assert word not in shown


def test_leases_and_budgets_hold_no_query_key_or_caller(local: Machine) -> None:
    assert local.sandbox is not None
    local.sandbox.faults["crossref"] = {"status": 400}
    event = {
        "query": "xyzzyterm",
        "context": {"type": "debate", "id": "debate-of-alice"},
        "providers": "crossref,openalex",
    }
    headers = {"x-api-key": "alices-key"}
    call(local, "POST", "/v1/literature-search", body=json.dumps(event), headers=headers)
    dynamodb = boto3.resource("dynamodb")
    budgets = dynamodb.Table("local-provider-budgets").scan()["Items"]
    cache = dynamodb.Table("local-search-cache").scan()["Items"]
    assert budgets and cache
    for item in [*budgets, *({**row, "packed": None} for row in cache)]:
        for word in ("xyzzyterm", "alice", SANDBOX_KEY):
            assert word not in str(item)
