"""The result set of a search's answers: merged, filtered, ranked, with what is said about the search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shared.clock import OUT_OF_TIME
from shared.legs.leg import Leg, LegAnswer
from shared.legs.reports import cache_state, complete, reports_of, searched
from shared.providers.provider import ProviderReply
from shared.search.hints.result_hints import Chosen, hints_for, most_blamed
from shared.search.hints.weak_match import is_weak
from shared.search.integrity import unanswered_trackers, with_integrity
from shared.search.requests.search_request import SearchRequest
from shared.search.search_terms import result_set_of
from shared.search.wording.worded_years import latest, worded_years

if TYPE_CHECKING:
    from shared.bibliography.paper import MergedPaper
    from shared.search.ranking.formula import RankedPaper
    from shared.search.ranking.reranker import Scorer
    from shared.search.result_sets.store import SearchResultSet, SearchSummary


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
    """A result set with its papers.

    `filtered`: whether the time sufficed to apply every filter to every paper; `reranked`: whether the re-ranker, if
    the deployment has one, has ordered what it should.
    """

    result_set: SearchResultSet
    papers: Sequence[RankedPaper]
    filtered: bool
    reranked: bool = True

    @property
    def is_final(self) -> bool:
        """Whether it is what the same answers would give with more time."""
        return self.filtered and self.reranked


def ranked_set(
    request: SearchRequest,
    legs: Sequence[Leg],
    answers: Sequence[LegAnswer],
    tracks_integrity: Collection[str],
    is_over: Callable[[], bool] = lambda: False,
    scorer: Scorer | None = None,
) -> RankedSet:
    """The result set of these answers, one for each leg; costly filters end when the time `is_over`.

    `scorer` orders the first papers anew, where the deployment has a re-ranker.
    """
    from shared.search.ranking.formula import rank
    from shared.search.ranking.reranking import reranked_papers

    replies = [answer.reply for answer in answers]
    merged, applied = merged_of(legs, replies, tracks_integrity)
    chosen = _chosen(request, merged, applied, latest(reply.retrieved_at for reply in replies), is_over)
    ranked = rank(
        chosen.papers,
        request.wordings,
        {reply.provider: reply.family for reply in replies},
        ranking=request.ranking,
        sort=request.sort,
        identifiers=request.identifiers,
    )
    ordered = reranked_papers(ranked, request, scorer)
    summary = summary_of(request, answers, ordered.papers, chosen)
    summary["hints"] += ordered.hints
    result_set = result_set_of(request, ordered.papers, summary)
    filtered = OUT_OF_TIME not in chosen.undecided
    return RankedSet(result_set, ordered.papers, filtered=filtered, reranked=not ordered.missed)


def _chosen(
    request: SearchRequest,
    merged: Sequence[MergedPaper],
    applied: Mapping[str, frozenset[str]],
    today: str | None,
    is_over: Callable[[], bool],
) -> Chosen:
    from shared.search.filtering.filters import apply_filters, left_out_by_fewest

    query = request.leg_query(request.wordings[0])
    passed, undecided = apply_filters(merged, query, applied, is_over)
    blamed = Counter() if passed else left_out_by_fewest(merged, query, applied, is_over)
    years = worded_years(request, today)
    papers = [paper for paper in passed if years is None or years.admits(paper)]
    return Chosen(papers, len(merged), undecided, years, len(passed) - len(papers), blamed)


def _unknown(request: SearchRequest, answers: Sequence[LegAnswer]) -> list[str]:
    """The identifiers of the query that no provider has found, whatever the filters then left out."""
    if not request.identifiers:
        return []
    names = {name for answer in answers for record in answer.reply.papers for name in record.asked}
    # An address at OSF is read as two DOIs, of which a paper has one: with the first version's number, or without.
    either = {name.removesuffix("_v1") if name.endswith("_v1") else f"{name}_v1" for name in names}
    return [name for name in request.identifiers if name not in names | either]


def summary_of(
    request: SearchRequest,
    answers: Sequence[LegAnswer],
    ranked: Sequence[RankedPaper],
    chosen: Chosen,
) -> SearchSummary:
    """What the answer says about the search, and not about a paper."""
    reports = reports_of([answer.reply for answer in answers])
    return {
        "total_count": len(ranked),
        "providers_searched": searched(reports),
        "complete": bool(reports) and complete(reports, request.providers) and OUT_OF_TIME not in chosen.undecided,
        "providers": reports,
        "cache": cache_state(answers),
        "blamed": [[*names] for names in most_blamed(chosen.blamed)],
        "hints": hints_for(
            request,
            reports,
            chosen,
            [item.paper for item in ranked],
            unknown=_unknown(request, answers),
            weak=is_weak(item.score for item in ranked),
            spellings=[answer.reply.spelling for answer in answers if answer.reply.spelling],
        ),
    }
