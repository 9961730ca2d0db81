"""EventBridge Scheduler's part on one machine: moto keeps the schedules, this fires them.

What AWS does by itself is done here on the same data: when a schedule is due, where in its flexible window, and what
its target is told. Unlike AWS, a machine sleeps; firings that it missed are made up for by the newest of them alone,
because a run asks for everything since the last one, and asking the same many times would only spend budgets.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from infra.local.background import repeated
from shared.saved_searches.schedule import Schedule, firings, spread_s

logger = logging.getLogger("literature_search.schedules")
_AT = re.compile(r"at\((\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\)")
_MOMENT = timedelta(microseconds=1)


class LocalScheduler:
    """Fires the schedules of one group; `invoke` runs a function, by its name, with an event."""

    def __init__(self, scheduler_client: Any, invoke: Callable[[str, dict[str, Any]], Any], group: str) -> None:
        self._scheduler = scheduler_client
        self._invoke = invoke
        self._group = group
        self._looked: datetime | None = None

    def fire_due(self, now: datetime) -> int:
        """Fire what came due since the last look, each schedule once; the number of invocations that succeeded.

        The first look goes back to each schedule's beginning. A failure is logged, and stops no other schedule.
        """
        before, self._looked = self._looked, now
        return sum(self._fire(name, before, now) for name in self._names())

    @contextmanager
    def running(
        self, every_s: float = 1.0, *, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> Iterator[None]:
        """While inside, what comes due is fired in the background, one invocation after the other."""

        def look() -> None:
            try:
                self.fire_due(now())
            except Exception:  # a look that failed is made up for by the next
                logger.exception("the schedules could not be read")

        with repeated(look, every_s=every_s, name="schedules"):
            yield

    def _names(self) -> list[str]:
        pages = self._scheduler.get_paginator("list_schedules").paginate(GroupName=self._group, State="ENABLED")
        return [item["Name"] for page in pages for item in page["Schedules"]]

    def _fire(self, name: str, before: datetime | None, now: datetime) -> bool:
        """Whether the schedule was due, and its target was invoked."""
        try:
            schedule = self._scheduler.get_schedule(GroupName=self._group, Name=name)
            due = newest_due(schedule, before, now)
            if due is None:
                return False
            if schedule.get("ActionAfterCompletion") == "DELETE" and once_at(schedule):
                self._scheduler.delete_schedule(GroupName=self._group, Name=name)
            self._invoke(function_name(schedule["Target"]["Arn"]), event(schedule, due))
        except self._scheduler.exceptions.ResourceNotFoundException:  # deleted since it was listed
            return False
        except Exception:
            logger.exception("schedule %s did not run", name)
            return False
        return True


def newest_due(schedule: Mapping[str, Any], before: datetime | None, now: datetime) -> datetime | None:
    """The newest time of a schedule, as get_schedule tells it, whose firing falls after `before` and by `now`.

    A rate counts from StartDate, or from the schedule's creation, and fires then for the first time, as in AWS.
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


def once_at(schedule: Mapping[str, Any]) -> datetime | None:
    """The moment of a schedule that fires once, `at(yyyy-mm-ddThh:mm:ss)` on the clock of its time zone."""
    found = _AT.fullmatch(schedule["ScheduleExpression"])
    zone = ZoneInfo(schedule.get("ScheduleExpressionTimezone") or "UTC")
    return datetime.fromisoformat(found[1]).replace(tzinfo=zone) if found else None


def function_name(arn: str) -> str:
    """`search` of `arn:aws:lambda:<region>:<account>:function:search:live`. Raises ValueError for other targets."""
    parts = arn.split(":")
    if len(parts) < 7 or parts[2] != "lambda" or parts[5] != "function":
        raise ValueError(f"{arn} is no Lambda function")
    return parts[6]


def event(schedule: Mapping[str, Any], due: datetime) -> dict[str, Any]:
    """What the target is told: its input with AWS's four words replaced; the time is when it was due, however late."""
    time = due.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    words = {
        "schedule-arn": schedule["Arn"],
        "scheduled-time": time,
        "execution-id": hashlib.sha256(f"{schedule['Arn']} {time}".encode()).hexdigest()[:16],
        "attempt-number": "1",
    }
    text: str = schedule["Target"].get("Input") or "{}"
    for word, value in words.items():
        text = text.replace(f"<aws.scheduler.{word}>", value)
    told: dict[str, Any] = json.loads(text)
    return told
