"""The years in the words of an expression, as a term: `TREM2 AND microglia since 2015`.

    (TREM2 OR APOE) since 2015     ((TREM2 OR APOE)) AND PUB_YEAR:[2015 TO 2099]
    TREM2 OR APOE since 2015       TREM2 OR (APOE) AND PUB_YEAR:[2015 TO 2099]
    TREM2 OR (APOE since 2015)     TREM2 OR ((APOE) AND PUB_YEAR:[2015 TO 2099])

They are a condition of the side of OR, and of the parentheses, in which they stand, as any other term is there: of both
sides, they would leave out papers that the other one wants. In what NOT excludes they stay words.
"""

from __future__ import annotations

import re

from shared.query.foreign_syntax import Reading
from shared.query.limits import FIRST_YEAR, LAST_YEAR
from shared.query.parser import is_expression
from shared.query.sides import groups_of, sides_of
from shared.query.syntax import without_gaps
from shared.query.years_in_words import years_in_words

MOST_NAMED_CHARS = 60  # of a side that a note names
# A group that belongs to a field, or is excluded.
_NOT_READ = re.compile(r"(?::|(?:^|[\s()])(?:NOT|ANDNOT) ?)$")


def with_years(read: Reading) -> Reading:
    """The text with its years as terms if it is an expression, which is not a title, and a note on each of them.

    Which years the last five are depends on the day: they are not a term, and are left out of the text.
    """
    if not is_expression(read.text):
        return read
    text, notes = _read(read.text, is_outermost=True)
    return Reading(text, (*read.notes, *notes)) if notes else read


def _read(text: str, *, is_outermost: bool = False) -> tuple[str, list[str]]:
    """An expression, or the inside of a group, with the years of each side."""
    sides = sides_of(text)
    found = [_one_side(side, is_whole=is_outermost and len(sides) == 1) for side in sides]
    notes = [note for _, of_side in found for note in of_side]
    return (" OR ".join(side for side, _ in found) if notes else text), notes


def _one_side(text: str, *, is_whole: bool) -> tuple[str, list[str]]:
    notes: list[str] = []
    for start, end in reversed(groups_of(text)):
        if not _NOT_READ.search(text[:start]):
            inside, of_group = _read(text[start + 1 : end - 1])
            text, notes = f"{text[: start + 1]}{inside}{text[end - 1 :]}", [*of_group, *notes]
    years = years_in_words(text, in_expression=True)
    if not years.words or not (rest := without_gaps(years.rest)):
        return text, notes
    beside = "" if is_whole else f" beside `{rest}` alone" if len(rest) <= MOST_NAMED_CHARS else " of one side"
    if years.months_back is not None:
        if is_whole:
            return rest, [*notes, f"{years.words} as the first year of papers"]
        if "[" in years.words:  # a term by itself, in PubMed's syntax
            return text, notes
        return rest, [*notes, f"{years.words}{beside} as nothing: write years"]
    term = f"PUB_YEAR:[{years.first or FIRST_YEAR} TO {years.last or LAST_YEAR}]"
    said = f"{f'from {years.first}' if years.first else ''} {f'to {years.last}' if years.last else ''}".strip()
    advice = "" if is_whole else ": put parentheses around all that they are meant for"
    return f"({rest}) AND {term}", [*notes, f"years {said}{beside} as {term}{advice}"]
