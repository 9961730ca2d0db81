"""The daily look at the schedules: they become those of what is saved, whatever was done to them by hand."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import boto3
import pytest

from infra.local.lambda_hook import InvocationContext
from infra.local.machine import Machine
from tests.integration.saved_searches.faults import RUNNER, START, Saved, saved_searches

GROUP = "local-saved-searches"
OWN = InvocationContext("local-dispatcher").invoked_function_arn
RECONCILED = {"source": "aws.scheduler", "detail-type": "Schedules Reconciled", "id": "r", "detail": {}}
NOTHING = {"swept": 0, "unswept": 0, "created": 0, "changed": 0, "removed": 0, "left": 0}


@pytest.fixture
def saved(monkeypatch: pytest.MonkeyPatch) -> Iterator[Saved]:
    with saved_searches(monkeypatch) as made:
        yield made


def scheduler() -> Any:
    return boto3.client("scheduler")


def held(name: str) -> dict[str, Any]:
    """A schedule without what changes at each writing."""
    found: dict[str, Any] = scheduler().get_schedule(GroupName=GROUP, Name=name)
    return {key: found[key] for key in found if not key.endswith("Date") and key != "ResponseMetadata"}


def names() -> list[str]:
    pages = scheduler().get_paginator("list_schedules").paginate(GroupName=GROUP)
    return sorted(it["Name"] for page in pages for it in page["Schedules"])


def by_hand(name: str, **changes: Any) -> None:
    """A change that an operator makes; `Input` is the target's."""
    now = held(name)
    fields = ("Name", "GroupName", "ScheduleExpression", "ScheduleExpressionTimezone", "FlexibleTimeWindow", "State")
    target = {**now["Target"], **{key: changes.pop(key) for key in ("Input", "Arn", "RoleArn") if key in changes}}
    scheduler().update_schedule(**{**{key: now[key] for key in fields}, "Target": target, **changes})


def look(running: Machine) -> dict[str, int]:
    return dict(running.invoke(RUNNER, RECONCILED))


@pytest.mark.slow
def test_a_second_reconciliation_changes_nothing(saved: Saved) -> None:
    for number in range(60):  # more than one page of schedules
        saved.save(name=str(number), enabled=bool(number % 3))
    before = {name: held(name) for name in names()}
    for name in names()[::7]:
        scheduler().delete_schedule(GroupName=GROUP, Name=name)
    first = look(saved.running)
    assert first["created"] and not first["changed"] and not first["removed"]
    assert look(saved.running) == NOTHING
    assert {name: held(name) for name in names() if not name.endswith("-soon")} == {
        name: it for name, it in before.items() if not name.endswith("-soon")
    }


def test_a_missing_schedule_is_created_again(saved: Saved) -> None:
    search_id, disabled = saved.save(), saved.save(enabled=False)
    before = held(search_id), held(disabled)
    for name in (search_id, disabled):
        scheduler().delete_schedule(GroupName=GROUP, Name=name)
    assert look(saved.running) == {**NOTHING, "created": 2}
    assert (held(search_id), held(disabled)) == before
    assert before[1]["State"] == "DISABLED"


