"""Four hours of searches as they may come: few questions often, most of them seldom, many within the same seconds.

The search, its caches, budgets and circuits are the real ones, over moto's DynamoDB; the providers are simulated, and
time is virtual. Every request that reaches a provider is written down, so that it can be held against its limits.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate, count
from typing import Any

import boto3
import httpx

from infra.functions import provider_spec, providers_for
from shared.aws.large_items import LargeItems
from shared.aws.leg_cache import DynamoLegCache
from shared.aws.provider_budget import DynamoStore, dynamodb_client, read_states
from shared.aws.provider_fan_out import INVOKE_RESERVE_S
from shared.aws.result_sets import DynamoResultSets
from shared.budgets.breaker import blocked
from shared.budgets.limits import limits_of
from shared.budgets.turns import Turns
from shared.errors import AllProvidersFailed, Outcome
from shared.http_client import Client
from shared.identifiers import Identifiers
from shared.legs.leg import Leg, LegAnswer, LegWorld
from shared.paper import Paper
from shared.provider import Page, ProviderReply, answer_question, failed
from shared.query import Query
from shared.request import read_request
from shared.search import World, run_search
from tests.unit.leg_world import text_of
from tests.virtual_time import Clock, Task

DAY_S = 4 * 3600.0
YESTERDAY_S = 30 * 3600.0  # before the day: what was asked then is no longer fresh, and yet kept
DOWN, DOWN_FROM, DOWN_UNTIL = "crossref", 10 * 60.0, 30 * 60.0
FASTEST_S, SLOWEST_S = 0.2, 3.0
DYNAMODB_S = 0.004
PAPERS_A_LEG = 3
SPECS = {name: provider_spec(name) for name in providers_for("search")}
LIMITS = {name: limits_of(spec, has_key=False) for name, spec in SPECS.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """One search: when it comes, what it asks, how many results it wants to see."""

    at: float
    query: str
    max_results: int = 10


@dataclass(slots=True)
class Request:
    """One request that reached a provider."""

    provider: str
    query: str
    started: float
    ended: float


@dataclass
class Seen:
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
        self.seen = Seen()
        self._rng = random.Random(seed)
        self._turns = count(1)
        self._names = {httpx.URL(spec.base_url).host: name for name, spec in SPECS.items()}
        self._http = httpx.Client(transport=httpx.MockTransport(self._serve))
        dynamodb = boto3.resource("dynamodb")
        self._client = dynamodb_client()
        for client in (self._client, dynamodb.meta.client):
            client.meta.events.register("before-call.dynamodb", lambda **_: self.clock.sleep(DYNAMODB_S))
        self._items = LargeItems(dynamodb, os.environ["SEARCH_CACHE_TABLE"])
        self._budgets_table = os.environ["PROVIDER_BUDGETS_TABLE"]
        self._idle: dict[str, list[DynamoStore]] = {name: [] for name in SPECS}

    def run(self, coming: Sequence[Arrival]) -> Seen:
        """All of them, to the end. Raises what a search raises."""
        with self._http:
            tasks = [Task(work=partial(self._search, it, n), at=it.at) for n, it in enumerate(coming)]
            for end in self.clock.run(tasks):
                end.result()
        return self.seen

    def _search(self, it: Arrival, number: int) -> None:
        request = read_request({"query": it.query, "max_results": it.max_results, "cite_in_kg": False}, SPECS)
        started = self.clock.monotonic()
        try:
            self.seen.searches[run_search(request, self._world(f"request-{number}"))["cache"]] += 1
        except AllProvidersFailed:
            self.seen.searches["failed"] += 1
        self.seen.longest_s = max(self.seen.longest_s, self.clock.monotonic() - started)

    def _world(self, request_id: str) -> World:
        legs = LegWorld(
            cache=DynamoLegCache(self._items, self.clock.now, owner=request_id),
            threads=self.clock,
            ask=self._ask,
            blocked=self._blocked,
            monotonic=self.clock.monotonic,
            jitter=self.clock.jitter,
        )
        return World(
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

    def _blocked(self, names: Collection[str]) -> dict[str, ProviderReply]:
        states = read_states(self._client, self._budgets_table, names)
        stops = {name: blocked(state.circuit, self._epoch()) for name, state in states.items()}
        return {name: failed(name, name, Outcome.CIRCUIT_OPEN, stop[0]) for name, stop in stops.items() if stop}

    def _epoch(self) -> float:
        return self.clock.now().timestamp()

    def _ask(self, leg: Leg, seconds: float) -> ProviderReply:
        """What a provider's Lambda does, each request with an instance to itself, as Lambda has it."""
        spec, started = SPECS[leg.provider], self.clock.monotonic()
        idle = self._idle[leg.provider]
        store = idle.pop() if idle else DynamoStore(self._client, self._budgets_table, leg.provider, now=self._epoch)
        clock: dict[str, Any] = {"sleep": self.clock.sleep, "jitter": self.clock.jitter}
        turns = Turns(spec.title, store, now=self._epoch, new_id=lambda: f"turn {next(self._turns)}", **clock)

        def time_left() -> float:
            return started + seconds - INVOKE_RESERVE_S - self.clock.monotonic()

        client = Client(
            title=spec.title,
            base_url=spec.base_url,
            http=self._http,
            time_left=time_left,
            now=self.clock.now,
            key="simulated",
            turn=lambda: turns.turn(LIMITS[spec.name], time_left),
            **clock,
        )
        reply = answer_question(spec, answered_by, leg.question, client, lambda: self.clock.monotonic() - started)
        idle.append(store)
        if reply.outcome.answered:
            self.seen.answered.setdefault((leg.provider, text_of(leg)), []).append(self.clock.monotonic())
        return reply

    def _serve(self, request: httpx.Request) -> httpx.Response:
        """A provider: it takes its time, and for a while one of them is down."""
        name, now = self._names[request.url.host], self.clock.monotonic()
        takes, patience = self._rng.uniform(FASTEST_S, SLOWEST_S), float(request.extensions["timeout"]["read"])
        it = Request(name, request.url.params["query"], now, now + min(takes, patience))
        self.seen.requests.append(it)
        self.clock.sleep(it.ended - now)
        if takes > patience:
            raise httpx.ReadTimeout("simulated", request=request)
        down = name == DOWN and DOWN_FROM <= now - YESTERDAY_S < DOWN_UNTIL
        return httpx.Response(503) if down else httpx.Response(200, json={"provider": name})


