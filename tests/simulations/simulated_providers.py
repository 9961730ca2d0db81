"""The Lambdas of the providers over services that are simulated: budgets, circuits and clients are the real ones.

Time is virtual. Every request that reaches a provider is written down, so that it can be held against its limits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, count
from typing import Any

import httpx

from infra.functions import provider_spec, searched_by_default
from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Paper
from shared.legs.leg import Leg
from shared.providers.answering import answer_question
from shared.providers.deadline_sockets import current_exchange
from shared.providers.http_client import Client
from shared.providers.leg_time import QueueTime
from shared.providers.provider import Page, ProviderReply
from shared.query.query import Query
from shared.rate_limits.limits import ReadLimits, limits_of, no_limits
from shared.rate_limits.rate_limiter import RateLimiter
from shared.rate_limits.state import StateStore
from tests.virtual_time import Clock

FASTEST_S, SLOWEST_S = 0.2, 3.0
PAPERS_A_LEG = 3
SPECS = {name: provider_spec(name) for name in searched_by_default()}
LIMITS = {name: limits_of(spec, has_key=False) for name, spec in SPECS.items()}


@dataclass(slots=True)
class Request:
    """One request that reached a provider."""

    provider: str
    query: str
    started: float
    ended: float


class SimulatedProviders:
    """All providers, on one clock. `takes_s` is how long one takes for a query, `response` what it says in the end."""

    def __init__(
        self,
        clock: Clock,
        epoch: Callable[[], float],
        new_store: Callable[[str, str], StateStore],
        takes_s: Callable[[str, str], float],
        response: Callable[[Request], httpx.Response],
        read_limits: ReadLimits = no_limits,
    ) -> None:
        self.requests: list[Request] = []
        self._takes_s, self._response, self._new_store = takes_s, response, new_store
        self._clock: dict[str, Any] = {"sleep": clock.sleep, "jitter": clock.jitter}
        self._settings: dict[str, Any] = {"now": epoch, "read_limits": read_limits}
        self._monotonic, self._now = clock.monotonic, clock.now
        self._numbers = count()
        self._idle: dict[str, list[RateLimiter]] = {name: [] for name in SPECS}
        self._names = {httpx.URL(spec.base_url).host: name for name, spec in SPECS.items()}
        self.http = httpx.Client(transport=httpx.MockTransport(self._serve))

    def ask(self, leg: Leg, until: float, *, scheduled: bool = False) -> ProviderReply:
        """What a provider's Lambda does, each request with an instance to itself, as Lambda has it."""
        spec, began, idle = SPECS[leg.provider], self._monotonic(), self._idle[leg.provider]
        limiter = idle.pop() if idle else self._new_limiter(spec.name)
        queue_ms = leg.queue_s * 1000 if leg.queue_s < math.inf else None
        queue = QueueTime(queue_ms, spec.search_requests, self._monotonic)

        def time_left() -> float:
            return until - self._monotonic()

        client = Client(
            title=spec.title,
            base_url=spec.base_url,
            http=self.http,
            time_left=time_left,
            now=self._now,
            key="simulated",
            permit=lambda _: limiter.permit(
                LIMITS[spec.name], time_left, scheduled=scheduled, longest_wait_s=queue.next_s()
            ),
            optional=queue.optional,
            **self._clock,
        )
        reply = answer_question(spec, _answered_by, leg.question, client, lambda: self._monotonic() - began)
        idle.append(limiter)
        return reply

    def _new_limiter(self, name: str) -> RateLimiter:
        process_id = f"p{next(self._numbers)}"
        store = self._new_store(name, process_id)
        return RateLimiter(SPECS[name].title, store, process_id=process_id, **self._settings, **self._clock)

    def _serve(self, request: httpx.Request) -> httpx.Response:
        current_exchange().begin()  # as a connection does before its first byte
        name, query, now = self._names[request.url.host], request.url.params["query"], self._monotonic()
        takes, timeout_s = self._takes_s(name, query), float(request.extensions["timeout"]["read"])
        it = Request(name, query, now, now + min(takes, timeout_s))
        self.requests.append(it)
        self._clock["sleep"](it.ended - now)
        if takes > timeout_s:
            raise httpx.ReadTimeout("simulated", request=request)
        return self._response(it)


def _answered_by(query: Query, client: Client) -> Page:
    """What a provider's file does; PubMed sends two requests for one leg."""
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
    """The most moments that any window of this length in_flight."""
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
