"""Exhaustive searches in the sandbox: requests, the turns of their worker, and what the sandbox holds."""

from __future__ import annotations

import json
from typing import Any

from infra.local.machine import Machine
from tests.integration.reference_checks import HttpAnswer, request

PATH = "/v1/exhaustive-searches"
BODY: dict[str, Any] = {"query": "microglia", "providers": ["pubmed", "europe_pmc", "openalex"]}


def begin(machine: Machine, body: Any = None, *, caller: str | None = None) -> HttpAnswer:
    return request(machine, "POST", PATH, body or BODY, caller=caller)


def turn_event(search_id: str, *, receives: int = 1) -> dict[str, Any]:
    """The event by which the queue hands a search's message to the worker."""
    record = {
        "messageId": "m1", "receiptHandle": "r1", "body": json.dumps({"search_id": search_id}),
        "attributes": {"ApproximateReceiveCount": str(receives)}, "messageAttributes": {}, "eventSource": "aws:sqs",
    }  # fmt: skip
    return {"Records": [record]}


def turn(machine: Machine, search_id: str) -> Any:
    return machine.invoke("exhaustive_searcher", turn_event(search_id))


def state(machine: Machine, search_id: str, **query: str) -> dict[str, Any]:
    return request(machine, "GET", f"{PATH}/{search_id}", **query).json()


def finished(machine: Machine, search_id: str, most: int = 10) -> dict[str, Any]:
    """The search after as many turns as it needs."""
    for _ in range(most):
        assert turn(machine, search_id) == {"batchItemFailures": []}
        found = state(machine, search_id, max_results="100", detail="compact")
        if found["state"] in ("done", "failed"):
            return found
    raise AssertionError(f"the search is not done after {most} turns: {found}")


def facts_of(answer: dict[str, Any]) -> dict[str, Any]:
    """What must be the same whenever an equal search is made: requests, counts, papers."""
    sources = [
        {name: value for name, value in source.items() if name not in ("searched_from", "searched_to")}
        for source in answer["sources"]
    ]
    return {"sources": sources, "flow": answer["flow"], "papers": answer["papers"], "complete": answer["complete"]}
