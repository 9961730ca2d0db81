"""OpenAlex's allowance for the day is spent by searches; single works, which cost nothing, are still answered."""

from __future__ import annotations

import json

import boto3
import pytest

from infra.local.machine import Machine
from tests.integration.papers_calls import call, fetch, upstream

# What OpenAlex sends for a list or a search that costs more than is left of the day's allowance.
SPENT = {"body": "error", "path": "/works"}
SEARCH = {"query": "TREM2", "providers": ["openalex"], "cite_in_kg": False}


@pytest.fixture
def spent(local: Machine) -> Machine:
    """The machine after a search that OpenAlex has refused for 47,052 seconds."""
    assert local.sandbox is not None
    local.sandbox.faults["openalex"] = SPENT
    status, problem = call(local, "POST", "/v1/literature-search", {**SEARCH, "query": "first to be refused"})
    assert (status, problem["errors"][0]["message"].partition(":")[0]) == (502, "rate_limited")
    local.sandbox.requests.clear()
    return local


def test_a_work_is_answered_live_by_its_id_after_a_search_was_refused_for_hours(spent: Machine) -> None:
    assert spent.sandbox is not None
    corpus = spent.sandbox.corpus
    work = next(fact.openalex_id for fact in corpus.facts if corpus.find("openalex", openalex_id=fact.openalex_id))
    answer = fetch(spent, "GET", f"/v1/papers/{work}")
    report = answer["providers"]["openalex"]
    assert (report["outcome"], report["source"]) == ("ok", "live"), answer
    assert upstream(spent)["openalex"] == 1


def test_searches_and_lists_wait_and_send_nothing(spent: Machine) -> None:
    _, problem = call(spent, "POST", "/v1/literature-search", {**SEARCH, "query": "second"})
    assert problem["errors"][0]["message"].startswith("skipped_budget")
    assert "the daily allowance is spent" in problem["errors"][0]["message"]
    assert 47_000 < problem["retry_after_s"] <= 47_052
    assert upstream(spent)["openalex"] == 0


def test_the_providers_list_shows_the_spent_allowance_and_a_closed_circuit(spent: Machine) -> None:
    shown = fetch(spent, "GET", "/v1/providers")["providers"]["openalex"]
    assert (shown["budget"]["credits_left"], shown["circuit"]["state"]) == (0, "closed")
    assert shown["budget"]["credits_reset_at"] is not None


def test_the_table_holds_digests_of_failed_questions_and_no_words(local: Machine) -> None:
    assert local.sandbox is not None
    local.sandbox.faults["openalex"] = {"status": 500, "retry_after": 0}
    call(local, "POST", "/v1/literature-search", {**SEARCH, "query": "a secret hypothesis"})
    item = boto3.resource("dynamodb").Table("local-provider-budgets").get_item(
        Key={"pk": "provider#openalex", "sk": "state"}
    )["Item"]  # fmt: skip
    state = json.loads(str(item["state"]))
    assert len(state["circuit"]["causes"]) == 1
    assert "secret" not in str(item)
    assert "hypothesis" not in str(item)
