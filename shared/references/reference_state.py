"""References while they are being resolved: what is known of each, and the records that may be of its paper."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from shared.bibliography.paper import MergedPaper, Paper, RecordId
from shared.bibliography.text import xml_text
from shared.clock import Deadline
from shared.merging.merge import merge
from shared.outcomes import Outcome, answered_of, unanswered_of
from shared.papers.reference_request import Reference
from shared.query.question import Citation
from shared.references.citation_text import with_read_fields
from shared.references.cited_ids import by_ids, has_fields, lone_number, names_in, with_ids
from shared.references.id_writings import Writing, writings_of
from shared.references.judgement import Candidate, Judgement
from shared.references.known_paper import KnownPaper
from shared.references.same_citation import Judge

if TYPE_CHECKING:
    from shared.answers.papers import ReferenceStatus


@dataclass
class ReferenceState:
    """One reference: its content, the ids in it, the outcome of each queried provider, and the present judgement."""

    citation: Citation
    names: tuple[str, ...]  # of the ids in it
    has_ids: bool = False  # also if none of them could be parsed
    number: str = ""  # its text, if that is a number alone, of which nothing says that it is a PMID
    writings: tuple[Writing, ...] = ()  # other readings of its DOIs, which the sources may confirm
    outcomes: dict[str, Outcome] = field(default_factory=dict)
    records: list[int] = field(default_factory=list)  # the numbers of the records that may be of its paper
    judgement: Judgement = field(default_factory=lambda: Judgement("not_found", ()))
    is_judged: bool = True  # by all of its records
    is_refused: bool = False  # it is not looked for, and its judgement stays
    _judge: Judge | None = field(default=None, init=False, repr=False)
    _judged_by: list[KnownPaper] | None = field(default=None, init=False, repr=False)

    @classmethod
    def of(cls, reference: Reference, refused: str | None = None) -> ReferenceState:
        """A reference of a request, before any provider is queried; `refused` is why none is to be."""
        if refused:
            return cls(Citation(), (), judgement=Judgement("ambiguous", (), reason=refused), is_refused=True)
        names = names_in(reference)
        writings = writings_of(reference, names)
        has_ids = bool(reference.ids or names or writings)
        return cls(reference.citation, names, has_ids, number=lone_number(reference), writings=writings)

    @property
    def has_confirmed_id(self) -> bool:
        """Whether an id of it is known to name the paper that its title or its authors describe."""
        agrees = self.judgement.candidates[0].agrees if self.judgement.status == "matched" else ()
        return "id" in agrees and not {"title", "authors"}.isdisjoint(agrees)

    def as_known(self, known: Collection[str]) -> ReferenceState:
        """The reference with its DOI in the longest reading that is among these names, if one is; to be judged anew.

        An id that is this DOI cut short, or with marks behind it, counts only if it is known as well.
        """
        writing = next((it for it in self.writings if it.name in known), None)
        if writing is None:
            return self
        others = (name for name in self.names if name in known or not writing.replaces(name))
        return replace(self, citation=writing.citation, names=(writing.name, *others))

    @cached_property
    def query(self) -> Citation:
        """The citation as it is sent to providers: a raw line with its fields, without what no text holds.

        The text of a PDF file has control characters in place of hyphens and ligatures; some engines refuse them.
        """
        read = with_read_fields(self.citation)
        title, journal, text = (it and xml_text(it) for it in (read.title, read.journal, read.text))
        return replace(read, title=title, journal=journal, text=text, authors=tuple(map(xml_text, read.authors)))

    @cached_property
    def is_more_than_ids(self) -> bool:
        """Whether it has a field that a paper can be compared with."""
        return has_fields(self.citation)

    @property
    def can_be_searched(self) -> bool:
        """Whether it has what sources can find a paper by, other than its ids."""
        return self.is_more_than_ids and any((self.citation.title, self.citation.text, self.citation.journal))

    def judge_by(self, papers: Iterable[KnownPaper]) -> None:
        """Judge it by its ids and its text among these papers, in any order; a paper may come twice."""
        candidates = list(dict.fromkeys(papers))
        if self.is_refused or candidates == self._judged_by:
            return
        self._judged_by = candidates
        if not self.is_more_than_ids:
            self.judgement = by_ids(self.names, candidates, self.number)
            return
        self._judge = self._judge or Judge(self.citation, has_ids=bool(self.names))
        judgement = self._judge.judge(candidates)
        self.judgement = with_ids(self._judge, self.names, judgement, candidates) if self.has_ids else judgement

    def is_printed_at(self, provider: str) -> bool:
        """Whether its journal, or its line, names the provider: `arXiv preprint arXiv:1502.03044`."""
        return provider in f"{self.citation.journal or ''} {self.citation.text or ''}".lower()

    def compared_with(self, paper: MergedPaper, candidate: Candidate) -> Candidate:
        """How the reference compares with a candidate's paper as it was looked up: more records state its fields."""
        if not self.is_more_than_ids or paper is candidate.paper:
            return replace(candidate, paper=paper)
        whole = (self._judge or Judge(self.citation)).weigh(KnownPaper(paper))
        agrees = (*whole.agrees, *(name for name in candidate.agrees if name == "id"))
        differs = (*whole.differs, *(name for name in candidate.differs if name == "id"))
        return replace(candidate, paper=paper, agrees=agrees, differs=differs)

    @property
    def answered_by(self) -> list[str]:
        """The providers that answered."""
        return answered_of(self.outcomes)

    @property
    def is_answered(self) -> bool:
        """Whether it is known what the sources hold: some answered, none failed, and all candidates were judged."""
        return bool(self.answered_by) and not self.unanswered and self.is_judged

    @property
    def status(self) -> ReferenceStatus:
        """What is said of it: that no paper was found, or that too little is cited, only if somebody answered."""
        status, found = self.judgement.status, self.judgement.candidates
        if status == "ambiguous" and not found and not self.answered_by and not self.is_refused:
            return "unanswered"
        return "unanswered" if status == "not_found" and not self.is_answered else status

    @property
    def unanswered(self) -> dict[str, Outcome]:
        """The providers that did not answer, with their outcomes; without those that lack an API key here."""
        return unanswered_of(self.outcomes)


