"""Days of many saved searches beside people who search: who is queried when, who waits, who is left out.

Budgets, circuits, legs and runs are the real ones; tables, caches and providers are simulated, and time is virtual.
A request's latency comes from its query, so that the same people meet the same providers with and without the runs.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

import httpx

from shared.legs.coalescing import answer_legs
from shared.legs.leg import Leg, LegAnswer, LegDependencies
from shared.legs.refusals import refusals_of
from shared.outcomes import Outcome
from shared.providers.header_numbers import MAX_CREDITS, header_count, seconds_until
from shared.providers.provider import LEG_TIMEOUT_S, ProviderReply
from shared.rate_limits.budget import DAY_S
from shared.rate_limits.limits import RateLimitHeaders
from shared.saved_searches.request import monitoring_request
from shared.saved_searches.run import PaperNews, RunDependencies, SearchToRun, run_saved_search
from shared.saved_searches.windows import Window
from shared.search.requests.search_request import read_request
from shared.search.search_legs import interactive_legs
from tests.simulations.scheduled_arrivals import Firing, Load, firings_of, question_of, visits
from tests.simulations.simulated_providers import (
    FASTEST_S,
    SLOWEST_S,
    SPECS,
    Request,
    SimulatedProviders,
)
from tests.simulations.zipf_workload import DYNAMODB_S
from tests.unit.legs.leg_dependencies import Shared
from tests.unit.rate_limits.rate_limiter_setup import SlowStore, Table
from tests.virtual_time import Clock, Task

DISCIPLINES = {name: sorted(spec.disciplines) for name, spec in SPECS.items()}
CREDITED, CREDITS_A_REQUEST = "openalex", 10
TIMEOUT_S = 19.25  # of a person's search, for its legs
RUN_S = 75.0


@dataclass(frozen=True, slots=True)
class Waited:
    """One person's search, in seconds on the clock."""

    at: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Ran:
    """One run: the how-manieth of its search, from 0, when it began on the clock, and who has not answered it."""

    name: str
    nth: int
    at: float
    pending: frozenset[str]


@dataclass
class Observations:
    """What the days have brought."""

    requests: list[Request] = field(default_factory=list)
    people: list[Waited] = field(default_factory=list)
    legs: Counter[tuple[str, str, str]] = field(default_factory=Counter)  # person or run, provider, how it ended
    runs: list[Ran] = field(default_factory=list)
    out_of_credits: int = 0  # requests that the provider itself had to refuse


