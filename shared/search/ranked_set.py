"""The result set of a search's answers: merged, filtered, ranked, with what is said about the search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shared.clock import OUT_OF_TIME
from shared.legs.leg import Leg, LegAnswer
from shared.legs.reports import cache_state, complete, reports_of, searched
from shared.providers.provider import ProviderReply
from shared.search.hints import hints_for
from shared.search.integrity import unanswered_trackers, with_integrity
from shared.search.page import result_set_of
from shared.search.request import SearchRequest
from shared.search.weak_match import absent_words, is_weak

if TYPE_CHECKING:
    from shared.bibliography.paper import MergedPaper
    from shared.search.ranking import RankedPaper
    from shared.search.result_sets import SearchResultSet, SearchSummary


def merged_of(
    legs: Sequence[Leg], replies: Sequence[ProviderReply], tracks_integrity: Collection[str]
) -> tuple[list[MergedPaper], dict[str, frozenset[str]]]:
    """The merged papers of these legs, and the filters that each provider applied itself."""
    from shared.bibliography.paper import RecordId
    from shared.merging.merge import merge  # a third of a search's imports, which a cached answer does not need

    records = [
        (RecordId(paper.provider, leg.wording, paper.rank), paper)
        for leg, reply in zip(legs, replies, strict=True)
        for paper in reply.papers
    ]
    unanswered = unanswered_trackers(replies, tracks_integrity)
    applied: dict[str, frozenset[str]] = {}
    for reply in replies:
        applied[reply.provider] = applied.get(reply.provider, frozenset()) | frozenset(reply.applied_filters)
    return [with_integrity(paper, unanswered) for paper in merge(records)], applied


@dataclass(frozen=True, slots=True)
class RankedSet:
    """A result set with its papers; `filtered` says whether the time sufficed to apply every filter to every paper."""

    result_set: SearchResultSet
    papers: Sequence[RankedPaper]
    filtered: bool


def ranked_set(
    request: SearchRequest,
    legs: Sequence[Leg],
    answers: Sequence[LegAnswer],
    tracks_integrity: Collection[str],
    is_over: Callable[[], bool] = lambda: False,
) -> RankedSet:
    """The result set of these answers, one for each leg; costly filters end when the time `is_over`."""
    ranked, found, undecided = _ranked(request, legs, answers, tracks_integrity, is_over)
    result_set = result_set_of(request, ranked, summary_of(request, answers, ranked, found, undecided))
    return RankedSet(result_set, ranked, filtered=OUT_OF_TIME not in undecided)


def _ranked(
    request: SearchRequest,
    legs: Sequence[Leg],
    answers: Sequence[LegAnswer],
    tracks_integrity: Collection[str],
    is_over: Callable[[], bool],
) -> tuple[list[RankedPaper], int, Counter[str]]:
    """The ranked papers, how many there were before the filters, and how many each filter could not decide."""
    from shared.search.filters import apply_filters
    from shared.search.ranking import rank

    replies = [answer.reply for answer in answers]
    merged, applied = merged_of(legs, replies, tracks_integrity)
    passed, undecided = apply_filters(merged, request.leg_query(request.wordings[0]), applied, is_over)
    families = {reply.provider: reply.family for reply in replies}
    ranked = rank(
        passed,
        request.wordings,
        families,
        ranking=request.ranking,
        sort=request.sort,
        identifiers=request.identifiers,
    )
    return ranked, len(merged), undecided


def _unknown(request: SearchRequest, answers: Sequence[LegAnswer]) -> list[str]:
    """The identifiers of the query that no provider has found, whatever the filters then left out."""
    names = {name for answer in answers for record in answer.reply.papers for name in record.asked}
    return [name for name in request.identifiers if name not in names]


def summary_of(
    request: SearchRequest,
    answers: Sequence[LegAnswer],
    ranked: Sequence[RankedPaper],
    found: int,
    undecided: Counter[str],
) -> SearchSummary:
    """What the answer says about the search, and not about a paper."""
    reports = reports_of([answer.reply for answer in answers])
    return {
        "total_count": len(ranked),
        "providers_searched": searched(reports),
        "complete": bool(reports) and complete(reports, request.providers) and OUT_OF_TIME not in undecided,
        "providers": reports,
        "cache": cache_state(answers),
        "hints": hints_for(
            request,
            reports,
            shown=len(ranked),
            found=found,
            undecided=undecided,
            unknown=_unknown(request, answers),
            absent=absent_words(request.wordings, [item.paper for item in ranked]),
            weak=is_weak(item.score for item in ranked),
            texts=[f"{item.paper.title} {item.paper.abstract or ''}" for item in ranked],
            spellings=[answer.reply.spelling for answer in answers if answer.reply.spelling],
        ),
    }
