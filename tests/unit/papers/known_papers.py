"""Providers that know some papers, in memory and in virtual time: what each was asked, when, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, TypeVar

from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Author, Paper, Pointer
from shared.bibliography.paper_ids import id_texts
from shared.clock import Deadline
from shared.errors import Outcome
from shared.legs.leg import Leg, LegAnswer, LegWorld
from shared.papers.dependencies import PapersWorld
from shared.papers.lookup import LookedUp, look_up
from shared.providers.capabilities import Ability
from shared.providers.provider import ProviderReply
from shared.query.question import Links, Lookup
from tests.unit.legs.leg_world import Shared, failing
from tests.virtual_time import Clock, Task

T = TypeVar("T")
SEARCH: dict[str, tuple[str, ...]] = {"search": ()}  # what all offer that hold papers, not only copies
BY_ANY = ("s2", "doi", "pmid", "pmcid", "arxiv", "corpus")
ABILITIES = {
    "arxiv": Ability(operations={**SEARCH, "lookup": ("arxiv",)}),
    "crossref": Ability(operations={**SEARCH, "lookup": ("doi",), "references": ("doi",)}, tracks_integrity=True),
    "europe_pmc": Ability(operations={**SEARCH, "lookup": ("pmid", "pmcid", "doi"), "references": ("pmid",)}),
    "openalex": Ability(operations={**SEARCH, "lookup": ("doi", "openalex", "pmid"), "citations": ("openalex",)}),
    "pubmed": Ability(operations={**SEARCH, "lookup": ("pmid",)}),
    "semantic_scholar": Ability(operations={**SEARCH, "lookup": BY_ANY, "references": BY_ANY}, translates=True),
    "unpaywall": Ability(operations={"lookup": ("doi",)}, lookup_names=2),
}


@dataclass(frozen=True, slots=True)
class Asked:
    """One question that reached a provider; `names` are those asked for."""

    provider: str
    operation: str
    names: tuple[str, ...]
    at: float


def paper(provider: str, title: str = "A paper that many sources hold", rank: int = 1, **ids: Any) -> Paper:
    """A record; `names=("corpus:5",)` are other names that its provider knows it by."""
    answers, authors = ids.pop("names", ()), ids.pop("authors", ("Adams",))
    told = {name: ids.pop(name) for name in ("year", "citation_count", "publication_date", "retraction") if name in ids}
    return Paper(
        provider=provider,
        rank=rank,
        title=title,
        ids=Identifiers(**ids),
        authors=tuple(Author(family=name) for name in authors),
        asked=tuple(answers),
        **{"year": 2019, **told},
    )


class MemoryResultSets:
    """`shared.search.run.ResultSets` in a dictionary; `fresh_s` of each list that was kept."""

    def __init__(self) -> None:
        self.kept: dict[str, Any] = {}
        self.fresh_s: list[float] = []
        self.away = False

    def get(self, result_set_id: str) -> dict[str, Any] | None:
        return self.kept.get(result_set_id)

    def of_request(self, request_key: str) -> dict[str, Any] | None:
        return self.kept.get(request_key)

    def put(self, result_set: Mapping[str, Any], request_key: str | None, fresh_s: float) -> bool:
        if not self.away:
            self.kept[result_set["result_set_id"]] = dict(result_set)
            self.fresh_s.append(fresh_s)
            if request_key and fresh_s >= 1:
                self.kept[request_key] = dict(result_set)
        return not self.away


@dataclass
class Sources:
    """All providers. `needs_s` is what each takes, half a second unless said; `broken` says who fails and how,
    always (`"pubmed"`) or when asked for this first (`"pubmed pmid:7"`).
    """

    records: Sequence[Paper] = ()
    lists: Mapping[str, Sequence[Paper | Pointer]] = field(default_factory=dict)
    needs_s: Mapping[str, float] = field(default_factory=dict)
    broken: Mapping[str, Outcome] = field(default_factory=dict)
    abilities: Mapping[str, Ability] = field(default_factory=lambda: ABILITIES)
    clock: Clock = field(default_factory=Clock)
    asked: list[Asked] = field(default_factory=list)
    published: list[Mapping[str, Any]] = field(default_factory=list)
    observed: list[LegAnswer] = field(default_factory=list)
    result_sets: MemoryResultSets = field(default_factory=MemoryResultSets)
    _numbers: count[int] = field(default_factory=count)

    def __post_init__(self) -> None:
        self._shared = Shared(self.clock, self._answer)

    def run(self, work: Callable[[PapersWorld], T]) -> T:
        """What a request comes to."""
        world = self._world()
        (end,) = self.clock.run([Task(work=lambda: work(world), at=self.clock.monotonic())])
        return end.result()  # type: ignore[no-any-return]

    def look_up(self, *names: str, timeout_ms: int = 20_000, **how: Any) -> LookedUp:
        return self.run(
            lambda world: look_up(names, world, Deadline(self.clock.monotonic, timeout_ms=timeout_ms), **how)
        )

    def pass_time(self, seconds: float) -> None:
        """Nobody asks anything meanwhile."""
        self.clock.run([Task(work=lambda: None, at=self.clock.monotonic() + seconds)])

    def names_asked(self, provider: str) -> list[tuple[str, ...]]:
        """The names in each question to a provider."""
        return [it.names for it in self.asked if it.provider == provider]

    def _world(self) -> PapersWorld:
        legs = LegWorld(
            cache=self._shared.cache(f"request {next(self._numbers)}"),
            threads=self.clock,
            ask=self._answer,
            blocked=lambda names: {},
            monotonic=self.clock.monotonic,
            jitter=self.clock.jitter,
        )
        return PapersWorld(
            legs=legs,
            abilities=self.abilities,
            result_sets=self.result_sets,
            known=lambda names: {},
            publish=self._publish,
            observe=self.observed.extend,
            monotonic=self.clock.monotonic,
            now=lambda: "2026-11-21T00:00:00Z",
            request_id="request",
        )

    def _publish(self, results: Sequence[Mapping[str, Any]], context: Mapping[str, str] | None) -> dict[str, int]:
        self.published += results
        return {"queued": len(results), "skipped": 0}

    def _answer(self, leg: Leg, seconds: float) -> ProviderReply:
        names = leg.question.names if isinstance(leg.question, Lookup) else (getattr(leg.question, "name", ""),)
        self.asked.append(Asked(leg.provider, leg.question.operation, names, self.clock.monotonic()))
        needed = self.needs_s.get(leg.provider, 0.5)
        self.clock.sleep(min(needed, seconds))
        if needed > seconds:
            return failing(leg, Outcome.TIMEOUT)
        how = self.broken.get(leg.provider) or self.broken.get(f"{leg.provider} {names[0]}")
        if how:
            return failing(leg, how)
        is_list = isinstance(leg.question, Links)
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
        )

    def _found(self, provider: str, names: Sequence[str]) -> list[Paper]:
        held = [it for it in self.records if it.provider == provider]
        told = [(it, tuple(name for name in names if name in {*it.asked, *id_texts(it.ids)})) for it in held]
        return [replace(it, rank=rank, asked=own) for rank, (it, own) in enumerate(told, start=1) if own]
