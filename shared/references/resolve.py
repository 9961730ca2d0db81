"""Resolves references to papers: each is `matched`, `mismatched`, `ambiguous`, `not_found` or `unanswered`.

    1. ids in the references      looked up together; a paper is accepted only if the rest can describe it, else the
                                  reference is `mismatched`, and its text is searched for
    2. references left open       of a few: all providers at once. Of many: providers that match many citations per
                                  request first, then the others by titles, one after the other, those of most titles
                                  a second first, in waves of as many references as the rate limit allows in WAVE_S
    3. candidates                 merged, then judged by `shared.references.same_citation`, which rejects near misses
    4. matched papers             looked up in full, because only then their retraction status is known

`not_found` requires that every queried provider answered, and that its candidates were judged within the time of the
request; those that did not answer are named in `unanswered`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from shared.answers.content_trust import marks
from shared.bibliography.paper import MergedPaper
from shared.bibliography.paper_ids import scheme_of
from shared.clock import Deadline
from shared.legs.coalescing import answer_legs
from shared.legs.leg import Leg, LegAnswer
from shared.legs.reports import raise_if_all_failed
from shared.papers.dependencies import PaperDependencies
from shared.papers.leg_summary import summary_of
from shared.papers.lookup import look_up
from shared.papers.request import Reference, ResolveRequest
from shared.query.question import Match
from shared.references.field_verdicts import field_verdicts
from shared.references.fitting import fitted
from shared.references.judgement import Candidate
from shared.references.resolving import Candidates, ResolvingReference
from shared.search.integrity import with_integrity
from shared.search.page import unranked
from shared.search.publishing import publish_results
from shared.search.sizes import sized

if TYPE_CHECKING:
    from shared.answers.papers import Match as MatchedPaper
    from shared.answers.papers import ResolveAnswer, ResolvedReference
    from shared.answers.search import Queued

# The most references that are sent to all providers at once; more go to one provider after the other, which spares the
# slow ones.
FEW_REFERENCES = 5
# The duration of a wave, in seconds: a slow provider gets no more than it can answer in this time, so that no leg
# spends its timeout waiting for the rate limiter.
WAVE_S = 5.0


def resolve(request: ResolveRequest, dependencies: PaperDependencies) -> ResolveAnswer:
    """One entry per reference, in the order of the request. Raises AllProvidersFailed when no provider answered."""
    deadline = Deadline(dependencies.monotonic, request.timeout_ms)
    resolver = _Resolver(request, dependencies, deadline)
    resolver.look_up_ids()
    resolver.match_citations()
    if resolver.answers:  # none if the only references are ids that no provider accepts
        raise_if_all_failed([answer.reply for answer in resolver.answers])
    resolver.open_matches()
    entries = [
        _entry(reference, resolving, resolver.opened, request, dependencies)
        for reference, resolving in zip(request.references, resolver.references, strict=True)
    ]
    statuses = [entry["status"] for entry in entries]
    legs = summary_of(resolver.answers)
    kg = _published(resolver.meant(), request, dependencies)
    answer: ResolveAnswer = {
        "references": entries,
        "matched": statuses.count("matched"),
        "mismatched": statuses.count("mismatched"),
        "ambiguous": statuses.count("ambiguous"),
        "not_found": statuses.count("not_found"),
        "unanswered": statuses.count("unanswered"),
        **legs,
        "complete": legs["complete"] and all(reference.is_judged for reference in resolver.references),
        "kg": kg,
        "search_time_ms": deadline.elapsed_ms(),
        "truncated": None,
        **marks(dependencies.request_id),
    }
    return fitted(answer, request)


class _Resolver:
    def __init__(self, request: ResolveRequest, dependencies: PaperDependencies, deadline: Deadline) -> None:
        self._fresh, self._dependencies, self._deadline = request.fresh, dependencies, deadline
        self.references = [ResolvingReference.of(reference) for reference in request.references]
        self.answers: list[LegAnswer] = []
        self.opened: dict[str, MergedPaper] = {}  # the matched papers in full, by key
        self._candidates = Candidates()

    def look_up_ids(self) -> None:
        """Look up the ids in all references, in one lookup."""
        names = list(dict.fromkeys(name for reference in self.references for name in reference.names))
        if not names:
            return
        found = look_up(names, self._dependencies, self._deadline, fresh=self._fresh)
        self.answers += found.answers
        requests = {request.name: request for request in found.requests}
        for reference in self.references:
            for name in reference.names:
                reference.outcomes |= requests[name].outcomes
                paper = requests[name].paper
                self._candidates.add([reference], paper.records if paper else ())
        self.opened = {request.paper.key: request.paper for request in found.requests if request.paper}
        self._candidates.judge(self.references, self._deadline)

    def match_citations(self) -> None:
        """Query one provider after the other for the references that are not matched yet."""
        capabilities = self._dependencies.capabilities
        providers = sorted(
            self._dependencies.providers_supporting("match"),
            key=lambda name: (-capabilities[name].requests_per_second * capabilities[name].match_titles, name),
        )
        if len(self._open()) <= FEW_REFERENCES:
            self._query([(name, capabilities[name].match_titles) for name in providers], self._open())
            return
        matchers = [name for name in providers if capabilities[name].match_citations > 1]
        for name in matchers:
            self._query([(name, capabilities[name].match_citations)], self._open())
        for name in sorted(set(providers) - set(matchers), key=providers.index):
            size = capabilities[name].match_titles
            wave = max(1, round(WAVE_S * capabilities[name].requests_per_second)) * size
            references = self._open()
            for start in range(0, len(references), wave):
                self._query([(name, size)], references[start : start + wave])

    def _open(self) -> list[ResolvingReference]:
        return [it for it in self.references if it.can_be_searched and it.judgement.status != "matched"]

    def _query(self, providers: Iterable[tuple[str, int]], references: Sequence[ResolvingReference]) -> None:
        """Query each provider, given with its references per request, and judge all references again."""
        sent: list[tuple[Leg, Sequence[ResolvingReference]]] = []
        for name, size in providers:
            for start in range(0, len(references), size):
                batch = references[start : start + size]
                sent.append((Leg(name, Match(tuple(reference.query for reference in batch))), batch))
        if not sent:
            return
        legs = [leg for leg, _ in sent]
        answers = answer_legs(legs, self._dependencies.legs, until=self._deadline.until, fresh=self._fresh)
        self._dependencies.observe(answers)
        self.answers += answers
        for answer, (leg, batch) in zip(answers, sent, strict=True):
            self._candidates.add(batch, answer.reply.papers)
            for position, reference in enumerate(batch):
                if position not in answer.reply.not_queried:
                    reference.outcomes[leg.provider] = answer.reply.outcome
        self._candidates.judge(self.references, self._deadline)

    def open_matches(self) -> None:
        """Look up the matched papers in full, in one lookup: only then their retraction status is known."""
        shown = [paper.key for reference in self.references if (paper := reference.judgement.shown_in_full)]
        names = sorted({key for key in shown if scheme_of(key) != "title"} - self.opened.keys())
        if not names:
            return
        found = look_up(names, self._dependencies, self._deadline, fresh=self._fresh)
        self.answers += found.answers
        self.opened |= {request.name: request.paper for request in found.requests if request.paper}

    def meant(self) -> dict[str, MergedPaper]:
        """The papers in full that references are matched with."""
        keys = {paper.key for reference in self.references if (paper := reference.judgement.shown_in_full)}
        return {key: paper for key, paper in self.opened.items() if key in keys}


def _published(opened: dict[str, MergedPaper], request: ResolveRequest, dependencies: PaperDependencies) -> Queued:
    """Publish the matched papers to the graph."""
    papers = [unranked(paper) for _, paper in sorted(opened.items())]
    return publish_results(papers, request, dependencies.publish)


def _entry(
    reference: Reference,
    resolving: ResolvingReference,
    opened: dict[str, MergedPaper],
    request: ResolveRequest,
    dependencies: PaperDependencies,
) -> ResolvedReference:
    judgement = resolving.judgement
    matches = [_match(found, resolving, opened, request, dependencies) for found in judgement.candidates]
    meant = matches[0] if judgement.shown_in_full else None
    named = judgement.compared and _match(judgement.compared, resolving, opened, request, dependencies)
    shown = meant or named
    return {
        "reference": reference.model_dump(exclude_defaults=True),
        "status": "unanswered" if judgement.status == "not_found" and not resolving.is_answered else judgement.status,
        "paper": meant["paper"] if meant else None,
        "score": meant["score"] if meant else None,
        "agrees": shown["agrees"] if shown else [],
        "differs": shown["differs"] if shown else [],
        "fields": shown["fields"] if shown else {},
        "named_by_id": named["paper"] if named else None,
        "candidates": [] if meant else matches,
        "answered_by": resolving.answered_by,
        "unanswered": resolving.unanswered,
    }


def _match(
    candidate: Candidate,
    resolving: ResolvingReference,
    opened: dict[str, MergedPaper],
    request: ResolveRequest,
    dependencies: PaperDependencies,
) -> MatchedPaper:
    """A candidate as the answer shows it; unless it was looked up in full, its retraction status is unknown."""
    paper = opened.get(candidate.paper.key) or with_integrity(candidate.paper, dependencies.tracking)
    return {
        "paper": sized(unranked(paper), request),
        "score": round(candidate.score, 4),
        "agrees": list(candidate.agrees),
        "differs": list(candidate.differs),
        "fields": field_verdicts(resolving.query, resolving.names, candidate),
        "reason": candidate.reason,
    }
