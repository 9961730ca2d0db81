"""In-memory providers with some papers, in virtual time; they record the queries that each receives."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, TypeVar

from shared.answers.search import Queued
from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Author, Paper, Pointer
from shared.bibliography.paper_ids import id_texts
from shared.clock import Deadline
from shared.legs.leg import Leg, LegAnswer, LegDependencies
from shared.outcomes import Outcome
from shared.papers.dependencies import PaperDependencies
from shared.papers.lookup import LookupResult, look_up
from shared.providers.capabilities import ProviderCapabilities
from shared.providers.provider import ProviderReply
from shared.query.question import Links, Lookup, Similar
from tests.unit.legs.leg_dependencies import Shared, failing
from tests.virtual_time import Clock, Task

T = TypeVar("T")
SEARCH: dict[str, tuple[str, ...]] = {
    "search": ()
}  # supported by all providers that index papers, not only open-access copies
BY_ANY = ("s2", "doi", "pmid", "pmcid", "arxiv", "corpus")
CAPABILITIES = {
    "arxiv": ProviderCapabilities(operations={**SEARCH, "lookup": ("arxiv",)}),
    "crossref": ProviderCapabilities(
        operations={**SEARCH, "lookup": ("doi",), "references": ("doi",)}, tracks_integrity=True
    ),
    "europe_pmc": ProviderCapabilities(
        operations={**SEARCH, "lookup": ("pmid", "pmcid", "doi"), "references": ("pmid",)}
    ),
    "openalex": ProviderCapabilities(
        operations={**SEARCH, "lookup": ("doi", "openalex", "pmid"), "citations": ("openalex",)}
    ),
    "pubmed": ProviderCapabilities(operations={**SEARCH, "lookup": ("pmid",)}),
    "semantic_scholar": ProviderCapabilities(
        operations={**SEARCH, "lookup": BY_ANY, "references": BY_ANY}, translates=True
    ),
    "unpaywall": ProviderCapabilities(operations={"lookup": ("doi",)}, lookup_names=2),
}


@dataclass(frozen=True, slots=True)
class Query:
    """A query that a provider received."""

    provider: str
    operation: str
    names: tuple[str, ...]
    at: float


def paper(provider: str, title: str = "A paper that many sources hold", rank: int = 1, **ids: Any) -> Paper:
    """A record; `names=("corpus:5",)` are further names under which its provider has it."""
    answers, authors = ids.pop("names", ()), ids.pop("authors", ("Adams",))
    given = {
        name: ids.pop(name) for name in ("year", "citation_count", "publication_date", "retraction") if name in ids
    }
    return Paper(
        provider=provider,
        rank=rank,
        title=title,
        ids=Identifiers(**ids),
        authors=tuple(Author(family=name) for name in authors),
        asked=tuple(answers),
        **{"year": 2019, **given},
    )


class MemoryResultSets:
    """`shared.search.run.ResultSets` in a dictionary; `fresh_s` of each list that was stored."""

    def __init__(self) -> None:
        self.stored: dict[str, Any] = {}
        self.fresh_s: list[float] = []
        self.unavailable = False

    def get(self, result_set_id: str) -> Any:
        return self.stored.get(result_set_id)

    def find_by_request(self, request_key: str) -> Any:
        return self.stored.get(request_key)

    def put(self, result_set: Mapping[str, Any], request_key: str | None, fresh_s: float) -> bool:
        if not self.unavailable:
            self.stored[result_set["result_set_id"]] = dict(result_set)
            self.fresh_s.append(fresh_s)
            if request_key and fresh_s >= 1:
                self.stored[request_key] = dict(result_set)
        return not self.unavailable


@dataclass
class Sources:
    """All providers. `needs_s`: seconds that a provider takes, half a second by default; `broken`: the outcome of a
    failing provider, for all queries (`"pubmed"`) or for those that begin with a name (`"pubmed pmid:7"`).
    """

    records: Sequence[Paper] = ()
    lists: Mapping[str, Sequence[Paper | Pointer]] = field(default_factory=dict)
    needs_s: Mapping[str, float] = field(default_factory=dict)
    broken: Mapping[str, Outcome] = field(default_factory=dict)
    silent_on: Mapping[str, str] = field(default_factory=dict)  # provider -> a name of several that gets no answer
    capabilities: Mapping[str, ProviderCapabilities] = field(default_factory=lambda: CAPABILITIES)
    clock: Clock = field(default_factory=Clock)
    queries: list[Query] = field(default_factory=list)
    published: list[Mapping[str, Any]] = field(default_factory=list)
    observed: list[LegAnswer] = field(default_factory=list)
    result_sets: MemoryResultSets = field(default_factory=MemoryResultSets)
    cites: Mapping[str, Sequence[str]] | None = field(default_factory=dict)  # the graph; None: it cannot be read
    scores: Mapping[str, Sequence[float]] = field(default_factory=dict)
    _numbers: count[int] = field(default_factory=count)

    def __post_init__(self) -> None:
        self._shared = Shared(self.clock, self._answer)

    def run(self, work: Callable[[PaperDependencies], T]) -> T:
        """The result of a request."""
        dependencies = self._dependencies()
        (end,) = self.clock.run([Task(work=lambda: work(dependencies), at=self.clock.monotonic())])
        return end.result()  # type: ignore[no-any-return]

    def look_up(self, *names: str, timeout_ms: int = 20_000, **how: Any) -> LookupResult:
        return self.run(
            lambda dependencies: look_up(
                names, dependencies, Deadline(self.clock.monotonic, timeout_ms=timeout_ms), **how
            )
        )

    def pass_time(self, seconds: float) -> None:
        """Let time pass without a request."""
        self.clock.run([Task(work=lambda: None, at=self.clock.monotonic() + seconds)])

    def queried_names(self, provider: str) -> list[tuple[str, ...]]:
        """The names in each query to a provider."""
        return [it.names for it in self.queries if it.provider == provider]

    def _dependencies(self) -> PaperDependencies:
        legs = LegDependencies(
            cache=self._shared.cache(f"request {next(self._numbers)}"),
            threads=self.clock,
            ask=self._answer,
            refusals=lambda names: {},
            monotonic=self.clock.monotonic,
            jitter=self.clock.jitter,
        )
        return PaperDependencies(
            legs=legs,
            capabilities=self.capabilities,
            result_sets=self.result_sets,
            known=lambda names: {},
            publish=self._publish,
            observe=self.observed.extend,
            monotonic=self.clock.monotonic,
            now=lambda: "2026-11-21T00:00:00Z",
            graph_edges=self._edges,
            request_id="request",
        )

    def _edges(self, direction: str, name: str) -> Sequence[str] | None:
        if self.cites is None:
            return None
        self.clock.sleep(self.needs_s.get("graph", 0.0))
        return self.cites.get(name, ()) if direction == "cites" else [it for it in self.cites if name in self.cites[it]]

    def _publish(self, results: Sequence[Mapping[str, Any]], context: Mapping[str, str] | None) -> Queued:
        self.published += results
        return {"queued": len(results), "skipped": 0}

    def _answer(self, leg: Leg, seconds: float) -> ProviderReply:
        names = (
            leg.question.names if isinstance(leg.question, Lookup | Similar) else (getattr(leg.question, "name", ""),)
        )
        self.queries.append(Query(leg.provider, leg.question.operation, names, self.clock.monotonic()))
        needed = self.needs_s.get(leg.provider, 0.5)
        self.clock.sleep(min(needed, seconds))
        if needed > seconds:
            return failing(leg, Outcome.TIMEOUT)
        how = self.broken.get(leg.provider) or self.broken.get(f"{leg.provider} {names[0]}")
        if how:
            return failing(leg, how)
        is_list = isinstance(leg.question, Links | Similar)
        listed = self.lists.get(leg.provider, ()) if is_list else self._found(leg.provider, names)
        papers = [it for it in listed if isinstance(it, Paper)]
        pointers = tuple(it for it in listed if isinstance(it, Pointer))
        return ProviderReply(
            provider=leg.provider,
            family=leg.provider,
            outcome=Outcome.OK if papers or pointers else Outcome.EMPTY,
            papers=tuple(papers),
            pointers=pointers,
            total_estimate=len(papers) + len(pointers),
            scores=tuple(self.scores.get(leg.provider, ())) if isinstance(leg.question, Similar) else (),
            not_queried=tuple(at for at, name in enumerate(names) if name == self.silent_on.get(leg.provider)),
        )

    def _found(self, provider: str, names: Sequence[str]) -> list[Paper]:
        held = [it for it in self.records if it.provider == provider]
        named = [(it, tuple(name for name in names if name in {*it.asked, *id_texts(it.ids)})) for it in held]
        return [replace(it, rank=rank, asked=own) for rank, (it, own) in enumerate(named, start=1) if own]
