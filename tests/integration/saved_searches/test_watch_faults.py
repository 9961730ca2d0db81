"""A retraction in a watched debate is reported exactly once, whatever happens to runs, sources and webhooks."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest

from shared.errors import RunUnderWay
from tests.integration.saved_searches.deliveries import trust_loopback
from tests.integration.saved_searches.faults import RUNNER
from tests.integration.saved_searches.test_watch import AT_START
from tests.integration.saved_searches.test_webhooks import parse_request
from tests.integration.saved_searches.watching import (
    CITED,
    CORRECTED,
    EARLIER,
    NONE,
    PATH,
    RETRACTED,
    Killed,
    Watching,
    dies_at_write,
    marked,
)
from tests.integration.saved_searches.webhook_receiver import HOST, Receiver, answer, receiver

pytestmark = pytest.mark.slow  # runs that are killed at each step

NEWS = marked(RETRACTED, "retracted")
ONCE = sorted([AT_START, ("retracted", str(RETRACTED.doi), False)])
TRACKING = ("crossref", "europe_pmc", "openalex", "pubmed")
# What no provider tries again within a run, which would take real time.
DOWN: dict[str, dict[str, Any]] = {name: {"status": 403} for name in TRACKING}
# The writes of a run. What is specific to a watch is tested at every commit, the rest with the slow tests.
WRITES = ("the lease", "the papers with their events", "the position", "the place in the queue", "the report")
MOMENTS = [number if number in (2, 3) else pytest.param(number, marks=pytest.mark.slow) for number in range(1, 6)]


def test_a_retraction_is_reported_once_although_each_day_has_a_new_machine(debate: Watching) -> None:
    saved = debate.watch()
    for day, changed in enumerate([[], [NEWS], [], []]):
        debate.on(day, *changed)
        debate.running.restart()
        debate.run(saved)
    assert debate.reported(saved) == ONCE


@pytest.mark.parametrize("after", [pytest.param(False, marks=pytest.mark.slow), True], ids=["before", "after"])
@pytest.mark.parametrize("number", MOMENTS, ids=WRITES)
def test_a_run_that_dies_at_a_write_reports_nothing_twice(
    debate: Watching, monkeypatch: pytest.MonkeyPatch, number: int, after: bool
) -> None:
    saved = debate.watch(delivery={"sns": True})
    debate.run(saved)
    debate.on(1, NEWS)
    event = debate.event(saved)
    with monkeypatch.context() as patch:
        writes = dies_at_write(patch, number, after=after)
        with pytest.raises(Killed):
            debate.running.invoke(RUNNER, event)
    assert len(writes) == number
    debate.on(1, minutes=5)  # the lease of the dead run has ended
    debate.running.restart()
    debate.running.invoke(RUNNER, event)
    assert debate.reported(saved) == ONCE


@pytest.mark.slow
def test_a_run_has_no_other_writes_at_which_it_could_die(debate: Watching, monkeypatch: pytest.MonkeyPatch) -> None:
    saved = debate.watch(delivery={"sns": True})
    debate.run(saved)
    debate.on(1, NEWS)
    event = debate.event(saved)
    writes = dies_at_write(monkeypatch, 100)
    debate.running.invoke(RUNNER, event)
    assert len(writes) == len(WRITES)


@pytest.mark.slow
def test_a_run_that_dies_between_batches_is_continued_where_it_was(
    debate: Watching, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shared.saved_searches.watch.BATCH", 2)
    saved = debate.watch()
    event = debate.event(saved)
    with monkeypatch.context() as patch:
        dies_at_write(patch, 4, after=True)  # the lease, two papers, the position, two papers
        with pytest.raises(Killed):
            debate.running.invoke(RUNNER, event)
    debate.on(0, minutes=5)
    report = debate.running.invoke(RUNNER, event)
    assert (report["papers"]["looked_up"], report["papers"]["left"], report["complete"]) == (4, 0, True)
    assert debate.reported(saved) == [AT_START]
    debate.on(1)
    assert debate.run(saved)["papers"]["looked_up"] == len(CITED)


def test_a_run_without_time_leaves_papers_to_an_early_run(debate: Watching, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shared.saved_searches.watch.BATCH", 2)
    monkeypatch.setattr("functions.saved_search_runner.runs.MAX_RUN_S", 0.0)
    saved = debate.watch()
    report = debate.run(saved)
    assert (report["papers"]["left"], report["complete"]) == (len(CITED), False)
    _, shown = debate.call("GET", f"{PATH}/{saved['id']}")
    assert shown["next_run_at"].startswith("2026-11-22T06:10:")  # the clock goes on while the test runs


@pytest.mark.slow
def test_an_event_that_arrives_twice_runs_once(debate: Watching) -> None:
    saved = debate.watch()
    debate.run(saved)
    debate.on(1, NEWS)
    debate.run(saved)
    assert debate.run(saved)["skipped"] == "already_run"
    assert debate.reported(saved) == ONCE


def test_two_runs_at_once_report_once(debate: Watching) -> None:
    saved = debate.watch()
    debate.run(saved)
    debate.on(1, NEWS)
    event, faults = debate.event(saved), list[BaseException]()
    together = threading.Barrier(2)

    def run() -> None:
        together.wait()
        try:
            debate.running.invoke(RUNNER, event)
        except Exception as error:  # counted below
            faults.append(error)

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {type(it).__name__ for it in faults} <= {RunUnderWay.__name__}
    assert debate.reported(saved) == ONCE


@pytest.mark.parametrize(
    "down", [TRACKING, *(pytest.param(it, marks=pytest.mark.slow) for it in (TRACKING[:1], TRACKING[1:]))], ids=len
)
def test_a_source_that_is_down_on_the_day_loses_and_repeats_nothing(debate: Watching, down: tuple[str, ...]) -> None:
    saved = debate.watch()
    debate.run(saved)
    debate.on(1, NEWS)
    debate.sandbox.faults = {name: DOWN[name] for name in down}
    report = debate.run(saved)
    assert (report["papers"]["unanswered"], report["complete"]) == (len(CITED), False)
    for day, faults in ((2, {}), (3, DOWN), (4, {})):
        debate.on(day)
        debate.sandbox.faults = dict(faults)
        debate.run(saved)
    assert debate.reported(saved) == ONCE


def test_a_retraction_from_before_is_marked_so_although_its_sources_answer_later(debate: Watching) -> None:
    debate.sandbox.faults = dict(DOWN)
    saved = debate.watch()
    assert debate.run(saved)["events"] == NONE
    debate.on(1)
    debate.sandbox.faults = {}
    assert debate.run(saved)["events"] == {**NONE, "retracted": 1}
    assert debate.reported(saved) == [AT_START]


@pytest.mark.slow
def test_a_graph_that_cannot_be_read_ends_the_run_with_an_error(
    debate: Watching, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = debate.watch()

    def fails(*_: Any, **__: Any) -> Any:
        raise OSError("no table")

    monkeypatch.setattr("shared.graph.store.GraphStore.context", fails)
    with pytest.raises(OSError, match="no table"):
        debate.run(saved)


def _sent(running: Receiver) -> list[dict[str, Any]]:
    return [event for request in running.requests for event in _events(request)]


def _events(request: bytes) -> list[dict[str, Any]]:
    return list(json.loads(parse_request(request)[2])["data"]["events"])


def test_the_webhook_receives_each_state_once(debate: Watching, monkeypatch: pytest.MonkeyPatch) -> None:
    with receiver(answer(200)) as running:
        monkeypatch.setattr("functions.dispatcher.wiring.saved_searches.resolve", lambda host, port: ["93.184.215.14"])
        saved = debate.watch(delivery={"webhook": {"url": f"https://{HOST}:{running.port}/new"}})
        for day, changed in enumerate([[], [NEWS], [marked(CORRECTED, "corrected")], []]):
            debate.on(day, *changed)
            debate.running.restart()
            trust_loopback(monkeypatch)
            debate.run(saved)
            debate.run(saved)
            debate.running.deliver()
    sent = [(it["type"], it["key"].removeprefix("doi:"), it["at_start"]) for it in _sent(running)]
    assert sent == [
        ("retracted", EARLIER.doi, True), ("retracted", RETRACTED.doi, False), ("corrected", CORRECTED.doi, False),
    ]  # fmt: skip
    assert len(running.requests) == 3
