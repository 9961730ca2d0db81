"""A provider's Lambda and its budget: permits from the table, rejections as legs, limits in force."""

from __future__ import annotations

import os
import time
from typing import Any

import pytest

from infra.local.machine import Machine, machine
from infra.local.sandbox.server import Sandbox
from shared.aws.dynamodb.rate_limit_store import dynamodb_client, read_states
from shared.aws.dynamodb.slot_counter import slots_key, slots_of
from shared.rate_limits.limits import Limits
from shared.rate_limits.state import ProviderState

SEARCH: dict[str, Any] = {"operation": "search", "query": {"text": "TREM2"}, "timeout_ms": 5000}


def state(provider: str) -> ProviderState:
    return read_states(dynamodb_client(), os.environ["PROVIDER_BUDGETS_TABLE"], [provider], time.time()).states[
        provider
    ]


@pytest.mark.parametrize(("provider", "requests"), [("pubmed", 2), ("europe_pmc", 1)])
def test_every_request_of_a_leg_takes_a_permit_and_releases_its_slot(
    local: Machine, provider: str, requests: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"{provider.upper()}_REQUESTS_PER_SECOND", "10")
    assert local.invoke(provider, SEARCH)["outcome"] == "ok"
    assert len(state(provider).budget.permits) == requests
    assert state(provider).budget.in_flight == {}


@pytest.mark.usefixtures("declared_limits")
def test_a_leg_at_a_high_rate_takes_a_slot_and_releases_its_connection(
    local: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EUROPE_PMC_REQUESTS_PER_SECOND", "150")
    before = time.time()
    assert local.invoke("europe_pmc", SEARCH)["outcome"] == "ok"
    table = os.environ["PROVIDER_BUDGETS_TABLE"]
    slots = slots_of(dynamodb_client().get_item(TableName=table, Key=slots_key("europe_pmc"))["Item"])
    assert before <= slots.next_at <= time.time() + 0.1
    assert slots.in_flight == {}
    assert state("europe_pmc").budget.permits == (slots.next_at,)


def test_a_leg_without_a_permit_is_skipped_with_a_retry_after(local: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EUROPE_PMC_REQUESTS_PER_SECOND", "0.01")
    assert local.invoke("europe_pmc", SEARCH)["outcome"] == "ok"
    reply = local.invoke("europe_pmc", SEARCH)
    assert (reply["outcome"], reply["papers"]) == ("skipped_budget", [])
    assert 95 < reply["retry_after_s"] <= 105
    assert reply["warnings"] == ["Europe PMC was not queried: its rate limit allows no request in time"]


def test_a_scheduled_leg_waits_for_four_idle_windows(local: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EUROPE_PMC_REQUESTS_PER_SECOND", "0.2")
    assert local.invoke("europe_pmc", SEARCH)["outcome"] == "ok"
    reply = local.invoke("europe_pmc", {**SEARCH, "timeout_ms": 8000, "scheduled": True})
    assert reply["outcome"] == "skipped_budget"
    assert 20 < reply["retry_after_s"] <= 21


def test_a_rejected_key_is_sent_once_and_reported_to_later_callers() -> None:
    with machine(sandbox=Sandbox(faults={"europe_pmc": {"status": 401}})) as local:
        assert local.invoke("europe_pmc", SEARCH)["outcome"] == "unavailable"
        reply = local.invoke("europe_pmc", SEARCH)
        assert reply["outcome"] == "circuit_open"
        assert "set a valid key" in reply["warnings"][0]
        assert local.sandbox is not None
        assert len(local.sandbox.requests) == 1


def test_a_rejected_setting_fails_its_own_leg_only(local: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EUROPE_PMC_CONCURRENCY", "many")
    assert local.invoke("europe_pmc", SEARCH)["outcome"] == "bad_response"
    assert local.invoke("pubmed", SEARCH)["outcome"] == "ok"


@pytest.mark.usefixtures("declared_limits")
def test_describe_returns_the_limits_in_force(local: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARXIV_REQUESTS_PER_SECOND", "0.25")
    limits = Limits(**local.invoke("arxiv", {"operation": "describe"})["limits"])
    assert limits == Limits(requests=1, window_s=4.0, concurrency=1, rate_is_set=True)


def test_without_a_table_the_process_keeps_the_limits(local: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PROVIDER_BUDGETS_TABLE")
    monkeypatch.setenv("EUROPE_PMC_REQUESTS_PER_SECOND", "0.01")
    assert [local.invoke("europe_pmc", SEARCH)["outcome"] for _ in range(2)] == ["ok", "skipped_budget"]
