"""Answers that do not wait for a slow source, through the whole service: state, waiting, cursors, late replies."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import boto3
import pytest

from infra.local.gateway import rest_event
from infra.local.machine import Machine, machine
from infra.local.sandbox.server import Sandbox
from tests.results import keys

SLOW = "crossref"
DELAY_MS = 1500


@pytest.fixture(scope="module")
def running() -> Iterator[Machine]:
    with machine(sandbox=Sandbox(faults={SLOW: {"delay_ms": DELAY_MS}})) as local:
        yield local


def post(running: Machine, **fields: Any) -> Any:
    answer = running.invoke("dispatcher", rest_event("POST", "/v1/literature-search", body=json.dumps(fields)))
    assert answer["statusCode"] == 200, answer["body"]
    return json.loads(answer["body"])


def get(running: Machine, result_set_id: str, **fields: Any) -> Any:
    query = {name: [str(value)] for name, value in fields.items()}
    answer = running.invoke("dispatcher", rest_event("GET", f"/v1/result-sets/{result_set_id}", query=query))
    assert answer["statusCode"] == 200, answer["body"]
    return json.loads(answer["body"])


def test_an_early_response_is_sent_and_its_result_set_is_completed_behind_the_cursor(running: Machine) -> None:
    providers = [SLOW, "openalex"]
    first = post(running, query="TREM2 microglia", providers=providers, patience_ms=0, max_results=5)
    assert {name: report["outcome"] for name, report in first["providers"].items()} == {
        SLOW: "pending",
        "openalex": "ok",
    }
    assert first["complete"] is False
    set_id = first["result_set_id"]
    state = get(running, set_id)
    assert (state["state"], state["missing"], state["complete"], state["completed_by"]) == (
        "pending", [SLOW], False, None,
    )  # fmt: skip
    action = next(it for it in first["next_actions"] if "cursor" in it["arguments"])
    with ThreadPoolExecutor(1) as pool:  # as the queue does in the cloud
        completing = pool.submit(running.complete)
        rest = post(running, **{**action["arguments"], "max_results": 100})
        done = get(running, set_id, patience_ms=15_000, max_results=100)
        assert completing.result() == 1
    assert (done["state"], done["missing"], done["complete"]) == ("complete", [], True)
    assert done["total_count"] > state["total_count"]
    assert keys(done)[: len(keys(first))] == keys(first)
    cursor, read = rest["next_cursor"], keys(first) + keys(rest)
    while cursor:
        page = post(running, cursor=cursor, max_results=100)
        read, cursor = read + keys(page), page["next_cursor"]
    assert read == keys(done)
    assert len(set(read)) == len(read)
    again = post(running, query="TREM2 microglia", providers=providers, max_results=100)
    assert (again["cache"], again["result_set_id"]) == ("hit", done["completed_by"])
    assert sorted(keys(again)) == sorted(read)
    asked = [it for it in running.sandbox.requests if it.provider == SLOW] if running.sandbox else []
    assert len(asked) == 1


@pytest.mark.slow
def test_a_file_and_a_search_of_one_provider_wait_for_all(running: Machine) -> None:
    event = rest_event(
        "GET", "/v1/literature-search",
        query={"query": ["prime editing"], "providers": [f"{SLOW},openalex"], "patience_ms": ["0"], "format": ["csv"]},
    )  # fmt: skip
    assert running.invoke("dispatcher", event)["statusCode"] == 200
    assert post(running, query="prime editing", providers=SLOW, patience_ms=0)["complete"] is True


@pytest.mark.slow
def test_without_a_queue_no_answer_is_pending(running: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    queue = boto3.client("sqs").create_queue(QueueName="short-lived")["QueueUrl"]
    boto3.client("sqs").delete_queue(QueueUrl=queue)
    monkeypatch.setenv("COMPLETIONS_QUEUE_URL", queue)
    answer = post(running, query="CRISPR screens", providers=[SLOW, "openalex"], patience_ms=0)
    assert answer["complete"] is True
    assert "pending" not in {report["outcome"] for report in answer["providers"].values()}
