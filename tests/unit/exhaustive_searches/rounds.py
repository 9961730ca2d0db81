"""The rounds of an exhaustive search, in memory: its sources answer as a test says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from shared.exhaustive_searches.progress import EXHAUSTIVE_JOBS, ExhaustiveSearch, SearchProgress, Source
from shared.exhaustive_searches.request import read_exhaustive, stored_request
from shared.exhaustive_searches.steps import StepDependencies, read_round, start
from shared.jobs.job import Job
from shared.legs.leg import LegDependencies
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from tests.benchmarks.mutate_path import _Cache, _Threads

NAMES: Mapping[str, Sequence[str]] = {
    "crossref": ("humanities",),
    "pubmed": ("biomedical",),
    "semantic_scholar": (),
}


@dataclass
class Store:
    """Jobs in memory: their parts, and the progress that was stored last."""

    stored: dict[str, bytes] = field(default_factory=dict)
    accepts: bool = True

    def put(self, job: ExhaustiveSearch, part: str, data: bytes) -> None:
        self.stored[f"{job.id} {part}"] = data

    def parts(self, job: ExhaustiveSearch, names: Sequence[str]) -> list[bytes]:
        return [self.stored[f"{job.id} {name}"] for name in names]

    def document(self, job: ExhaustiveSearch) -> bytes:
        return self.stored[f"{job.id} document"]

    def change(self, job: ExhaustiveSearch, progress: SearchProgress) -> bool:
        assert EXHAUSTIVE_JOBS.read(EXHAUSTIVE_JOBS.written(progress)) == progress
        return self.accepts


def search_of(*providers: str, **terms: Any) -> ExhaustiveSearch:
    request = read_exhaustive({"query": "microglia", "providers": list(providers), **terms}, NAMES)
    progress = start(request, NAMES)
    return Job(
        id="1", owner="o", request=stored_request(request), outline="", created_at=0, updated_at=0, progress=progress
    )


def round_of(search: ExhaustiveSearch, reply: Any, at: float = 0.0, store: Store | None = None) -> ExhaustiveSearch:
    after = stored_round(search, reply, at, store or Store())
    assert after
    return after


def stored_round(search: ExhaustiveSearch, reply: Any, at: float, store: Store) -> ExhaustiveSearch | None:
    legs = LegDependencies(
        cache=_Cache(), threads=_Threads(), ask=lambda leg, _: reply(leg), refusals=lambda _: {},
        monotonic=lambda: 0.0, jitter=lambda: 0.0,
    )  # fmt: skip
    dependencies = StepDependencies(
        legs=legs, listing=NAMES, tracks_integrity=(), observe=lambda _: None,
        monotonic=lambda: 0.0, now=lambda: datetime.fromtimestamp(at, UTC),
    )  # fmt: skip
    return read_round(search, store, dependencies)


def ended(outcome: Outcome, **fields: Any) -> Any:
    return lambda leg: ProviderReply(provider=leg.provider, family=leg.provider, outcome=outcome, **fields)


def only(search: ExhaustiveSearch) -> Source:
    (source,) = search.progress.sources
    return source
