"""Many callers in several processes, in virtual time, and the provider that they ask: what it sees of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from random import Random

from shared.errors import BudgetSpent
from shared.rate_limits.circuit_breaker import UNKNOWN_CAUSE, Cause
from shared.rate_limits.limits import Charge, Limits, ReadLimits, rate_headers
from shared.rate_limits.rate_limiter import RateLimiter
from shared.rate_limits.state import ProviderState, VersionedState
from tests.virtual_time import START_S, Clock, Task

LEG_S = 15.0


class Table:
    """What all processes share."""

    def __init__(self) -> None:
        self.seen = VersionedState()
        self.reads = self.writes = self.lost = 0


class SlowStore:
    """The table as one process reaches it; each call takes time, in which others may be faster."""

    outage = None

    def __init__(self, table: Table, clock: Clock, way_s: float) -> None:
        self._table, self._clock, self._way_s = table, clock, way_s
        self._last = VersionedState()

    def _way(self) -> None:
        if self._way_s:
            self._clock.sleep(self._way_s)

    def last(self) -> VersionedState:
        return self._last

    def read(self) -> VersionedState:
        self._way()
        self._table.reads += 1
        self._last = self._table.seen
        return self._last

    def swap(self, seen: VersionedState, new: ProviderState) -> VersionedState | None:
        self._way()
        if self._table.seen.version != seen.version:
            self._table.lost += 1
            self._last = self._table.seen
            self._way()
            return self._last
        self._table.writes += 1
        self._table.seen = self._last = VersionedState(new, seen.version + 1)
        self._way()
        return None


class SimulatedProvider:
    """Processes with a rate limiter for one provider, and the provider, which records its requests.

    Processes wake up to `late_s` late, as on a busy machine; what a network takes is not late. Opening a connection
    takes up to `opening_s`; the permit is confirmed when it is open.
    """

    def __init__(
        self,
        limits: Limits,
        *,
        processes: int = 1,
        way_s: float = 0.0,
        late_s: float = 0.0,
        opening_s: float = 0.0,
        read_limits: ReadLimits = rate_headers("limit", "interval", "at-once"),  # noqa: B008  a pure function
    ) -> None:
        self.clock = Clock()
        self.late_s, self.opening_s = late_s, opening_s
        self.table = Table()
        self.limits = limits
        self.arrived: list[float] = []
        self.most_at_once = self._at_once = 0
        self.most_connections = self._connections = 0  # open, with or without a request
        self.random = Random(7)
        self.processes = [
            RateLimiter(
                "Testing",
                SlowStore(self.table, self.clock, way_s),
                read_limits=read_limits,
                now=self.clock.time,
                sleep=self.sleep,
                jitter=self.clock.jitter,
                process_id=f"process{number}",
            )
            for number in range(processes)
        ]

    def ask(
        self,
        limiter: RateLimiter,
        *,
        takes_s: float = 0.2,
        scheduled: bool = False,
        leg_s: float = LEG_S,
        fault: Exception | None = None,
        headers: Mapping[str, str] | None = None,
        charge: Charge = Charge.UNKNOWN,
        cause: Cause = UNKNOWN_CAUSE,
    ) -> float:
        """One request; when its first byte was sent. Raises what the limiter raises, and `fault`."""
        deadline = self.clock.time() + leg_s
        with limiter.permit(
            self.limits, lambda: deadline - self.clock.time(), scheduled=scheduled, charge=charge, cause=cause
        ) as granted:
            self._connections += 1
            self.most_connections = max(self.most_connections, self._connections)
            try:
                if self.opening_s:
                    self.clock.sleep(self.opening_s * self.random.random())
                granted.confirm()
            except BudgetSpent:
                self._connections -= 1
                raise
            sent = self.clock.time()
            self.clock.sleep(0.015 * self.random.random())  # the network
            self.arrived.append(self.clock.time())
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
            self.sleep(takes_s)
            self._at_once -= 1
            self._connections -= 1
            granted.report_headers(headers or {})
            if fault:
                raise fault
        return sent

    def sleep(self, seconds: float) -> None:
        self.clock.sleep(seconds + self.late_s * self.clock.jitter())

    def run(self, *workers: Callable[[], object]) -> None:
        """All begin at the same moment; what one of them raises is raised here."""
        for end in self.clock.run([Task(work=worker) for worker in workers]):
            end.result()

    def hammer(self, workers: int, seconds: float, takes_s: float) -> None:
        """Every caller sends requests as often as possible."""

        def work(number: int) -> None:
            while self.clock.time() < START_S + seconds:
                try:
                    self.ask(self.processes[number % len(self.processes)], takes_s=takes_s)
                except BudgetSpent:
                    self.sleep(0.1)

        self.run(*[partial(work, number) for number in range(workers)])


def most_in_a_window(moments: list[float], window_s: float) -> int:
    """The most that any window of this length in_flight; one that begins with each moment is enough."""
    return max(sum(first <= other < first + window_s for other in moments) for first in moments)
