"""Sources whose rate-limit headers hold odd numbers: answers stay right, and no source stays closed because of one."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import boto3
import pytest

from infra.functions import provider_names, provider_spec
from infra.local.gateway import rest_event
from infra.local.machine import Machine, machine
from infra.local.sandbox.server import Sandbox
from tests.live.sources import TEXTS

pytestmark = pytest.mark.slow  # every odd header

DAY_S, HOUR_S = 86_400, 3_600
DIGITS = "9" * 400
FAR_OFFSET = "Sun, 22 Nov 2026 08:00:00 +99999999999999999999"
ODD_WAITS = {
    "400 digits": DIGITS, "superscript two": chr(0xB2), "an offset beyond all zones": FAR_OFFSET, "NaN": "NaN",
    "infinity": "inf", "negative": "-1", "a word": "soon", "an epoch": "3565728000", "an epoch in ms": "3565728000000",
    "tabs": "1" + "\t" * 5_000 + "!",
}  # fmt: skip
RESETS = {
    "oa_epoch": "1795334400", "oa_epochms": "1795334400000", "an epoch in 2083": "3565728000",
    "an epoch in 2083 in ms": "3565728000000", "400 digits": DIGITS,
    "an HTTP date in 2083": "Fri, 01 Jan 2083 00:00:00 GMT",
}  # fmt: skip
# What each provider that has no search is asked instead.
LOOKUPS = {"opencitations": "references", "unpaywall": "lookup"}


@pytest.fixture
def local(monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    monkeypatch.setenv("CONTACT_EMAIL", "dev@example.org")
    for name in provider_names():
        monkeypatch.setenv(f"{name.upper()}_REQUESTS_PER_SECOND", "50")
    with machine(sandbox=Sandbox(faults={})) as running:
        yield running


def break_headers(local: Machine, name: str, headers: dict[str, str], **fault: Any) -> None:
    assert local.sandbox is not None
    local.sandbox.faults[name] = {"headers": headers, **fault}


def search(local: Machine, **fields: Any) -> tuple[dict[str, Any], dict[str, str]]:
    body = {"query": "TREM2", "fresh": True, "cite_in_kg": False, "providers": "openalex", "timeout_ms": 4000, **fields}
    response = local.invoke("dispatcher", rest_event("POST", "/v1/literature-search", body=json.dumps(body)))
    headers = {name.lower(): values[0] for name, values in response["multiValueHeaders"].items()}
    return {**json.loads(response["body"], parse_constant=pytest.fail), "http": response["statusCode"]}, headers


def shown(local: Machine, name: str) -> dict[str, Any]:
    """The provider in GET /v1/providers."""
    response = local.invoke("dispatcher", rest_event("GET", "/v1/providers"))
    assert response["statusCode"] == 200
    return dict(json.loads(response["body"])["providers"][name])


def seconds_to(moment: str) -> float:
    return datetime.fromisoformat(moment).timestamp() - time.time()


def budgets() -> Any:
    return boto3.resource("dynamodb").Table("local-provider-budgets")


def item_of(provider: str) -> dict[str, Any]:
    return dict(budgets().get_item(Key={"pk": f"provider#{provider}", "sk": "state"})["Item"])


def change_item(provider: str, change: Callable[[dict[str, Any]], None]) -> None:
    """Rewrite the provider's stored state, as another process would."""
    item = item_of(provider)
    state = json.loads(item["state"])
    change(state["budget"])
    budgets().put_item(Item={**item, "version": item["version"] + 1, "state": json.dumps(state)})


def an_hour_passes(budget: dict[str, Any]) -> None:
    for name in {"not_before", "probe_at", "credits_until"} & set(budget):
        budget[name] -= HOUR_S + 1
    budget["turns"] = [moment - HOUR_S - 1 for moment in budget["turns"]]


