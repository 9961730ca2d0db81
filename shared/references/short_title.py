"""Titles of two words behind names that end in an initial: `Erdős P, Rényi A. Random Graphs. Publ Math Debrecen`."""

from __future__ import annotations

import re

from shared.bibliography.group_authors import ends_in_group
from shared.bibliography.journal_names import known_journal
from shared.bibliography.name_patterns import CAPITAL, ET_AL, initials
from shared.bibliography.person_names import PARTICLES_BEFORE
from shared.references.title_words import ends_in_initial, reads_like_names, reads_like_title

_NAME = (
    rf"{PARTICLES_BEFORE}[^\W\d_a-z][^\s,.()\[\]:;\d]{{1,40}}"
    rf"(?: [^\W\d_a-z][^\s,.()\[\]:;\d]{{1,40}}){{0,2}},? (?:{CAPITAL}\.?[ -]?){{1,4}}(?<! )"
)
_NAMES = re.compile(rf"{_NAME}(?:,? (?:and|&) {_NAME}|, {_NAME}){{0,30}}")
_END = re.compile(r"[.?!](?: +|$)")
_MORE_NAMES = re.compile(rf"(?:{CAPITAL}\.[ -]?){{1,4}}{ET_AL}")
_ENDS_IN_INITIALS = re.compile(rf"(?:^|[\s.-]){initials(3)}$")


def is_short_title_behind(names: str, rest: str) -> bool:
    """Whether names, without the full stop behind them, end, and the rest is a title of two words and a journal.

    A part without a journal behind it is a title only if it cannot be the name of a person or a journal.
    """
    if not _NAMES.fullmatch(names) or _MORE_NAMES.match(rest):
        return False
    title, source = _first_sentence(rest[:300])
    if not len(title.split()) > 1 or title[0].islower() or "," in title or ":" in title:
        return False
    journal = re.split(r"[\d,;(]", source)[0].strip(" .")
    if any(map(known_journal, (title, f"{title} {journal}"))) or ends_in_group(title):
        return False
    if _ENDS_IN_INITIALS.search(title) or any(map(str.isdigit, title)):
        return False
    return bool(journal) or not (reads_like_names(title) or any(map(str.isdigit, source)))


def _first_sentence(text: str) -> tuple[str, str]:
    """A sentence without its full stop, and what follows; it goes on behind the dots of `R.U.R. and robots`."""
    for end in _END.finditer(text):
        if not text[end.end() : end.end() + 1].islower():
            return text[: end.start()], text[end.end() :]
    return text, ""


def has_title(text: str) -> bool:
    """Whether a title has begun, so that what follows is no year behind the names: `Doe J. Cancer statistics`."""
    names, stop, title = text.rpartition(". ")
    return reads_like_title(text) or (bool(stop) and ends_in_initial(names) and not reads_like_names(title))
