"""Capitals for the names in a reference that is typed in small letters: by them, readers find where a title begins."""

from __future__ import annotations

import re

from shared.bibliography.name_patterns import ET_AL
from shared.bibliography.person_names import PARTICLE, PARTICLES
from shared.bibliography.stop_words import STOP_WORDS

_FAMILY = rf"(?:(?:{PARTICLE}) ){{0,2}}(?=[\w'’-]{{2}})[^\W\d_]+(?:['’-][^\W\d_]+){{0,2}}"
_BETWEEN = r",? (?:&|and) |, (?:& |and )?"
_BEHIND = rf"{_FAMILY} [^\W\d_]{{1,3}}"
_BEFORE = rf"{_FAMILY}, (?:[^\W\d_]\.[ -]?){{1,3}}"
# `doe j, roe kl`, `doe j, et al`, `doe, j. k., & roe, l. (`, `doe et al`
_NAMES = re.compile(
    rf"{_BEHIND}(?:(?:{_BETWEEN}){_BEHIND}){{1,30}}(?:,? {ET_AL}|(?=\. |,? \())"
    rf"|{_BEFORE}(?:(?:,? (?:& |and )?){_BEFORE}){{0,30}}(?=\()"
    rf"|(?:{_BEHIND}|{_FAMILY}),? {ET_AL}"
)
_SMALL = frozenset((*PARTICLES, "and", "et", "al"))
MOST_INITIALS = 3


def with_capitals(line: str) -> str:
    """The line with capitals in its names; any other line, and one that does not begin with names, as it is."""
    names = _NAMES.match(line) if line.islower() else None
    if not names or not STOP_WORDS.isdisjoint({*re.findall(r"\w{2,}", names[0])} - _SMALL):
        return line
    words = names[0].split(" ")
    return " ".join(map(_with_capitals, words, ["", *words])) + line[names.end() :]


def _with_capitals(word: str, before: str) -> str:
    """A word of the names, given the one before it: initials stand alone, or behind a family name without a comma."""
    bare = word.strip(".,&")
    if bare in _SMALL:
        return word
    is_behind = before[-1:].isalpha() and before not in _SMALL and len(bare) <= MOST_INITIALS
    return word.upper() if is_behind or len(bare) == 1 else word.title()
