"""Where the sentences of a text begin and end."""

from __future__ import annotations

import re
from collections.abc import Iterator

# A sentence ends at a full stop before a blank, also behind quotes, brackets and the numbers of citations, or at the
# full stop of a script that has no blanks.
_END = re.compile(r"[.!?][\"')\]”’]{0,3}(?:\[\d[\d,\s\u2013-]{0,40}\])?(?=\s)|[。！？]")
# Abbreviations after which a sentence goes on.
_ABBREVIATIONS = frozenset((
    "al", "approx", "ca", "cf", "dr", "e.g", "eg", "etc", "i.e", "ie", "prof", "resp", "spp", "st", "subsp", "u.k",
    "u.s", "viz", "vs",
))  # fmt: skip
# Those that stand before a number, which may be in brackets or begin with a letter: `Fig. S1`, `Eq. (3)`.
_BEFORE_NUMBERS = frozenset((
    "ch", "eq", "eqs", "eqn", "fig", "figs", "no", "nos", "p", "pp", "ref", "refs", "sec", "suppl", "tab", "vol",
))  # fmt: skip
_NUMBER = re.compile(r"\(?[A-Z]?\d|[A-Z]\b")
_LONGEST_ABBREVIATION = 12


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Where each sentence begins and ends; together they are the text without the blanks between them."""
    start = 0
    for match in _END.finditer(text):
        if not _ends_sentence(text, match):
            continue
        yield start, match.end()
        start = match.end()
        while start < len(text) and text[start].isspace():
            start += 1
    if start < len(text) or not text:
        yield start, len(text)


def _ends_sentence(text: str, match: re.Match[str]) -> bool:
    """Whether this is not the point of an abbreviation or of an initial."""
    if match[0][0] != ".":
        return True
    following = text[match.end() : match.end() + 8].lstrip()
    if following[:1].islower():
        return False
    word = text[max(0, match.start() - _LONGEST_ABBREVIATION) : match.start()].split(" ")[-1].lstrip("([\"'")
    if word.casefold() in _BEFORE_NUMBERS and _NUMBER.match(following):
        return False
    return word.casefold() not in _ABBREVIATIONS and not (len(word) == 1 and word.isupper())
