"""Whether a reference exists, and which paper it means: `matched`, `ambiguous`, `not_found`, or `unanswered`.

    the ids that a reference names -> looked up, and believed only if the rest of the reference fits
    what is left  -> few: everybody at once; many: who takes many together, then one source after the other, the
                     quickest first, by so many at a time as its limits let through in WAVE_S
    candidates    -> merged -> judged by `shared.references.same_citation`, which never takes the nearest wrong paper
    what matched  -> looked up whole, for only then it is known whether the paper stands

`not_found` is said only when somebody who was asked has answered; who did not is named beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from shared.answers.envelope import envelope, in_order
from shared.bibliography.paper import MergedPaper, Paper, RecordId
from shared.bibliography.paper_ids import scheme_of
from shared.clock import Deadline
from shared.errors import Outcome
from shared.legs.coalescing import answer_legs
from shared.legs.leg import Leg, LegAnswer
from shared.legs.reports import cache_state, complete, raise_if_all_failed, reports_of
from shared.merging.merge import merge
from shared.papers.dependencies import PapersWorld
from shared.papers.lookup import look_up
from shared.papers.request import Reference, ResolveRequest
from shared.query.question import Citation, Match
from shared.references.citation_text import read_citation
from shared.references.cited_ids import by_ids, names_in, with_ids
from shared.references.same_citation import Candidate, Judgement, judge
from shared.search.integrity import with_integrity
from shared.search.page import unranked
from shared.search.publishing import publish_results
from shared.search.sizes import sized

# So many references may go to all sources at once; more go to one after the other, to spare the slow ones.
FEW = 5
# A slow source is asked in waves of so long, so that no leg waits for its turn until its time is over.
WAVE_S = 5.0
STATUSES = ("matched", "ambiguous", "not_found", "unanswered")
FIELDS = (
    "references", *STATUSES, "complete", "providers", "cache", "kg", "search_time_ms", "request_id", "content_trust",
)  # fmt: skip


@dataclass(slots=True)
class Resolving:
    """One reference on its way: what it says, the ids it names, who was asked, and the records that came."""

    citation: Citation
    names: tuple[str, ...]
    says_ids: bool = False  # also such as nobody can read
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    records: list[int] = field(default_factory=list)  # numbers of records that may be meant
    judgement: Judgement = field(default_factory=lambda: Judgement("not_found", ()))

    @property
    def asked(self) -> Citation:
        """The citation as providers are asked for it: of a raw line, with what can be read out of it."""
        it = self.citation
        return replace(read_citation(it.text), text=it.text) if it.text and not it.title else it

    @property
    def says_more_than_ids(self) -> bool:
        """Whether there is anything to compare a paper with."""
        return any((self.citation.title, self.citation.text, self.citation.journal))


def resolve(request: ResolveRequest, world: PapersWorld) -> dict[str, Any]:
    """One answer a reference, in the order asked. Raises AllProvidersFailed when nobody answered."""
    deadline = Deadline(world.monotonic, request.timeout_ms)
    work = _Resolve(request, world, deadline)
    work.look_up_ids()
    work.ask_for_citations()
    if work.answers:  # a reference that is only an id which is none leaves nobody to ask
        raise_if_all_failed([answer.reply for answer in work.answers])
    work.open_matches()
    pairs = zip(request.references, work.references, strict=True)
    entries = [_entry(asked, it, work, request, world) for asked, it in pairs]
    statuses = [entry["status"] for entry in entries]
    reports = reports_of([answer.reply for answer in work.answers])
    own = {"references": entries, **{status: statuses.count(status) for status in STATUSES}}
    about = {"complete": complete(reports, ()), "providers": reports, "cache": cache_state(work.answers)}
    kg = _published(work, request, world)
    shared = envelope(about, kg=kg, search_time_ms=deadline.elapsed_ms(), request_id=world.request_id)
    return in_order(FIELDS, own, shared)


class _Resolve:
    def __init__(self, request: ResolveRequest, world: PapersWorld, deadline: Deadline) -> None:
        self._fresh, self._world, self._deadline = request.fresh, world, deadline
        self.references = [
            Resolving(it.citation, names := names_in(it), says_ids=bool(it.ids or names)) for it in request.references
        ]
        self.answers: list[LegAnswer] = []
        self.opened: dict[str, MergedPaper] = {}
        self._records: list[tuple[RecordId, Paper]] = []

    def look_up_ids(self) -> None:
        """The papers of the ids that references name, all in one lookup."""
        names = list(dict.fromkeys(name for it in self.references for name in it.names))
        if not names:
            return
        looked = look_up(names, self._world, self._deadline, fresh=self._fresh)
        self.answers += looked.answers
        sought = {it.name: it for it in looked.sought}
        for it in self.references:
            for name in it.names:
                it.outcomes |= sought[name].outcomes
                paper = sought[name].paper
                self._add([it], paper.records if paper else ())
        self._judge()

    def ask_for_citations(self) -> None:
        """Source after source, for the references that no id has settled."""
        abilities = self._world.abilities
        sources = sorted(self._world.offering("match"), key=lambda name: (-abilities[name].requests_per_second, name))
        if len(self._open()) <= FEW:
            self._ask([(name, abilities[name].match_titles) for name in sources], self._open())
            return
        for name in sources:
            if abilities[name].match_citations > 1:
                self._ask([(name, abilities[name].match_citations)], self._open())
        for name in sources:
            size = abilities[name].match_titles
            wave = max(1, round(WAVE_S * abilities[name].requests_per_second)) * size
            open_ones = self._open()
            for start in range(0, len(open_ones), wave):
                self._ask([(name, size)], open_ones[start : start + wave])

    def _open(self) -> list[Resolving]:
        return [it for it in self.references if it.says_more_than_ids and it.judgement.status != "matched"]

    def _ask(self, sources: Iterable[tuple[str, int]], references: Sequence[Resolving]) -> None:
        """Ask each source for these references, so many in one question, and judge what came."""
        asked: list[tuple[Leg, Sequence[Resolving]]] = []
        for name, size in sources:
            for start in range(0, len(references), size):
                some = references[start : start + size]
                asked.append((Leg(name, Match(tuple(it.asked for it in some))), some))
        if not asked:
            return
        legs = [leg for leg, _ in asked]
        answers = answer_legs(legs, self._world.legs, until=self._deadline.until, fresh=self._fresh)
        self._world.observe(answers)
        self.answers += answers
        for answer, (leg, some) in zip(answers, asked, strict=True):
            self._add(some, answer.reply.papers)
            for place, it in enumerate(some):
                if place not in answer.reply.unasked:
                    it.outcomes[leg.provider] = answer.reply.outcome
        self._judge()

    def _add(self, references: Sequence[Resolving], records: Iterable[Paper]) -> None:
        """Number the records, and store for each reference the numbers of its candidates."""
        for record in records:
            number = len(self._records)
            self._records.append((RecordId(record.provider, 0, number), record))
            for it in references:
                it.records.append(number)

    def _judge(self) -> None:
        papers = merge(self._records)
        paper_of = {record_id.rank: paper for paper in papers for record_id in paper.record_ids}
        for it in self.references:
            candidates = list({id(paper): paper for number in it.records if (paper := paper_of[number])}.values())
            if it.says_more_than_ids:
                judgement = judge(it.citation, candidates)
                it.judgement = with_ids(it.names, judgement) if it.says_ids else judgement
            else:
                it.judgement = by_ids(it.names, candidates)

    def open_matches(self) -> None:
        """The matched papers whole, in one lookup: only then is it known whether they stand."""
        matched = [it.judgement.candidates[0].paper.key for it in self.references if it.judgement.status == "matched"]
        names = sorted({key for key in matched if scheme_of(key) != "title"})
        if not names:
            return
        looked = look_up(names, self._world, self._deadline, fresh=self._fresh)
        self.answers += looked.answers
        self.opened = {it.name: it.paper for it in looked.sought if it.paper}


def _published(work: _Resolve, request: ResolveRequest, world: PapersWorld) -> dict[str, int]:
    """The matched papers go to the graph."""
    papers = [unranked(paper) for _, paper in sorted(work.opened.items())]
    return publish_results(papers, request, world.publish)


def _entry(
    asked: Reference, it: Resolving, work: _Resolve, request: ResolveRequest, world: PapersWorld
) -> dict[str, Any]:
    status: str = it.judgement.status
    answered = sorted(name for name, outcome in it.outcomes.items() if outcome.answered)
    failed = {name: outcome.value for name, outcome in sorted(it.outcomes.items()) if not outcome.answered}
    if status == "not_found" and not answered:
        status = "unanswered"
    candidates = [_candidate(found, work, request, world) for found in it.judgement.candidates]
    matched = candidates[0] if status == "matched" else {}
    return {
        "reference": asked.model_dump(exclude_defaults=True),
        "status": status,
        "paper": matched.get("paper"),
        "score": matched.get("score"),
        "agrees": matched.get("agrees", []),
        "differs": matched.get("differs", []),
        "candidates": [] if status == "matched" else candidates,
        "answered_by": answered,
        "unanswered": failed,
    }


def _candidate(found: Candidate, work: _Resolve, request: ResolveRequest, world: PapersWorld) -> Mapping[str, Any]:
    """The paper whole where it was opened; of another, not everybody was asked whether it stands."""
    whole = work.opened.get(found.paper.key) or with_integrity(found.paper, world.tracking)
    paper = sized(unranked(whole), request)
    score = round(found.score, 4)
    return {"paper": paper, "score": score, "agrees": list(found.agrees), "differs": list(found.differs)}