class Candidates:
    """All records found for the references of one request, and the judgement of each reference by them."""

    def __init__(self) -> None:
        self._records: list[tuple[RecordId, Paper]] = []
        self._papers: dict[tuple[RecordId, ...], KnownPaper] = {}  # by the records that they were merged from

    def add(self, references: Sequence[ReferenceState], records: Iterable[Paper]) -> None:
        """Add records that may be of the papers of these references."""
        for record in records:
            number = len(self._records) + 1
            self._records.append((RecordId(record.provider, record.wording, number), record))
            for reference in references:
                reference.records.append(number)

    def judge(self, references: Sequence[ReferenceState], deadline: Deadline) -> None:
        """Merge all records, and judge each reference by the papers that its own records belong to.

        References that the time does not suffice for keep their judgements and are no longer `is_judged`.
        """
        for reference in references:
            reference.is_judged = False
        if deadline.over:
            return
        self._papers = {paper.record_ids: self._known(paper) for paper in merge(self._records)}
        paper_of = {record_id.rank: paper for ids, paper in self._papers.items() for record_id in ids}
        for reference in references:
            if deadline.over:
                return
            reference.judge_by(paper_of[number] for number in reference.records)
            reference.is_judged = True

    def _known(self, paper: MergedPaper) -> KnownPaper:
        """The paper as it was known before, if the records since have not changed it: then it is not compared again."""
        known = self._papers.get(paper.record_ids)
        return known if known and known.paper == paper else KnownPaper(paper)
