"""The routes of saved searches: made, shown, changed and deleted, with their schedules and their secrets."""

from __future__ import annotations

import json
import os
import re
from typing import Any

import boto3
import pytest
from botocore.exceptions import EndpointConnectionError

from infra.local.machine import Machine
from tests.integration.saved_searches.requests import (
    DAILY,
    HOOK,
    PATH,
    SEARCH,
    add_events,
    one,
    refuse,
    rows,
    run,
    save,
    schedules,
    send,
)

PUBLIC = ["93.184.215.14"]
INPUT = {
    "id": "<aws.scheduler.execution-id>", "time": "<aws.scheduler.scheduled-time>",
    "source": "literature-search.schedules", "detail-type": "Scheduled Search",
}  # fmt: skip


@pytest.fixture(autouse=True)
def _an_internet(local: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("functions.dispatcher.wiring.saved_searches.resolve", lambda host, port: PUBLIC)


def test_a_saved_search_has_the_requested_fields_and_defaults_for_the_rest(local: Machine) -> None:
    answer = send(local, "POST", body=DAILY)
    saved_body = answer.json
    assert (answer.status, answer.headers["Location"]) == (201, f"https://api.example.org{PATH}/{saved_body['id']}")
    assert re.fullmatch("[0-9a-f]{20}", saved_body["id"])
    assert (saved_body["name"], saved_body["search"], saved_body["enabled"]) == ("TREM2 microglia", SEARCH, True)
    assert saved_body["schedule"] == {"expression": "rate(1 day)", "timezone": "UTC", "flexible_minutes": 1440}
    assert saved_body["delivery"] == {"webhook": None, "sns": False, "baseline": False}
    assert saved_body["created_at"] == saved_body["updated_at"] < saved_body["next_run_at"]
    assert saved_body["last_run"] is None
    feed = f"{PATH}/{saved_body['id']}/new"
    assert saved_body["feed"] == {"json": feed, "atom": f"{feed}?format=atom"}
    assert {**one(local, saved_body), "request_id": ""} == {**saved_body, "request_id": ""}


def test_completed_runs_are_reported(local: Machine) -> None:
    saved = save(local)
    owner = str(rows()[0]["owner"])
    report = run(local, saved, owner)
    last = one(local, saved)["last_run"]
    assert last == {name: it for name, it in report.items() if name != "search_id"}
    assert (last["first_run"], last["complete"], last["events"]["baseline"] > 0) == (True, True, True)
    stored = json.dumps(rows(), default=str)
    assert "lease_run" not in stored


def test_each_caller_sees_his_own_the_oldest_first(local: Machine) -> None:
    mine = [save(local, name=f"{number}")["id"] for number in range(3)]
    save(local, key="two")
    listed = send(local, "GET").json["saved_searches"]
    assert sorted(it["id"] for it in listed) == sorted(mine)
    assert [it["created_at"] for it in listed] == sorted(it["created_at"] for it in listed)
    assert send(local, "GET", key="three").json["saved_searches"] == []


@pytest.mark.parametrize(("method", "tail"), [("GET", ""), ("PATCH", ""), ("DELETE", ""), ("GET", "/new")])
def test_the_answer_for_another_owners_search_equals_that_for_a_missing_one(
    local: Machine, method: str, tail: str
) -> None:
    theirs = save(local, key="two", delivery=HOOK)
    before = rows()
    answers = []
    for name in (theirs["id"], "0" * 20, "0" * 19 + "g", theirs["id"].upper(), "%20", "search"):
        answer = send(local, method, f"{PATH}/{name}{tail}", {} if method == "PATCH" else None)
        assert answer.status == 404
        answers.append((answer.text.replace(answer.json["request_id"], ""), answer.headers))
    assert answers == answers[:1] * len(answers)
    assert rows() == before
    assert theirs["id"] in schedules()


def test_a_change_affects_only_the_named_fields(local: Machine) -> None:
    saved = save(local, delivery=HOOK)
    path = f"{PATH}/{saved['id']}"
    named = send(local, "PATCH", path, {"name": "Glia", "search": "", "enabled": None}).json
    same = {"request_id": "", "name": "", "updated_at": ""}
    secret = saved["delivery"]["webhook"].pop("secret")
    assert {**named, **same} == {**saved, **same}
    assert named["name"] == "Glia"
    off = send(local, "PATCH", path, {"enabled": False, "schedule": "cron(0 7 ? * MON *)"}).json
    assert (off["enabled"], off["next_run_at"], off["schedule"]["flexible_minutes"]) == (False, None, 60)
    assert {str(row["secret"]) for row in rows() if "secret" in row} == {secret}


def test_a_changed_search_starts_over_and_an_unchanged_one_does_not(local: Machine) -> None:
    saved = save(local)
    run(local, saved, str(rows()[0]["owner"]))
    path = f"{PATH}/{saved['id']}"
    boto3.client("scheduler").delete_schedule(Name=f"{saved['id']}-soon", GroupName=os.environ["SCHEDULE_GROUP"])
    assert send(local, "PATCH", path, {"search": SEARCH}).json["last_run"]
    assert list(schedules()) == [saved["id"]]
    assert send(local, "PATCH", path, {"search": {**SEARCH, "query": "tau"}}).json["last_run"] is None
    assert set(schedules()) == {saved["id"], f"{saved['id']}-soon"}
    assert [row for row in rows() if str(row["sk"]).startswith("seen#")]


def test_a_secret_is_returned_once_and_stored_in_one_place(local: Machine, caplog: pytest.LogCaptureFixture) -> None:
    saved = save(local, delivery=HOOK)
    secret = saved["delivery"]["webhook"]["secret"]
    assert re.fullmatch(r"whsec_[A-Za-z0-9+/]{43}=", secret)
    run(local, saved, str(rows()[0]["owner"]))
    path, first = f"{PATH}/{saved['id']}", {"url": HOOK["webhook"]["url"]}
    answers = [send(local, "GET", path), send(local, "GET"), send(local, "GET", f"{path}/new", types="baseline")]
    answers += [send(local, "PATCH", path, {"delivery": {"webhook": first, "sns": True}})]
    assert all(answer.status == 200 and "whsec_" not in answer.text for answer in answers)
    another = send(local, "PATCH", path, {"delivery": {"webhook": {"url": f"{first['url']}?two"}}})
    changed = another.json["delivery"]["webhook"]["secret"]
    assert changed != secret
    held = [(row["sk"], name) for row in rows() for name, value in row.items() if changed in str(value)]
    assert held == [(f"search#{saved['id']}", "secret")]
    assert not [row for row in rows() if secret in str(row)]
    shown = str([vars(record) for record in caplog.records]) + str(schedules())
    assert "saved search run" in shown
    assert "whsec_" not in shown and secret[6:] not in shown


def test_one_search_is_saved_under_an_idempotency_key_however_often_it_is_sent(local: Machine) -> None:
    key, request = {"Idempotency-Key": "mine"}, {**DAILY, "delivery": HOOK}
    first = send(local, "POST", body=request, headers=key)
    again = send(local, "POST", body=request, headers=key)
    assert (first.status, again.status, "Location" in again.headers) == (201, 200, False)
    assert again.json["id"] == first.json["id"]
    assert "secret" not in again.json["delivery"]["webhook"]
    for other in ({"schedule": "rate(2 days)"}, {"search": {"query": "tau"}}, {"delivery": {"sns": True}}):
        refused = send(local, "POST", body={**request, **other}, headers=key)
        assert (refused.status, refused.json["code"]) == (409, "conflict")
    assert send(local, "POST", body=request, headers=key, key="two").json["id"] != first.json["id"]
    assert send(local, "POST", body=request, headers={"Idempotency-Key": "other"}).status == 201
    assert len(send(local, "GET").json["saved_searches"]) == 2
    send(local, "DELETE", f"{PATH}/{first.json['id']}")
    assert send(local, "POST", body=request, headers=key).status == 201


@pytest.mark.parametrize(("schedule", "enabled", "expression", "zone", "window"), [
    ("rate(1 days)", True, "rate(1 day)", "UTC", 1440),
    ({"expression": "cron(0 7 ? * mon-fri *)", "timezone": "europe/berlin"}, True, "cron(0 7 ? * MON-FRI *)",
     "Europe/Berlin", 60),
    ({"expression": "rate(5 minutes)", "flexible_minutes": 0}, False, "rate(5 minutes)", "UTC", None),
    ({"expression": "rate(1 hour)", "flexible_minutes": "7", "timezone": ""}, True, "rate(1 hour)", "UTC", 7),
])  # fmt: skip
def test_eventbridge_has_the_schedule_that_is_saved(
    local: Machine, schedule: Any, enabled: bool, expression: str, zone: str, window: int | None
) -> None:
    other = save(local)
    changed = send(local, "PATCH", f"{PATH}/{other['id']}", {"schedule": schedule, "enabled": enabled}).json
    for current in (save(local, schedule=schedule, enabled=enabled), changed):
        assert current["schedule"] == {"expression": expression, "timezone": zone, "flexible_minutes": window}
        made = schedules()[current["id"]]
        assert (made["ScheduleExpression"], made["ScheduleExpressionTimezone"]) == (expression, zone)
        flexible = {"Mode": "FLEXIBLE", "MaximumWindowInMinutes": window} if window else {"Mode": "OFF"}
        assert made["FlexibleTimeWindow"] == flexible
        assert made["State"] == ("ENABLED" if enabled else "DISABLED")
        assert made["Target"]["RoleArn"] == os.environ["SCHEDULER_ROLE_ARN"]
        assert made["Target"]["Arn"].endswith(":function:local-saved_search_runner")
        owner = next(str(row["owner"]) for row in rows() if row["id"] == current["id"])
        assert json.loads(made["Target"]["Input"]) == {
            **INPUT,
            "detail": {"owner": owner, "search_id": current["id"]},
        }
        if current is not changed:
            assert (f"{current['id']}-soon" in schedules()) == enabled


def test_deleting_leaves_nothing_and_does_not_affect_other_owners(local: Machine) -> None:
    saved, other = save(local), save(local)
    for it in (saved, other):
        run(local, it, str(rows()[0]["owner"]))
        add_events(it, range(500, 560))
    path = f"{PATH}/{saved['id']}"
    gone = send(local, "DELETE", path)
    assert (gone.status, gone.text) == (204, "")
    assert send(local, "GET", path).status == send(local, "GET", f"{path}/new").status == 404
    assert send(local, "DELETE", path).status == 404
    left = rows()
    assert not [row for row in left if saved["id"] in f"{row['pk']} {row['sk']}"]
    assert {str(row["sk"]).partition("#")[0] for row in left} == {"search", "event", "baseline", "seen"}
    assert set(schedules()) == {other["id"], f"{other['id']}-soon"}


@pytest.mark.parametrize("refused", ["CreateSchedule", "CreateSchedule-soon"])
@pytest.mark.parametrize("error", [None, EndpointConnectionError(endpoint_url="x")], ids=["refused", "away"])
def test_without_its_schedule_nothing_is_saved(
    local: Machine, monkeypatch: pytest.MonkeyPatch, refused: str, error: Exception | None
) -> None:
    with monkeypatch.context() as patch:
        refuse(patch, refused, error=error)
        answer = send(local, "POST", body={**DAILY, "delivery": HOOK}, headers={"Idempotency-Key": "k"})
    assert (answer.status, answer.json["code"], answer.headers["Retry-After"]) == (503, "storage_unavailable", "5")
    assert (rows(), schedules()) == ([], {})
    again = send(local, "POST", body={**DAILY, "delivery": HOOK}, headers={"Idempotency-Key": "k"})
    assert again.status == 201
    assert "secret" in again.json["delivery"]["webhook"]


def test_a_change_that_fails_halfway_preserves_the_webhook(local: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    saved = save(local, delivery=HOOK)
    path, secret = f"{PATH}/{saved['id']}", saved["delivery"]["webhook"]["secret"]
    change = {"delivery": {"webhook": {"url": "https://other.example.org/"}}, "schedule": "rate(2 days)"}
    with monkeypatch.context() as patch:
        called = refuse(patch, "UpdateSchedule")
        assert send(local, "PATCH", path, change).status == 503
        assert send(local, "PATCH", path, {"name": "Glia"}).status == 200
        assert called.count("UpdateSchedule") == 1  # a name is none of the schedule's business
    assert one(local, saved)["delivery"]["webhook"]["url"] == HOOK["webhook"]["url"]
    assert [row["secret"] for row in rows()] == [secret]
    again = send(local, "PATCH", path, change).json
    assert again["delivery"]["webhook"]["secret"] != secret
    assert schedules()[saved["id"]]["ScheduleExpression"] == "rate(2 days)"


@pytest.mark.parametrize(("method", "tail", "refused"), [
    ("POST", None, "PutItem"), ("POST", None, "Query"), ("GET", None, "Query"), ("GET", "", "GetItem"),
    ("PATCH", "", "UpdateItem"), ("DELETE", "", "DeleteSchedule"), ("DELETE", "", "UpdateItem"),
    ("GET", "/new", "Query"),
])  # fmt: skip
def test_storage_that_is_away_is_a_503_and_changes_nothing(
    local: Machine, monkeypatch: pytest.MonkeyPatch, method: str, tail: str | None, refused: str
) -> None:
    saved = save(local)
    before = rows()
    path, body = PATH if tail is None else f"{PATH}/{saved['id']}{tail}", DAILY if method in ("POST", "PATCH") else None
    with monkeypatch.context() as patch:
        refuse(patch, refused)
        answer = send(local, method, path, body)
    assert (answer.status, answer.json["code"], answer.json["retryable"]) == (503, "storage_unavailable", True)
    assert rows() == before
    if method != "DELETE":
        assert set(schedules()) == {saved["id"], f"{saved['id']}-soon"}
