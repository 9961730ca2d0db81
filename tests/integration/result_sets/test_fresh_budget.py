"""`fresh: true` has a budget of its own for each API key."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import boto3
import pytest

from infra.local.gateway import rest_event
from infra.local.machine import Machine
from shared.aws.dynamodb.fresh_budgets import DynamoFreshBudgets
from shared.rate_limits.fresh_budget import FreshBudgetSpent, FreshLimits
from tests.integration.papers_calls import upstream

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
DOI = "10.7554/eLife.20391"
TABLE = "local-search-cache"


def budgets(limits: FreshLimits, *, later_s: float = 0.0) -> DynamoFreshBudgets:
    return DynamoFreshBudgets(boto3.resource("dynamodb").Table(TABLE), limits, lambda: NOW + timedelta(seconds=later_s))


def fresh(local: Machine, key: str, path: str = "/v1/literature-search", **fields: Any) -> tuple[int, Any, Any]:
    body = json.dumps({"query": "TREM2", "providers": "crossref", **fields})
    response = local.invoke("dispatcher", rest_event("POST", path, body=body, headers={"x-api-key": key}))
    return response["statusCode"], json.loads(response["body"]), response["multiValueHeaders"]


def test_beyond_the_budget_of_a_key_no_request_is_sent_and_the_answer_says_when_to_retry(
    local: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FRESH_REQUESTS_PER_MINUTE", "2")
    assert [fresh(local, "alice", fresh=True)[0] for _ in range(2)] == [200, 200]
    asked = upstream(local)
    status, problem, headers = fresh(local, "alice", fresh=True)
    assert (status, problem["code"], problem["retryable"]) == (429, "fresh_budget_spent", True)
    assert 0 < problem["retry_after_s"] <= 30
    assert "without `fresh`" in problem["hint"]
    assert int(headers["Retry-After"][0]) >= 1
    assert upstream(local) == asked
    status, answer, _ = fresh(local, "alice")
    assert (status, answer["cache"]) == (200, "hit")
    assert fresh(local, "bob", fresh=True)[0] == 200


@pytest.mark.parametrize(("path", "fields"), [
    ("/v1/papers", {"ids": [DOI]}), ("/v1/citation-network", {"seeds": [DOI]}), ("/v1/resolve", {"references": [DOI]}),
    ("/v1/passages", {"question": "Which cells?", "ids": [DOI]}),
])  # fmt: skip
def test_all_routes_share_one_budget(
    local: Machine, monkeypatch: pytest.MonkeyPatch, path: str, fields: dict[str, Any]
) -> None:
    monkeypatch.setenv("FRESH_REQUESTS_PER_MINUTE", "1")
    assert fresh(local, "alice", fresh=True)[0] == 200
    event = rest_event("POST", path, body=json.dumps({**fields, "fresh": True}), headers={"x-api-key": "alice"})
    response = local.invoke("dispatcher", event)
    assert (response["statusCode"], json.loads(response["body"])["code"]) == (429, "fresh_budget_spent")


def test_a_new_exhaustive_search_takes_a_token_and_one_that_exists_takes_none(
    local: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FRESH_REQUESTS_PER_MINUTE", "2")

    def begun(query: str, **fields: Any) -> int:
        body = json.dumps({"query": query, "providers": "crossref", **fields})
        event = rest_event("POST", "/v1/exhaustive-searches", body=body, headers={"x-api-key": "alice"})
        return int(local.invoke("dispatcher", event)["statusCode"])

    assert [begun("TREM2"), begun("TREM2"), begun("tau", fresh=True)] == [202, 202, 202]
    assert [begun("amyloid"), begun("amyloid", fresh=True), begun("TREM2")] == [429, 429, 202]


def test_a_page_by_cursor_takes_no_token(local: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FRESH_REQUESTS_PER_MINUTE", "1")
    _, first, _ = fresh(local, "alice", fresh=True, max_results=2)
    status, page, _ = fresh(local, "alice", fresh=True, cursor=first["next_cursor"], max_results=2)
    assert (status, page["result_set_id"]) == (200, first["result_set_id"])


def test_concurrent_requests_take_each_token_once(local: Machine) -> None:
    def allowed(_: int) -> bool:
        try:
            return budgets(FreshLimits(per_minute=4)).allows("alice")
        except FreshBudgetSpent:
            return False

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(allowed, range(24))) == 4


def test_tokens_come_back_with_time(local: Machine) -> None:
    limits = FreshLimits(per_minute=1, per_hour=2)
    assert budgets(limits).allows("alice")
    with pytest.raises(FreshBudgetSpent):
        budgets(limits, later_s=59).allows("alice")
    assert budgets(limits, later_s=60).allows("alice")
    with pytest.raises(FreshBudgetSpent) as refused:
        budgets(limits, later_s=120).allows("alice")
    assert refused.value.retry_after_s == 1_680
    assert budgets(limits, later_s=1_800).allows("alice")


def test_without_its_table_a_request_is_answered_but_does_not_skip_the_cache(local: Machine) -> None:
    table = boto3.resource("dynamodb").Table("no-such-table")
    assert DynamoFreshBudgets(table, FreshLimits(), lambda: NOW).allows("alice") is False


def test_the_stored_budget_does_not_name_the_key_and_expires(local: Machine) -> None:
    budgets(FreshLimits()).allows("alice")
    (item,) = boto3.resource("dynamodb").Table(TABLE).scan()["Items"]
    assert "alice" not in str(item)
    assert int(str(item["expires_at"])) > NOW.timestamp()
