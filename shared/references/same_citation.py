"""Decides which paper a reference means; it prefers `not_found` to the nearest wrong paper.

    the reference has               it is matched if
    only a title                    the title is distinctive, and a single candidate has it
    a distinctive title             one other field agrees; one differing field is reported in `differs`
    a short or misspelt title       two others agree; if misspelt, also the authors alone if nothing differs
    "Editorial", "Introduction"     two others agree, authors or pages among them, and nothing differs
    a subtitle that no record has   the authors and the volume or pages agree, and nothing differs
    a title somewhere in a line     the authors and the year agree
    no title                        journal, year, authors, and pages or volume agree, and nothing differs

Any other candidate with the title makes the reference `ambiguous`, and so do two that agree equally well and are not
versions of one work. A paper with another title is no candidate, however well the rest agrees: invented references look
like that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from shared.bibliography.paper import MergedPaper
from shared.bibliography.paper_ids import id_texts
from shared.bibliography.words import words_of
from shared.matching.features import Features, features
from shared.query.question import Citation
from shared.references.cited_fields import FIELDS, OtherField, Reference, compare_fields, same_first_author
from shared.references.cited_title import NOT_NAMED, Named, Naming, name_title
from shared.references.journal_in_citation import same_journal

if TYPE_CHECKING:
    from shared.answers.papers import Compared

MAX_CANDIDATES = 5
DISTINCTIVE_WEIGHT = 4  # significant words; with fewer, two papers may well have the same title
_NOTICES = ("erratum", "retraction-notice")
# The share of the title's half of the score, by how well the titles correspond.
_TITLE_SCORE = {
    Naming.EQUAL: 1.0, Naming.SPELLED: 0.9, Naming.SHORTER: 0.8, Naming.LONGER: 0.6, Naming.PART: 0.4,
    Naming.OTHER: 0.0,
}  # fmt: skip

Status = Literal["matched", "ambiguous", "not_found"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A paper that a reference may mean, with the fields of the reference that agree with it and those that differ.

    A year beside the paper's own counts for the paper, and is reported as differing.
    """

    paper: MergedPaper
    score: float  # in [0, 1]; comparable among the candidates of one reference
    agrees: tuple[Compared, ...]
    differs: tuple[Compared, ...]


@dataclass(frozen=True, slots=True)
class Judgement:
    """The result for a reference: `matched` with the first candidate, or with none of them."""

    status: Status
    candidates: tuple[Candidate, ...]  # the best first, at most MAX_CANDIDATES; none when not found


def judge(citation: Citation, candidates: Sequence[MergedPaper]) -> Judgement:
    """Decide which of the candidates the reference means; their order does not matter."""
    reference = Reference.of(citation)
    weighed = [found for paper in candidates if (found := _weigh(reference, paper))]
    weighed.sort(key=lambda one: (-one.candidate.score, one.candidate.paper.key))
    if not weighed:
        return Judgement("not_found", ())
    best, *others = weighed
    rivals = [one for one in others if one.candidate.score == best.candidate.score]
    if not reference.given:
        rivals = others
    alone = all(_versions_of_one(best.candidate.paper, rival.candidate.paper) for rival in rivals)
    status: Status = "matched" if best.proven and alone else "ambiguous"
    return Judgement(status, tuple(one.candidate for one in weighed[:MAX_CANDIDATES]))


@dataclass(frozen=True, slots=True)
class _Weighed:
    candidate: Candidate
    proven: bool


def _weigh(reference: Reference, paper: MergedPaper) -> _Weighed | None:
    """The candidate with its score; None if the reference cannot mean it."""
    records = [features(record) for record in paper.records]
    points = compare_fields(reference, records)
    named = _named(reference, paper, points)
    agrees = [name for name in FIELDS if points.get(name)]
    differs = [name for name in FIELDS if points.get(name) is False]
    if not named.naming:
        first = same_first_author(reference, records) is not False
        if _has_title(reference, paper) or not (first and _fits_without_title(agrees, differs)):
            return None
    proven = _proves_title(named, reference.given, agrees, differs) if named.naming else _proves_source(agrees)
    if named.naming is Naming.LONGER and not proven and ("authors" not in agrees or len(agrees) < 2 or differs):
        return None
    fields = reference.given.union(agrees)
    beside = points.get("year") is True and not _is_year_of(reference, records)
    earned = sum(_earned(points.get(name), beside=beside and name == "year") for name in fields)
    half = earned / len(fields) if fields else 0.0
    score = (0.5 * _TITLE_SCORE[named.naming] if named.naming else 0.0) + 0.5 * half
    if beside:  # near enough to mean the paper, since issues appear after their articles; not what any record has
        agrees, differs = [it for it in agrees if it != "year"], [it for it in FIELDS if it in (*differs, "year")]
    agreeing: tuple[Compared, ...] = ("title", *agrees) if named.naming else tuple(agrees)
    return _Weighed(Candidate(paper, round(score, 4), agreeing, tuple(differs)), proven)