@pytest.mark.parametrize("reset", RESETS.values(), ids=RESETS)
def test_a_wrong_reset_of_the_credits_costs_an_hour_at_most(local: Machine, reset: str) -> None:
    headers = {"x-ratelimit-limit": "1000", "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset}
    break_headers(local, "openalex", headers, times=1)
    answer, _ = search(local)
    assert answer["providers"]["openalex"]["outcome"] == "ok"
    assert answer["returned"]
    reset_at = shown(local, "openalex")["budget"]["credits_reset_at"]
    assert reset_at is None or seconds_to(reset_at) <= DAY_S + 1
    answer, reported = search(local)
    if answer["http"] != 200:  # it is not asked: openalex was the only one
        assert answer["http"] == 502
        assert 0 < answer["retry_after_s"] <= DAY_S
        assert int(reported["retry-after"]) <= DAY_S
    change_item("openalex", an_hour_passes)
    for _ in range(3):
        answer, _ = search(local)
        assert answer["providers"]["openalex"]["outcome"] == "ok"


@pytest.mark.parametrize("odd", [DIGITS, chr(0xB2), "NaN", "-1", FAR_OFFSET], ids=ascii)
@pytest.mark.parametrize(
    ("provider", "names"),
    [
        ("openalex", ["x-ratelimit-remaining", "x-ratelimit-limit", "x-ratelimit-reset"]),
        ("crossref", ["x-rate-limit-limit", "x-rate-limit-interval", "x-concurrency-limit", "x-api-pool"]),
        ("pubmed", ["x-ratelimit-limit"]),
    ],
)  # fmt: skip
def test_an_odd_limit_does_not_cost_the_answer(local: Machine, provider: str, names: list[str], odd: str) -> None:
    break_headers(local, provider, dict.fromkeys(names, odd))
    for _ in range(2):
        answer, _ = search(local, providers=provider)
        assert answer["providers"][provider]["outcome"] == "ok"
    assert shown(local, provider)["budget"]["left_now"] > 0


@pytest.mark.parametrize("until", [3_565_728_000.0, 400_000_000_000.0], ids=["2083", "beyond year 9999"])
def test_an_item_with_a_reset_in_many_years_heals_by_itself(
    local: Machine, monkeypatch: pytest.MonkeyPatch, until: float
) -> None:
    monkeypatch.setenv("OPENALEX_REQUESTS_PER_SECOND", "30")  # each permit writes the item
    search(local)
    change_item("openalex", lambda budget: budget.update(credits_left=0, credits_a_day=1000, credits_until=until))
    assert shown(local, "openalex")["budget"]["credits_reset_at"] is None
    answer, _ = search(local)
    assert answer["providers"]["openalex"]["outcome"] == "ok"
    assert json.loads(item_of("openalex")["state"])["budget"]["credits_until"] < time.time() + DAY_S + 1


def event_of(local: Machine, name: str) -> dict[str, Any]:
    assert local.sandbox is not None
    if "search" in provider_spec(name).operations:
        return {"operation": "search", "query": {"text": "TREM2"}, "timeout_ms": 4000}
    if "full_text" in provider_spec(name).operations:
        (scheme,) = provider_spec(name).operations["full_text"][:1]
        return {"operation": "full_text", "name": TEXTS[scheme], "timeout_ms": 4000}
    operation = LOOKUPS[name]
    doi = next(fact.doi for fact in local.sandbox.corpus.facts if fact.doi)
    asked = {"names": [f"doi:{doi}"]} if operation == "lookup" else {"name": f"doi:{doi}", "limit": 10}
    return {"operation": operation, **asked, "timeout_ms": 4000}


@pytest.mark.parametrize("name", provider_names())
def test_a_429_with_an_odd_retry_after_is_still_a_rate_limit(local: Machine, name: str) -> None:
    event = event_of(local, name)
    for odd in ODD_WAITS.values():
        budgets().delete_item(Key={"pk": f"provider#{name}", "sk": "state"})  # what the 429s before taught
        break_headers(local, name, {"Retry-After": odd}, status=429)
        reply = local.invoke(name, event)
        assert reply["outcome"] == "rate_limited", (odd[:40], reply["warnings"])
        wait = reply["retry_after_s"]
        assert wait is None or (math.isfinite(wait) and 0 <= wait <= DAY_S)


@pytest.mark.parametrize("odd", ODD_WAITS.values(), ids=ODD_WAITS)
def test_when_the_only_provider_sends_an_odd_retry_after_the_error_is_a_problem_object(
    local: Machine, odd: str
) -> None:
    break_headers(local, "openalex", {"Retry-After": odd}, status=429)
    answer, headers = search(local)
    assert (answer["http"], answer["code"]) == (502, "all_providers_failed")
    assert answer["retry_after_s"] is None or 0 <= answer["retry_after_s"] <= DAY_S
    if answer["retry_after_s"] is not None:
        assert int(headers["retry-after"]) <= DAY_S
