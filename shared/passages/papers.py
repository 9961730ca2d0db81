"""The papers in whose texts passages are looked for: of a result set, by id, or the first that a search finds."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from shared.bibliography.paper_ids import read_id
from shared.clock import Deadline
from shared.errors import AllProvidersFailed
from shared.outcomes import Outcome
from shared.papers.dependencies import PaperDependencies
from shared.papers.no_id import no_id
from shared.papers.papers import get_papers, unanswered_hints
from shared.papers.request import PapersRequest
from shared.papers.texts.sources import PaperCopies, candidates, copies_of_stored
from shared.passages.request import MAX_PAPERS, PassagesRequest
from shared.search.filtering.facets import papers_of
from shared.search.requests.search_request import SearchRequest
from shared.search.result_sets.store import existing, reused
from shared.validation import validated

if TYPE_CHECKING:
    from shared.answers.papers import PapersAnswer
    from shared.answers.passages import UnreadId
    from shared.answers.search import Hint, LegSummary, SearchAnswer, StoredPaper

# The share of the time for the papers; the rest is for their texts.
PAPERS_PART = 0.5
LEAST_MS = 1_000  # of a request to providers
_OPERATORS = re.compile(r"\b(?:AND|OR|NOT)\b")


@dataclass(slots=True)
class CollectedPapers:
    """The papers by their rank, and what is known of where their texts are."""

    papers: Sequence[StoredPaper]
    legs: list[LegSummary]
    copies: list[PaperCopies] = field(default_factory=list)
    result_set_id: str | None = None
    not_read: Sequence[UnreadId] = ()
    hints: Sequence[Hint] = ()
    beyond: int = 0  # papers of the result set that rank too low to be read


def collect(
    request: PassagesRequest,
    dependencies: PaperDependencies,
    search: Callable[[SearchRequest], SearchAnswer],
    deadline: Deadline,
) -> CollectedPapers:
    """The first papers. Raises Expired, Unprocessable if no text is an id, AllProvidersFailed, what a search raises."""
    timeout_ms = max(LEAST_MS, round(PAPERS_PART * request.timeout_ms))
    if request.result_set_id:
        collected = _of_result_set(request.result_set_id, dependencies)
    elif request.ids:
        collected = _by_id(request, dependencies, timeout_ms)
    else:
        collected = _searched(request, search, timeout_ms)
    if request.full_text:
        _add_copies(collected, request, dependencies, deadline)
    return collected


def _of_result_set(result_set_id: str, dependencies: PaperDependencies) -> CollectedPapers:
    result_set = existing(dependencies.result_sets, result_set_id)
    papers = papers_of(result_set["results"])
    legs = _legs(reused(result_set, "hit")["summary"])
    beyond = max(0, len(papers) - MAX_PAPERS)
    return CollectedPapers(papers[:MAX_PAPERS], [legs], result_set_id=result_set_id, beyond=beyond)


def _searched(
    request: PassagesRequest, search: Callable[[SearchRequest], SearchAnswer], timeout_ms: int
) -> CollectedPapers:
    # A sentence has no operators: `do NOT increase the risk` excludes nothing.
    words = request.query or _OPERATORS.sub(lambda operator: operator[0].lower(), request.text)
    fields = {"query": words, "fresh": request.fresh, "timeout_ms": timeout_ms}
    form = {"max_results": MAX_PAPERS, "detail": "full", "cite_in_kg": False}
    answer = search(validated(SearchRequest, {**fields, **form}))
    return CollectedPapers(
        [cast("StoredPaper", it) for it in answer["results"]],  # `full` returns every field
        [_legs(answer)],
        result_set_id=answer["result_set_id"],
        hints=answer["hints"],
        beyond=answer["total_count"] - answer["returned"],
    )


def _by_id(request: PassagesRequest, dependencies: PaperDependencies, timeout_ms: int) -> CollectedPapers:
    if not any(map(read_id, request.ids)):
        raise no_id("ids", *request.ids)
    answer = _looked_up(request.ids, request, dependencies, timeout_ms)
    found = {entry["paper"]["key"]: entry["paper"] for entry in answer["papers"] if entry["paper"]}
    not_read: list[UnreadId] = [
        {"id": it["id"], "status": it["status"], "reason": it["reason"]}
        for it in answer["papers"]
        if it["status"] != "found"
    ]
    papers = [cast("StoredPaper", it) for it in found.values()]  # `whole` returns every field
    unanswered = (it for it in answer["papers"] if it["status"] == "unanswered")
    hints = [*answer["hints"], *unanswered_hints(unanswered, answer["providers"])]
    return CollectedPapers(papers, [_legs(answer)], not_read=not_read, hints=hints)


def _looked_up(
    ids: Sequence[str], request: PassagesRequest, dependencies: PaperDependencies, timeout_ms: int
) -> PapersAnswer:
    fields = {"ids": list(ids), "fresh": request.fresh, "timeout_ms": timeout_ms, "cite_in_kg": False}
    return get_papers(validated(PapersRequest, fields), dependencies, whole=True)


def _legs(answer: LegSummary) -> LegSummary:
    return {"complete": answer["complete"], "providers": answer["providers"], "cache": answer["cache"]}


def _add_copies(
    collected: CollectedPapers, request: PassagesRequest, dependencies: PaperDependencies, deadline: Deadline
) -> None:
    """Set the copies. Papers of a search of which no source of texts has a known name are looked up for more names."""
    sources = dependencies.providers_supporting("full_text")
    failed = _failed(collected.legs)
    collected.copies = [copies_of_stored(it, failed=failed) for it in collected.papers]
    unknown = [] if request.ids else [it.key for it in collected.copies if not any(candidates(it, sources))]
    timeout_ms = round(1000 * (deadline.share(PAPERS_PART) - dependencies.monotonic()))
    named = [key for key in unknown if not key.startswith("title:")]
    if not named or timeout_ms < LEAST_MS:
        return
    try:
        answer = _looked_up(named, request, dependencies, timeout_ms)
    except AllProvidersFailed as error:
        failed = [*failed, *(it.field.removeprefix("providers.") for it in error.errors)]
        more: dict[str, StoredPaper] = {}
    else:
        collected.legs.append(_legs(answer))
        collected.hints = [*collected.hints, *answer["hints"]]
        failed = [*failed, *_failed([_legs(answer)])]
        more = {it["id"]: cast("StoredPaper", it["paper"]) for it in answer["papers"] if it["paper"]}
    for number, paper in enumerate(collected.papers):
        if paper["key"] in named:
            others = [more[paper["key"]]] if paper["key"] in more else []
            collected.copies[number] = copies_of_stored(paper, *others, failed=failed)


def _failed(legs: Sequence[LegSummary]) -> list[str]:
    """The providers that may know more places of a text, and did not answer."""
    reports = [(name, Outcome(report["outcome"])) for it in legs for name, report in it["providers"].items()]
    return list(dict.fromkeys(name for name, outcome in reports if outcome.would_know))
