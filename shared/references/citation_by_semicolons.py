"""References whose names are set off by semicolons: all parts are, or a title follows as the ACS has it.

J Doe; K Roe; Title; Journal; 2015; 12; 34-56
Doe, J. A.; van der Roe, K. Title. Journal 2015, 12, 34-56
"""

from __future__ import annotations

import re

from shared.bibliography.name_patterns import CAPITAL, ET_AL
from shared.references.title_end import title_and_source
from shared.references.title_words import reads_like_names, reads_like_title

MOST_WORDS = 5  # of one name
FEWEST_PARTS = 4
_NAME = rf"[^\W\d_][^\d,;:.()]{{1,40}}, (?:{CAPITAL}[a-z]?\.[ -]{{0,2}}){{1,5}}"
_NAMES = re.compile(rf"({_NAME}(?:; ?{_NAME}){{1,50}})(?:;? ?{ET_AL}\.?,? )?(?=[^\W\d_])")
_WORD = re.compile(r"\b[a-z]{4}")  # as abbreviated journals have none
_NUMBERS = re.compile(r"\D{0,12}\d[\w.() -]{0,30}\.?")


def read_by_semicolons(line: str) -> tuple[str, str, str] | None:
    """The names, the title and the source of such a reference; None if the line is none."""
    if listed := _NAMES.match(line):
        first, behind = title_and_source(line[listed.end() :])
        if first and _WORD.search(first) and "." not in first:
            return listed[1], first, behind
    parts = [part.strip() for part in line.split("; ")]
    names = 0
    while names < len(parts) and reads_like_names(parts[names]) and len(parts[names].split()) <= MOST_WORDS:
        names += 1
    title, source = (parts[names], parts[names + 1 :]) if names < len(parts) else ("", [])
    if (
        not names
        or len(source) < FEWEST_PARTS - 2
        or not reads_like_title(title)
        or re.search(r"\. [^\W\d_a-z]", title)
    ):
        return None
    if not all(map(_NUMBERS.fullmatch, source[1:])):
        return None
    return "; ".join(parts[:names]), title.strip(" .,"), _place(source)


def _place(source: list[str]) -> str:
    """`Journal; 2015; 12; 34-56` with the signs that journals have between these."""
    journal, *numbers = source
    if len(numbers) > 2:
        return f"{journal}, {', '.join(numbers[:-1])}: {numbers[-1]}"
    return ", ".join(source)
