"""The busiest minutes of a million searches a day: `python -m tests.benchmarks.million_peak` (some minutes).

The caches are those that `million.py` leaves at 14:00 UTC. From there on leases, coalescing, permits, polling and
compare-and-swap are the real code, on virtual time; DynamoDB takes its time, and its calls are counted.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from random import Random
from statistics import quantiles
from typing import Any

from infra.functions import provider_spec
from shared.errors import ProviderError, ProviderTimeout
from shared.legs.coalescing import answer_legs
from shared.legs.leg import FRESH_S, Leg, LegDependencies
from shared.legs.refusals import refusals_of
from shared.outcomes import Outcome
from shared.providers.provider import LEG_TIMEOUT_S, ProviderReply, failed
from shared.query.query import Query
from shared.rate_limits.budget import DAY_S, Budget
from shared.rate_limits.rate_limiter import RateLimiter
from shared.rate_limits.state import ProviderState, VersionedState
from tests.benchmarks.cost_prices import LATENCY_S, REQUESTS_A_LEG
from tests.benchmarks.million import PEAK_HOUR, PLANS, SEARCHES, arrivals, sources
from tests.benchmarks.million_day import OWN_S, Day
from tests.unit.legs.leg_dependencies import Item, Shared
from tests.unit.rate_limits.rate_limiter_setup import SlowStore, Table
from tests.virtual_time import START_S, Clock, Task

PEAK_S = DAY_S + PEAK_HOUR * 3600  # on the day's clock
WARM_S, MEASURED_S = 45.0, 60.0
TIMEOUT_S = 19.25
DYNAMODB_S = 0.005
SKEW = 1.0


@dataclass
class Busy:
    """How many of something were under way, over the measured time."""

    spans: list[tuple[float, float]] = field(default_factory=list)

    def mean(self) -> float:
        """Over the measured time (Little's law says: arrivals times duration)."""
        begin, end = WARM_S, WARM_S + MEASURED_S
        return sum(max(min(to, end) - max(since, begin), 0.0) for since, to in self.spans) / MEASURED_S

    def most(self) -> int:
        """At any moment."""
        now = most = 0
        for _, change in sorted([(since, 1) for since, _ in self.spans] + [(to, -1) for _, to in self.spans]):
            now += change
            most = max(most, now)
        return most


class Peak:
    """The service from 14:00 UTC on, on one clock."""

    def __init__(self, day: Day) -> None:
        self.clock = Clock(max_steps=200_000_000)
        self.day = day
        self.busy: dict[str, Busy] = {name: Busy() for name in ("dispatcher", *day.sources)}
        self.legs: Counter[tuple[str, str]] = Counter()
        self.requests: Counter[str] = Counter()
        self.took: list[float] = []
        self.tables = {name: Table() for name in day.sources}
        self.counted: dict[str, list[tuple[int, int, int]]] = {name: [] for name in day.sources}
        self._shared = Shared(self.clock, answer=self._ask, cache_s=DYNAMODB_S)
        self._idle: dict[str, list[RateLimiter]] = {name: [] for name in day.sources}
        self._ids = count()
        self._chance = Random(1)
        for name, source in day.sources.items():
            if source.spent_at is not None:
                spent = Budget(credits_left=0, credits_a_day=source.credits, credits_until=START_S + DAY_S)
                self.tables[name].seen = VersionedState(ProviderState(budget=spent), 1)

    def run(self, coming: list[tuple[float, int]]) -> None:
        """The searches of the peak, as (seconds from its beginning, question)."""
        for _, question in coming:
            self._remember(question)
        tasks = [
            Task(work=partial(self._search, question, number), at=at) for number, (at, question) in enumerate(coming)
        ]
        marks = [Task(work=self._count, at=at) for at in (WARM_S, WARM_S + MEASURED_S)]
        for end in self.clock.run(tasks + marks):
            end.result()

    def _count(self) -> None:
        for name, table in self.tables.items():
            self.counted[name].append((table.reads, table.writes, table.lost))

    def _remember(self, question: int) -> None:
        """The item that the day has stored for this question."""
        for name, source in self.day.sources.items():
            until = source.fresh.get(question, 0.0)
            if until > PEAK_S:
                leg = _leg(name, question)
                stored_at = START_S + until - PEAK_S - FRESH_S
                self._shared.items[name, leg.question.cache_key()] = Item(_reply(leg), round(stored_at * 1000))

    def _search(self, question: int, number: int) -> None:
        if self.day.kept.get(question, 0.0) > PEAK_S:
            return
        began = self.clock.monotonic()
        dependencies = LegDependencies(
            cache=self._shared.cache(f"search {number}"),
            threads=self.clock,
            ask=self._ask,
            refusals=self._blocked,
            monotonic=self.clock.monotonic,
            jitter=self.clock.jitter,
        )
        for answer in answer_legs(
            [_leg(it, question) for it in self.day.sources], dependencies, until=began + TIMEOUT_S
        ):
            how = "cache" if answer.reply.source == "cache" else answer.reply.outcome.value
            self.legs[answer.reply.provider, how] += 1
        ended = self.clock.monotonic()
        self.took.append(ended - began + OWN_S)
        self.busy["dispatcher"].spans.append((began, ended + OWN_S))

    def _blocked(self, waits: Mapping[str, float]) -> Mapping[str, ProviderReply]:
        return refusals_of({name: self.tables[name].seen.state for name in waits}, waits, self.clock.time())

    def _ask(self, leg: Leg, seconds: float) -> ProviderReply:
        """What a provider's Lambda does, each request with an instance to itself, as Lambda has it."""
        name, began = leg.provider, self.clock.monotonic()
        limiter = self._idle[name].pop() if self._idle[name] else self._new_limiter(name)
        try:
            self._requests(leg, limiter, lambda: began + min(seconds, LEG_TIMEOUT_S) - self.clock.monotonic())
            return _reply(leg)
        except ProviderError as error:
            return failed(name, name, error.outcome, error.message)
        finally:
            self._idle[name].append(limiter)
            self.busy[name].spans.append((began, self.clock.monotonic()))

    def _new_limiter(self, name: str) -> RateLimiter:
        store = SlowStore(self.tables[name], self.clock, DYNAMODB_S / 2)
        clock: dict[str, Any] = {"sleep": self.clock.sleep, "jitter": self.clock.jitter, "now": self.clock.time}
        return RateLimiter(provider_spec(name).title, store, process_id=f"p{next(self._ids)}", **clock)

    def _requests(self, leg: Leg, limiter: RateLimiter, time_left: Callable[[], float]) -> None:
        name = leg.provider
        for _ in range(REQUESTS_A_LEG.get(name, 1)):
            with limiter.permit(self.day.sources[name].limits, time_left) as granted:
                granted.confirm()
                takes, left = LATENCY_S[name] * self._chance.uniform(0.5, 1.5), time_left()
                self.requests[name] += 1
                self.clock.sleep(max(min(takes, left), 0.0))
                if takes > left:
                    raise ProviderTimeout("simulated")


def _leg(name: str, question: int) -> Leg:
    return Leg(name, Query(text=f"question {question}"))


def _reply(leg: Leg) -> ProviderReply:
    return ProviderReply(provider=leg.provider, family=leg.provider, outcome=Outcome.OK)


def rows(peak: Peak, searches: int) -> Iterator[str]:
    """Markdown: how many of each function run at once, and what its provider's one item bears a second."""
    twentieths = quantiles(peak.took, n=20)
    latencies = f"median {twentieths[9]:.1f} s, p95 {twentieths[18]:.1f} s"
    yield f"{searches} searches in {WARM_S + MEASURED_S:.0f} s, {len(peak.took)} of them not a full hit: {latencies}\n"
    yield "| function | at once | most | requests/s | item: reads/s | writes/s | lost/s | legs |"
    yield "|---|---|---|---|---|---|---|---|"
    for name, busy in peak.busy.items():
        cells = ["", "", "", "", ""]
        if name in peak.tables:
            (before, after) = peak.counted[name]
            a_second = [f"{(late - early) / MEASURED_S:.0f}" for early, late in zip(before, after, strict=True)]
            sent = f"{peak.requests[name] / (WARM_S + MEASURED_S):.1f}"
            ends = ", ".join(f"{how} {times}" for (who, how), times in sorted(peak.legs.items()) if who == name)
            cells = [sent, *a_second, ends]
        yield f"| {name} | {busy.mean():.0f} | {busy.most()} | {' | '.join(cells)} |"


def main() -> None:
    """One table for each plan named."""
    coming = arrivals(SEARCHES, SKEW)
    minutes = [(at - PEAK_S, it) for at, it in coming if 0 <= at - PEAK_S < WARM_S + MEASURED_S]
    for name in sys.argv[1:] or ("free keys", "paid"):
        began = time.monotonic()
        day = Day(sources(PLANS[name]))
        day.run(coming, until=PEAK_S)
        peak = Peak(day)
        peak.run(minutes)
        print(f"\n### {name}\n")
        print("\n".join(rows(peak, len(minutes))))
        print(f"\n{time.monotonic() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
