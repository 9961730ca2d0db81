"""A day of searches on one queue of events: caches and budgets of `tests/benchmarks/million.py`.

Permits, places in flight, daily allowances and cache lifetimes are decided by the project's own code. Two things are
simpler than in reality: a caller that waits for a place in flight is woken at random when one is free; no source fails.
"""

from __future__ import annotations

import heapq
import math
import random
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count

from shared.aws.dynamodb.leg_cache import FAILURE_S
from shared.aws.lambda_functions.provider_fan_out import INVOKE_RESERVE_S
from shared.legs.leg import FRESH_S
from shared.providers.provider import LEG_TIMEOUT_S
from shared.rate_limits.budget import DAY_S, Budget, Grant, PermitRequest, Reject, decide, release
from shared.rate_limits.feedback import apply_headers
from shared.rate_limits.limits import Limits, RateLimitHeaders
from tests.benchmarks.cost_prices import LATENCY_S, REQUESTS_A_LEG

OWN_S, HIT_S = 0.45, 0.04  # what the dispatcher takes besides its slowest leg, and for a stored result set (cost.md)


@dataclass(slots=True)
class Search:
    """One search that was not answered by a stored result set."""

    question: int
    at: float
    left: int = 0
    asked: int = 0
    answered: int = 0
    refused: int = 0


@dataclass(slots=True)
class Leg:
    """One question at one source, by one Lambda."""

    question: int
    began: float
    steps: int
    permit_id: str
    waits: bool = False
    sent: int = 0


@dataclass
class Source:
    """A provider, with its cached legs and the outcomes of its legs, by hour."""

    name: str
    limits: Limits
    credits: int | None = None
    budget: Budget = field(default_factory=Budget)
    fresh: dict[int, float] = field(default_factory=dict)  # question -> until
    failed: dict[int, float] = field(default_factory=dict)
    awaited: dict[int, list[Search]] = field(default_factory=dict)
    waiting: list[Leg] = field(default_factory=list)
    answered: Counter[int] = field(default_factory=Counter)
    refused: Counter[int] = field(default_factory=Counter)  # without a request
    late: Counter[int] = field(default_factory=Counter)  # with a request whose answer was not waited for, or half done
    sent: Counter[int] = field(default_factory=Counter)
    busy_s: defaultdict[int, float] = field(default_factory=lambda: defaultdict(float))
    spent_at: float | None = None

    @property
    def asked(self) -> int:
        """How many legs were begun."""
        return self.answered.total() + self.refused.total() + self.late.total()


