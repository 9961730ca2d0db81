"""The way of a full text, and of the pages of an exhaustive search, through production, in memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from infra.functions import provider_names
from shared.errors import Unprocessable
from shared.exhaustive_searches.answer import search_answer
from shared.exhaustive_searches.flow_picture import flow_svg
from shared.exhaustive_searches.merging import merge_all, papers_of
from shared.exhaustive_searches.progress import EXHAUSTIVE_JOBS, ExhaustiveSearch, SearchProgress
from shared.exhaustive_searches.report import search_report
from shared.exhaustive_searches.request import ExhaustiveSearchPage, read_exhaustive, stored_request
from shared.exhaustive_searches.steps import StepDependencies, read_round, start
from shared.exports.full_text_markdown import full_text_markdown
from shared.jobs.job import Job
from shared.legs.leg import LegDependencies
from shared.papers.dependencies import PaperDependencies
from shared.papers.texts.answer import full_text_answer
from shared.papers.texts.full_text import find_full_text
from shared.papers.texts.request import FullTextRequest
from shared.validation import validated

Check = Callable[[str, Any, str], None]  # path, answer, method
Export = Callable[[Sequence[Any]], None]
BUDGETS = (None, "400", "2000")
MAX_RECORDS, MOST_ROUNDS = 30, 40
SEEN_AT = datetime(2026, 11, 20, 12, tzinfo=UTC)


class Endless(Exception):
    """A search is still not at its end after far more rounds than it has records to read."""


@dataclass(slots=True)
class StoreInMemory:
    """The parts of one job, and its progress as it is stored."""

    stored: dict[str, bytes] = field(default_factory=dict)

    def put(self, job: ExhaustiveSearch, part: str, data: bytes) -> None:
        self.stored[part] = data

    def parts(self, job: ExhaustiveSearch, names: Sequence[str]) -> list[bytes]:
        return [self.stored[name] for name in names]

    def document(self, job: ExhaustiveSearch) -> bytes:
        raise NotImplementedError

    def change(self, job: ExhaustiveSearch, progress: SearchProgress) -> bool:
        assert EXHAUSTIVE_JOBS.read(EXHAUSTIVE_JOBS.written(progress)) == progress
        return True


def read_text(name: str, dependencies: PaperDependencies, check: Check) -> None:
    """The text in each form in which a caller can have it."""
    forms: list[dict[str, Any]] = [{"outline": "true"}, *({"max_tokens": it} if it else {} for it in BUDGETS)]
    for form in forms:
        request = validated(FullTextRequest, {**form, "id": name})
        found = find_full_text(request, dependencies)
        try:
            answer = full_text_answer(found, request, "r", 0)
        except Unprocessable:  # no paragraph fits into so few tokens
            assert "max_tokens" in form
            continue
        check(f"/v1/papers/{name}/fulltext", answer, "GET")
        full_text_markdown(answer).encode()


def read_to_the_end(
    providers: Sequence[str], terms: Mapping[str, Any], legs: LegDependencies, check: Check, export: Export
) -> None:
    """Every page of the providers, the merged papers, and all that is shown of them."""
    names: dict[str, Sequence[str]] = dict.fromkeys(provider_names(), ())
    asked = {"query": "microglia", "providers": list(providers), "max_records": MAX_RECORDS}
    request = read_exhaustive({**asked, **terms}, names)
    search: ExhaustiveSearch = Job(
        id="0" * 32, owner="o", request=stored_request(request), outline="", created_at=0, updated_at=0,
        progress=start(request, names),
    )  # fmt: skip
    store, moment = StoreInMemory(), SEEN_AT.timestamp()
    for _ in range(MOST_ROUNDS):
        if search.progress.all_read:
            break
        moment += 1_000
        search = _next(read_round(search, store, _step(providers, legs, datetime.fromtimestamp(moment, UTC))))
    else:
        raise Endless(f"{search.progress.records} records after {MOST_ROUNDS} rounds")
    search = _next(merge_all(search, store, ()))
    papers = papers_of(search, store, 0, 100)
    for detail in ("compact", "full"):
        page = validated(ExhaustiveSearchPage, {"max_results": 100, "detail": detail})
        check(f"/v1/exhaustive-searches/{search.id}", search_answer(search, page, papers, "r"), "GET")
    search_report(search).encode()
    flow_svg(search).encode()
    export(papers)


def _next(search: ExhaustiveSearch | None) -> ExhaustiveSearch:
    assert search, "no other worker changes the job"
    return search


def _step(listing: Sequence[str], legs: LegDependencies, now: datetime) -> StepDependencies:
    return StepDependencies(
        legs=legs, listing=listing, tracks_integrity=(), observe=lambda _: None, monotonic=lambda: 0.0,
        now=lambda: now,
    )  # fmt: skip
