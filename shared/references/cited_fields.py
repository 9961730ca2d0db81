"""Compares a reference with a paper's records, except for the title: authors, year, journal, volume, pages.

A field agrees if it agrees with one of the records, since a preprint and its article are one paper; it differs if all
records that have it differ. For a printed reference, a value that stands anywhere in the line also agrees.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Literal

from rapidfuzz import fuzz

from shared.bibliography.paper import Paper
from shared.bibliography.text import plain_text
from shared.bibliography.words import words_of
from shared.matching.evidence import Authorship, FieldEvidence
from shared.matching.features import Features, Name, features
from shared.matching.title_likeness import SAME_SPELLING
from shared.query.question import Citation
from shared.references.citation_text import with_read_fields
from shared.references.cited_line import CitedLine
from shared.references.journal_in_citation import UNDATED_IN_BRACKETS, same_journal
from shared.references.known_paper import KnownRecord
from shared.references.names_in_citation import read_author, without_umlauts
from shared.references.national_habits import in_english_marks
from shared.references.printed_text import as_printed, without_ids, without_marks_of_title

OtherField = Literal["authors", "year", "journal", "volume", "pages"]
FIELDS: tuple[OtherField, ...] = ("authors", "year", "journal", "volume", "pages")
MAX_INITIALS = 3
FIRST_AUTHORS = 2  # between whom a list is often turned round
_BETWEEN_NAMES = frozenset({"et", "al", "and"})


@dataclass(frozen=True)
class ParsedReference:
    """A parsed citation; of a printed reference, the fields that were recognised."""

    citation: Citation
    record: Features
    line: CitedLine | None  # of a printed reference
    given: frozenset[OtherField]  # the fields that it has, other than the title

    @classmethod
    def of(cls, citation: Citation) -> ParsedReference:
        """Parse it, if it is a printed reference."""
        line = None
        if citation.text and not citation.title:
            text = without_ids(in_english_marks(_without_tags(as_printed(citation.text))))
            line = CitedLine(without_marks_of_title(UNDATED_IN_BRACKETS.sub("", text)))
        return cls.read(with_read_fields(citation), line)

    @classmethod
    def read(cls, citation: Citation, line: CitedLine | None) -> ParsedReference:
        """A citation with its fields, and the printed line that they stand in."""
        authors = tuple(author for name in citation.authors if (author := read_author(name)))
        as_paper = Paper(
            provider="", rank=1, title=citation.title or "", authors=authors, year=citation.year,
            volume=citation.volume, pages=citation.pages,
        )  # fmt: skip
        return cls(citation, features(as_paper), line, frozenset(name for name in FIELDS if getattr(citation, name)))

    @cached_property
    def quotes_title(self) -> bool:
        """Whether its title stands in quotation marks, so that it is a whole one."""
        return self.line is not None and self.line.quotes(self.citation.title or "")

    @cached_property
    def journal_words(self) -> frozenset[str]:
        """The words of the text in the place of the journal."""
        return frozenset(words_of(self.citation.journal or ""))


def _without_tags(text: str) -> str:
    """The text without the tags of HTML, with its lines as they are."""
    return "\n".join(plain_text(line) or "" for line in text.split("\n")) if "</" in text else text


def compare_fields(reference: ParsedReference, records: Sequence[KnownRecord]) -> dict[OtherField, bool | None]:
    """For each field whether it agrees with one of the records; None if the reference or all records lack it."""
    compared = [(FieldEvidence(reference.record, record.features), record) for record in records]
    line = reference.line
    authors = _any([_authors(one, record, line) for one, record in compared])
    if authors is False and any(_is_journal(reference, record) for record in records):
        authors = None
    return {
        "authors": authors,
        "year": _any([_year(one, line) for one, _ in compared]),
        "journal": _any([_journal(reference, record) for _, record in compared]),
        "volume": _any([one.volume for one, _ in compared]),
        "pages": _any([_in(line, one.b.paper.pages) or one.page for one, _ in compared]),
    }


def _any(points: Sequence[bool | None]) -> bool | None:
    return True if True in points else False if False in points else None


def _in(line: CitedLine | None, text: str | None) -> bool:
    """Whether the line has this text; texts of up to four characters may stand in it by chance, and do not count."""
    return line is not None and len(text or "") > 4 and line.holds(text)


def _is_journal(reference: ParsedReference, record: KnownRecord) -> bool:
    """Whether what was read as the authors of a printed line is the record's journal: `“Title” (Cell, 2015)`."""
    names, journal = reference.citation.authors, record.features.paper.journal
    return bool(reference.line and len(names) == 1 and journal and same_journal(names[0], journal))


