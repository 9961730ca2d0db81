"""Decides which paper a reference means by its text; it prefers `not_found` to the nearest wrong paper.

    the reference has               it is matched if (`shared.references.proof`)
    only a title                    the title is distinctive, and a single candidate has it
    a distinctive title             the authors agree, or another field; not if authors and year both differ
    a short or misspelt title       two others agree, or the authors of a distinctive one
    "Editorial", "Introduction"     two others agree, authors or pages among them, and nothing differs
    a title that breaks off         the authors and another field agree, and nothing differs; never before its half:
                                    then it is `ambiguous` if the first author agrees and no other paper fits
    a subtitle that no record has   the authors and two others, or the place, agree, and nothing differs
    one wrong word in its title,    authors, journal, volume and pages agree, and nothing differs; the title is said to
    or three misspelt ones          differ
    a title somewhere in a line     the authors and another field agree
    names and a year alone          never: it is `ambiguous`
    no title                        journal, year, authors, and pages (or volume, if no pages are cited) agree, and
                                    nothing differs

A title in square brackets may be a translation of one's own: if it is another than the records have, but all else
agrees, the reference is `ambiguous`, since inventions look like that, too.
Any other candidate with the title makes the reference `ambiguous`, and so do two that agree equally well and are not
versions of one work. A paper with another title is not a candidate, however well the rest agrees: invented ones look
like that. The nearest of those are shown with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from shared.bibliography.paper import MergedPaper
from shared.bibliography.paper_ids import id_texts
from shared.bibliography.words import UNSPACED, words_of
from shared.query.question import Citation
from shared.references.brief_citation import says_too_little
from shared.references.citation_text import is_untitled
from shared.references.cited_fields import (
    FIELDS,
    OtherField,
    ParsedReference,
    compare_fields,
    is_other_order,
    is_year_of,
    same_first_author,
)
from shared.references.cited_title import Named, Naming
from shared.references.judgement import Candidate, Judgement
from shared.references.known_paper import KnownPaper
from shared.references.naming import begins_source, named_by
from shared.references.proof import WHOLE_PLACE, Comparison, fits_without_title
from shared.references.reasons import TOO_SHORT, nearest, unsure_because
from shared.references.title_tail import as_title_alone
from shared.references.title_words import reads_like_title

MAX_CANDIDATES = 5
MAX_REFUSED = 3
_BRACKETED = re.compile(r"\[[^\[\]]{8,500}\]\.?")
# The share of the title's half of the score, by how well the titles correspond.
_TITLE_SCORE = {
    Naming.EQUAL: 1.0, Naming.SPELLED: 0.9, Naming.SHORTER: 0.8, Naming.CUT: 0.7, Naming.LONGER: 0.6, Naming.PART: 0.4,
    Naming.GARBLED: 0.35, Naming.WRONG_WORD: 0.3, Naming.BEGINNING: 0.2, Naming.OTHER: 0.0,
}  # fmt: skip
_FIELD_SCORE = {True: 1.0, None: 0.5, False: 0.0}


class _Weighed(NamedTuple):
    candidate: Candidate
    is_proven: bool
    is_possible: bool
    is_beginning: bool  # only the beginning of its title is cited


class Judge:
    """Judges one reference, again whenever more papers are known; it compares each paper with the reference once."""

    def __init__(self, citation: Citation, *, has_ids: bool = False) -> None:
        self.citation = citation
        self._has_ids = has_ids  # by which it can be found, however little it says
        self._reference = ParsedReference.of(citation)
        self._weighed: dict[KnownPaper, _Weighed] = {}

    def judge(self, candidates: Sequence[KnownPaper]) -> Judgement:
        """Decide which of the candidates the reference means; their order does not matter."""
        self._weighed = {paper: self._weigh(paper) for paper in candidates}
        all_weighed = sorted(self._weighed.values(), key=lambda one: (-one.candidate.score, one.candidate.paper.key))
        weighed = [one for one in all_weighed if one.is_possible]
        weighed = [one for one in weighed if not one.is_beginning] or weighed
        if not weighed:
            near = nearest(self.citation, [one.candidate for one in all_weighed], MAX_REFUSED)
            if not self._has_ids and says_too_little(self.citation):
                return Judgement("ambiguous", tuple(replace(one, reason=TOO_SHORT) for one in near), reason=TOO_SHORT)
            return Judgement("not_found", near)
        best, *others = weighed
        equals = [one for one in others if one.candidate.score == best.candidate.score]
        if not self._reference.given:
            equals = others
        alone = all(versions_of_one(best.candidate.paper, other.candidate.paper) for other in equals)
        if best.is_proven and alone:
            return Judgement("matched", tuple(one.candidate for one in weighed[:MAX_CANDIDATES]))
        why = "others fit as well" if best.is_proven else None
        shown = [one.candidate for one in weighed[:MAX_CANDIDATES]]
        return Judgement("ambiguous", tuple(replace(one, reason=why or unsure_because(one)) for one in shown))

    def weigh(self, paper: KnownPaper) -> Candidate:
        """How one paper compares with the reference."""
        return self._weigh(paper).candidate

    def _weigh(self, paper: KnownPaper) -> _Weighed:
        return self._weighed.get(paper) or _weigh(self._reference, paper)


def _weigh(reference: ParsedReference, paper: KnownPaper) -> _Weighed:
    records, reference = paper.records, as_title_alone(reference, paper)
    points = compare_fields(reference, records)
    named = named_by(reference, paper, points)
    agrees = frozenset([name for name in FIELDS if points[name]])
    differs = frozenset([name for name in FIELDS if points[name] is False])
    same_year = "year" in agrees and is_year_of(reference, records)
    compared = Comparison(named, reference.given, agrees, differs, same_year)
    translated = not named.naming and agrees >= WHOLE_PLACE and _is_translation(reference)
    if named.naming:
        possible = compared.is_possible
    else:
        possible = (
            fits_without_title(agrees, differs)
            and same_first_author(reference, records) is not False
            and (translated or not _has_title(reference, paper))
        )
    beginning = named.naming is Naming.BEGINNING
    if beginning:
        possible = possible and same_first_author(reference, records) is True
    beside = "year" in agrees and not same_year
    other_first = "authors" not in differs and _is_other_first(reference, paper, points)
    reported = frozenset([name for name, it in (("year", beside), ("authors", other_first)) if it])
    titled = named.naming > Naming.WRONG_WORD
    has_title = titled or reference.citation.title is not None
    candidate = Candidate(
        paper.paper,
        _score(reference, named, points, beside=beside),
        (*(("title",) if titled else ()), *[name for name in FIELDS if points[name] and name not in reported]),
        (
            *(("title",) if has_title and not titled else ()),
            *[name for name in FIELDS if points[name] is False or name in reported],
        ),
    )
    return _Weighed(candidate, possible and compared.is_proven and not translated, possible, beginning)


def _is_other_first(reference: ParsedReference, paper: KnownPaper, points: Mapping[OtherField, bool | None]) -> bool:
    """Whether a later author of the paper is cited as the first, or, before its later ones, somebody else."""
    if is_other_order(reference, paper.records):
        return True
    if points.get("authors") is not None or any(map(reads_like_title, reference.citation.authors[:1])):
        return False
    return same_first_author(reference, paper.records) is False


def _score(
    reference: ParsedReference, named: Named, points: Mapping[OtherField, bool | None], *, beside: bool
) -> float:
    """The points of the title and of the fields: half a point if one is unknown, a little less for an adjacent year."""
    earned = [
        0.75 if beside and name == "year" else _FIELD_SCORE[point]
        for name, point in points.items()
        if point or name in reference.given
    ]
    title = 0.5 * _TITLE_SCORE[named.naming]
    return round(title + 0.5 * (sum(earned) / len(earned) if earned else 0.0), 4)


def _is_translation(reference: ParsedReference) -> bool:
    """Whether all of the cited title stands in square brackets: it may be a translation made for the reference."""
    return bool(_BRACKETED.fullmatch(reference.citation.title or ""))


def _has_title(reference: ParsedReference, paper: KnownPaper) -> bool:
    """Whether the reference has a title, so that a paper with another title is not a candidate.

    A printed reference of which no title was recognised may still contain one: then it has further words beside the
    authors and the source.
    """
    if reference.citation.title or not reference.line:
        return reference.citation.title is not None
    if is_untitled(reference.citation.text or ""):
        return False
    used = {*words_of(paper.paper.journal or ""), *paper.author_words}
    if begins_source(reference, paper):
        used.update(words_of(reference.citation.journal or ""))
    names = (author for author in reference.citation.authors if not reads_like_title(author))
    used.update(word for author in names for word in words_of(author))
    others = (word for word in reference.line.words if word.isalpha() and word not in used)
    return sum(len(word) > 3 or UNSPACED.match(word) is not None for word in others) > 2


def versions_of_one(a: MergedPaper, b: MergedPaper) -> bool:
    """Whether one names the other as its preprint, its article or another version."""
    return _links(a, b) or _links(b, a)


def _links(a: MergedPaper, b: MergedPaper) -> bool:
    ids = {name.partition(":")[2].lower() for name in id_texts(b.ids)}
    versions = (version for record in a.records for version in record.versions)
    return any(
        not ids.isdisjoint(str(value).lower() for value in (version.doi, version.pmid, version.arxiv) if value)
        for version in versions
    )
