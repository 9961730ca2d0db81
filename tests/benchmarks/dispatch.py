"""What the dispatcher adds to the slowest leg, and how soon it answers what needs no leg, beside an empty fan-out.

Two machines: one whose tables are in memory, so that only the dispatcher's own work is seen; and one whose tables are
moto's, in the same process, where moto's own work (some milliseconds a request) is part of every figure.
"""

from __future__ import annotations

import json
import random
import statistics
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from infra.functions import searched_by_default
from infra.local.gateway import rest_event
from infra.local.machine import Machine, machine
from infra.local.sandbox.server import Sandbox
from shared.aws.lambda_functions.provider_fan_out import LegThreads
from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Author, Paper
from shared.legs.leg import Leg, LegDependencies, LegEntry
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from shared.search.requests.search_request import read_request
from shared.search.run import SearchDependencies, run_search
from tests.unit.legs.leg_dependencies import text_of

LEG_S = 0.2
SEARCHES = 15
PAPERS_A_LEG = 10


class NoCache:
    """Finds nothing and stores nothing."""

    def read(self, legs: Sequence[Leg], *, fresh: bool) -> list[LegEntry]:
        return [LegEntry() for _ in legs]

    def read_metadata(self, legs: Sequence[Leg]) -> list[LegEntry]:
        return [LegEntry() for _ in legs]

    def lease(self, leg: Leg, seen: LegEntry) -> bool:
        return True

    def renew(self, legs: Sequence[Leg], seconds: float = 0.0) -> None: ...

    def store(self, leg: Leg, reply: ProviderReply) -> None: ...

    def release(self, leg: Leg, failure: ProviderReply | None) -> None: ...


class NoResultSets:
    """Finds nothing and stores nothing."""

    def get(self, result_set_id: str) -> None: ...

    def find_by_request(self, request_key: str) -> None: ...

    def put(self, result_set: Any, request_key: str | None, fresh_s: float) -> bool:
        return True


def ask(leg: Leg, seconds: float) -> ProviderReply:
    """A leg that takes exactly its time."""
    time.sleep(LEG_S)
    return _reply(leg)


def _reply(leg: Leg) -> ProviderReply:
    papers = tuple(
        Paper(
            provider=leg.provider,
            rank=rank,
            title=f"A paper on {text_of(leg)} and the matter numbered {rank}",
            ids=Identifiers(doi=f"10.1000/{rank}"),
            authors=(Author("Author", "A"),),
            year=2000 + rank,
        )
        for rank in range(1, PAPERS_A_LEG + 1)
    )
    return ProviderReply(provider=leg.provider, family=leg.provider, outcome=Outcome.OK, papers=papers)


def _in_memory() -> SearchDependencies:
    legs = LegDependencies(
        cache=NoCache(),
        threads=LegThreads(len(searched_by_default())),
        ask=ask,
        refusals=lambda _: {},
        monotonic=time.monotonic,
        jitter=random.random,
    )
    return SearchDependencies(
        look_up=lambda *_, **__: (),
        legs=legs,
        result_sets=NoResultSets(),
        publish=lambda results, _: {"queued": len(results), "skipped": 0},
        observe=lambda _: None,
        disciplines=dict.fromkeys(searched_by_default(), ("any",)),
        monotonic=time.monotonic,
        request_id="r",
    )


def _median_ms(work: Callable[[int], object]) -> float:
    spent = []
    for number in range(SEARCHES):
        started = time.perf_counter()
        work(number)
        spent.append((time.perf_counter() - started) * 1000)
    return statistics.median(spent)


def _post(local: Machine, **fields: Any) -> int:
    body = json.dumps({"cite_in_kg": False, **fields})
    return int(local.invoke("dispatcher", rest_event("POST", "/v1/literature-search", body=body))["statusCode"])


def report() -> None:
    """Print the figures."""
    names = searched_by_default()
    with ThreadPoolExecutor(len(names)) as pool:
        empty = _median_ms(lambda _: list(pool.map(time.sleep, [LEG_S] * len(names)))) - LEG_S * 1000
    dependencies = _in_memory()
    nothing = replace(dependencies, legs=replace(dependencies.legs, ask=lambda leg, _: _reply(leg)))
    search = _median_ms(lambda number: run_search(_request(number, names), dependencies)) - LEG_S * 1000
    at_once = _median_ms(lambda number: run_search(_request(number, names), nothing))
    figures = {"an empty fan-out of seven": empty, "a miss in memory, over its slowest leg": search}
    figures["the same with legs that take no time (merging, ranking, paging)"] = at_once
    with machine(sandbox=Sandbox(faults={})) as local:
        _post(local, query="TREM2 microglia")
        figures["a full hit, tables in moto"] = _median_ms(lambda _: _post(local, query="TREM2 microglia"))
        assert local.sandbox is not None
        local.sandbox.faults["crossref"] = {"status": 401}
        _post(local, query="first", providers="crossref")
        status = _median_ms(lambda number: _post(local, query=f"open {number}", providers="crossref"))
        figures["a search whose only circuit is open, tables in moto"] = status
    print("\n| what | median ms | over an empty fan-out |\n|---|---|---|")
    for name, ms in figures.items():
        print(f"| {name} | {ms:.1f} | {ms / empty:.1f} |", flush=True)


def _request(number: int, names: Sequence[str]) -> Any:
    return read_request({"query": f"question {number}"}, names, ())


if __name__ == "__main__":
    report()
