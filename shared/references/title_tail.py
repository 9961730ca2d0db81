"""A paper's year, authors and journal right behind its title: `Attention is all you need Vaswani 2017`, `X | Nature`.

Only the paper tells whether such words belong to the title: `Cancer statistics, 2020` is one, and the name of a
paper's author is no word of another paper's title. Other names are, and so is another year that no author precedes.
A line that is nothing else has no other fields, whatever its title was taken for: `Show, Attend and Tell` for a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from shared.bibliography.words import words_of
from shared.query.question import Citation
from shared.references.cited_fields import Reference, is_year_of
from shared.references.cited_title import Naming, name_title
from shared.references.journal_in_citation import YEAR, same_journal
from shared.references.known_paper import KnownPaper

MOST_WORDS = 12  # behind a title
MOST_CHARS = 150  # of a journal there
FEWEST_LETTERS = 4  # of a part of a family name that stands for all of it
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_YEAR_BEHIND = re.compile(rf"[\s,.;(\[]{{1,5}}{YEAR}[a-z]?\W{{0,5}}\Z")
_BEFORE_JOURNAL = re.compile(r"\s?[|(\[]\s?|\s[–—-]\s|[.,:]\s")
_INITIALS = re.compile(r"[A-Z]{1,3}")
_BETWEEN_NAMES = frozenset(("al", "and", "by", "et"))


def without_tail(reference: Reference, paper: KnownPaper) -> Iterator[str]:
    """The beginnings of the cited title behind which only the paper's year, authors and journal stand."""
    yield from _beginnings(reference.citation.title or "", reference, paper)


def as_title_alone(reference: Reference, paper: KnownPaper) -> Reference:
    """The reference with the paper's title, and no field but its year, if all of its line is that and such a tail."""
    line = reference.line
    if line is None or not line.begins_as(paper.titles):
        return reference
    for title in (line.text, *_beginnings(line.text, reference, paper)):
        if name_title(title, paper.titles).naming is Naming.EQUAL:
            year = reference.citation.year if title != line.text else None
            return Reference.read(Citation(title=title, year=year, text=reference.citation.text), line)
    return reference


def _beginnings(title: str, reference: Reference, paper: KnownPaper) -> Iterator[str]:
    """The beginnings of a text behind which only the paper's year, authors and journal stand, the longest first."""
    dated = _YEAR_BEHIND.search(title)
    if dated:
        title = title[: dated.start()]
        if is_year_of(reference, paper.records):
            yield title
    signs = _BEFORE_JOURNAL.finditer(title, max(0, len(title) - MOST_CHARS))
    sourced = next((it for it in signs if _names_journal(title[it.end() :], paper)), None)
    if sourced:
        title = title[: sourced.start()]
        yield title
    has_author = False
    for word in list(_WORD.finditer(title))[: -MOST_WORDS - 1 : -1]:
        if not _is_of_authors(word[0], paper):
            return
        has_author = has_author or any(_is_family(part, paper) for part in (*words_of(word[0]), _joined(word[0])))
        if has_author:
            yield title[: word.start()].rstrip(" ,;:(–—-")


def _names_journal(text: str, paper: KnownPaper) -> bool:
    return any(same_journal(text.rstrip(" 0123456789(),.;"), it) for it in paper.journals)


def _is_of_authors(word: str, paper: KnownPaper) -> bool:
    known = paper.author_words | paper.families | _BETWEEN_NAMES
    parts = set(words_of(word))
    initials = {name[0] for name in paper.author_words}
    if _INITIALS.fullmatch(word):
        return initials.issuperset(word.lower())
    return bool(parts) and (parts <= known or _joined(word) in known)


def _is_family(word: str, paper: KnownPaper) -> bool:
    if word in paper.families:
        return True
    return len(word) >= FEWEST_LETTERS and any(it.startswith(word) or it.endswith(word) for it in paper.families)


def _joined(word: str) -> str:
    return "".join(words_of(word))
