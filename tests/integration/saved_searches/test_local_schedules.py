"""Real schedules in moto's EventBridge Scheduler, fired by a clock that the tests set."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import boto3
import pytest
from moto import mock_aws

from infra.local.machine import CREDENTIALS
from infra.local.schedules import LocalScheduler, event, function_name
from shared.saved_searches.schedule import spread_s

pytestmark = pytest.mark.slow  # days of simulated time

GROUP = "saved-searches"
START = datetime(2027, 3, 26, 12, tzinfo=UTC)  # Friday noon; on Sunday the clocks of Berlin are changed
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
ARN = "arn:aws:lambda:us-east-1:000000000000:function:local-saved_search_runner"
INPUT = '{"id": "<aws.scheduler.execution-id>", "time": "<aws.scheduler.scheduled-time>", "detail": {"search_id": "s"}}'
Invocations = list[tuple[datetime, str, dict[str, Any]]]


class Scheduling:
    """A clock, a scheduler, and what was invoked when."""

    def __init__(self) -> None:
        self.now = START
        self.invoked: Invocations = []
        self.failing: set[str] = set()
        self.client: Any = boto3.client("scheduler")
        self.client.create_schedule_group(Name=GROUP)
        self.scheduler = LocalScheduler(self.client, self.invoke, GROUP)

    def invoke(self, function: str, payload: dict[str, Any]) -> None:
        if payload.get("detail", {}).get("search_id") in self.failing:
            raise RuntimeError("the function failed")
        self.invoked.append((self.now, function, payload))

    def create(self, name: str, expression: str, *, window: int | None = None, **more: Any) -> None:
        """A schedule that sends its name as search_id."""
        flexible = {"Mode": "FLEXIBLE", "MaximumWindowInMinutes": window} if window else {"Mode": "OFF"}
        target = {"Arn": ARN, "RoleArn": "arn:aws:iam::000000000000:role/r", "Input": INPUT.replace('"s"', f'"{name}"')}
        self.client.create_schedule(
            **{"GroupName": GROUP, "Name": name, "ScheduleExpression": expression}
            | {"FlexibleTimeWindow": flexible, "Target": target}
            | more
        )

    def passes(self, time: timedelta, *, every: timedelta = MINUTE) -> int:
        """Look once in `every` until the time has passed; the number of firings."""
        fired, end = 0, self.now + time
        while self.now < end:
            self.now = min(self.now + every, end)
            fired += self.scheduler.fire_due(self.now)
        return fired

    def times(self, name: str) -> list[str]:
        """When a schedule's invocations were due, as its targets received it."""
        return [payload["time"] for _, _, payload in self.invoked if payload["detail"]["search_id"] == name]


@pytest.fixture
def scheduling(monkeypatch: pytest.MonkeyPatch) -> Iterator[Scheduling]:
    for name, value in CREDENTIALS.items():
        monkeypatch.setenv(name, value)
    with mock_aws():
        made = Scheduling()
        # What moto calls now is the tests' clock: a schedule is created when the tests create it.
        monkeypatch.setattr("moto.scheduler.models.unix_time", lambda: made.now.timestamp())
        monkeypatch.setattr("moto.scheduler.models.utcnow", lambda: made.now.replace(tzinfo=None))
        yield made


def test_some_days_of_several_schedules(scheduling: Scheduling) -> None:
    scheduling.create("berlin", "cron(0 7 * * ? *)", ScheduleExpressionTimezone="Europe/Berlin")
    scheduling.create("weekdays", "cron(30 8 ? * MON-FRI *)", ScheduleExpressionTimezone="UTC")
    scheduling.create("thrice", "rate(8 hours)", StartDate=START + HOUR)
    assert scheduling.passes(4 * DAY, every=15 * MINUTE) == 4 + 2 + 12
    assert [time[8:16] for time in scheduling.times("berlin")] == ["27T06:00", "28T05:00", "29T05:00", "30T05:00"]
    assert scheduling.times("weekdays") == ["2027-03-29T08:30:00Z", "2027-03-30T08:30:00Z"]
    assert scheduling.times("thrice")[:3] == ["2027-03-26T13:00:00Z", "2027-03-26T21:00:00Z", "2027-03-27T05:00:00Z"]
    assert {function for _, function, _ in scheduling.invoked} == {"local-saved_search_runner"}


