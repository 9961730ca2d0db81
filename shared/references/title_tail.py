"""A paper's year and authors right behind its title, where no sign ends that: `Attention is all you need Vaswani 2017`.

Only the paper tells whether such words belong to the title: `Cancer statistics, 2020` is one, and the name of a
paper's author is no word of another paper's title. Other names are, and so is another year that no author precedes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from shared.bibliography.words import words_of
from shared.references.cited_fields import Reference, is_year_of
from shared.references.journal_in_citation import YEAR
from shared.references.known_paper import KnownPaper

MOST_WORDS = 12  # behind a title
FEWEST_LETTERS = 4  # of a part of a family name that stands for all of it
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_YEAR_BEHIND = re.compile(rf"[\s,.;]{{1,5}}{YEAR}[a-z]?\W{{0,5}}\Z")
_BETWEEN_NAMES = frozenset(("al", "and", "by", "et"))


def without_tail(reference: Reference, paper: KnownPaper) -> Iterator[str]:
    """The beginnings of the cited title behind which only the paper's year and its authors stand, the longest first."""
    title = reference.citation.title or ""
    dated = _YEAR_BEHIND.search(title)
    if dated:
        title = title[: dated.start()]
        if is_year_of(reference, paper.records):
            yield title
    has_author = False
    for word in list(_WORD.finditer(title))[: -MOST_WORDS - 1 : -1]:
        if not _is_of_authors(word[0], paper):
            return
        has_author = has_author or any(_is_family(part, paper) for part in (*words_of(word[0]), _joined(word[0])))
        if has_author:
            yield title[: word.start()].rstrip(" ,;:(–—-")


def _is_of_authors(word: str, paper: KnownPaper) -> bool:
    known = paper.author_words | paper.families | _BETWEEN_NAMES
    parts = set(words_of(word))
    initials = {name[0] for name in paper.author_words}
    return bool(parts) and (parts <= known | initials or _joined(word) in known)


def _is_family(word: str, paper: KnownPaper) -> bool:
    if word in paper.families:
        return True
    return len(word) >= FEWEST_LETTERS and any(it.startswith(word) or it.endswith(word) for it in paper.families)


def _joined(word: str) -> str:
    return "".join(words_of(word))
