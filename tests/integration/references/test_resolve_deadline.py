"""The time of a request to resolve references includes the service's own work, by a clock that the test sets."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest

from infra.local.machine import Machine
from shared.merging.merge import merge
from shared.papers.reference_request import ResolveRequest
from shared.references import reference_state
from shared.references.reference_state import ReferenceState
from shared.references.resolve import resolve
from shared.validation import validated

TITLES = ["Attention is all you need", "Deep residual learning for image recognition", "TREM2"]


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now


def resolved(clock: Clock) -> Any:
    wiring = import_module("functions.dispatcher.wiring.papers")
    request = validated(ResolveRequest, {"references": TITLES, "timeout_ms": 5_000, "fresh": True, "cite_in_kg": False})
    dependencies = wiring.paper_dependencies("id")
    legs = replace(dependencies.legs, monotonic=clock.monotonic)
    return resolve(request, replace(dependencies, legs=legs, monotonic=clock.monotonic))


def test_references_that_are_not_judged_in_time_are_unanswered(
    running: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert running.sandbox is not None
    clock = Clock()
    assert resolved(clock)["references"][0]["status"] == "matched"

    judge = ReferenceState.judge_by

    def slow(*given: Any) -> None:
        clock.now += 4.0
        judge(*given)

    monkeypatch.setattr(ReferenceState, "judge_by", slow)
    answer = resolved(clock)
    statuses = [entry["status"] for entry in answer["references"]]
    assert (statuses[0], statuses[2]) == ("matched", "unanswered")
    assert answer["complete"] is False
    assert answer["search_time_ms"] == 8_000


def test_no_reference_is_judged_when_merging_took_the_time(running: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    assert running.sandbox is not None
    clock = Clock()

    def slow(records: Any) -> Any:
        clock.now += 6.0
        return merge(records)

    monkeypatch.setattr(reference_state, "merge", slow)
    answer = resolved(clock)
    assert (answer["unanswered"], answer["not_found"], answer["complete"]) == (3, 0, False)
    assert answer["search_time_ms"] == 6_000