def test_a_rate_without_a_start_fires_when_it_is_created(scheduling: Scheduling) -> None:
    scheduling.create("now", "rate(1 day)")
    assert scheduling.scheduler.fire_due(scheduling.now) == 1
    assert scheduling.scheduler.fire_due(scheduling.now) == 0
    scheduling.passes(DAY, every=HOUR)
    assert scheduling.times("now") == ["2027-03-26T12:00:00Z", "2027-03-27T12:00:00Z"]


def test_no_firing_before_the_creation_or_after_the_end(scheduling: Scheduling) -> None:
    scheduling.scheduler.fire_due(scheduling.now - HOUR)
    scheduling.now += 30 * MINUTE
    scheduling.create("late", "cron(15,45 12 * * ? *)", EndDate=START + DAY)
    scheduling.passes(3 * DAY, every=10 * MINUTE)
    assert scheduling.times("late") == ["2027-03-26T12:45:00Z"]


def test_each_invocation_has_its_place_in_the_window_and_its_scheduled_time(scheduling: Scheduling) -> None:
    names = [f"search-{number}" for number in range(20)]
    for name in names:
        scheduling.create(name, "cron(0 7 * * ? *)", window=60)
    assert scheduling.passes(19 * HOUR - MINUTE, every=DAY) == 0
    assert scheduling.passes(62 * MINUTE) == 20
    late = {payload["detail"]["search_id"]: at - (START + 19 * HOUR) for at, _, payload in scheduling.invoked}
    assert {payload["time"] for _, _, payload in scheduling.invoked} == {"2027-03-27T07:00:00Z"}
    assert set(late) == set(names)
    for name in names:
        spread = timedelta(seconds=spread_s(name, START + 19 * HOUR, 60))
        assert spread <= late[name] < spread + MINUTE
    assert len({late[name] // (10 * MINUTE) for name in names}) > 3


def test_a_window_as_wide_as_the_interval_loses_and_doubles_nothing(scheduling: Scheduling) -> None:
    scheduling.create("daily", "rate(1 day)", window=1440)
    scheduling.passes(10 * DAY, every=43 * MINUTE)
    times = scheduling.times("daily")
    assert times == [f"{START + number * DAY:%Y-%m-%dT%H:%M:%SZ}" for number in range(len(times))]
    assert len(times) in (10, 11)


def test_only_the_newest_missed_invocation_is_made_up_for(scheduling: Scheduling) -> None:
    scheduling.create("often", "rate(1 hour)", StartDate=START + MINUTE)
    assert scheduling.passes(HOUR) == 1
    assert scheduling.passes(10 * HOUR, every=10 * HOUR) == 1
    assert scheduling.times("often") == ["2027-03-26T12:01:00Z", "2027-03-26T22:01:00Z"]
    assert scheduling.passes(HOUR) == 1


def test_a_failure_is_logged_and_does_not_stop_the_others(
    scheduling: Scheduling, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("a", "b", "c"):
        scheduling.create(name, "cron(0 13 * * ? *)")
    scheduling.failing = {"b"}
    with caplog.at_level(logging.ERROR):
        assert scheduling.passes(HOUR, every=HOUR) == 2
    assert [len(scheduling.times(name)) for name in ("a", "b", "c")] == [1, 0, 1]
    assert [record.getMessage() for record in caplog.records] == ["schedule b did not run"]
    scheduling.failing = set()
    assert scheduling.passes(DAY, every=HOUR) == 3


def test_a_one_time_schedule_fires_once_and_is_deleted_on_completion_if_requested(scheduling: Scheduling) -> None:
    scheduling.create("stays", "at(2027-03-26T14:00:00)", ScheduleExpressionTimezone="Europe/Berlin")
    scheduling.create("goes", "at(2027-03-26T13:00:30)", ActionAfterCompletion="DELETE")
    assert scheduling.passes(HOUR - MINUTE, every=MINUTE) == 0
    assert scheduling.passes(DAY, every=MINUTE) == 2
    assert scheduling.times("stays") == ["2027-03-26T13:00:00Z"]
    assert [it["Name"] for it in scheduling.client.list_schedules(GroupName=GROUP)["Schedules"]] == ["stays"]


def test_only_enabled_schedules_of_the_own_group_fire_and_changes_apply_at_once(scheduling: Scheduling) -> None:
    scheduling.now += MINUTE
    scheduling.create("other", "cron(0 * * * ? *)", GroupName="default")
    scheduling.create("off", "cron(0 * * * ? *)", State="DISABLED")
    scheduling.create("changed", "cron(0 * * * ? *)")
    assert scheduling.passes(2 * HOUR) == 2
    it = scheduling.client.get_schedule(GroupName=GROUP, Name="changed")
    unchanged = {name: it[name] for name in ("GroupName", "Name", "FlexibleTimeWindow", "Target")}
    scheduling.client.update_schedule(**unchanged, ScheduleExpression="cron(30 * * * ? *)", State="ENABLED")
    assert scheduling.passes(2 * HOUR) == 2
    scheduling.client.delete_schedule(GroupName=GROUP, Name="changed")
    assert scheduling.passes(2 * HOUR) == 0
    assert [time[11:16] for time in scheduling.times("changed")] == ["13:00", "14:00", "14:30", "15:30"]


def test_a_schedule_that_is_deleted_while_it_is_looked_at_is_no_failure(
    scheduling: Scheduling, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    scheduling.create("gone", "rate(1 hour)")
    names = scheduling.scheduler._names()
    scheduling.client.delete_schedule(GroupName=GROUP, Name="gone")
    monkeypatch.setattr(scheduling.scheduler, "_names", lambda: names)
    assert scheduling.passes(HOUR) == 0
    assert not caplog.records


def test_many_schedules_fill_several_pages(scheduling: Scheduling) -> None:
    for number in range(120):
        scheduling.create(f"s{number}", "cron(0 13 * * ? *)")
    assert scheduling.passes(HOUR, every=HOUR) == 120


def test_scheduler_placeholders_are_replaced_in_the_input() -> None:
    schedule = {"Arn": "arn:aws:scheduler:x", "Target": {"Input": '{"attempt": <aws.scheduler.attempt-number>}'}}
    assert event(schedule, START) == {"attempt": 1}
    schedule["Target"] = {"Input": INPUT.replace('"s"', '"<aws.scheduler.schedule-arn>"')}
    first, again, next_day = (event(schedule, due) for due in (START, START, START + DAY))
    assert first["time"] == "2027-03-26T12:00:00Z"
    assert first["detail"] == {"search_id": "arn:aws:scheduler:x"}
    assert len(first["id"]) == 16
    assert first == again
    assert first["id"] != next_day["id"]
    assert event({"Arn": "a", "Target": {}}, START) == {}


def test_a_target_is_a_lambda_function() -> None:
    assert function_name(ARN) == "local-saved_search_runner"
    assert function_name(f"{ARN}:live") == "local-saved_search_runner"
    for arn in ("arn:aws:sqs:us-east-1:000000000000:queue", "arn:aws:scheduler:::aws-sdk:lambda:invoke", "dispatcher"):
        with pytest.raises(ValueError, match="is not the ARN of a Lambda function"):
            function_name(arn)


def test_the_background_scheduler_fires_until_it_is_closed_and_survives_a_failed_read(
    scheduling: Scheduling, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    fired = threading.Event()
    looks: Iterator[OSError | int] = iter([OSError("away"), 0, 1])

    def fire_due(now: datetime) -> int:
        assert now == START
        look = next(looks, 0)
        if isinstance(look, OSError):
            raise look
        if look:
            fired.set()
        return look

    monkeypatch.setattr(scheduling.scheduler, "fire_due", fire_due)
    with scheduling.scheduler.running(every_s=0.001, now=lambda: START):
        assert fired.wait(10)
    assert [record.getMessage() for record in caplog.records] == ["the schedules could not be read"]
    assert not [thread for thread in threading.enumerate() if thread.name == "schedules"]
