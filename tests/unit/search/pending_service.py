"""Searches that respond early, in virtual time: Lambdas freeze and die, providers go on, the table is down at times."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from shared.aws.lambda_functions.late_replies import MARGIN_S
from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Paper
from shared.clock import Deadline
from shared.errors import StorageUnavailable
from shared.legs.leg import Leg, LegDependencies, LegEntry
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply, failed
from shared.search.completion import COMPLETION_S, complete_result_set
from shared.search.early_response import EarlyResponseDependencies
from shared.search.ranking.reranker import Reranker
from shared.search.requests.search_request import SearchRequest
from shared.search.result_sets.pending_state import ended
from shared.search.run import SearchDependencies, run_search
from tests.unit.legs.leg_dependencies import MemoryLegCache, Shared
from tests.virtual_time import Clock, Vanished

PROVIDERS = ("arxiv", "crossref", "openalex")
QUERY = "TREM2 microglia"


@dataclass(frozen=True, slots=True)
class Source:
    """A provider: how long it takes, what it finds (numbers of papers), how it ends; its function may die.

    `admits_nothing`: it has no paper that the filters admit, and says so.
    """

    seconds: float = 0.5
    finds: Sequence[int] = (1, 2, 3)
    outcome: Outcome = Outcome.OK
    dies: bool = False
    admits_nothing: bool = False


def paper(provider: str, number: int, rank: int) -> Paper:
    """Each second one is the same work for all providers; arXiv's 100 and more join two of the others' works."""
    ids = Identifiers(doi=f"10.5555/{number}") if number % 2 == 0 else Identifiers(doi=f"10.5555/{provider}.{number}")
    title = f"Microglia and TREM2 in the matter {number} {'of ' + provider if number % 2 else ''}"
    return Paper(provider=provider, rank=rank, title=title, ids=ids, year=2020)


@dataclass
class Service:
    """`down`: from when to when the table cannot be reached, in seconds; `queued`: whether the queue takes messages.

    `writes_twice`: the answer to a write is lost, so that the client of the table repeats it.
    """

    sources: Mapping[str, Source]
    down: Sequence[tuple[float, float]] = ()
    seed: int = 1
    reranker: Reranker | None = None
    queued: bool = True
    writes_twice: bool = False
    queue: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)  # providers, once for each request
    stored: dict[str, tuple[str, float]] = field(default_factory=dict)
    by_request: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.clock = Clock(seed=self.seed)
        self.legs = Shared(self.clock, answer=lambda leg, seconds: self._source(leg))

    def unreachable(self) -> bool:
        return any(start <= self.clock.monotonic() < end for start, end in self.down)

    def search(self, owner: str, patience_ms: int | None = 1000, **fields: Any) -> dict[str, Any]:
        """One request to the dispatcher: a Lambda that freezes when it has answered."""
        request = SearchRequest.model_validate({"query": QUERY, "patience_ms": patience_ms, **fields})
        frozen = [False]
        answer = run_search(request, self._dependencies(owner, frozen))
        frozen[0] = True
        return dict(json.loads(json.dumps(answer)))

    def complete(self, owner: str, result_set_id: str) -> str:
        """One attempt of a completion. Raises StorageUnavailable: the queue tries again."""
        sets = Sets(self)
        result_set = sets.get(result_set_id)
        until = self.clock.monotonic() + COMPLETION_S
        return complete_result_set(result_set, self._dependencies(owner, [False], pending=False), sets, until=until)

    def _dependencies(self, owner: str, frozen: list[bool], *, pending: bool = True) -> SearchDependencies:
        clock = self.clock
        legs = LegDependencies(
            cache=Cache(self, owner),
            threads=clock,
            ask=partial(self._ask, owner, frozen, None),
            refusals=lambda names: {},
            monotonic=clock.monotonic,
            jitter=clock.jitter,
        )
        early = EarlyResponseDependencies(
            legs=lambda moment: replace(legs, ask=partial(self._ask, owner, frozen, moment)),
            sets=Sets(self),
            complete_later=self._queued,
            now=clock.time,
        )
        return SearchDependencies(
            legs=legs,
            result_sets=Sets(self),
            publish=lambda papers, context: {"queued": 0, "skipped": len(papers)},
            observe=lambda answers: None,
            disciplines=dict.fromkeys(self.sources, ("any",)),
            look_up=_no_lookup,
            monotonic=clock.monotonic,
            request_id=owner,
            reranker=self.reranker,
            early_responses=early if pending else None,
        )

    def _queued(self, result_set_id: str) -> bool:
        if self.queued:
            self.queue.append(result_set_id)
        return self.queued

    def _ask(
        self, owner: str, frozen: list[bool], stored_after: float | None, leg: Leg, seconds: float
    ) -> ProviderReply:
        """Invoke the provider's function, which outlives the one that invokes it."""
        self.asked.append(leg.provider)
        function: Future[ProviderReply] = self.clock._begin(
            partial(self._provider, owner, stored_after, leg, seconds), self.clock.monotonic(), float("inf")
        )
        self.clock.wait([function], seconds)
        if frozen[0]:
            raise Vanished
        return function.result() if function.done() and not function.exception() else _late(leg)

    def _provider(self, owner: str, stored_after: float | None, leg: Leg, seconds: float) -> ProviderReply:
        source = self.sources[leg.provider]
        self.clock.sleep(min(source.seconds, seconds))
        if source.dies:
            raise Vanished
        reply = self._source(leg) if source.seconds <= seconds else _late(leg)
        if stored_after is not None and self.clock.time() >= stored_after - MARGIN_S:
            cache = Cache(self, owner)
            if reply.outcome.answered:
                cache.store(leg, reply)
            else:
                cache.release(leg, reply)
        return reply

    def _source(self, leg: Leg) -> ProviderReply:
        source, name = self.sources[leg.provider], leg.provider
        if source.outcome is not Outcome.OK:
            reply = failed(name, name, source.outcome, "as the test wants it")
            return replace(reply, total_estimate=0 if source.admits_nothing else None)
        papers = tuple(paper(name, number, rank) for rank, number in enumerate(source.finds, 1))
        return ProviderReply(provider=name, family=name, outcome=Outcome.OK, papers=papers)