def _is_year_of(reference: Reference, records: Sequence[Features]) -> bool:
    """Whether some record has the very year of the reference, or the printed line has the year of some record."""
    years = {record.year for record in records if record.year}
    line = reference.line
    return reference.record.year in years or bool(line and any(line.holds(str(year)) for year in years))


def _earned(agrees: bool | None, *, beside: bool) -> float:
    """The points of a field, 0 to 1: half if it is unknown; for an adjacent year a little less than for the same."""
    return 0.75 if beside else {True: 1.0, None: 0.5, False: 0.0}[agrees]


def _has_title(reference: Reference, paper: MergedPaper) -> bool:
    """Whether the reference has a title, so that a paper with another title is no candidate.

    A printed reference of which no title was recognised may still contain one: then it has further words beside the
    authors and the source.
    """
    if reference.citation.title or not reference.line:
        return reference.citation.title is not None
    used = set(words_of(paper.journal or ""))
    if _begins_source(reference, paper):
        used.update(words_of(reference.citation.journal or ""))
    used.update(word for author in paper.authors for word in words_of(author.display))
    used.update(word for author in reference.citation.authors for word in words_of(author))
    return sum(word.isalpha() and len(word) > 3 and word not in used for word in reference.line.words) > 2


def _proves_title(named: Named, given: frozenset[str], agrees: Sequence[str], differs: Sequence[str]) -> bool:
    """Whether the title and the other agreeing fields can mean one paper only."""
    distinctive = named.title.weight >= DISTINCTIVE_WEIGHT and not named.title.generic
    if named.naming is Naming.PART:
        return False
    if not given and not agrees:
        return distinctive and named.naming is Naming.EQUAL
    if named.naming is Naming.LONGER:
        return "authors" in agrees and not {"volume", "pages"}.isdisjoint(agrees) and not differs
    if named.title.generic:
        return len(agrees) > 1 and not {"authors", "pages"}.isdisjoint(agrees) and not differs
    if len(differs) > 1 and len(agrees) <= len(differs):
        return False
    if named.naming is Naming.SPELLED and len(agrees) < 2:
        return distinctive and "authors" in agrees and not differs
    return len(agrees) >= (1 if distinctive else 2)


def _fits_without_title(agrees: Sequence[str], differs: Sequence[str]) -> bool:
    """Whether a reference without a title may mean the candidate at all."""
    return len(agrees) > 2 and not differs and not {"pages", "volume"}.isdisjoint(agrees)


def _proves_source(agrees: Sequence[str]) -> bool:
    return {"journal", "year", "authors"} <= set(agrees)


def _begins_source(reference: Reference, paper: MergedPaper) -> bool:
    """Whether the text after the title, or in its place, is the paper's journal."""
    cited = reference.citation.journal
    return any(cited and record.journal and same_journal(cited, record.journal) for record in paper.records)


def _versions_of_one(a: MergedPaper, b: MergedPaper) -> bool:
    """Whether one names the other as its preprint, its article or another version."""
    return _links(a, b) or _links(b, a)


def _links(a: MergedPaper, b: MergedPaper) -> bool:
    ids = {name.partition(":")[2].lower() for name in id_texts(b.ids)}
    versions = (version for record in a.records for version in record.versions)
    return any(
        not ids.isdisjoint(str(value).lower() for value in (version.doi, version.pmid, version.arxiv) if value)
        for version in versions
    )


def _named(reference: Reference, paper: MergedPaper, points: Mapping[OtherField, bool | None]) -> Named:
    """How the titles correspond: the cited title, or a whole title in the line with the authors and the year."""
    title = reference.citation.title
    if title and paper.type in _NOTICES and words_of(title) != words_of(paper.title):
        return NOT_NAMED  # `Retracted: X` is read as X, but a notice is not the paper
    named = name_title(title, paper.records) if title else NOT_NAMED
    if reference.line and named.naming is Naming.SHORTER and not _begins_source(reference, paper):
        named = NOT_NAMED  # the title was cut at a full stop within it
    if reference.line and paper.type not in _NOTICES and points.get("authors") and points.get("year"):
        whole = reference.line.name_title(paper.records)
        return max(named, whole, key=lambda one: one.naming)
    if reference.line and paper.type not in _NOTICES and not named.naming:
        whole = reference.line.name_title(paper.records)
        if whole.naming is Naming.EQUAL:
            return Named(Naming.PART, whole.title)  # too few other fields agree
    return named
