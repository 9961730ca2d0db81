"""Four hours of searches as they may come: few questions often, most of them seldom, many within the same seconds.

The search, its caches, budgets and circuits are the real ones, over moto's DynamoDB; the providers are simulated, and
time is virtual.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import boto3
import httpx

from shared.aws.dynamodb.large_items import LargeItems
from shared.aws.dynamodb.leg_cache import DynamoLegCache
from shared.aws.dynamodb.rate_limit_store import DynamoStore, dynamodb_client, read_states
from shared.aws.dynamodb.result_sets import DynamoResultSets
from shared.aws.lambda_functions.provider_fan_out import INVOKE_RESERVE_S
from shared.errors import AllProvidersFailed
from shared.legs.leg import Leg, LegAnswer, LegDependencies
from shared.legs.refusals import refusals_of
from shared.providers.provider import ProviderReply
from shared.search.requests.search_request import read_request
from shared.search.run import SearchDependencies, run_search
from tests.simulations.simulated_providers import (
    FASTEST_S,
    SLOWEST_S,
    SPECS,
    Request,
    SimulatedProviders,
)
from tests.unit.legs.leg_dependencies import text_of
from tests.virtual_time import Clock, Task

DAY_S = 4 * 3600.0
YESTERDAY_S = 30 * 3600.0  # before the day: what was requested then is no longer fresh, but still cached
DOWN, DOWN_FROM, DOWN_UNTIL = "crossref", 10 * 60.0, 30 * 60.0
DYNAMODB_S = 0.004


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """One search: when it comes, its question, how many results it wants to see."""

    at: float
    query: str
    max_results: int = 10


@dataclass
class Observations:
    """What the day has brought."""

    requests: list[Request] = field(default_factory=list)
    answered: dict[tuple[str, str], list[float]] = field(default_factory=dict)  # provider and query: when from upstream
    legs: Counter[tuple[str, str]] = field(default_factory=Counter)  # provider and how its leg ended
    searches: Counter[str] = field(default_factory=Counter)  # by their state of cache
    longest_s: float = 0.0  # that a search took


def arrivals(searches: int, distinct: int, seed: int = 1) -> list[Arrival]:
    """Zipf's law over the questions; they come in bursts of one to thirty, half of a burst's about one question."""
    rng = random.Random(seed)
    queries = [f"question {number}" for number in range(distinct)]
    weights = [1 / (number + 1) for number in range(distinct)]
    coming: list[Arrival] = []
    while len(coming) < searches:
        begins, topic = rng.uniform(0, DAY_S), rng.choices(queries, weights)[0]
        for _ in range(min(rng.choice((1, 1, 2, 5, 30)), searches - len(coming))):
            query = topic if rng.random() < 0.5 else rng.choices(queries, weights)[0]
            at, shown = YESTERDAY_S + begins + rng.uniform(0, 4), rng.choice((10, 10, 10, 20))
            coming.append(Arrival(at=at, query=query, max_results=shown))
    yesterdays = rng.sample(queries, distinct // 10)
    return [Arrival(at=10.0 * number, query=query) for number, query in enumerate(yesterdays)] + coming


class Day:
    """The whole service on one clock. It needs moto's tables, named by the environment."""

    def __init__(self, seed: int = 1) -> None:
        self.clock = Clock(seed=seed, max_steps=10_000_000)
        rng = random.Random(seed)
        self._providers = SimulatedProviders(
            self.clock,
            self._epoch,
            lambda name, process_id: DynamoStore(
                self._client, self._budgets_table, name, now=self._epoch, process_id=process_id
            ),
            lambda *_: rng.uniform(FASTEST_S, SLOWEST_S),
            self._response,
        )
        self.seen = Observations(self._providers.requests)
        dynamodb = boto3.resource("dynamodb")
        self._client = dynamodb_client()
        self._clients: tuple[Any, ...] = (self._client, dynamodb.meta.client)
        self._items = LargeItems(dynamodb, os.environ["SEARCH_CACHE_TABLE"])
        self._budgets_table = os.environ["PROVIDER_BUDGETS_TABLE"]

    def run(self, coming: Sequence[Arrival]) -> Observations:
        """All of them, to the end. Raises what a search raises."""
        with self._providers.http, self._slow_dynamodb():
            tasks = [Task(work=partial(self._search, it, n), at=it.at) for n, it in enumerate(coming)]
            for end in self.clock.run(tasks):
                end.result()
        return self.seen

    @contextmanager
    def _slow_dynamodb(self) -> Iterator[None]:
        """While inside, a call of DynamoDB takes its time on the clock."""

        def wait(**_: Any) -> None:
            self.clock.sleep(DYNAMODB_S)

        for client in self._clients:
            client.meta.events.register("before-call.dynamodb", wait)
        try:
            yield
        finally:
            for client in self._clients:
                client.meta.events.unregister("before-call.dynamodb", wait)

    def _search(self, it: Arrival, number: int) -> None:
        request = read_request({"query": it.query, "max_results": it.max_results, "cite_in_kg": False}, SPECS)
        started = self.clock.monotonic()
        try:
            self.seen.searches[run_search(request, self._dependencies(f"request-{number}"))["cache"]] += 1
        except AllProvidersFailed:
            self.seen.searches["failed"] += 1
        self.seen.longest_s = max(self.seen.longest_s, self.clock.monotonic() - started)

    def _dependencies(self, request_id: str) -> SearchDependencies:
        legs = LegDependencies(
            cache=DynamoLegCache(self._items, self.clock.now, owner=request_id),
            threads=self.clock,
            ask=self._ask,
            refusals=self._blocked,
            monotonic=self.clock.monotonic,
            jitter=self.clock.jitter,
        )
        return SearchDependencies(
            look_up=lambda *_, **__: (),
            legs=legs,
            result_sets=DynamoResultSets(self._items, self.clock.now),
            publish=lambda papers, context: {"queued": 0, "skipped": 0},
            observe=self._observe,
            disciplines={name: sorted(spec.disciplines) for name, spec in SPECS.items()},
            monotonic=self.clock.monotonic,
            request_id=request_id,
        )

    def _observe(self, answers: Sequence[LegAnswer]) -> None:
        for answer in answers:
            reply = answer.reply
            how = reply.outcome.value if not reply.outcome.answered else reply.source
            self.seen.legs[reply.provider, "coalesced" if answer.coalesced and how == "live" else how] += 1

    def _blocked(self, waits: Mapping[str, float]) -> dict[str, ProviderReply]:
        states = read_states(self._client, self._budgets_table, waits, self._epoch()).states
        return refusals_of(states, waits, self._epoch())

    def _epoch(self) -> float:
        return self.clock.now().timestamp()

    def _ask(self, leg: Leg, seconds: float) -> ProviderReply:
        reply = self._providers.ask(leg, self.clock.monotonic() + seconds - INVOKE_RESERVE_S)
        if reply.outcome.answered:
            self.seen.answered.setdefault((leg.provider, text_of(leg)), []).append(self.clock.monotonic())
        return reply

    def _response(self, it: Request) -> httpx.Response:
        """For a while one of them is down."""
        down = it.provider == DOWN and DOWN_FROM <= it.started - YESTERDAY_S < DOWN_UNTIL
        return httpx.Response(503) if down else httpx.Response(200, json={"provider": it.provider})


def table(seen: Observations) -> str:
    """Markdown: how the legs of the searches ended that were not answered from a stored result set."""
    ways = sorted({way for _, way in seen.legs})
    sent = Counter(it.provider for it in seen.requests)
    rows: list[list[Any]] = [["provider", "requests", *ways], ["---"] * (len(ways) + 2)]
    rows += [[name, sent[name], *(seen.legs[name, way] for way in ways)] for name in SPECS]
    states = ", ".join(f"{state} {times}" for state, times in sorted(seen.searches.items()))
    title = f"{seen.searches.total()} searches: {states}; the longest took {seen.longest_s:.1f} s\n"
    return "\n".join([title, *("| " + " | ".join(str(cell) for cell in row) + " |" for row in rows)])
