"""The answer with similar papers: the best ones in the requested size, with their votes, and published to the graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shared.answers.content_trust import marks
from shared.clock import Deadline
from shared.legs.leg import LegAnswer
from shared.legs.reports import reports_of
from shared.papers.dependencies import PaperDependencies
from shared.papers.leg_summary import summary_of
from shared.papers.links.hints import link_hints
from shared.papers.links.merging import LinkedItem
from shared.papers.paper_request import PaperRequest
from shared.papers.seeds import not_found, unanswered
from shared.papers.similar.items import SimilarList, place_of, votes_of
from shared.papers.similar.request import SimilarRequest
from shared.search.integrity import unanswered_trackers, with_integrity, with_unknown_retraction
from shared.search.publishing import publish_results
from shared.search.results import unranked
from shared.search.sizes.details import cut_fields, page_sized
from shared.search.sizes.report_sizes import sized_reports
from shared.search.sizes.token_budget import fit_entries, kept_within, least_paper, truncated_by

if TYPE_CHECKING:
    from shared.answers.search import Hint, StoredPaper
    from shared.answers.similar import LeftOut, SimilarAnswer, SimilarPaper
    from shared.papers.graph_neighbours import State

GRAPH_UNAVAILABLE: Hint = {
    "reason": "graph_unavailable",
    "message": "The knowledge graph could not be read: co_citation and bibliographic_coupling are missing; ask again.",
}
NO_SIMILAR: Hint = {"reason": "no_match", "message": "No source that answered names a paper like it."}
SCORE_DIGITS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundSimilar:
    """What was found, in order, and what the answer says of how."""

    like: Sequence[PaperRequest]
    unlike: Sequence[PaperRequest]
    missing: Sequence[PaperRequest]
    items: Sequence[LinkedItem]
    sources: Mapping[str, SimilarList]
    graph: State
    left_out: dict[LeftOut, int]
    undated: int
    outside: int
    source_answers: Sequence[LegAnswer]
    record_answers: Sequence[LegAnswer]
    is_cut: bool


def similar_answer(
    found: FoundSimilar, request: SimilarRequest, dependencies: PaperDependencies, deadline: Deadline
) -> SimilarAnswer:
    """The answer with the first papers, as many as fit."""
    failed = unanswered_trackers((answer.reply for answer in found.record_answers), dependencies.tracking)
    wanted = found.items[: request.max_results]
    stored = [unranked(with_integrity(item.paper, failed)) for item in wanted if item.paper]
    best = place_of(wanted[0], found.sources) if wanted else 1.0
    entries: list[SimilarPaper] = [
        {
            "key": paper["key"],
            "paper": small,
            "score": round(place_of(item, found.sources) / best, SCORE_DIGITS),
            "votes": votes_of(item, found.sources),
        }
        for item, paper, small in zip(wanted, stored, page_sized(stored, request), strict=True)
    ]
    around = _around(found, request, dependencies)
    draft, shown, cuts = fit_entries(around, entries, request.max_tokens, _least)
    cut = cut_fields(stored[: len(shown)], [entry["paper"] for entry in shown], request)
    answer: SimilarAnswer = {
        **draft,
        "returned": len(shown),
        "results": shown,
        "kg": publish_results(_published(found, stored[: len(shown)]), request, dependencies.publish),
        "search_time_ms": deadline.elapsed_ms(),
        "truncated": truncated_by(len(entries) - len(shown), cut, request.max_tokens, cuts),
    }
    return kept_within(answer, request.max_tokens)


def _least(entry: SimilarPaper) -> SimilarPaper:
    return {**entry, "paper": least_paper(entry["paper"])}


def _published(found: FoundSimilar, shown: Sequence[StoredPaper]) -> list[StoredPaper]:
    seeds = {seed.paper.key: unranked(seed.paper) for seed in (*found.like, *found.unlike) if seed.paper}
    return with_unknown_retraction([*seeds.values(), *shown])


def _around(found: FoundSimilar, request: SimilarRequest, dependencies: PaperDependencies) -> SimilarAnswer:
    """The answer without papers."""
    legs = summary_of([*found.record_answers, *found.source_answers], is_cut=found.is_cut)
    reports = reports_of([answer.reply for answer in found.source_answers])
    return {
        "seeds": _keys(found.like),
        "unlike": _keys(found.unlike),
        "seeds_not_found": not_found(found.missing),
        "seeds_unanswered": unanswered(found.missing),
        "total_count": len(found.items),
        "returned": 0,
        "results": [],
        "graph": found.graph,
        "left_out": {reason: count for reason, count in found.left_out.items() if count},
        "search_time_ms": 0,
        "complete": legs["complete"] and found.graph in ("ok", "empty"),
        "providers": sized_reports(reports, request.detail),
        "cache": legs["cache"],
        "kg": {"queued": 0, "skipped": 0},
        "hints": _hints(found),
        "truncated": None,
        **marks(dependencies.request_id),
    }


def _keys(seeds: Sequence[PaperRequest]) -> list[str]:
    return list(dict.fromkeys(seed.paper.key for seed in seeds if seed.paper))


def _hints(found: FoundSimilar) -> list[Hint]:
    """Those of lists, without the one on cut lists: every source knows more papers that are less similar."""
    reports = reports_of([answer.reply for answer in found.source_answers])
    of_records = reports_of([answer.reply for answer in found.record_answers])
    hints = link_hints(
        reports,
        of_records,
        len(found.items),
        undated=found.undated,
        outside=found.outside,
        is_cut=found.is_cut,
    )
    replaced = [NO_SIMILAR if it["reason"] == "no_match" else it for it in hints if it["reason"] != "list_is_cut"]
    return [*replaced, *([GRAPH_UNAVAILABLE] if found.graph == "unavailable" else [])]
