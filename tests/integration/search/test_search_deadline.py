"""The time of a search includes the filters of its own, by a clock that the test sets."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest

from infra.local.machine import Machine
from shared.search.filtering import filters
from shared.search.requests.search_request import read_request
from shared.search.run import run_search
from shared.search.sizes.details import RESULT_FIELDS

pytestmark = pytest.mark.slow  # the largest expressions

MICROGLIA = {"query": "TREM2 AND (microglia OR macrophage) NOT zebrafish", "max_results": 100, "timeout_ms": 5_000}


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now


def searched(clock: Clock, **fields: Any) -> Any:
    wiring, searches = (import_module(f"functions.dispatcher.wiring.{name}") for name in ("legs", "searches"))
    request = read_request({**MICROGLIA, "cite_in_kg": False, **fields}, wiring.DISCIPLINES, RESULT_FIELDS)
    dependencies = searches.search_dependencies("id", scheduled=False)
    legs = replace(dependencies.legs, monotonic=clock.monotonic)
    return run_search(request, replace(dependencies, legs=legs, monotonic=clock.monotonic))


def test_papers_that_an_expression_has_not_judged_in_time_are_left_out_and_counted(
    running: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    whole = searched(clock)
    assert whole["complete"] is True
    judged: list[str] = []
    mentions = filters.CHECKS["operators"]

    def slow(paper: Any, query: Any) -> bool | None:
        clock.now += 1.0
        judged.append(paper.title)
        return mentions(paper, query)

    monkeypatch.setitem(filters.CHECKS, "operators", slow)
    answer = searched(clock, fresh=True)
    assert len(judged) == 5
    assert answer["returned"] <= 5 < whole["returned"]
    assert answer["complete"] is False
    (left_out,) = [it["message"] for it in answer["hints"] if "timeout_ms" in it["message"]]
    assert int(left_out.split()[0]) > 20
    monkeypatch.undo()
    assert searched(clock, fresh=True)["returned"] == whole["returned"]


def test_cheap_filters_are_applied_to_all_papers_even_late(running: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    date = filters.CHECKS["date"]

    def slow(paper: Any, query: Any) -> bool | None:
        clock.now += 1.0
        return date(paper, query)

    monkeypatch.setitem(filters.CHECKS, "date", slow)
    answer = searched(clock, query="TREM2 microglia", date_from="2015", fresh=True)
    assert answer["returned"] > 10 and answer["complete"] is True