def answered_by(query: Query, client: Client) -> Page:
    """What a provider's file does; PubMed asks twice for one leg."""
    provider = client.get_json("/search", {"query": query.text})["provider"]
    if provider == "pubmed":
        client.get_json("/records", {"query": query.text})
    number = query.text.split()[-1]
    papers = [
        Paper(
            provider=provider,
            rank=rank,
            title=f"Answer {rank} to question {number}",
            ids=Identifiers(doi=f"10.5555/{number}.{rank}"),
        )
        for rank in range(1, PAPERS_A_LEG + 1)
    ]
    return Page(papers=papers, total=PAPERS_A_LEG, effective_query=query.text)


def most_in_any(moments: Sequence[float], window_s: float) -> int:
    """The most moments that any window of this length holds."""
    ordered = sorted(moments)
    most = first = 0
    for last, moment in enumerate(ordered):
        while moment - ordered[first] >= window_s:
            first += 1
        most = max(most, last - first + 1)
    return most


def most_at_once(requests: Sequence[Request]) -> int:
    """The most requests that were under way at the same time."""
    changes = sorted([(it.started, 1) for it in requests] + [(it.ended, -1) for it in requests])
    return max(accumulate(change for _, change in changes))


def table(seen: Seen) -> str:
    """Markdown: how the legs of the searches ended that were not answered from a kept result set."""
    ways = sorted({way for _, way in seen.legs})
    sent = Counter(it.provider for it in seen.requests)
    rows: list[list[Any]] = [["provider", "requests", *ways], ["---"] * (len(ways) + 2)]
    rows += [[name, sent[name], *(seen.legs[name, way] for way in ways)] for name in SPECS]
    states = ", ".join(f"{state} {times}" for state, times in sorted(seen.searches.items()))
    title = f"{seen.searches.total()} searches: {states}; the longest took {seen.longest_s:.1f} s\n"
    return "\n".join([title, *("| " + " | ".join(str(cell) for cell in row) + " |" for row in rows)])
