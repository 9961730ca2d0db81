"""The daily reconciliation of more schedules than fit into its time, with 30 ms a request on a virtual clock."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from botocore.exceptions import ClientError

from shared.aws.messaging.schedules import Reconciled, Schedules
from shared.saved_searches.stored import ScheduledSearch

REQUEST_S, PAGE, RUN_S = 0.03, 100, 80.0


class SlowScheduler:
    """Schedules in memory; each request takes its time."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.schedules: dict[str, dict[str, Any]] = {}

    def get_paginator(self, _: str) -> SlowScheduler:
        return self

    def paginate(self, **_: Any) -> Iterator[dict[str, Any]]:
        names = sorted(self.schedules)
        for start in range(0, max(len(names), 1), PAGE):
            self.seconds += REQUEST_S
            more = {"NextToken": "more"} if start + PAGE < len(names) else {}
            yield {"Schedules": [{"Name": name} for name in names[start : start + PAGE]], **more}

    def get_schedule(self, **request: Any) -> dict[str, Any]:
        self.seconds += REQUEST_S
        if request["Name"] not in self.schedules:
            raise ClientError({"Error": {"Code": "ResourceNotFoundException", "Message": "none"}}, "GetSchedule")
        return self.schedules[request["Name"]]

    def create_schedule(self, **request: Any) -> None:
        self.seconds += REQUEST_S
        self.schedules[request["Name"]] = request

    def update_schedule(self, **request: Any) -> None:
        self.create_schedule(**request)

    def delete_schedule(self, **request: Any) -> None:
        self.seconds += REQUEST_S
        del self.schedules[request["Name"]]


def saved(number: int) -> ScheduledSearch:
    schedule = {"expression": "rate(1 day)", "timezone": "UTC", "flexible_minutes": None}
    return {"id": f"{number:06d}", "owner": "o", "schedule": schedule, "enabled": True}  # type: ignore[typeddict-item]


class Days:
    """A stage with so many saved searches, and one reconciliation a day."""

    def __init__(self, count: int) -> None:
        self.client = SlowScheduler()
        client: Any = self.client
        self.schedules = Schedules(client, group="group", role_arn="role", target_arn="target")
        self.searches = {f"{number:06d}": saved(number) for number in range(count)}
        for search in self.searches.values():
            self.schedules.put(search)
        self.position = ""

    def reconcile(self) -> Reconciled:
        """One day's reconciliation, with as much time as a function has."""
        self.client.seconds = 0.0
        done = self.schedules.reconcile(
            self.searches.values(),
            find=lambda _, search_id: self.searches.get(search_id),
            in_time=lambda: self.client.seconds < RUN_S,
            after=self.position,
        )
        self.position = done.compared_to
        return done


def test_every_schedule_has_its_turn_within_a_few_days() -> None:
    days = Days(6_000)
    wrong = ["000001", "003000", "005999"]
    for name in wrong:
        days.client.schedules[name] = {**days.client.schedules[name], "ScheduleExpression": "rate(9 days)"}
    changed = []
    for _ in range(3):
        changed.append(days.reconcile().changes["changed"])
        assert days.client.seconds < RUN_S + 1
    assert sum(changed) == len(wrong)
    assert changed[0] < len(wrong)  # it does not fit into one day
    assert {days.client.schedules[name]["ScheduleExpression"] for name in wrong} == {"rate(1 day)"}


def test_missing_and_left_over_schedules_come_before_thousands_that_are_right() -> None:
    days = Days(6_000)
    del days.client.schedules["005998"]
    days.schedules.put(saved(7_000))  # its search is not there
    done = days.reconcile()
    assert (done.changes["created"], done.changes["removed"]) == (1, 1)


def test_a_list_that_takes_the_whole_time_ends_it_and_creates_nothing_twice() -> None:
    days = Days(400)
    for name in list(days.searches)[300:]:
        days.client.schedules[f"x{name}"] = {**days.client.schedules[name], "Name": f"x{name}"}
    paginate = days.client.paginate

    def slow(**_: Any) -> Iterator[dict[str, Any]]:
        for page in paginate():
            days.client.seconds += RUN_S
            yield page

    days.client.paginate = slow  # type: ignore[method-assign]
    done = days.reconcile()
    assert done.changes["created"] == done.changes["removed"] == 0
    assert days.client.seconds < 2 * RUN_S