CHANGES: dict[str, dict[str, Any]] = {
    "expression": {"ScheduleExpression": "rate(9 days)"},
    "zone": {"ScheduleExpressionTimezone": "Asia/Tokyo"},
    "window": {"FlexibleTimeWindow": {"Mode": "OFF"}},
    "width of the window": {"FlexibleTimeWindow": {"Mode": "FLEXIBLE", "MaximumWindowInMinutes": 5}},
    "state": {"State": "DISABLED"},
    "input": {"Input": '{"detail": {"owner": "somebody else", "search_id": "theirs"}}'},
    "function": {"Arn": "arn:aws:lambda:us-east-1:000000000000:function:another"},
    "role": {"RoleArn": "arn:aws:iam::000000000000:role/another"},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_manual_change_is_undone(saved: Saved, change: dict[str, Any]) -> None:
    search_id, other = saved.save(), saved.save()
    before = held(search_id), held(other)
    by_hand(search_id, **change)
    assert held(search_id) != before[0]
    assert look(saved.running) == {**NOTHING, "changed": 1}
    assert (held(search_id), held(other)) == before


@pytest.mark.parametrize("invoked", ["", ":live", ":7"], ids=["no name", "the alias", "a version"])
def test_schedules_invoke_the_alias_whatever_was_invoked(
    saved: Saved, monkeypatch: pytest.MonkeyPatch, invoked: str
) -> None:
    arn = "arn:aws:lambda:us-east-1:000000000000:function:local-saved_search_runner"
    monkeypatch.setattr(InvocationContext, "invoked_function_arn", f"{arn}{invoked}")
    monkeypatch.setenv("SCHEDULED_ALIAS", "live")
    monkeypatch.setenv("SCHEDULED_FUNCTION", "local-saved_search_runner:live")
    saved.running.restart()
    search_id = saved.save()
    assert held(search_id)["Target"]["Arn"] == f"{arn}:live"
    assert look(saved.running) == NOTHING


@pytest.mark.parametrize("left", ["", "-soon"], ids=["its schedule", "its run that comes soon"])
def test_leftovers_of_a_deleted_search_are_removed(saved: Saved, left: str) -> None:
    search_id, other = saved.save(), saved.save()
    scheduler().delete_schedule(GroupName=GROUP, Name=search_id if left else f"{search_id}-soon")
    saved.wiring.SEARCHES.delete(saved.item(search_id))
    assert look(saved.running) == {**NOTHING, "removed": 1}
    assert names() == sorted([other, f"{other}-soon"])
    assert look(saved.running) == NOTHING


@pytest.mark.parametrize("payload", ["{}", "no JSON", "[1]", '{"detail": {"owner": "local", "search_id": "other"}}'])
def test_a_manually_created_schedule_in_our_group_is_removed(saved: Saved, payload: str) -> None:
    search_id = saved.save()
    form = {key: it for key, it in held(search_id).items() if it is not None and key not in ("Arn", "Name")}
    payload = payload.replace("other", search_id)  # under another name it would run a search twice
    scheduler().create_schedule(**form | {"Name": "mine", "Target": form["Target"] | {"Input": payload}})
    assert look(saved.running) == {**NOTHING, "removed": 1}
    assert names() == sorted([search_id, f"{search_id}-soon"])


def test_a_search_that_is_saved_or_changed_meanwhile_keeps_its_schedule(
    saved: Saved, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed, deleted = saved.save(), saved.save()
    old = list(saved.wiring.SEARCHES.list_all())
    late = saved.save()
    saved.call("PATCH", f"/{changed}", {"schedule": "rate(3 days)"})
    scheduler().delete_schedule(GroupName=GROUP, Name=deleted)
    saved.wiring.SEARCHES.delete(saved.item(deleted))
    scheduler().delete_schedule(GroupName=GROUP, Name=f"{deleted}-soon")
    before = {name: held(name) for name in names()}
    monkeypatch.setattr(saved.wiring.SEARCHES.__class__, "list_all", lambda _: iter(old))
    assert look(saved.running) == NOTHING
    assert {name: held(name) for name in names()} == before
    assert {changed, late, f"{late}-soon"} <= set(before)


def test_without_time_the_rest_is_left_and_counted(saved: Saved, monkeypatch: pytest.MonkeyPatch) -> None:
    first, *_ = sorted(saved.save() for _ in range(4))
    by_hand(first, State="DISABLED")
    short = InvocationContext("local-saved_search_runner")
    monkeypatch.setattr(InvocationContext, "get_remaining_time_in_millis", lambda _: 9_000)  # less than its own reserve
    assert saved.running.functions["local-saved_search_runner"](RECONCILED, short) == {**NOTHING, "left": 4}
    assert held(first)["State"] == "DISABLED"
    monkeypatch.undo()
    assert look(saved.running) == {**NOTHING, "changed": 1}


def test_a_run_started_by_the_soon_schedule_creates_the_next_one(saved: Saved) -> None:
    search_id = saved.save()
    assert held(f"{search_id}-soon")["ScheduleExpression"] == f"at({START + timedelta(minutes=1):%Y-%m-%dT%H:%M:%S})"
    saved.wiring.schedules(OWN).soon(saved.item(search_id), START + timedelta(hours=1))
    assert held(f"{search_id}-soon")["ScheduleExpression"] == "at(2026-11-22T07:00:00)"
    assert held(f"{search_id}-soon")["ActionAfterCompletion"] == "DELETE"
