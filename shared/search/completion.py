"""Completes in the background the result set of an early response.

It asks what the search asked: what has answered comes from the cache, what is under way is waited for, and what has
failed is not asked again. Nothing that it does can be done twice: of several completions, the first one counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from shared.legs.coalescing import answer_legs
from shared.legs.reports import answered_now, complete
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply, failed
from shared.search.early_response import PendingSets, names_of
from shared.search.ranked_set import ranked_set
from shared.search.ranking.reranker import SEARCH_S, scorer_of
from shared.search.ranking.reranking import REASONS
from shared.search.requests.search_request import SearchRequest
from shared.search.run import NOTHING_FRESH_S, SearchDependencies
from shared.search.search_legs import legs_of
from shared.search.search_terms import request_key, request_of

if TYPE_CHECKING:
    from shared.answers.search import LegReport, StoredPaper
    from shared.legs.leg import LegDependencies
    from shared.search.result_sets.store import AnyResultSet, SearchResultSet

COMPLETION_S = 40.0  # a leg that is under way, and another one if its function dies
Completed = Literal["complete", "incomplete", "not pending"]


def complete_result_set(
    result_set: AnyResultSet, dependencies: SearchDependencies, sets: PendingSets, *, until: float
) -> Completed:
    """Wait for the legs of a pending result set and add what they bring, by `until` of the monotonic clock.

    `dependencies` are of a search that began when that of the result set did. Raises StorageUnavailable.
    """
    pending = result_set.get("pending")
    if pending is None:
        return "not pending"
    asked = result_set["asked"]
    form = SearchRequest.model_validate({**asked["request"], "fresh": pending["fresh"]})
    request = request_of(asked, form)  # in words, if a name among them was found as an author nowhere
    legs = legs_of(request, dependencies.disciplines)
    before = result_set["summary"]["providers"]
    answers = answer_legs(legs, _without_failed(before, dependencies), until=until, fresh=request.fresh)
    dependencies.observe([it for it in answers if it.reply.provider in pending["providers"]])
    scorer = scorer_of(dependencies.reranker, lambda: SEARCH_S)
    ranked = ranked_set(request, legs, answers, dependencies.tracks_integrity, scorer=scorer)
    whole = ranked.result_set
    known, keys = set(pending["names"]), {paper["key"] for paper in result_set["results"]}
    late = [
        result
        for result, item in zip(whole["results"], ranked.papers, strict=True)
        if known.isdisjoint(names_of(item.paper)) and result["key"] not in keys
    ]
    fresh_s = min(answer.fresh_s for answer in answers) if ranked.is_final else NOTHING_FRESH_S
    stored = whole["summary"]["complete"] and dependencies.result_sets.put(whole, request_key(request), fresh_s)
    final = _final(result_set, whole, late)
    if stored:
        final["completed_by"] = whole["result_set_id"]
    if not sets.finish(final):
        return "not pending"
    return "complete" if final["summary"]["complete"] else "incomplete"


def _without_failed(before: Mapping[str, LegReport], dependencies: SearchDependencies) -> LegDependencies:
    """Legs that had failed at the early response fail again, without a request: its caller has been informed of it."""
    failures = {
        name: _failed_again(name, report)
        for name, report in before.items()
        if report["outcome"] != Outcome.PENDING and not answered_now(report)
    }

    def refusals(waits: Mapping[str, float]) -> Mapping[str, ProviderReply]:
        known = {name: failures[name] for name in waits if name in failures}
        others = {name: seconds for name, seconds in waits.items() if name not in known}
        return {**dependencies.legs.refusals(others), **known}

    return replace(dependencies.legs, refusals=refusals)


def _has_come(before: LegReport, after: LegReport) -> bool:
    return answered_now(after) and not answered_now(before)


def _failed_again(name: str, report: LegReport) -> ProviderReply:
    """The reply of a leg that has failed. How, is not known any more behind a stale reply."""
    if report["source"] == "stale":
        return failed(name, name, Outcome.UNAVAILABLE, "; ".join(report["warnings"]))
    reply = failed(name, name, Outcome(report["outcome"]), "; ".join(report["warnings"]))
    return replace(reply, total_estimate=report.get("total_estimate"))  # 0: it holds nothing that the filters admit


def _final(result_set: AnyResultSet, whole: SearchResultSet, late: list[StoredPaper]) -> AnyResultSet:
    """The papers as they were, then the late ones; what is said about the search, of all of them."""
    before, after = result_set["summary"]["providers"], whole["summary"]["providers"]
    reports = {
        name: after[name] if report["outcome"] == Outcome.PENDING or _has_come(report, after[name]) else report
        for name, report in before.items()
    }
    final = copy(result_set)
    final["results"] = [*result_set["results"], *late]
    final["summary"] = {
        **whole["summary"],
        "total_count": len(final["results"]),
        "providers": reports,
        "complete": complete(reports, result_set["asked"]["providers"]),
        "cache": result_set["summary"]["cache"],
        # The papers that were shown keep their places: only `whole` is as the re-ranker has it.
        "hints": [it for it in whole["summary"]["hints"] if it["reason"] not in REASONS],
    }
    del final["pending"]
    return final
