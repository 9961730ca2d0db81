"""The EventBridge Scheduler schedules of saved searches: one each, in the project's group.

A schedule is named after its search. It invokes the function that runs saved searches with the ids of the owner and
the search alone, so a run always reads the current saved search.
https://docs.aws.amazon.com/scheduler/latest/APIReference/
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal

from botocore.exceptions import ClientError

from shared.aws.runtime.observability import error_code
from shared.saved_searches.stored import ScheduledSearch

if TYPE_CHECKING:
    from mypy_boto3_scheduler import EventBridgeSchedulerClient

DETAIL_TYPE = "Scheduled Search"
RECONCILE = "Schedules Reconciled"  # the detail-type of the daily event, whose schedule the stack makes
SOURCE = "literature-search.schedules"
# The suffix of a one-time schedule for the first run, and for a next run soon; it is deleted after it has fired.
SOON = "-soon"
# How long Scheduler retries an invocation. The regular schedule makes up for a run that is missed.
MAX_EVENT_AGE_S, RETRIES = 3600, 5
Change = Literal["created", "changed", "removed", "left"]


@dataclass(slots=True)
class Reconciled:
    """How many schedules a reconciliation created, changed, removed and left, and the last one that it compared."""

    compared_to: str
    changes: dict[Change, int] = field(default_factory=lambda: {"created": 0, "changed": 0, "removed": 0, "left": 0})

    def count(self, change: Change | None, *, compared: str | None = None) -> None:
        """Count one schedule; None means that it is as it should be."""
        if change:
            self.changes[change] += 1
        if compared and change != "left":
            self.compared_to = compared


FindSearch = Callable[[str, str], ScheduledSearch | None]  # owner, search id -> the search as it is now


class Schedules:
    """The schedules of one deployment. Raises botocore's errors."""

    def __init__(self, client: EventBridgeSchedulerClient, *, group: str, role_arn: str, target_arn: str) -> None:
        self._client: Any = client
        self._group, self._role, self._target = group, role_arn, target_arn

    def put(self, saved: ScheduledSearch) -> None:
        """Create or replace the search's schedule."""
        self._write(self._request(saved))

    def _write(self, request: Mapping[str, Any]) -> None:
        try:
            self._client.create_schedule(**request)
        except ClientError as error:
            if error_code(error) != "ConflictException":
                raise
            self._client.update_schedule(**request)

    def soon(self, saved: ScheduledSearch, at: datetime) -> None:
        """Create or replace a one-time schedule for a run at this moment, beside the regular schedule."""
        request = {
            **self._target_of(saved["id"] + SOON, saved),
            "ScheduleExpression": f"at({at.strftime('%Y-%m-%dT%H:%M:%S')})",
            "FlexibleTimeWindow": {"Mode": "OFF"},
            "ActionAfterCompletion": "DELETE",
        }
        self._write(request)

    def remove(self, search_id: str) -> None:
        """Delete both schedules of a search, if they exist."""
        for name in (search_id, search_id + SOON):
            self._delete(name)

    def remove_orphans(self, search_id: str, find: FindSearch) -> None:
        """Delete the schedules of this name whose own search does not exist: an event may name another's by mistake."""
        for name in (search_id, search_id + SOON):
            self._reconcile_one(name, None, find)

    def _delete(self, name: str) -> None:
        try:
            self._client.delete_schedule(Name=name, GroupName=self._group)
        except ClientError as error:
            if error_code(error) != "ResourceNotFoundException":
                raise

    def reconcile(
        self,
        searches: Iterable[ScheduledSearch],
        *,
        find: FindSearch,
        in_time: Callable[[], bool],
        after: str = "",
    ) -> Reconciled:
        """Create, change and remove schedules until they match `searches`, while `in_time()`.

        `searches` may be stale: before a write, `find` reads the search again. Existing schedules are compared last,
        because a wrong one matters less than a missing one or an orphan, and in the order of their names from `after`
        on: where one call ends, the next goes on, so that each schedule has its turn.
        """
        wanted = {saved["id"]: saved for saved in searches}
        existing, all_listed = self._names(in_time)
        done = Reconciled(compared_to=after)
        orphans = sorted(name for name in existing if name.removesuffix(SOON) not in wanted)
        missing = sorted(set(wanted) - existing) if all_listed else []
        compared = sorted(existing & set(wanted), key=lambda name: (name <= after, name))
        for name in (*orphans, *missing):
            done.count(self._reconcile_one(name, wanted.get(name), find) if in_time() else "left")
        for name in compared:
            done.count(self._reconcile_one(name, wanted[name], find) if in_time() else "left", compared=name)
        return done

    def _reconcile_one(self, name: str, saved: ScheduledSearch | None, find: FindSearch) -> Change | None:
        existing = self._get(name)
        if saved and existing and not self._differs(existing, saved):
            return None
        current = find(saved["owner"], saved["id"]) if saved else _search_of(existing, find)
        if current is None and existing:
            self._delete(name)
            return "removed"
        if current is None or name.endswith(SOON) or (existing and not self._differs(existing, current)):
            return None
        self.put(current)
        return "changed" if existing else "created"

    def _get(self, name: str) -> dict[str, Any] | None:
        try:
            return dict(self._client.get_schedule(Name=name, GroupName=self._group))
        except ClientError as error:
            if error_code(error) != "ResourceNotFoundException":
                raise
            return None

    def _names(self, in_time: Callable[[], bool]) -> tuple[set[str], bool]:
        """Return the names of the schedules, and whether these are all: not if `in_time()` ended."""
        names: set[str] = set()
        for page in self._client.get_paginator("list_schedules").paginate(GroupName=self._group):
            names.update(schedule["Name"] for schedule in page["Schedules"])
            if not in_time():
                return names, "NextToken" not in page
        return names, True

    def _differs(self, existing: Mapping[str, Any], saved: ScheduledSearch) -> bool:
        request = self._request(saved)
        compared = ("Arn", "RoleArn", "Input")  # of the target; Scheduler adds defaults to the rest
        actual = {**existing, "Target": {key: existing["Target"].get(key) for key in compared}}
        expected = {**request, "Target": {key: request["Target"][key] for key in compared}}
        return any(actual.get(key) != value for key, value in expected.items())

    def _request(self, saved: ScheduledSearch) -> dict[str, Any]:
        schedule = saved["schedule"]
        minutes = schedule["flexible_minutes"]
        window = {"Mode": "FLEXIBLE", "MaximumWindowInMinutes": minutes} if minutes else {"Mode": "OFF"}
        return {
            **self._target_of(saved["id"], saved),
            "ScheduleExpression": schedule["expression"],
            "ScheduleExpressionTimezone": schedule["timezone"],
            "FlexibleTimeWindow": window,
            "State": "ENABLED" if saved["enabled"] else "DISABLED",
        }

    def _target_of(self, name: str, saved: ScheduledSearch) -> dict[str, Any]:
        event = {
            "id": "<aws.scheduler.execution-id>",
            "time": "<aws.scheduler.scheduled-time>",
            "source": SOURCE,
            "detail-type": DETAIL_TYPE,
            "detail": {"owner": saved["owner"], "search_id": saved["id"]},
        }
        retry = {"MaximumEventAgeInSeconds": MAX_EVENT_AGE_S, "MaximumRetryAttempts": RETRIES}
        target = {"Arn": self._target, "RoleArn": self._role, "Input": json.dumps(event), "RetryPolicy": retry}
        return {"Name": name, "GroupName": self._group, "Target": target}


def _search_of(schedule: Mapping[str, Any] | None, find: FindSearch) -> ScheduledSearch | None:
    """Return the search that a schedule runs, if it exists."""
    try:
        detail = json.loads(schedule["Target"]["Input"])["detail"] if schedule else {}
        owner, search_id = str(detail["owner"]), str(detail["search_id"])
    except (KeyError, TypeError, ValueError):  # created by hand
        return None
    named_after_it = schedule and schedule["Name"].removesuffix(SOON) == search_id
    return find(owner, search_id) if named_after_it else None


def first_run_at(now: datetime) -> datetime:
    """Return the time of a first run: Scheduler has a precision of a minute, and refuses times in the past."""
    return now + timedelta(minutes=1)


def rejects_expression(error: Exception) -> bool:
    """Return whether Scheduler rejected the expression, rather than the role, the target or the window."""
    if not isinstance(error, ClientError) or error_code(error) != "ValidationException":
        return False
    return "schedule expression" in error.response["Error"]["Message"].lower()
