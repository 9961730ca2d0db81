"""How an answer is made. Read this first.

    request -> legs (provider x wording) -> cache, or ask -> merge -> filter -> rank -> page -> answer; cite

Everything outside is an argument: the caches, the providers, the graph's queue, the clock. A failing provider costs its
own papers and nothing else, and is told as what it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from shared.clock import Deadline
from shared.errors import Expired, FieldError, Outcome, Unprocessable
from shared.legs.coalescing import answer_legs
from shared.legs.leg import Leg, LegAnswer, LegWorld
from shared.legs.reports import as_answers, cache_state, complete, reports_of, searched, someone_answered
from shared.providers.provider import ProviderReply
from shared.query.syntax import normalise
from shared.search.cursor import Cursor, read_cursor
from shared.search.disciplines import pick
from shared.search.hints import hints_for, next_actions
from shared.search.integrity import uncertain, unheard, with_integrity
from shared.search.page import page_of, request_key, result_set_of
from shared.search.publishing import Publish, publish_results
from shared.search.request import SearchRequest
from shared.search.result_sets import ResultSets, reused, stored

if TYPE_CHECKING:
    from shared.bibliography.paper import MergedPaper
    from shared.search.ranking import RankedPaper


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """The outside world of one search."""

    legs: LegWorld
    result_sets: ResultSets
    publish: Publish
    observe: Callable[[Sequence[LegAnswer]], None]  # told how every leg ended
    disciplines: Mapping[str, Sequence[str]]  # provider -> its disciplines
    tracks_integrity: Collection[str] = ()  # providers that tell retracted papers from others
    monotonic: Callable[[], float]
    request_id: str


def run_search(request: SearchRequest, world: World) -> dict[str, Any]:
    """The whole answer of product contract 2. Raises AllProvidersFailed, Expired or BadRequest."""
    deadline = Deadline(world.monotonic, request.timeout_ms)
    if request.cursor:
        cursor = read_cursor(request.cursor)
        result_set = world.result_sets.get(cursor.result_set_id)
        if result_set is None:
            raise Expired("this cursor's result set is kept no longer", hint="Send the search again without `cursor`.")
        _must_be_of(request, result_set)
        result_set = reused(result_set, "hit")
    else:
        kept = None if request.fresh else world.result_sets.of_request(request_key(request))
        result_set = reused(kept, "hit") if kept else _new_result_set(request, world, deadline)
        if kept:
            world.observe(as_answers(result_set["summary"]["providers"]))
        cursor = Cursor(result_set["result_set_id"], 0)
    answer = page_of(result_set, request, cursor)
    shown = result_set["results"][cursor.offset : cursor.offset + answer["returned"]]
    answered = {name for name, report in answer["providers"].items() if Outcome(report["outcome"]).answered}
    learned = shown if answered >= set(world.tracks_integrity) else uncertain(shown)
    answer["kg"] = publish_results(learned, request, world.publish)
    answer["search_time_ms"] = deadline.elapsed_ms()
    answer["request_id"] = world.request_id
    return answer


def _must_be_of(request: SearchRequest, result_set: Mapping[str, Any]) -> None:
    """Raises Unprocessable for the cursor of a list of references, of other words or of other providers."""
    asked = result_set.get("asked")
    if asked is None:
        raise Unprocessable("cursor: of another list", [FieldError("cursor", "pass a cursor of a search's answer")])
    other_words = request.wordings and [normalise(it) for it in request.wordings] != asked["wordings"]
    if other_words or (request.providers and sorted(request.providers) != asked["providers"]):
        message = "of another question: pass it alone, or with the same fields"
        raise Unprocessable.field("cursor", message)


def _new_result_set(request: SearchRequest, world: World, deadline: Deadline) -> dict[str, Any]:
    legs = legs_of(request, world.disciplines)
    answers = answer_legs(legs, world.legs, until=deadline.until, fresh=request.fresh)
    world.observe(answers)
    someone_answered([answer.reply for answer in answers])
    if all(answer.coalesced for answer in answers):  # whoever asked may have merged and ranked them as well
        kept = world.result_sets.of_request(request_key(request))
        if kept:
            return reused(kept, "coalesced")
    ranked, found, undecided = _ranked(request, legs, answers, world.tracks_integrity)
    summary = _summary(request, answers, ranked, found, undecided)
    result_set = result_set_of(request, ranked, summary)
    fresh_s = min(answer.fresh_s for answer in answers)
    return stored(world.result_sets, result_set, request_key(request), fresh_s)


def legs_of(request: SearchRequest, disciplines: Mapping[str, Sequence[str]]) -> list[Leg]:
    """Every provider asked, times every wording, in a fixed order."""
    if "auto" in request.providers:
        names = set(pick(request.wordings, disciplines)) | (set(request.providers) - {"auto"})
    else:
        names = set(request.providers or disciplines)
    queries = [request.leg_query(wording) for wording in request.wordings]
    return [Leg(name, query, number) for name in sorted(names) for number, query in enumerate(queries)]


def merged_of(
    legs: Sequence[Leg], replies: Sequence[ProviderReply], tracks_integrity: Collection[str]
) -> tuple[list[MergedPaper], dict[str, frozenset[str]]]:
    """The papers that these legs brought, and the filters that each provider has applied itself."""
    from shared.bibliography.paper import RecordId
    from shared.merging.merge import merge  # a third of what a search imports; who finds a kept answer needs none of it

    records = [
        (RecordId(paper.provider, leg.wording, paper.rank), paper)
        for leg, reply in zip(legs, replies, strict=True)
        for paper in reply.papers
    ]
    silent = unheard(replies, tracks_integrity)
    applied: dict[str, frozenset[str]] = {}
    for reply in replies:
        applied[reply.provider] = applied.get(reply.provider, frozenset()) | frozenset(reply.applied_filters)
    return [with_integrity(paper, silent) for paper in merge(records)], applied


def _ranked(
    request: SearchRequest, legs: Sequence[Leg], answers: Sequence[LegAnswer], tracks_integrity: Collection[str]
) -> tuple[list[RankedPaper], int, Counter[str]]:
    """The papers in order, how many there were before the filters, and how many no filter could decide on."""
    from shared.search.filters import keep
    from shared.search.ranking import rank

    replies = [answer.reply for answer in answers]
    merged, applied = merged_of(legs, replies, tracks_integrity)
    kept, undecided = keep(merged, request.leg_query(request.wordings[0]), applied)
    families = {reply.provider: reply.family for reply in replies}
    ranked = rank(kept, request.wordings, families, ranking=request.ranking, sort=request.sort)
    return ranked, len(merged), undecided


def _summary(
    request: SearchRequest,
    answers: Sequence[LegAnswer],
    ranked: Sequence[RankedPaper],
    found: int,
    undecided: Counter[str],
) -> dict[str, Any]:
    """All of the answer that is about the search and not about a paper."""
    reports = reports_of([answer.reply for answer in answers])
    return {
        "query": request.query or request.wordings[0],
        "total_count": len(ranked),
        "providers_searched": searched(reports),
        "complete": complete(reports, request.providers),
        "providers": reports,
        "cache": cache_state(answers),
        "hints": hints_for(request, reports, shown=len(ranked), found=found, undecided=undecided),
        "next_actions": next_actions(request, ranked, reports),
    }