class ScheduledLoad:
    """The whole service on one clock."""

    def __init__(self, load: Load) -> None:
        self.load = load
        self.clock = Clock(seed=load.seed, max_steps=200_000_000)
        self._providers = SimulatedProviders(
            self.clock,
            self.clock.time,
            lambda name, _: SlowStore(self._tables[name], self.clock, DYNAMODB_S),
            self._takes_s,
            self._response,
            _credits,
        )
        self.seen = Observations(self._providers.requests)
        self._legs = Shared(self.clock, answer=self._ask, cache_s=DYNAMODB_S)
        self._tables = {name: Table() for name in SPECS}
        self._asked: Counter[tuple[str, str]] = Counter()
        self._spent: Counter[int] = Counter()  # credits by day
        self._windows: dict[str, tuple[Window, ...]] = {}

    def run(self) -> Observations:
        """To the end of the last run. Raises what a search or a run raises."""
        people = [Task(work=partial(self._person, n), at=at) for n, at in enumerate(visits(self.load))]
        runs = [Task(work=partial(self._run, it), at=it.at) for it in firings_of(self.load)]
        with self._providers.http:
            for end in self.clock.run(people + runs):
                end.result()
        return self.seen

    def _person(self, number: int) -> None:
        began = self.clock.monotonic()
        legs = interactive_legs(read_request({"query": f"question {number}"}, SPECS), DISCIPLINES)
        answers = answer_legs(legs, self._dependencies(f"person {number}", scheduled=False), until=began + TIMEOUT_S)
        self._observe("person", answers)
        self.seen.people.append(Waited(began, self.clock.monotonic() - began))

    def _run(self, it: Firing) -> None:
        began, run_id, windows = self.clock.monotonic(), f"{it.name} {it.nth}", self._windows.get(it.name)
        saved = SearchToRun(
            id=it.name,
            owner="owner",
            request=monitoring_request({"query": question_of(it.name, self.load.saved)}, SPECS),
            without_retracted=False,
            since="2026-11-01T00:00:00Z",
            windows=windows or (Window(),),
            first_run=windows is None,
        )
        dependencies = RunDependencies(
            legs=self._dependencies(run_id, scheduled=True),
            disciplines=DISCIPLINES,
            tracks_integrity=(),
            publish=lambda papers, context: {"queued": 0, "skipped": len(papers)},
            observe=partial(self._observe, "run"),
            monotonic=self.clock.monotonic,
            now=lambda: self.clock.now().isoformat(),
            run_id=run_id,
        )
        run_saved_search(saved, (), _RunStore(self._windows, it.name), dependencies, until=began + RUN_S)
        pending = frozenset[str]().union(*(window.pending for window in self._windows[it.name]))
        self.seen.runs.append(Ran(it.name, it.nth, began, pending))

    def _dependencies(self, owner: str, *, scheduled: bool) -> LegDependencies:
        return LegDependencies(
            cache=self._legs.cache(owner),
            threads=self.clock,
            ask=partial(self._ask, scheduled=scheduled),
            refusals=self._blocked,
            monotonic=self.clock.monotonic,
            jitter=self.clock.jitter,
            scheduled=scheduled,
        )

    def _observe(self, who: str, answers: Sequence[LegAnswer]) -> None:
        for answer in answers:
            how = "coalesced" if answer.coalesced and answer.reply.outcome.answered else answer.reply.outcome.value
            self.seen.legs[who, answer.reply.provider, how] += 1

    def _blocked(self, waits: Mapping[str, float]) -> Mapping[str, ProviderReply]:
        return refusals_of({name: self._tables[name].seen.state for name in waits}, waits, self.clock.time())

    def _ask(self, leg: Leg, seconds: float, *, scheduled: bool = False) -> ProviderReply:
        until = self.clock.monotonic() + min(seconds, LEG_TIMEOUT_S)
        return self._providers.ask(leg, until, scheduled=scheduled)

    def _takes_s(self, name: str, query: str) -> float:
        self._asked[name, query] += 1
        chance = random.Random(f"{self.load.seed} {name} {query} {self._asked[name, query]}").random()
        return FASTEST_S + chance * (SLOWEST_S - FASTEST_S)

    def _response(self, it: Request) -> httpx.Response:
        """One of them counts its credits."""
        return self._counted(it.provider) or httpx.Response(200, json={"provider": it.provider})

    def _counted(self, name: str) -> httpx.Response | None:
        whole = self.load.credits
        if name != CREDITED or whole is None:
            return None
        today, second = divmod(self.clock.time(), DAY_S)
        refused = self._spent[int(today)] >= whole
        self._spent[int(today)] += 0 if refused else CREDITS_A_REQUEST
        self.seen.out_of_credits += refused
        values = {"limit": whole, "remaining": whole - self._spent[int(today)], "reset": int(DAY_S - second)}
        headers = {f"x-ratelimit-{key}": str(value) for key, value in values.items()}
        if refused:
            return httpx.Response(429, headers={**headers, "retry-after": headers["x-ratelimit-reset"]})
        return httpx.Response(200, headers=headers, json={"provider": name})


@dataclass(frozen=True, slots=True)
class _RunStore:
    windows: dict[str, tuple[Window, ...]]
    name: str

    def write_news(self, news: Sequence[PaperNews]) -> None:
        pass

    def save_windows(self, windows: Sequence[Window]) -> None:
        self.windows[self.name] = tuple(windows)


def _credits(headers: Mapping[str, str], now: datetime) -> RateLimitHeaders:
    left, whole = (header_count(headers, f"x-ratelimit-{name}", MAX_CREDITS) for name in ("remaining", "limit"))
    if left is None or whole is None:
        return RateLimitHeaders()
    reset_s = seconds_until(headers.get("x-ratelimit-reset"), now)
    return RateLimitHeaders(credits_left=left, credits_a_day=whole, credits_reset_s=reset_s)


def quantile(values: Sequence[float], share: float) -> float:
    """The value that so large a share of them does not exceed."""
    return sorted(values)[max(math.ceil(share * len(values)) - 1, 0)]


def never_answered(seen: Observations, provider: str) -> list[int]:
    """After each round of runs, how many saved searches this provider has not answered yet."""
    rounds = 1 + max(it.nth for it in seen.runs)
    first_answered: dict[str, int] = {}
    for it in seen.runs:
        if provider not in it.pending:
            first_answered[it.name] = min(it.nth, first_answered.get(it.name, rounds))
    searches = len({it.name for it in seen.runs})
    return [searches - sum(first <= nth for first in first_answered.values()) for nth in range(rounds)]


def ended(seen: Observations, who: str, provider: str) -> tuple[int, int, int]:
    """Of the legs of people (`person`) or of runs (`run`): those answered, skipped for the budget, failed."""
    legs = {how: times for (by, name, how), times in seen.legs.items() if (by, name) == (who, provider)}
    answered = sum(legs.pop(how, 0) for how in ("ok", "empty", "coalesced"))
    return answered, legs.pop(Outcome.SKIPPED_BUDGET.value, 0), sum(legs.values())
