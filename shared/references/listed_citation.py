"""References as arXiv, bioRxiv and result lists show them: the title on a line of its own, then the names, the rest."""

from __future__ import annotations

import re

from shared.bibliography.text import plain_text
from shared.query.question import Citation
from shared.references.journal_in_citation import ANY_YEAR, read_journal, read_place
from shared.references.names_in_citation import read_authors
from shared.references.printed_text import without_ids
from shared.references.title_words import reads_like_names, reads_like_whole_title

_BETWEEN_NAMES = re.compile(r", and |, | and | & ")
_NO_JOURNAL = re.compile(r"(?:submitted|posted|published|comments?|subjects?|cite as)\b", re.I)
MOST_WORDS = 6  # of one name


def read_listed(text: str) -> Citation | None:
    """The citation; None unless the first line reads like a title and the second like names alone."""
    lines = [line for part in text.split("\n") if (line := plain_text(part))]
    if len(lines) < 2 or not lines[0][0].isalnum() or lines[0].endswith(","):
        return None
    if not reads_like_whole_title(lines[0]) or not _are_names(lines[1]):
        return None
    source = without_ids(" ".join(lines[2:])).strip()
    years = ANY_YEAR.findall(source)
    volume, pages = read_place(source)
    return Citation(
        title=lines[0].strip(" .,"), authors=read_authors(lines[1]), year=int(years[-1]) if years else None,
        volume=volume, pages=pages, journal=None if _NO_JOURNAL.match(source) else read_journal(source),
    )  # fmt: skip


def _are_names(line: str) -> bool:
    names = [piece.split() for piece in _BETWEEN_NAMES.split(line)]
    is_plain = reads_like_names(line) and not any(sign.isdigit() for sign in line)
    return is_plain and all(1 < len(name) <= MOST_WORDS for name in names)
