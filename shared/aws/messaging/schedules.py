"""One EventBridge Scheduler schedule for each saved search, in the project's group: made, changed, removed, put right.

A schedule is named after its search; it invokes the dispatcher with the owner's and the search's ids alone, so what is
searched is always what is saved now. https://docs.aws.amazon.com/scheduler/latest/APIReference/
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

if TYPE_CHECKING:
    from mypy_boto3_scheduler import EventBridgeSchedulerClient

DETAIL_TYPE = "Scheduled Search"
SOURCE = "literature-search.schedules"
# What brings a first run at once, and a second one soon where much is left to read; it goes when it has fired.
SOON = "-soon"
# The longest that Scheduler tries to hand over an event; a run that comes a day late is the next one.
RETRIED_S, RETRIES = 3600, 5


class Schedules:
    """The schedules of one deployment. Raises botocore's errors."""

    def __init__(self, client: EventBridgeSchedulerClient, *, group: str, role_arn: str, target_arn: str) -> None:
        self._client: Any = client
        self._group, self._role, self._target = group, role_arn, target_arn

    def put(self, saved: Mapping[str, Any]) -> None:
        """The search's schedule as it shall be, whether there was one or not."""
        self._write(self._wanted(saved))

    def _write(self, wanted: Mapping[str, Any]) -> None:
        try:
            self._client.create_schedule(**wanted)
        except ClientError as error:
            if not _is(error, "ConflictException"):
                raise
            self._client.update_schedule(**wanted)

    def soon(self, saved: Mapping[str, Any], at: datetime) -> None:
        """One more run at this moment, beside the schedule; what brought a run is not gone yet, and is used again."""
        wanted = {
            **self._form(saved["id"] + SOON, saved),
            "ScheduleExpression": f"at({at.strftime('%Y-%m-%dT%H:%M:%S')})",
            "FlexibleTimeWindow": {"Mode": "OFF"},
            "ActionAfterCompletion": "DELETE",
        }
        self._write(wanted)

    def remove(self, search_id: str) -> None:
        """Nothing is left of it; that there was nothing is no fault."""
        for name in (search_id, search_id + SOON):
            self._delete(name)

    def _delete(self, name: str) -> None:
        try:
            self._client.delete_schedule(Name=name, GroupName=self._group)
        except ClientError as error:
            if not _is(error, "ResourceNotFoundException"):
                raise

    def put_right(
        self,
        searches: Iterable[Mapping[str, Any]],
        *,
        now_of: Callable[[str, str], Mapping[str, Any] | None],
        in_time: Callable[[], bool],
    ) -> dict[str, int]:
        """Make, change and remove schedules until they are those of `searches`; how many of each, and what was left.

        `searches` may be a moment old: before anything is written, `now_of(owner, id)` tells the search as it is. What
        is looked at last, in want of time, is only whether a schedule that is there says what it should.
        """
        wanted = {str(saved["id"]): saved for saved in searches}
        there = set(self._names())
        done = {"created": 0, "changed": 0, "removed": 0, "left": 0}
        orphans = (name for name in sorted(there) if name.removesuffix(SOON) not in wanted)
        for name in (*orphans, *sorted(set(wanted) - there), *sorted(there & set(wanted))):
            what = self._put_one_right(name, wanted.get(name), now_of) if in_time() else "left"
            if what:
                done[what] += 1
        return done

    def _put_one_right(
        self, name: str, saved: Mapping[str, Any] | None, now_of: Callable[[str, str], Mapping[str, Any] | None]
    ) -> str | None:
        held = self._held(name)
        if saved and held and not self._differs(held, saved):
            return None
        current = now_of(str(saved["owner"]), str(saved["id"])) if saved else _told_by(held, now_of)
        if current is None and held:
            self._delete(name)
            return "removed"
        if current is None or name.endswith(SOON) or (held and not self._differs(held, current)):
            return None
        self.put(current)
        return "changed" if held else "created"

    def _held(self, name: str) -> dict[str, Any] | None:
        try:
            return dict(self._client.get_schedule(Name=name, GroupName=self._group))
        except ClientError as error:
            if not _is(error, "ResourceNotFoundException"):
                raise
            return None

    def _names(self) -> Iterator[str]:
        for page in self._client.get_paginator("list_schedules").paginate(GroupName=self._group):
            yield from (schedule["Name"] for schedule in page["Schedules"])

    def _differs(self, held: Mapping[str, Any], saved: Mapping[str, Any]) -> bool:
        wanted = self._wanted(saved)
        told = {**held, "Target": {key: held["Target"].get(key) for key in ("Arn", "RoleArn", "Input")}}
        asked = {**wanted, "Target": {key: wanted["Target"][key] for key in ("Arn", "RoleArn", "Input")}}
        return any(told.get(key) != value for key, value in asked.items())

    def _wanted(self, saved: Mapping[str, Any]) -> dict[str, Any]:
        schedule = saved["schedule"]
        minutes = schedule["flexible_minutes"]
        window = {"Mode": "FLEXIBLE", "MaximumWindowInMinutes": minutes} if minutes else {"Mode": "OFF"}
        return {
            **self._form(saved["id"], saved),
            "ScheduleExpression": schedule["expression"],
            "ScheduleExpressionTimezone": schedule["timezone"],
            "FlexibleTimeWindow": window,
            "State": "ENABLED" if saved["enabled"] else "DISABLED",
        }

    def _form(self, name: str, saved: Mapping[str, Any]) -> dict[str, Any]:
        event = {
            "id": "<aws.scheduler.execution-id>",
            "time": "<aws.scheduler.scheduled-time>",
            "source": SOURCE,
            "detail-type": DETAIL_TYPE,
            "detail": {"owner": saved["owner"], "search_id": saved["id"]},
        }
        retry = {"MaximumEventAgeInSeconds": RETRIED_S, "MaximumRetryAttempts": RETRIES}
        target = {"Arn": self._target, "RoleArn": self._role, "Input": json.dumps(event), "RetryPolicy": retry}
        return {"Name": name, "GroupName": self._group, "Target": target}


def _told_by(
    held: Mapping[str, Any] | None, now_of: Callable[[str, str], Mapping[str, Any] | None]
) -> Mapping[str, Any] | None:
    """The search that a schedule would run, if it is there."""
    try:
        detail = json.loads(held["Target"]["Input"])["detail"] if held else {}
        owner, search_id = str(detail["owner"]), str(detail["search_id"])
    except (KeyError, TypeError, ValueError):  # made by hand
        return None
    fitting = held and held["Name"].removesuffix(SOON) == search_id
    return now_of(owner, search_id) if fitting else None


def shortly(now: datetime) -> datetime:
    """The moment of a first run: Scheduler keeps to the minute, and takes no moment that has passed."""
    return now + timedelta(minutes=1)


def rejects_expression(error: Exception) -> bool:
    """Whether Scheduler called the expression invalid, rather than the role, the target or the window."""
    if not isinstance(error, ClientError) or not _is(error, "ValidationException"):
        return False
    return "schedule expression" in error.response["Error"]["Message"].lower()


def _is(error: ClientError, code: str) -> bool:
    return error.response["Error"]["Code"] == code
