"""Crossref with a key of Metadata Plus under load: 150 requests a second, on virtual time.

The declaration, the reader of its headers, the rate limiter and its store are the real ones; the table is simulated
with its throughput (`hot_table`). A process serves one request at a time, as Lambda has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from random import Random

from functions.providers import crossref
from shared.aws.dynamodb.rate_limit_store import DynamoStore
from shared.aws.dynamodb.slot_counter import DynamoSlotCounter
from shared.errors import BudgetSpent
from shared.rate_limits.limits import Limits, Overrides, limits_of
from shared.rate_limits.rate_limiter import RateLimiter
from tests.simulations.hot_table import HotTable
from tests.simulations.scheduled_load import quantile
from tests.simulations.simulated_providers import Request, most_at_once, most_in_any
from tests.virtual_time import START_S, Clock, Task

LEG_S = 15.0
HEADERS = {"x-api-pool": "plus", "x-rate-limit-limit": "150", "x-rate-limit-interval": "1s"}


def plus_limits(requests_per_second: float | None = None, concurrency: int | None = 50) -> Limits:
    """The limits of Crossref's declaration with a key, with the connections that infra/cost.md advises."""
    overrides = Overrides(requests_per_second=requests_per_second, concurrency=concurrency)
    return limits_of(crossref.SPEC, has_key=True, overrides=overrides)


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """Requests arrive at random, `arrivals` a second for `seconds`; one takes the provider between two latencies."""

    arrivals: float
    seconds: float
    takes_s: tuple[float, float] = (0.2, 0.6)
    limits: Limits = field(default_factory=plus_limits)
    crashes: float = 0.0  # the share of processes that vanish during a request
    scheduled: float = 0.0  # the share of requests of scheduled searches
    late_s: float = 0.0  # a process wakes up to so much late
    opening_s: float = 0.0  # a connection is open after up to so much
    seed: int = 1


class HighRates:
    """One provider and the processes that send it requests."""

    def __init__(self, load: Load) -> None:
        self.load = load
        self.clock = Clock(seed=load.seed, max_steps=50_000_000)
        self.table = HotTable(self.clock)
        self.requests: list[Request] = []
        self.waited: list[float] = []
        self.refused: list[str] = []
        self.arrived = 0
        self._random = Random(load.seed)
        self._idle: list[RateLimiter] = []
        self._numbers = count()

    def run(self) -> HighRates:
        """To the end of the last request. Raises what a request raises, but for refusals."""
        tasks, at = [], 0.0
        while (at := at + self._random.expovariate(self.load.arrivals)) < self.load.seconds:
            dies_at = at + self._random.uniform(0.0, 0.5) if self._random.random() < self.load.crashes else float("inf")
            scheduled = self._random.random() < self.load.scheduled
            tasks.append(Task(work=partial(self._send, scheduled=scheduled), at=at, dies_at=dies_at))
        self.arrived = len(tasks)
        for task, end in zip(tasks, self.clock.run(tasks), strict=True):
            if task.dies_at == float("inf"):
                end.result()
        return self

    def _send(self, *, scheduled: bool) -> None:
        limiter = self._idle.pop() if self._idle else self._new_limiter()
        came = self.clock.time()
        try:
            with limiter.permit(
                self.load.limits, lambda: came + LEG_S - self.clock.time(), scheduled=scheduled
            ) as granted:
                if self.load.opening_s:
                    self.clock.sleep(self._random.uniform(0.0, self.load.opening_s))
                granted.confirm()
                began, takes = self.clock.time(), self._random.uniform(*self.load.takes_s)
                self.waited.append(began - came)
                # Its end is known beforehand: a process that vanishes leaves a request behind that the provider serves.
                self.requests.append(Request("crossref", "", began - START_S, began - START_S + takes))
                self.clock.sleep(takes)
                granted.report_headers(HEADERS)
        except BudgetSpent as error:
            self.refused.append(error.message)
        self._idle.append(limiter)

    def _new_limiter(self) -> RateLimiter:
        process_id = f"{next(self._numbers):08x}"
        store = DynamoStore(self.table.client(), "budgets", "crossref", now=self.clock.time, process_id=process_id)
        return RateLimiter(
            crossref.SPEC.title, store, read_limits=crossref.read_limits, now=self.clock.time, sleep=self._sleep,
            jitter=self.clock.jitter, process_id=process_id,
            slots=DynamoSlotCounter(self.table.client(), "budgets", "crossref", lost=store.lost),
        )  # fmt: skip

    def _sleep(self, seconds: float) -> None:
        self.clock.sleep(seconds + self.load.late_s * self.clock.jitter())


@dataclass(frozen=True, slots=True)
class Measured:
    """What a load has brought, in the second half of its time: a second, shares, seconds, and the most at once."""

    sent_a_second: float
    refused: float
    p95_wait_s: float
    most_in_a_second: int
    most_under_way: int
    writes_a_second: float
    reads_a_second: float
    throttled: int


def measured(seen: HighRates) -> Measured:
    """`writes_a_second` and `reads_a_second` are units, over the whole time."""
    seconds = seen.load.seconds
    started: Sequence[float] = [it.started for it in seen.requests]
    return Measured(
        sum(seconds / 2 <= at < seconds for at in started) / (seconds / 2),
        len(seen.refused) / max(seen.arrived, 1),
        quantile(seen.waited, 0.95),
        most_in_any(started, 1.0),
        most_at_once(seen.requests),
        seen.table.wanted["write"] / seen.clock.monotonic(),
        seen.table.wanted["read"] / seen.clock.monotonic(),
        seen.table.throttled,
    )
