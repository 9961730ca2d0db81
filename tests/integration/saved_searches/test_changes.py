"""Changes of saved searches over HTTP: what stays, what may be sent back, and when the next run is."""

from __future__ import annotations

import importlib
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from botocore.exceptions import ClientError

from infra.local.machine import Machine
from shared.clock import timestamp
from tests.integration.saved_searches.requests import DAILY, HOOK, PATH, one, refuse, rows, run, save, schedules, send

NOW = datetime(2026, 11, 22, 6, 0, 5, tzinfo=UTC)


class Clock:
    """What the functions take for this moment."""

    now = NOW


@pytest.fixture(autouse=True)
def clock(local: Machine, monkeypatch: pytest.MonkeyPatch) -> Clock:
    fixed = Clock()
    monkeypatch.setattr("functions.dispatcher.wiring.saved_searches.resolve", lambda host, port: ["93.184.215.14"])
    for wiring in ("functions.dispatcher.wiring.saved_searches", "functions.saved_search_runner.wiring"):
        monkeypatch.setattr(f"{wiring}.now", lambda: fixed.now)
    return fixed


def patch(local: Machine, saved: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    answer = send(local, "PATCH", f"{PATH}/{saved['id']}", change)
    assert answer.status == 200, answer.text
    return dict(answer.json)


def after(minutes: float) -> str:
    return timestamp(NOW + timedelta(minutes=minutes))


@pytest.mark.parametrize(("schedule", "next_run"), [("rate(1 day)", after(1)), ("rate(1 minute)", after(1))])
def test_the_next_run_is_the_pending_first_one(local: Machine, clock: Clock, schedule: str, next_run: str) -> None:
    saved = save(local, schedule=schedule)
    assert saved["next_run_at"] == next_run
    at = schedules()[f"{saved['id']}-soon"]["ScheduleExpression"]
    assert at == f"at({next_run.removesuffix('Z')})"
    assert send(local, "GET").json["saved_searches"][0]["next_run_at"] == next_run
    clock.now = NOW + timedelta(minutes=1)
    later = {"rate(1 day)": after(1440), "rate(1 minute)": after(2)}[schedule]
    assert one(local, saved)["next_run_at"] == later


def test_a_changed_search_and_a_newly_enabled_one_run_soon(local: Machine, clock: Clock) -> None:
    saved = save(local, enabled=False)
    assert saved["next_run_at"] is None
    clock.now = NOW + timedelta(minutes=10)
    assert patch(local, saved, {"enabled": True})["next_run_at"] == after(11)
    clock.now = NOW + timedelta(minutes=20)
    assert patch(local, saved, {"name": "Glia"})["next_run_at"] == after(1440)
    assert patch(local, saved, {"search": {"query": "tau"}})["next_run_at"] == after(21)
    assert patch(local, saved, {"enabled": False})["next_run_at"] is None


def test_sending_back_the_answer_of_get_changes_nothing(local: Machine, clock: Clock) -> None:
    saved = save(local, delivery={**HOOK, "sns": True}, schedule={"expression": "rate(1 day)", "flexible_minutes": 30})
    shown, before = one(local, saved), rows()
    clock.now = NOW + timedelta(seconds=30)
    again = patch(local, saved, shown)
    volatile = {"updated_at": "", "request_id": ""}
    assert {**again, **volatile} == {**shown, **volatile}
    assert [{**row, "version": 0, "updated_at": ""} for row in rows()] == [
        {**row, "version": 0, "updated_at": ""} for row in before
    ]
    renamed = patch(local, saved, {**shown, "name": "Glia"})
    assert {**renamed, **volatile} == {**shown, **volatile, "name": "Glia"}


def test_a_delivery_keeps_its_webhook_and_its_secret_until_that_is_removed(local: Machine) -> None:
    saved = save(local, delivery=HOOK)
    secret = saved["delivery"]["webhook"].pop("secret")
    assert patch(local, saved, {"delivery": {"sns": True}})["delivery"] == {**saved["delivery"], "sns": True}
    assert [row["secret"] for row in rows() if "secret" in row] == [secret]
    gone = patch(local, saved, {"delivery": {"webhook": None}})["delivery"]
    assert gone == {"webhook": None, "sns": True, "baseline": False}
    assert not [row for row in rows() if "secret" in row]


def test_a_schedule_keeps_its_zone_and_its_window(local: Machine) -> None:
    zone = {"timezone": "Europe/Berlin", "flexible_minutes": 30}
    saved = save(local, schedule={"expression": "rate(1 day)", **zone})
    assert patch(local, saved, {"schedule": "rate(2 hours)"})["schedule"] == {"expression": "rate(2 hours)", **zone}
    changed = patch(local, saved, {"schedule": {"timezone": "UTC"}})["schedule"]
    assert changed == {"expression": "rate(2 hours)", "timezone": "UTC", "flexible_minutes": 30}
    assert schedules()[saved["id"]]["FlexibleTimeWindow"] == {"Mode": "FLEXIBLE", "MaximumWindowInMinutes": 30}


def test_a_disabled_webhook_remains_disabled_until_its_url_is_set(local: Machine) -> None:
    saved = save(local, delivery=HOOK)
    searches = importlib.import_module("functions.dispatcher.wiring.saved_searches").SEARCHES
    item = searches.get(str(rows()[0]["owner"]), saved["id"])
    off = {**item["delivery"]["webhook"], "status": "disabled", "disabled_reason": "gone", "undelivered_from": 1}
    searches.change(item, {"delivery": {**item["delivery"], "webhook": off}})
    shown = one(local, saved)
    for change in ({"delivery": {"sns": True}}, shown, {"delivery": {"webhook": {"status": "active"}}}):
        webhook = patch(local, saved, change)["delivery"]["webhook"]
        assert webhook == shown["delivery"]["webhook"]
        assert webhook["status"] == "disabled"
    webhook = patch(local, saved, {"delivery": HOOK})["delivery"]["webhook"]
    assert webhook == {**HOOK["webhook"], "status": "active", "disabled_reason": None}


def test_a_repeated_request_must_be_retried_while_the_first_is_under_way(
    local: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = {"Idempotency-Key": "mine"}
    assert send(local, "POST", body=DAILY, headers=key).status == 201
    before = rows(), schedules()
    wiring = importlib.import_module("functions.dispatcher.wiring.saved_searches")
    with monkeypatch.context() as never_searched:  # it was not there yet when it was looked for
        never_searched.setattr(wiring.SEARCHES.__class__, "list_for_owner", lambda self, owner: [])
        answer = send(local, "POST", body=DAILY, headers=key)
    assert (answer.status, answer.json["code"], answer.json["retryable"]) == (409, "still_under_way", True)
    assert (answer.json["retry_after_s"], answer.headers["Retry-After"]) == (1.0, "1")
    assert "with the same key" in answer.json["hint"]
    assert json.dumps((rows(), schedules()), default=str) == json.dumps(before, default=str)
    assert send(local, "POST", body=DAILY, headers=key).status == 200


def test_windows_without_time_in_one_run_are_read_in_the_next(
    local: Machine, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = save(local)
    report = {"complete": True, "events": {}, "windows": {"asked": 1, "all": 2, "left": 1}}
    clock.now = NOW + timedelta(minutes=1)
    with monkeypatch.context() as broad:
        broad.setattr("functions.saved_search_runner.runs.run_saved_search", lambda *arguments, **more: report)
        run(local, saved, str(rows()[0]["owner"]))
    item = rows()[0]
    assert item["soon_at"] == after(11)
    assert schedules()[f"{saved['id']}-soon"]["ScheduleExpression"] == f"at({after(11).removesuffix('Z')})"


def test_papers_published_before_a_replacing_search_are_not_new_for_it(local: Machine, clock: Clock) -> None:
    saved = save(local)
    clock.now += timedelta(days=180)
    patch(local, saved, {"name": "the same search"})
    (item,) = rows()
    assert item["since"] == saved["created_at"]
    patch(local, saved, {"search": {"query": "TREM2 astrocytes"}})
    (item,) = rows()
    assert item["since"] == timestamp(clock.now)


INVALID = ClientError({"Error": {"Code": "ValidationException", "Message": "Invalid Schedule Expression x."}}, "x")


def test_an_expression_that_only_scheduler_rejects_is_unprocessable_and_changes_nothing(
    local: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    change = {"schedule": "cron(0 7 ? * MON *)", "name": "Glia"}
    saved = save(local)
    before = rows(), schedules()
    with monkeypatch.context() as patch:
        refuse(patch, "CreateSchedule", "UpdateSchedule", error=INVALID)
        made = send(local, "POST", body=DAILY)
        changed = send(local, "PATCH", f"{PATH}/{saved['id']}", change)
    for answer in (made, changed):
        assert (answer.status, answer.fields) == (422, ["schedule.expression"])
        assert "EventBridge Scheduler does not accept" in answer.json["errors"][0]["message"]
    assert [row["schedule"] for row in rows()] == [row["schedule"] for row in before[0]]
    assert schedules() == before[1]


@pytest.mark.parametrize("message", ["The execution role must allow Scheduler to assume it.", "Invalid window"])
def test_other_validation_errors_of_scheduler_are_not_the_callers(
    local: Machine, monkeypatch: pytest.MonkeyPatch, message: str
) -> None:
    error = ClientError({"Error": {"Code": "ValidationException", "Message": message}}, "CreateSchedule")
    with monkeypatch.context() as patch:
        refuse(patch, "CreateSchedule", error=error)
        assert send(local, "POST", body=DAILY).status == 503