def _late(leg: Leg) -> ProviderReply:
    return failed(leg.provider, leg.provider, Outcome.TIMEOUT, "too late")


def _no_lookup(names: Sequence[str], deadline: Deadline, **how: Any) -> list[Any]:
    del names, deadline, how
    return []


class Cache(MemoryLegCache):
    """The cache of legs, which is empty and grants every lease while the table is down."""

    def __init__(self, service: Service, owner: str) -> None:
        super().__init__(service.legs, owner)
        self._service = service

    def read(self, legs: Sequence[Leg], *, fresh: bool) -> list[LegEntry]:
        return [LegEntry() for _ in legs] if self._service.unreachable() else super().read(legs, fresh=fresh)

    def read_metadata(self, legs: Sequence[Leg]) -> list[LegEntry]:
        return [LegEntry() for _ in legs] if self._service.unreachable() else super().read_metadata(legs)

    def lease(self, leg: Leg, seen: LegEntry) -> bool:
        return self._service.unreachable() or super().lease(leg, seen)

    def store(self, leg: Leg, reply: ProviderReply) -> None:
        if not self._service.unreachable():
            super().store(leg, reply)


@dataclass
class Sets:
    """The store of result sets, as JSON, with the conditions of DynamoDB's."""

    service: Service

    def get(self, result_set_id: str) -> Any:
        if self.service.unreachable():
            raise StorageUnavailable("down")
        return self._read(result_set_id)

    def find_by_request(self, request_key: str) -> Any:
        found = self.service.by_request.get(request_key)
        return self._read(found) if found and not self.service.unreachable() else None

    def put(self, result_set: Any, request_key: str | None, fresh_s: float) -> bool:
        if self.service.unreachable():
            return False
        self._write(result_set)
        if request_key and fresh_s >= 1:
            self.service.by_request[request_key] = result_set["result_set_id"]
        return True

    def begin(self, result_set: Any) -> Any:
        if self.service.unreachable():
            return None
        there = self._read(result_set["result_set_id"])
        if there is None:
            self._write(result_set)
            there = self._read(result_set["result_set_id"]) if self.service.writes_twice else None
        return there or result_set

    def finish(self, result_set: Any) -> bool:
        there = self.get(result_set["result_set_id"])
        if there is None or "pending" not in there:
            return False
        self._write(result_set)
        return True

    def _write(self, result_set: Any) -> None:
        self.service.stored[result_set["result_set_id"]] = (json.dumps(result_set), self.service.clock.time())

    def _read(self, result_set_id: str) -> Any:
        found = self.service.stored.get(result_set_id)
        return ended(json.loads(found[0]), self.service.clock.time()) if found else None
