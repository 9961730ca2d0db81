"""Each fault of each provider: the leg says what happened, the other legs' papers stay, and nothing is ever `empty`."""

from __future__ import annotations

import json
from typing import Any

import boto3
import pytest

from infra.functions import providers_for, searched_by_default
from infra.local.gateway import rest_event
from infra.local.machine import Machine
from tests.integration.empty_cache import remove_cached_legs
from tests.integration.enough_time import HANG_MS, with_enough_time, with_time_to_begin

pytestmark = pytest.mark.slow  # each source failing in each way

# Two that hold the topic, so that there is always another leg.
OTHERS = ("crossref", "semantic_scholar", "openalex")
FAULTS: dict[str, tuple[dict[str, Any], str]] = {
    "429": ({"status": 429, "retry_after": 0}, "rate_limited"),
    "429 for hours": ({"status": 429, "retry_after": 47052}, "rate_limited"),
    "500": ({"status": 500, "retry_after": 0}, "unavailable"),
    "503": ({"status": 503, "retry_after": 0}, "unavailable"),
    "401": ({"status": 401}, "unavailable"),
    "403": ({"status": 403}, "unavailable"),
    "400": ({"status": 400}, "bad_response"),
    "404": ({"status": 404}, "bad_response"),
    "302": ({"status": 302}, "bad_response"),
    "silence": ({"delay_ms": HANG_MS}, "timeout"),
    "reset": ({"reset": True}, "unavailable"),
    "truncated": ({"body": "truncated"}, "bad_response"),
    "HTML with 200": ({"body": "html"}, "bad_response"),
    "empty body": ({"body": "empty"}, "bad_response"),
    "wrong content type": ({"content_type": "text/plain"}, "bad_response"),
}
# The API's own error envelope, in its most treacherous real form (see each provider's sandbox).
ENVELOPES = {
    "arxiv": "bad_response",
    "crossref": "unavailable",
    "europe_pmc": "bad_response",
    "openalex": "rate_limited",
    "paperclip": "bad_response",
    "pubmed": "unavailable",
    "semantic_scholar": "rate_limited",
}


def search(local: Machine, faults: dict[str, Any], **fields: Any) -> tuple[int, dict[str, Any]]:
    assert local.sandbox is not None
    local.sandbox.faults.clear()
    local.sandbox.faults.update(faults)
    budgets = boto3.resource("dynamodb").Table("local-provider-budgets")
    for name in providers_for("search"):  # what a fault before this one taught the budget and the circuit
        budgets.delete_item(Key={"pk": f"provider#{name}", "sk": "state"})
    remove_cached_legs()
    body = json.dumps({"query": "TREM2", "fresh": True, "timeout_ms": 15_000, "cite_in_kg": False, **fields})
    response = local.invoke("dispatcher", rest_event("POST", "/v1/literature-search", body=body))
    return response["statusCode"], json.loads(response["body"])


def every_pair() -> list[Any]:
    """Each fault of each provider; the fast tier has every fault of one provider, and one fault of every provider."""
    return [
        pytest.param(
            fault,
            provider,
            marks=() if provider == "europe_pmc" or fault == "truncated" else pytest.mark.slow,
            id=f"{fault}-{provider}",
        )
        for fault in FAULTS
        for provider in providers_for("search")
    ]


@pytest.mark.parametrize(("fault", "provider"), every_pair())
def test_a_fault_costs_its_own_leg_alone(running: Machine, fault: str, provider: str) -> None:
    settings, outcome = FAULTS[fault]
    others = [name for name in OTHERS if name != provider][:2]
    queried = ",".join([provider, *others])

    def ask(timeout_ms: int) -> tuple[int, Any]:
        return search(running, {provider: settings}, providers=queried, timeout_ms=timeout_ms)

    answer = with_enough_time(ask, provider, outcome)
    assert answer["complete"] is False
    assert answer["providers"][provider]["outcome"] == outcome
    assert answer["providers"][provider]["warnings"]
    assert answer["returned"] == 10
    assert {name: answer["providers"][name]["outcome"] for name in others} == dict.fromkeys(others, "ok")
    assert "providers_failed" in {hint["reason"] for hint in answer["hints"]}


@pytest.mark.parametrize("provider", providers_for("search"))
def test_the_apis_own_error_is_no_empty_answer(running: Machine, provider: str) -> None:
    others = [name for name in OTHERS if name != provider][:1]
    status, answer = search(running, {provider: {"body": "error"}}, providers=",".join([provider, *others]))
    assert status == 200
    assert answer["complete"] is False
    outcome = answer["providers"][provider]["outcome"]
    assert outcome not in ("ok", "empty")
    assert outcome == ENVELOPES.get(provider, outcome)


def test_an_exhausted_quota_reports_when_to_retry(running: Machine) -> None:
    _, answer = search(running, {"openalex": FAULTS["429 for hours"][0]}, providers="openalex,crossref")
    assert answer["providers"]["openalex"]["retry_after_s"] == 47052


def test_all_legs_failing_is_a_502_with_every_reason(running: Machine) -> None:
    faults = {name: {"status": 503, "retry_after": 0} for name in searched_by_default()}
    status, problem = search(running, faults)
    assert status == 502
    assert problem["code"] == "all_providers_failed"
    assert problem["retryable"] is True
    assert {fault["field"] for fault in problem["errors"]} == {f"providers.{name}" for name in searched_by_default()}
    assert all("unavailable" in fault["message"] for fault in problem["errors"])


def test_all_legs_late_is_a_504(running: Machine) -> None:
    faults = {name: {"delay_ms": HANG_MS} for name in searched_by_default()}
    status, problem = with_time_to_begin(lambda timeout_ms: search(running, faults, timeout_ms=timeout_ms))
    assert status == 504
    assert {fault["message"].partition(":")[0] for fault in problem["errors"]} == {"timeout"}


def test_a_temporary_error_is_retried_unnoticed(running: Machine) -> None:
    status, answer = search(running, {"crossref": {"status": 503, "retry_after": 0, "times": 1}}, providers="crossref")
    assert status == 200, answer
    assert (answer["complete"], answer["providers"]["crossref"]["outcome"]) == (True, "ok")


def test_nothing_found_with_a_missing_leg_is_not_reported_as_empty(running: Machine) -> None:
    faults = {"crossref": {"status": 503, "retry_after": 0}}
    status, answer = search(running, faults, query="zzyzx quuxology", providers="crossref,openalex")
    assert (status, answer["returned"], answer["complete"]) == (200, 0, False)
    assert answer["providers"]["openalex"]["outcome"] == "empty"
    assert answer["providers"]["crossref"]["outcome"] == "unavailable"
    assert {hint["reason"] for hint in answer["hints"]} == {"providers_failed", "no_match"}
    assert answer["next_actions"][0]["arguments"]["providers"] == ["crossref"]


def test_a_missing_key_is_reported_and_not_a_failure(running: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PAPERCLIP_API_KEY")
    _, answer = search(running, {})
    assert answer["providers"]["paperclip"]["outcome"] == "skipped_no_key"
    assert "paperclip" not in answer["providers_searched"]
    assert answer["complete"] is True


def test_a_key_that_is_missing_for_a_named_provider_makes_the_answer_incomplete(
    running: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PAPERCLIP_API_KEY")
    status, answer = search(running, {}, providers="paperclip,crossref")
    assert (status, answer["complete"]) == (200, False)
    status, problem = search(running, {}, providers="paperclip")
    assert status == 502
    assert "PAPERCLIP_API_KEY" in problem["errors"][0]["message"]