class Day:
    """All of it on one queue of events."""

    def __init__(self, found: dict[str, Source], seed: int = 1) -> None:
        self.sources = found
        self.kept: dict[int, float] = {}  # result sets: question -> until
        self.kinds: Counter[tuple[int, str]] = Counter()
        self.busy_s: defaultdict[int, float] = defaultdict(float)  # of the dispatcher
        self.incomplete: Counter[int] = Counter()
        self._chance = random.Random(seed)
        self._events: list[tuple[float, int, Callable[[float], None]]] = []
        self._order = count()

    def run(self, coming: list[tuple[float, int]], until: float = math.inf) -> None:
        """To the end, or to the moment `until`; searches are (epoch seconds, number of the question)."""
        for at, question in coming:
            self._run_events(min(at, until))
            if at >= until:
                return
            self._arrive(at, question)
        self._run_events(until)

    def _run_events(self, until: float) -> None:
        while self._events and self._events[0][0] <= until:
            at, _, event = heapq.heappop(self._events)
            event(at)

    def _at(self, moment: float, event: Callable[[float], None]) -> None:
        heapq.heappush(self._events, (moment, next(self._order), event))

    def _arrive(self, now: float, question: int) -> None:
        hour = _hour(now)
        if self.kept.get(question, 0.0) > now:
            self.kinds[hour, "hit"] += 1
            self.busy_s[hour] += HIT_S
            return
        search = Search(question, now)
        to_query = []
        for source in self.sources.values():
            if source.fresh.get(question, 0.0) > now:
                continue
            if source.failed.get(question, 0.0) > now:
                search.refused += 1
            elif question in source.awaited:
                source.awaited[question].append(search)
                search.left += 1
            else:
                source.awaited[question] = [search]
                search.left += 1
                to_query.append(source)
        search.asked = len(to_query)
        if not search.left:
            self._end(search, now)
        for source in to_query:
            steps = REQUESTS_A_LEG.get(source.name, 1)
            self._reserve(source, Leg(question, now, steps, str(next(self._order))), now)

    def _reserve(self, source: Source, leg: Leg, now: float) -> bool:
        """False when the leg has to wait for a place in flight."""
        deadline = leg.began + LEG_TIMEOUT_S - INVOKE_RESERVE_S
        request = PermitRequest(
            permit_id=leg.permit_id, limits=source.limits, time_left=lambda: deadline - now, scheduled=False
        )
        decision = decide(source.budget, request, now=now, deadline=deadline)
        if isinstance(decision, Grant):
            source.budget = decision.budget
            end = decision.at + LATENCY_S[source.name] * self._chance.uniform(0.5, 1.5)
            self._at(min(end, deadline), partial(self._sent, source, leg, late=end > deadline))
            return True
        if isinstance(decision, Reject):
            self._answer(source, leg, now, answered=False)
            return True
        if not leg.waits:
            leg.waits = True
            self._at(deadline - 0.01, partial(self._too_late, source, leg))
        source.waiting.append(leg)
        return False

    def _too_late(self, source: Source, leg: Leg, now: float) -> None:
        if leg in source.waiting:
            source.waiting.remove(leg)
            self._answer(source, leg, now, answered=False)

    def _sent(self, source: Source, leg: Leg, now: float, *, late: bool) -> None:
        source.budget = release(source.budget, leg.permit_id)
        source.sent[_hour(now)] += 1
        if source.credits is not None:
            self._count_credits(source, now)
        leg.steps, leg.sent = leg.steps - 1, leg.sent + 1
        if leg.steps and not late:
            self._reserve(source, replace_id(leg, str(next(self._order))), now)
        else:
            self._answer(source, leg, now, answered=not late)
        while source.waiting:
            place = self._chance.randrange(len(source.waiting))
            source.waiting[place], source.waiting[-1] = source.waiting[-1], source.waiting[place]
            if not self._reserve(source, source.waiting.pop(), now):
                return

    def _count_credits(self, source: Source, now: float) -> None:
        whole = source.credits or 0
        left = max(whole - source.sent.total(), 0)
        source.budget = apply_headers(source.budget, RateLimitHeaders(credits_left=left, credits_a_day=whole), now)
        if not left and source.spent_at is None:
            source.spent_at = now

    def _answer(self, source: Source, leg: Leg, now: float, *, answered: bool) -> None:
        hour = _hour(leg.began)
        source.busy_s[hour] += now - leg.began
        if answered:
            source.answered[hour] += 1
            source.fresh[leg.question] = now + FRESH_S
        else:
            (source.late if leg.sent else source.refused)[hour] += 1
            source.failed[leg.question] = now + FAILURE_S
        for search in source.awaited.pop(leg.question):
            search.left -= 1
            search.answered += answered
            search.refused += not answered
            if not search.left:
                self._end(search, now)

    def _end(self, search: Search, now: float) -> None:
        hour = _hour(search.at)
        self.kinds[hour, kind_of(search, waited=now > search.at)] += 1
        self.busy_s[hour] += now - search.at + OWN_S
        if search.refused:
            self.incomplete[hour] += 1
        else:
            self.kept[search.question] = min(it.fresh[search.question] for it in self.sources.values())


def kind_of(search: Search, *, waited: bool) -> str:
    """How a search was answered that found no stored result set."""
    if search.answered:
        return "miss" if search.asked else "coalesced"
    return "hit but for refused legs" if search.refused or waited else "hit of legs"


def replace_id(leg: Leg, permit_id: str) -> Leg:
    """The same leg before its next request."""
    return replace(leg, permit_id=permit_id, waits=False)


def _hour(moment: float) -> int:
    return int(moment % DAY_S // 3600)
