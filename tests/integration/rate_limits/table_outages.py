"""Processes at a table of budgets that can fail, in virtual time: for the tests of the rate limiter in an outage."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from botocore.exceptions import ClientError, ReadTimeoutError

from shared.aws.dynamodb.rate_limit_store import DynamoStore
from shared.errors import BudgetSpent
from shared.rate_limits.limits import Limits
from shared.rate_limits.rate_limiter import RateLimiter
from tests.virtual_time import START_S, Clock, Task

LEG_S = 15.0


class OneItem:
    """A table with one item, as GetItem and conditional PutItem see it."""

    def __init__(self) -> None:
        self.item: dict[str, Any] | None = None

    def get_item(self, **_: Any) -> dict[str, Any]:
        return {"Item": self.item} if self.item else {}

    def put_item(self, **options: Any) -> dict[str, Any]:
        expected = options.get("ExpressionAttributeValues", {}).get(":seen")
        if (self.item["version"] if self.item else None) != expected:
            error: Any = {"Error": {"Code": "ConditionalCheckFailedException", "Message": ""}, "Item": self.item}
            raise ClientError(error, "PutItem")
        self.item = options["Item"]
        return {}


class Connection:
    """One process's way to the table: `is_down` decides by the moment whether a call fails, after `fails_s`."""

    def __init__(self, table: OneItem, clock: Clock, is_down: Callable[[float], bool], fails_s: float) -> None:
        self._table, self._clock, self._is_down, self._fails_s = table, clock, is_down, fails_s
        self.way_s = 0.002

    def get_item(self, **options: Any) -> Any:
        return self._call(self._table.get_item, options)

    def put_item(self, **options: Any) -> Any:
        return self._call(self._table.put_item, options)

    def _call(self, operation: Callable[..., Any], options: dict[str, Any]) -> Any:
        self._clock.sleep(self.way_s)
        if self._is_down(self._clock.time() - START_S):
            self._clock.sleep(self._fails_s)
            raise ReadTimeoutError(endpoint_url="table")
        answer = operation(**options)
        self._clock.sleep(self.way_s)
        return answer


class Processes:
    """Rate limiters of several processes for one provider, and when their requests were sent."""

    def __init__(
        self,
        count: int,
        limits: Limits,
        is_down: Callable[[int, float], bool],
        *,
        fails_s: float = 0.5,
    ) -> None:
        self.clock, self.table, self.limits = Clock(), OneItem(), limits
        self._fails_s = fails_s
        self.connections: list[Connection] = []
        self.sent: list[tuple[float, int]] = []
        self.in_flight = self.most_in_flight = 0
        self.limiters = [self._limiter(number, partial(is_down, number)) for number in range(count)]

    def _limiter(self, number: int, is_down: Callable[[float], bool]) -> RateLimiter:
        connection: Any = Connection(self.table, self.clock, is_down, self._fails_s)
        self.connections.append(connection)
        store = DynamoStore(connection, "budgets", "provider", now=self.clock.time, process_id=f"process{number}")
        return RateLimiter(
            "Testing", store, now=self.clock.time, sleep=self.clock.sleep, jitter=self.clock.jitter,
            process_id=f"process{number}",
        )  # fmt: skip

    def run(self, seconds: float, *, takes_s: float = 0.05) -> list[float]:
        """Every process sends request after request; the moments at which requests were sent, from the beginning."""
        tasks = [Task(work=partial(self._hammer, number, seconds, takes_s)) for number in range(len(self.limiters))]
        for end in self.clock.run(tasks):
            end.result()
        return [moment for moment, _ in sorted(self.sent)]

    def _hammer(self, number: int, seconds: float, takes_s: float) -> None:
        while self.clock.time() < START_S + seconds:
            try:
                self.send(number, takes_s)
            except BudgetSpent as error:
                self.clock.sleep(min(error.retry_after_s or 1.0, 1.0))

    def send(self, number: int, takes_s: float) -> None:
        """One request of a process. Raises BudgetSpent."""
        deadline = self.clock.time() + LEG_S
        with self.limiters[number].permit(self.limits, lambda: deadline - self.clock.time()) as granted:
            granted.confirm()
            self.sent.append((self.clock.time() - START_S, number))
            self.in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self.in_flight)
            self.clock.sleep(takes_s)
            self.in_flight -= 1


def most_in_a_window(moments: list[float], window_s: float) -> int:
    """The most requests in any window of this length; one that begins with each request is enough."""
    most = first = 0
    for last, moment in enumerate(moments):
        while moment - moments[first] >= window_s:
            first += 1
        most = max(most, last - first + 1)
    return most
