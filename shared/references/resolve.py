"""Resolves references to papers: each is `matched`, `mismatched`, `ambiguous`, `not_found` or `unanswered`.

    1. references without ids     of a few: all providers at once. Of many: providers that match many citations per
                                  request first, then the others by titles, one after the other, those of most titles
                                  a second first, in waves of as many references as the rate limit allows in WAVE_S;
                                  what is still open is sent once more, title by title, to providers that find
                                  misspelt titles only so, as long as there is time for a wave. Sources that allow less
                                  than a request a second come last, for what is open then
    2. ids in the references      looked up together with the papers matched so far, whose retraction status is known
                                  only then; a paper is accepted only if the rest can describe it, else the reference
                                  is `mismatched`. Of DOIs that this does not confirm, the other readings are looked up
                                  as well (`shared.references.id_writings`)
    3. references left open       those with ids that are not matched: as in step 1
    4. papers matched since       looked up as in step 2

All candidates are merged, then judged by `shared.references.same_citation`, which rejects near misses.

`not_found` requires that every queried provider answered, and that its candidates were judged within the time of the
request; those that did not answer are named in `unanswered`. A reference that says too little is `ambiguous` whatever
was found; the entry says what to add where no candidate says it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from shared.answers.content_trust import marks
from shared.bibliography.paper import MergedPaper
from shared.clock import Deadline
from shared.legs.reports import raise_if_all_failed
from shared.papers.dependencies import PaperDependencies
from shared.papers.leg_summary import summary_of
from shared.papers.reference_request import Reference, ResolveRequest
from shared.references.cited_pages import with_all_pages
from shared.references.field_verdicts import field_verdicts
from shared.references.fitting import fitted
from shared.references.judgement import Candidate
from shared.references.reference_queries import ReferenceQueries
from shared.references.reference_state import ReferenceState
from shared.search.integrity import with_integrity
from shared.search.publishing import publish_results
from shared.search.results import unranked
from shared.search.sizes.details import sized

if TYPE_CHECKING:
    from shared.answers.papers import Match as MatchedPaper
    from shared.answers.papers import ResolveAnswer, ResolvedReference
    from shared.answers.search import Queued


def resolve(
    request: ResolveRequest, dependencies: PaperDependencies, refused: Mapping[int, str] | None = None
) -> ResolveAnswer:
    """One entry per reference, in the order of the request. Raises AllProvidersFailed when no provider answered.

    `refused` has, by place, why a reference is not to be looked for: it is ambiguous for this reason.
    """
    deadline = Deadline(dependencies.monotonic, request.timeout_ms)
    queries = ReferenceQueries(request, dependencies, deadline, refused or {})
    queries.match_without_ids()
    queries.look_up_ids()
    queries.match_with_ids()
    if queries.answers:  # none if the only references are ids that no provider accepts
        raise_if_all_failed([answer.reply for answer in queries.answers])
    queries.open_matches()
    entries = [
        _entry(reference, state, queries.opened, request, dependencies)
        for reference, state in zip(request.references, queries.references, strict=True)
    ]
    statuses = [entry["status"] for entry in entries]
    legs = summary_of(queries.answers)
    kg = _published(queries.meant(), request, dependencies)
    answer: ResolveAnswer = {
        "references": entries,
        "matched": statuses.count("matched"),
        "mismatched": statuses.count("mismatched"),
        "ambiguous": statuses.count("ambiguous"),
        "not_found": statuses.count("not_found"),
        "unanswered": statuses.count("unanswered"),
        **legs,
        "complete": legs["complete"] and all(reference.is_judged for reference in queries.references),
        "kg": kg,
        "search_time_ms": deadline.elapsed_ms(),
        "truncated": None,
        **marks(dependencies.request_id),
    }
    return fitted(answer, request)


def _published(opened: dict[str, MergedPaper], request: ResolveRequest, dependencies: PaperDependencies) -> Queued:
    """Publish the matched papers to the graph."""
    papers = [unranked(paper) for _, paper in sorted(opened.items())]
    return publish_results(papers, request, dependencies.publish)


def _entry(
    reference: Reference,
    state: ReferenceState,
    opened: dict[str, MergedPaper],
    request: ResolveRequest,
    dependencies: PaperDependencies,
) -> ResolvedReference:
    judgement = state.judgement
    matches = [_match(found, state, opened, request, dependencies) for found in judgement.candidates]
    meant = matches[0] if judgement.shown_in_full else None
    named = judgement.compared and _match(judgement.compared, state, opened, request, dependencies)
    shown = meant or named
    entry: ResolvedReference = {
        "index": reference.place,
        "reference": reference.model_dump(exclude_defaults=True),
        "status": state.status,
        "paper": meant["paper"] if meant else None,
        "score": meant["score"] if meant else None,
        "agrees": shown["agrees"] if shown else [],
        "differs": shown["differs"] if shown else [],
        "fields": shown["fields"] if shown else {},
        "named_by_id": named["paper"] if named else None,
        "candidates": [] if meant else matches,
        "answered_by": state.answered_by,
        "unanswered": state.unanswered,
    }
    if judgement.reason and entry["status"] == "ambiguous" and not matches:
        entry["reason"] = judgement.reason
    return entry


def _match(
    candidate: Candidate,
    state: ReferenceState,
    opened: dict[str, MergedPaper],
    request: ResolveRequest,
    dependencies: PaperDependencies,
) -> MatchedPaper:
    """A candidate as the answer shows it; unless it was looked up in full, its retraction status is unknown."""
    paper = opened.get(candidate.paper.key)
    shown = with_all_pages(state.query, state.compared_with(paper, candidate) if paper else candidate)
    return {
        "paper": sized(unranked(paper or with_integrity(candidate.paper, dependencies.tracking)), request),
        "score": round(candidate.score, 4),
        "agrees": list(shown.agrees),
        "differs": list(shown.differs),
        "fields": field_verdicts(state.query, state.names, shown),
        "reason": candidate.reason,
    }