def same_first_author(reference: ParsedReference, records: Sequence[KnownRecord]) -> bool | None:
    """Whether the first author is that of one of the records; None if the reference or all records have no authors."""
    compared = [(FieldEvidence(reference.record, record.features), record) for record in records]
    return _any([_first_author(one, record, reference.line) for one, record in compared])


def _first_author(e: FieldEvidence, record: KnownRecord, line: CitedLine | None) -> bool | None:
    if line and any(line.holds(name) for name in record.first_author):
        return True
    if e.authors is None or e.authors is Authorship.FIRST:
        return None if e.authors is None else True
    a, b = e.a.names[0], e.b.names[0]
    if a.initial and b.initial and a.initial != b.initial:
        return False
    if _spellings(a) & _spellings(b):
        return True
    return bool(fuzz.ratio(a.family, b.family) >= SAME_SPELLING and min(len(a.family), len(b.family)) > 4)


@lru_cache(maxsize=4096)
def _spellings(name: Name) -> frozenset[str]:
    """The family name as it stands, and with `oe` for `ö`."""
    words, spelled = words_of(name.written), words_of(without_umlauts(name.written))
    count = next((count for count in range(1, len(words) + 1) if "".join(words[-count:]) == name.family), 0)
    return frozenset((name.family, "".join(spelled[-count:])) if count else (name.family,))


def _authors(e: FieldEvidence, record: KnownRecord, line: CitedLine | None) -> bool | None:
    """Whether the first author agrees, or half of the shorter list of authors with the cited first among them.

    None if only others agree: of a long list of authors, one may have the name of an invented co-author. For the same
    reason a single cited author agrees only as one of the first two.
    """
    first = _first_author(e, record, line)
    if e.authors is None or first:
        return first
    if e.authors < Authorship.SHARED:
        return False
    among = e.b.names if len(e.a.names) > 1 else e.b.names[:FIRST_AUTHORS]
    return True if any(_is_one_person(e.a.names[0], name) for name in among) else None


def _is_one_person(a: Name, b: Name) -> bool:
    """Whether the family names agree, and of the very same family name the initials, as far as both have one."""
    if a.family == b.family and a.initial and b.initial:
        return a.initial == b.initial
    return _is_one_family(a, b)


def _is_one_family(a: Name, b: Name) -> bool:
    """Whether the family names agree, in any order of the parts or with a part left out; a given name is not enough."""
    if a.family == b.family or a.family in b.words or b.family in a.words:
        return True
    return any(word in a.family and word in b.family for word in a.words & b.words)


def is_other_order(reference: ParsedReference, records: Sequence[KnownRecord]) -> bool:
    """Whether all records with authors begin with another one, and name the cited first author later."""
    first = reference.record.names[0].family if reference.record.names else None
    if first is None:
        return False
    lists = [[name.family for name in record.features.names] for record in records if record.features.names]
    return bool(lists) and all(first != names[0] and first in names for names in lists)


def _year(e: FieldEvidence, line: CitedLine | None) -> bool | None:
    if e.years_apart is None:
        return True if line and e.b.year and line.holds(str(e.b.year)) else None
    return e.years_apart < 2


def is_year_of(reference: ParsedReference, records: Sequence[KnownRecord]) -> bool:
    """Whether some record has the very year of the reference; if none was recognised, a year in the printed line."""
    years = {record.features.year for record in records if record.features.year}
    if reference.record.year:
        return reference.record.year in years
    return bool(reference.line and any(reference.line.holds(str(year)) for year in years))


def _journal(reference: ParsedReference, record: KnownRecord) -> bool | None:
    cited, line, journal = reference.citation.journal, reference.line, record.features.paper.journal
    if not journal:
        return None
    if cited and line and reference.journal_words <= record.title_words:
        return _in(line, journal) or None  # the end of a title that was cut at a full stop within it
    if cited and line and _names_authors(reference.journal_words, record):
        return _in(line, journal) or None  # `Jumper et al., 2021`, which has neither a title nor a journal
    return _in(line, journal) or (same_journal(cited, journal) if cited else None)


def _names_authors(text: frozenset[str], record: KnownRecord) -> bool:
    """Whether the words of a text are names and initials of the record's authors."""
    words = text - _BETWEEN_NAMES
    # `J Exp Med` shares only a letter with `Jay J`
    others = {word for word in words if len(word) < 2 or word not in record.name_words}
    if others == words:
        return False
    return all(len(word) <= MAX_INITIALS and record.initials.issuperset(word) for word in others)
