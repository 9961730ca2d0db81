"""Stands in for EventBridge Scheduler: moto stores the schedules, and this module fires them.

It decides when a schedule is due and at what time in its flexible window, and builds the target's event. If firings
were missed because this machine was asleep, only the newest is made up for: a run searches everything since the
previous run, so repeating it would only use up rate limits.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from infra.local.background import repeated
from shared.saved_searches.schedule import Schedule, firings, spread_s

if TYPE_CHECKING:
    from mypy_boto3_scheduler import EventBridgeSchedulerClient
    from mypy_boto3_scheduler.type_defs import GetScheduleOutputTypeDef

logger = logging.getLogger("literature_search.schedules")
_AT = re.compile(r"at\((\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\)")
_MOMENT = timedelta(microseconds=1)


class LocalScheduler:
    """Fires the schedules of one group; `invoke` runs the function of that name with an event."""

    def __init__(
        self, scheduler_client: EventBridgeSchedulerClient, invoke: Callable[[str, dict[str, Any]], object], group: str
    ) -> None:
        self._scheduler = scheduler_client
        self._invoke = invoke
        self._group = group
        self._checked_at: datetime | None = None

    def fire_due(self, now: datetime) -> int:
        """Fire each schedule that came due since the last check, once; return the number of successful invocations.

        The first check covers the time since each schedule's start. A failure is logged; other schedules still fire.
        """
        before, self._checked_at = self._checked_at, now
        return sum(self._fire(name, before, now) for name in self._names())

    @contextmanager
    def running(
        self, every_s: float = 1.0, *, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> Iterator[None]:
        """Fire due schedules in the background until the context ends, one invocation at a time."""

        def fire() -> None:
            try:
                self.fire_due(now())
            except Exception:  # the next check covers the time of this one
                logger.exception("the schedules could not be read")

        with repeated(fire, every_s=every_s, name="schedules"):
            yield

    def _names(self) -> list[str]:
        pages = self._scheduler.get_paginator("list_schedules").paginate(GroupName=self._group, State="ENABLED")
        return [item["Name"] for page in pages for item in page["Schedules"]]

    def _fire(self, name: str, before: datetime | None, now: datetime) -> bool:
        """Fire a schedule if it is due; return whether its target was invoked."""
        try:
            schedule = self._scheduler.get_schedule(GroupName=self._group, Name=name)
            due = newest_due(schedule, before, now)
            if due is None:
                return False
            if schedule.get("ActionAfterCompletion") == "DELETE" and once_at(schedule):
                self._scheduler.delete_schedule(GroupName=self._group, Name=name)
            self._invoke(function_name(schedule["Target"]["Arn"]), event(schedule, due))
        except self._scheduler.exceptions.ResourceNotFoundException:  # deleted after it was listed
            return False
        except Exception:
            logger.exception("schedule %s did not run", name)
            return False
        return True


def newest_due(schedule: GetScheduleOutputTypeDef, before: datetime | None, now: datetime) -> datetime | None:
    """Return the newest time of a schedule whose firing is after `before` and not after `now`, or None.

    A rate counts from StartDate or, without one, from the schedule's creation, and first fires then, as in AWS.
    """
    if moment := once_at(schedule):
        return moment if (before is None or before < moment) and moment <= now else None
    start: datetime = schedule.get("StartDate") or schedule["CreationDate"]
    end: datetime = schedule.get("EndDate") or now
    window = schedule["FlexibleTimeWindow"].get("MaximumWindowInMinutes")
    since = before or start - _MOMENT
    begin = max(start - _MOMENT, since - timedelta(minutes=window or 0) - _MOMENT)
    read = Schedule(schedule["ScheduleExpression"], schedule.get("ScheduleExpressionTimezone") or "UTC")
    newest = None
    for due in firings(read, begin, anchor=start):
        if due > min(now, end):
            break
        if since < due + timedelta(seconds=spread_s(schedule["Name"], due, window)) <= now:
            newest = due
    return newest


def once_at(schedule: GetScheduleOutputTypeDef) -> datetime | None:
    """Return the time of a schedule that fires once, `at(yyyy-mm-ddThh:mm:ss)` in its time zone, or None."""
    match = _AT.fullmatch(schedule["ScheduleExpression"])
    zone = ZoneInfo(schedule.get("ScheduleExpressionTimezone") or "UTC")
    return datetime.fromisoformat(match[1]).replace(tzinfo=zone) if match else None


def function_name(arn: str) -> str:
    """Return `name` of `arn:aws:lambda:<region>:<account>:function:name:alias`. Raises ValueError for other targets."""
    parts = arn.split(":")
    if len(parts) < 7 or parts[2] != "lambda" or parts[5] != "function":
        raise ValueError(f"{arn} is not the ARN of a Lambda function")
    return parts[6]


def event(schedule: Mapping[str, Any], due: datetime) -> dict[str, Any]:
    """Return the target's input with AWS's context attributes replaced; the time is the due time, even if late."""
    time = due.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    attributes = {
        "schedule-arn": schedule["Arn"],
        "scheduled-time": time,
        "execution-id": hashlib.sha256(f"{schedule['Arn']} {time}".encode()).hexdigest()[:16],
        "attempt-number": "1",
    }
    text: str = schedule["Target"].get("Input") or "{}"
    for attribute, value in attributes.items():
        text = text.replace(f"<aws.scheduler.{attribute}>", value)
    result: dict[str, Any] = json.loads(text)
    return result
