"""A small literature in memory with the providers that index it, for networks built in virtual time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from shared.answers.search import Queued
from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Paper, Pointer
from shared.bibliography.paper_ids import value_of
from shared.legs.leg import Leg, LegDependencies
from shared.networks.build import BuiltNetwork, build_network
from shared.outcomes import Outcome
from shared.papers.dependencies import PaperDependencies
from shared.papers.request import NetworkRequest
from shared.providers.capabilities import ProviderCapabilities
from shared.providers.provider import ProviderReply
from shared.query.question import Links, Lookup
from tests.unit.legs.leg_dependencies import Shared, failing
from tests.virtual_time import Clock, Task

OPERATIONS = {"lookup": ("doi",), "references": ("doi",), "citations": ("doi",)}
QUICK = ProviderCapabilities(operations=OPERATIONS, requests_per_second=10.0)
SLOW = ProviderCapabilities(operations=OPERATIONS, requests_per_second=1.0)


def record(name: str, **fields: Any) -> Paper:
    """Paper x of `doi:10.1000/x`."""
    ids = Identifiers(doi=value_of(name))
    return Paper(**{"provider": "", "rank": 1, "title": f"What {name} is about", "ids": ids, "year": 2020, **fields})


@dataclass
class Literature:
    """Who cites whom, `{"a": "bc"}`: a cites b and c, each `doi:10.1000/…`; lists only point at those of `bare`."""

    cites: Mapping[str, Sequence[str]]
    capabilities: Mapping[str, ProviderCapabilities] = field(default_factory=lambda: {"quick": QUICK})
    takes_s: Mapping[str, float] = field(default_factory=dict)
    down_for: Sequence[str] = ()  # lookups of these names fail
    bare: Sequence[str] = ()
    extra: Mapping[str, Sequence[Paper]] = field(default_factory=dict)  # more in a paper's list of references
    records: Mapping[str, Paper] = field(default_factory=dict)
    legs: list[tuple[Leg, float]] = field(default_factory=list)
    clock: Clock = field(default_factory=Clock)  # of the network built last
    published: list[Mapping[str, Any]] = field(default_factory=list)

    def build(self, *seeds: str, **fields: Any) -> BuiltNetwork:
        """The network of these papers. Raises what `build_network` raises."""
        request = NetworkRequest(seeds=tuple(seed if ":" in seed else f"10.1000/{seed}" for seed in seeds), **fields)
        clock = self.clock = Clock()
        dependencies = self._dependencies(Shared(clock, lambda leg, left: self._answer(leg, left, clock)), clock)
        (end,) = clock.run([Task(work=lambda: build_network(request, dependencies))])
        built: BuiltNetwork = end.result()
        return built

    def _dependencies(self, shared: Shared, clock: Clock) -> PaperDependencies:
        def publish(papers: Sequence[Mapping[str, Any]], context: Any) -> Queued:
            self.published += papers
            return {"queued": len(papers), "skipped": 0}

        legs = LegDependencies(
            cache=shared.cache("network"), threads=clock, refusals=lambda names: {}, monotonic=clock.monotonic,
            jitter=clock.jitter, ask=lambda leg, left: self._answer(leg, left, clock),
        )  # fmt: skip
        return PaperDependencies(
            legs=legs, capabilities=self.capabilities, result_sets=None, known=lambda names: {},  # type: ignore[arg-type]
            publish=publish, observe=lambda answers: None, monotonic=clock.monotonic,
            now=lambda: clock.now().strftime("%Y-%m-%dT%H:%M:%SZ"),
        )  # fmt: skip

    def _answer(self, leg: Leg, seconds: float, clock: Clock) -> ProviderReply:
        self.legs.append((leg, seconds))
        takes = self.takes_s.get(leg.provider, 0.1)
        clock.sleep(min(takes, seconds))
        if takes > seconds:
            return failing(leg, Outcome.TIMEOUT)
        if isinstance(leg.question, Lookup):
            if set(leg.question.names) & {f"doi:10.1000/{name}" for name in self.down_for}:
                return failing(leg, Outcome.UNAVAILABLE)
            return self._reply(leg, [replace(self._record(it), asked=(it,)) for it in leg.question.names if it in self])
        assert isinstance(leg.question, Links)
        own = leg.question.name.rpartition("/")[2]
        if leg.question.operation == "references":
            return self._reply(leg, self._listed(self.cites.get(own, ())), self.extra.get(own, ()))
        return self._reply(leg, self._listed([one for one, cited in self.cites.items() if own in cited]))

    def __contains__(self, name: str) -> bool:
        own = name.rpartition("/")[2]
        return own in self.cites or any(own in cited for cited in self.cites.values())

    def _record(self, name: str) -> Paper:
        return self.records.get(name.rpartition("/")[2]) or record(name)

    def _listed(self, names: Sequence[str]) -> list[Paper | Pointer]:
        return [
            Pointer(rank, Identifiers(doi=f"10.1000/{name}"))
            if name in self.bare
            else self._record(f"doi:10.1000/{name}")
            for rank, name in enumerate(names, start=1)
        ]

    def _reply(self, leg: Leg, listed: Sequence[Paper | Pointer], extra: Sequence[Paper] = ()) -> ProviderReply:
        papers = [it for it in (*listed, *extra) if isinstance(it, Paper)]
        pointers = tuple(it for it in listed if isinstance(it, Pointer))
        return ProviderReply(
            provider=leg.provider, family=leg.provider, outcome=Outcome.OK if papers or pointers else Outcome.EMPTY,
            papers=tuple(replace(it, provider=leg.provider, rank=rank) for rank, it in enumerate(papers, start=1)),
            pointers=pointers, warnings=() if listed else (f"nothing is known about {leg.question}",),
        )  # fmt: skip
