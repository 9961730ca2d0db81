"""A paper's year, authors and journal right behind its title: `Attention is all you need Vaswani 2017`, `X | Nature`.

Only the paper tells whether such words belong to the title: `Cancer statistics, 2020` is one, and the name of a
paper's author is no word of another paper's title. Other names are, and so is another year that no author precedes.
A line that is nothing else has no other fields, whatever its title was taken for: `Show, Attend and Tell` for a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from shared.bibliography.words import words_of
from shared.query.question import Citation
from shared.references.cited_fields import ParsedReference, is_year_of
from shared.references.cited_title import Naming, name_title
from shared.references.journal_in_citation import YEAR, same_journal
from shared.references.known_paper import KnownPaper

MOST_WORDS = 12  # behind a title
MOST_CHARS = 150  # of a journal there
MOST_OF_YEAR = 15  # characters of a year there, with the signs around it
FEWEST_LETTERS = 4  # of a part of a family name that stands for all of it
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_YEAR_BEHIND = re.compile(rf"[\s,.;(\[]{{1,5}}{YEAR}[a-z]?\W{{0,5}}\Z")
_BEFORE_JOURNAL = re.compile(r"\s?[|(\[]\s?|\s[–—-]\s|[.,:]\s")
_INITIALS = re.compile(r"[A-Z]{1,3}")
_BETWEEN_NAMES = frozenset(("al", "and", "by", "et"))


def without_tail(reference: ParsedReference, paper: KnownPaper) -> Iterator[str]:
    """The beginnings of the cited title behind which only the paper's year, authors and journal stand."""
    yield from _beginnings(reference.citation.title or "", reference, paper)


def as_title_alone(reference: ParsedReference, paper: KnownPaper) -> ParsedReference:
    """The reference with the paper's title, and no field but its year, if all of its line is that and such a tail."""
    line = reference.line
    if line is None or not line.begins_as(paper):
        return reference
    for title in (line.text, *_beginnings(line.text, reference, paper)):
        if name_title(title, paper.titles).naming is Naming.EQUAL:
            year = reference.citation.year if title != line.text else None
            return ParsedReference.read(Citation(title=title, year=year, text=reference.citation.text), line)
    return reference


def _beginnings(title: str, reference: ParsedReference, paper: KnownPaper) -> Iterator[str]:
    """The beginnings of a text behind which only the paper's year, authors and journal stand, the longest first."""
    dated = _YEAR_BEHIND.search(title, max(0, len(title) - MOST_OF_YEAR))
    if dated:
        title = title[: dated.start()]
        if is_year_of(reference, paper.records):
            yield title
    for before, journal in _sourced(title):
        if any(same_journal(journal, it) for it in paper.journals):
            title = before
            yield title
            break
    has_author = False
    for word, before in _last_words(title):
        if not _is_of_authors(word, paper):
            return
        has_author = has_author or any(_is_family(part, paper) for part in (*words_of(word), _joined(word)))
        if has_author:
            yield before


# One title is compared with many papers.
@lru_cache(maxsize=1024)
def _sourced(title: str) -> tuple[tuple[str, str], ...]:
    """What stands before each mark that a journal may follow, and what follows."""
    signs = _BEFORE_JOURNAL.finditer(title, max(0, len(title) - MOST_CHARS))
    return tuple((title[: it.start()], title[it.end() :].rstrip(" 0123456789(),.;")) for it in signs)


@lru_cache(maxsize=1024)
def _last_words(title: str) -> tuple[tuple[str, str], ...]:
    """The last words, the last one first, and what stands before each."""
    words = list(_WORD.finditer(title))[: -MOST_WORDS - 1 : -1]
    return tuple((word[0], title[: word.start()].rstrip(" ,;:(–—-")) for word in words)


def _is_of_authors(word: str, paper: KnownPaper) -> bool:
    if _INITIALS.fullmatch(word):
        return paper.initials.issuperset(word.lower())
    parts = words_of(word)
    return bool(parts) and (
        all(it in paper.name_words or it in _BETWEEN_NAMES for it in parts) or _joined(word) in paper.name_words
    )


def _is_family(word: str, paper: KnownPaper) -> bool:
    if word in paper.families:
        return True
    return len(word) >= FEWEST_LETTERS and any(it.startswith(word) or it.endswith(word) for it in paper.families)


def _joined(word: str) -> str:
    return "".join(words_of(word))
