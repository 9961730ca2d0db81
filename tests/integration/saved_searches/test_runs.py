"""Runs of one search against all that can go wrong: started twice, killed anywhere, overtaken, changed under way."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest

from infra.local.lambda_hook import InvocationContext
from shared.errors import LeaseLost, RunUnderWay
from tests.integration.saved_searches.faults import (
    DAY,
    RUNNER,
    START,
    Saved,
    around_calls,
    paper,
    saved_searches,
    writes_a_search,
)

FUNCTION = "local-saved_search_runner"
OUTLIVED = timedelta(seconds=121)


@pytest.fixture
def saved(monkeypatch: pytest.MonkeyPatch) -> Iterator[Saved]:
    with saved_searches(monkeypatch) as made:
        made.papers = [paper(number) for number in range(1, 4)]
        yield made


class Killed(BaseException):
    """The process is gone."""


@pytest.mark.parametrize("request_ids", [("a", "b"), ("a", "a")], ids=["two events", "one event brought twice"])
def test_one_of_two_concurrent_runs_proceeds_and_nothing_is_reported_twice(
    saved: Saved, request_ids: tuple[str, str]
) -> None:
    search_id = saved.save()
    inside, over = threading.Event(), threading.Event()

    def wait() -> None:
        inside.set()
        assert over.wait(10)

    saved.meanwhile = wait
    events = [saved.event(search_id, START), saved.event(search_id, START + DAY)]

    def invoke(number: int) -> Any:
        context = InvocationContext(FUNCTION, aws_request_id=request_ids[number])
        return saved.running.functions[FUNCTION](events[number], context)

    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(invoke, 0)
        assert inside.wait(10)
        try:
            with pytest.raises(RunUnderWay):
                invoke(1)
        finally:
            over.set()
        assert first.result(10)["events"]["baseline"] == 3
    assert [number for number, *_ in saved.reported(search_id)] == [1, 2, 3]
    assert invoke(1)["events"]["baseline"] == 0  # invoked again, it finds nothing that was not reported


def test_a_run_due_no_later_than_the_last_run_is_skipped(saved: Saved) -> None:
    search_id = saved.save()
    assert saved.run(search_id, START)["events"]["baseline"] == 3
    for due in (START, START - DAY):
        assert saved.run(search_id, due) == {"search_id": search_id, "skipped": "already_run"}
    assert len(saved.asked) == 1
    assert "skipped" not in saved.run(search_id, START + DAY)


def test_a_disabled_search_is_not_run_and_runs_when_it_is_enabled(saved: Saved) -> None:
    search_id = saved.save()
    saved.call("PATCH", f"/{search_id}", {"enabled": False})
    assert saved.run(search_id)["skipped"] == "disabled"
    assert not saved.asked
    saved.call("PATCH", f"/{search_id}", {"enabled": True})
    assert "skipped" not in saved.run(search_id)


def test_the_schedule_of_a_deleted_search_is_removed(saved: Saved) -> None:
    search_id = saved.save()
    saved.wiring.SEARCHES.delete(saved.item(search_id))
    schedules = saved.wiring.schedules(InvocationContext(FUNCTION).invoked_function_arn)
    assert schedules._names(lambda: True) == ({search_id, f"{search_id}-soon"}, True)
    assert saved.run(search_id)["skipped"] == "gone"
    assert schedules._names(lambda: True) == (set(), True)


def test_an_event_that_names_another_owner_removes_no_schedule(saved: Saved) -> None:
    search_id = saved.save()
    event = {**saved.event(search_id), "detail": {"owner": "somebody else", "search_id": search_id}}
    assert saved.running.invoke(RUNNER, event)["skipped"] == "gone"
    schedules = saved.wiring.schedules(InvocationContext(FUNCTION).invoked_function_arn)
    assert schedules._names(lambda: True) == ({search_id, f"{search_id}-soon"}, True)


@pytest.mark.parametrize("time", ["zzz", "9999-12-31T23:59:59Z", "9999-12-31T23:59:59-12:00", "", 7, None, {"a": 1}])
def test_a_wrong_time_of_an_event_stops_no_later_run(saved: Saved, time: object) -> None:
    search_id = saved.save()
    event = {**saved.event(search_id, START), "time": time}
    assert "skipped" not in saved.running.invoke(RUNNER, event)
    saved.now += DAY
    assert "skipped" not in saved.run(search_id, saved.now)


@pytest.mark.slow
@pytest.mark.parametrize("written", [False, True], ids=["before the write", "after the write"])
def test_after_a_run_is_killed_at_any_step_the_next_reports_each_paper_once(
    saved: Saved, monkeypatch: pytest.MonkeyPatch, written: bool
) -> None:
    monkeypatch.setattr("shared.aws.dynamodb.saved_searches.runs.ITEMS_A_TRANSACTION", 5)  # two papers in each
    saved.papers = [paper(number) for number in range(1, 6)]
    left = [0]

    def count_down(operation: str, arguments: dict[str, Any], call: Callable[[], Any]) -> Any:
        if writes_a_search(operation, arguments):
            left[0] -= 1
            if left[0] == 0:
                if written:
                    call()
                raise Killed
        return call()

    around_calls(monkeypatch, count_down)
    kills = 0
    for number in range(1, 30):
        left[0] = -1
        search_id = saved.save()
        due = saved.now = saved.now + DAY
        left[0] = number
        try:
            saved.run(search_id, due)
        except Killed:
            kills += 1
        else:
            break
        reported_before = saved.reported(search_id)
        saved.now += OUTLIVED
        report = saved.run(search_id, due)  # EventBridge brings it again
        reported = saved.reported(search_id)
        assert reported[: len(reported_before)] == reported_before
        assert [it for it, *_ in reported] == [1, 2, 3, 4, 5]
        assert {doi for *_, doi in reported} == {f"10.1000/{it}" for it in range(1, 6)}
        assert len(saved.rows(search_id)) == 10
        item = saved.item(search_id)
        assert (item["next_number"], item.get("lease_run")) == (6, None)
        assert report.get("skipped") == "already_run" or report["complete"]
        assert item["last_run"]["complete"]
    assert kills == 7  # the lease, three transactions, the windows, what is queued, the end


def test_a_run_without_its_lease_writes_nothing(saved: Saved) -> None:
    search_id = saved.save()
    between: list[Any] = []

    def overtake() -> None:
        saved.meanwhile = lambda: None
        saved.now += OUTLIVED
        between.append(saved.run(search_id))
        between.append((saved.rows(search_id), saved.item(search_id)))
        saved.papers.append(paper(9))

    saved.meanwhile = overtake
    with pytest.raises(LeaseLost):
        saved.run(search_id)
    assert between[0]["events"]["baseline"] == 3
    assert (saved.rows(search_id), saved.item(search_id)) == between[1]


@pytest.mark.parametrize("step", ["write_news", "save_windows", "queued", "end"])
def test_no_write_of_a_run_goes_through_without_its_lease(saved: Saved, step: str) -> None:
    from shared.aws.dynamodb.saved_searches.runs import Run, begin
    from shared.saved_searches.run import PaperNews
    from shared.saved_searches.seen import ReportedPaper
    from shared.saved_searches.windows import Window

    search_id = saved.save()
    zombie = begin(saved.wiring.TABLE, "local", search_id, due="2026-11-23", now=lambda: saved.now)
    saved.now += OUTLIVED
    holder = begin(saved.wiring.TABLE, "local", search_id, due="2026-11-23", now=lambda: saved.now)
    before = saved.rows(search_id), saved.item(search_id)
    assert isinstance(zombie, Run) and isinstance(holder, Run)
    event: Any = {"at": "2026-11-22T06:00:00Z", "type": "baseline"}
    report: Any = {}
    known = ReportedPaper(number=1, key="k", stubs=(), published=True, retracted=False)
    steps: dict[str, Callable[[Run], None]] = {
        "write_news": lambda run: run.write_news([PaperNews(known, (event,))]),
        "save_windows": lambda run: run.save_windows([Window(searched_at="2026-11-22")]),
        "queued": lambda run: run.queued(7),
        "end": lambda run: run.end(report, "2026-11-23"),
    }
    with pytest.raises(LeaseLost):
        steps[step](zombie)
    assert (saved.rows(search_id), saved.item(search_id)) == before
    steps[step](holder)
    assert (saved.rows(search_id), saved.item(search_id)) != before
