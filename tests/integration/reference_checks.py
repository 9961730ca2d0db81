"""Documents whose references are checked, made from the facts of the sandbox, and the steps of their worker."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib import import_module
from itertools import cycle, islice
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from infra.local.gateway import rest_event
from infra.local.machine import Machine
from tests.benchmarks.reference_set import papers, printed
from tests.benchmarks.reference_styles import vancouver

PATH = "/v1/reference-checks"


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """An answer of the dispatcher."""

    status: int
    body: str
    headers: Mapping[str, Sequence[str]]

    def json(self) -> dict[str, Any]:
        return dict(json.loads(self.body))


def request(
    machine: Machine, method: str, path: str = PATH, body: object = None, *, caller: str | None = None, **query: str
) -> HttpAnswer:
    event = rest_event(
        method, path, body=json.dumps(body) if body is not None else None,
        query={name: [value] for name, value in query.items()}, headers={"x-api-key": caller} if caller else {},
    )  # fmt: skip
    answer = machine.invoke("dispatcher", event)
    return HttpAnswer(answer["statusCode"], answer["body"], answer["multiValueHeaders"])


def reference_lines(count: int, *, with_doi: bool = False) -> list[str]:
    """So many printed references; the papers of the sandbox, repeated in their order."""
    return [vancouver(printed(fact, with_doi=with_doi)) for fact in islice(cycle(papers()), count)]


def message_event(check_id: str, *, receives: int = 1) -> dict[str, Any]:
    """The event by which the queue hands a check's message to the worker."""
    record = {
        "messageId": "m1", "receiptHandle": "r1", "body": json.dumps({"check_id": check_id}),
        "attributes": {"ApproximateReceiveCount": str(receives)}, "messageAttributes": {},
        "eventSource": "aws:sqs",
    }  # fmt: skip
    return {"Records": [record]}


@contextmanager
def standing_time() -> Iterator[None]:
    """The dispatcher's clock stands still: no request of the running machine is cut off, however busy the computer is.

    What is cut off is sent again, so that a slow computer would count more requests than a fast one.
    """
    clock = SimpleNamespace(monotonic=lambda: 0.0, time=time.time, sleep=time.sleep)
    with ExitStack() as patches:
        for name in ("papers", "legs"):
            wiring = import_module(f"functions.dispatcher.wiring.{name}")
            patches.enter_context(patch.object(wiring, "time", clock))
        yield


def work_until_done(machine: Machine, check_id: str, steps: int = 50) -> list[dict[str, Any]]:
    """Every answer while the worker goes on, step by step."""
    seen = [request(machine, "GET", f"{PATH}/{check_id}", max_results="1").json()]
    for _ in range(steps):
        if seen[-1]["state"] != "running":
            return seen
        assert machine.invoke("reference_checker", message_event(check_id)) == {"batchItemFailures": []}
        seen.append(request(machine, "GET", f"{PATH}/{check_id}", max_results="1").json())
    raise AssertionError(f"the check is not done after {steps} steps: {seen[-1]}")


def all_references(machine: Machine, check_id: str) -> list[dict[str, Any]]:
    """The references of all pages."""
    found: list[dict[str, Any]] = []
    cursor: str | None = "0"
    while cursor is not None:
        page = request(machine, "GET", f"{PATH}/{check_id}", cursor=cursor, max_results="200").json()
        found += page["references"]
        cursor = page["next_cursor"]
    return found
