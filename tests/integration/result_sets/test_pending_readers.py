"""What others see of a result set while a source is still asked: over HTTP and MCP, in files, in saved searches."""

from __future__ import annotations

import json
from typing import Any

import pytest

from infra.local.gateway import rest_event
from infra.local.machine import Machine
from shared.outcomes import Outcome
from shared.providers.provider import failed, reply_to_json
from tests.integration.mcp_calls import called, resource
from tests.integration.pending_faults import PROVIDERS, SLOW, EarlyResponded, assert_complete
from tests.results import keys

pytestmark = pytest.mark.slow  # some searches each


@pytest.fixture
def early(running: Machine, monkeypatch: pytest.MonkeyPatch) -> EarlyResponded:
    return EarlyResponded(running, monkeypatch)


def get(early: EarlyResponded, path: str, **query: str) -> Any:
    event = rest_event("GET", path, query={name: [value] for name, value in query.items()})
    return early.running.invoke("dispatcher", event)


def test_over_http_and_mcp_a_set_is_pending_until_it_is_complete(early: EarlyResponded) -> None:
    first = called(early.running, "literature_search", query="TREM2 microglia", providers=PROVIDERS, patience_ms=0)
    result_set_id = first["result_set_id"]
    uri = f"literature://result-sets/{result_set_id}?max_results=100&max_tokens=60000"
    for state in (early.state(result_set_id), resource(early.running, uri)):
        assert (state["state"], state["missing"], state["complete"]) == ("pending", [SLOW], False)
    assert json.loads(get(early, f"/v1/result-sets/{result_set_id}/facets")["body"])["complete"] is False
    (record,) = early.messages()
    early.gate.open()
    assert early.deliver(record)
    state = resource(early.running, f"{uri}&patience_ms=15000")
    assert (state["state"], state["missing"], state["complete"]) == ("complete", [], True)
    rest = called(
        early.running, "literature_search", query="TREM2 microglia", cursor=first["next_cursor"], max_results=90
    )
    assert keys(first) + keys(rest) == keys(state)


def test_a_file_of_a_pending_set_says_that_it_is_incomplete(early: EarlyResponded) -> None:
    first = early.respond_early()
    form = {"result_set_id": first["result_set_id"], "format": "csv"}
    before = get(early, "/v1/exports", **form)["multiValueHeaders"]
    (record,) = early.messages()
    early.gate.open()
    assert early.deliver(record)
    after = get(early, "/v1/exports", **form)["multiValueHeaders"]
    assert (before["Complete"], after["Complete"]) == (["false"], ["true"])


def test_a_source_that_fails_in_the_end_is_named_and_the_next_search_queries_it_again(early: EarlyResponded) -> None:
    real = early.gate.handler
    early.gate.handler = lambda event, context: reply_to_json(failed(SLOW, SLOW, Outcome.RATE_LIMITED, "too many"))
    first = early.respond_early()
    (record,) = early.messages()
    early.gate.open()
    early.end_leases()
    assert early.deliver(record)
    state = early.state(first["result_set_id"], max_results=100)
    assert (state["state"], state["missing"], state["completed_by"]) == ("incomplete", [SLOW], None)
    assert keys(first) + early.pages(first["next_cursor"], 7) == keys(state)
    early.gate.handler = real
    early.end_leases()
    again = early.post(max_results=100)
    assert (again["complete"], again["providers"][SLOW]["outcome"]) == (True, "ok")
    assert set(keys(again)) > set(keys(state))


def test_an_equal_search_that_waits_for_all_finds_no_pending_set(early: EarlyResponded) -> None:
    early.respond_early()
    again = early.post(timeout_ms=1000, max_results=100)
    assert (again["complete"], again["providers"][SLOW]["outcome"]) == (False, "timeout")
    early.gate.open()
    whole = early.post(max_results=100)
    assert (whole["complete"], whole["providers"][SLOW]["outcome"]) == (True, "ok")
    assert early.gate.asked == 1


def test_a_saved_search_reads_its_own_legs_and_never_a_pending_set(early: EarlyResponded) -> None:
    first = early.respond_early()
    body = {"search": {"query": "TREM2 microglia", "providers": PROVIDERS}, "schedule": "rate(1 day)"}
    made = early.running.invoke("dispatcher", rest_event("POST", "/v1/saved-searches", body=json.dumps(body)))
    saved = json.loads(made["body"])
    detail = {"owner": "local", "search_id": saved["id"]}
    event = {"id": "e", "source": "literature-search.schedules", "detail-type": "Scheduled Search", "detail": detail}
    early.running.invoke("dispatcher", {**event, "time": "2026-11-26T06:00:00Z"})
    run = json.loads(get(early, f"/v1/saved-searches/{saved['id']}")["body"])["last_run"]
    assert {name: report["outcome"] for name, report in run["providers"].items()} == dict.fromkeys(PROVIDERS, "ok")
    assert run["complete"] is True
    (record,) = early.messages()
    early.gate.open()
    assert early.deliver(record)
    assert_complete(early, first)
