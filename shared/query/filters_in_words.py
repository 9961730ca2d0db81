"""What the words of a query say that filters do: `recent reviews on TREM2`, `TREM2 since 2015`.

Nothing is filtered by these words, because titles have them as well (`Deaths between 1990 and 2019`, which is of 2020).
They are no telling words, and a hint names the filters.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

_YEAR = "(1[89][0-9]{2}|20[0-9]{2})"
_DATES = re.compile(
    rf"(?<!\S)(?:published )?(?:(?:between|from|zwischen|entre) {_YEAR} (?:and|to|until|till|und|et|y) {_YEAR}"
    rf"|from {_YEAR} (?:on|onwards?)|(since|after|before|until|seit|depuis|desde) {_YEAR}"
    rf"|(?:in )?{_YEAR} ?[-–] ?{_YEAR})(?![\w-])",
    re.I,
)
_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_LAST_YEARS = re.compile(
    rf"(?<!\S)(?:published )?(?:(?:in|within|over|during|from) )?(?:the )?(?:last|past) "
    rf"([1-9][0-9]?|{'|'.join(_NUMBERS)}) years?(?![\w-])",
    re.I,
)
_VERBS = (
    "(?:please )?(?:(?:can|could) you )?(?:please )?"
    "(?:(?:find|show|give|get|list)(?: me| us)?|search for|(?:i am |i'm )?looking for|i (?:need|want))"
)
_ADJECTIVES = (
    "(?:the|some|a few|most recent|most cited|highly cited|recent|latest|newest|new|current|key|important|best|top"
    "|systematic|literature|review) "
)
_ONE = "review|paper|article|study"
_MANY = "reviews|papers|articles|studies|publications|preprints|literature|research|meta-analyses"
_ABOUT = "on|about|of|regarding|concerning|into|for"
# What stands before the subject.
_FRAME = re.compile(
    rf"(?:{_VERBS} (?:an? )?(?:{_ADJECTIVES}){{0,4}}(?:{_ONE}|{_MANY})|(?:{_ADJECTIVES}){{0,4}}(?:{_MANY}))"
    rf" (?:{_ABOUT}) (?=\S)",
    re.I,
)
# `recent TREM2 reviews`
_AROUND = re.compile(rf"(?:most recent|most cited|recent|latest|newest) (?=\S)(.*) (?:{_MANY})[.!?]?", re.I)
_ASKS = re.compile(_VERBS, re.I)
_REVIEWS = re.compile(r"\b(?:reviews?|meta-analyses)\b", re.I)
_NEW = re.compile(r"\b(?:recent|latest|newest)\b", re.I)


@dataclass(frozen=True, slots=True)
class FiltersInWords:
    """The text without what it says of its filters, and those filters by name; `rest` is never empty.

    `last_years`: papers of so many years back; which these are depends on the day, which this module does not know.
    `is_request`: the text is no title, but what people say to an assistant: `find me …`, `latest research on …`.
    """

    rest: str
    date_from: str | None = None
    date_to: str | None = None
    last_years: int | None = None
    is_review: bool = False
    sort: Literal["date", "citations"] | None = None
    is_request: bool = False

    @property
    def fields(self) -> dict[str, object]:
        """The filters as fields of a request."""
        found: dict[str, object] = {"date_from": self.date_from, "date_to": self.date_to, "sort": self.sort}
        found["publication_types"] = ["review"] if self.is_review else None
        return {name: value for name, value in found.items() if value}


@lru_cache(maxsize=1024)
def filters_in_words(text: str) -> FiltersInWords:
    """Read a text in tidy form; of an expression, one of its terms."""
    rest, first, last = without_dates(text)
    rest, years_back = (rest, None) if first or last else _without_last_years(rest)
    frame = ""
    if found := _FRAME.match(rest):
        frame, rest = found[0], rest[found.end() :]
    elif found := _AROUND.fullmatch(rest):
        frame, rest = rest.replace(found[1], "", 1), found[1]
    if not any(map(str.isalpha, rest)):
        return FiltersInWords(text)
    sort: Literal["date", "citations"] | None = "citations" if "cited" in frame.casefold() else None
    sort = sort or ("date" if _NEW.search(frame) else None)
    asks = bool(sort or _ASKS.match(frame))
    return FiltersInWords(rest, first, last, years_back, bool(_REVIEWS.search(frame)), sort, asks)


def _without_last_years(text: str) -> tuple[str, int | None]:
    """`TREM2 last 5 years` -> `TREM2` and 5."""
    if not (found := _LAST_YEARS.search(text)):
        return text, None
    number = found[1].lower()
    years = _NUMBERS.index(number) + 2 if number in _NUMBERS else int(number)
    return " ".join((text[: found.start()] + text[found.end() :]).split()), years


def without_dates(text: str) -> tuple[str, str | None, str | None]:
    """The text without the years between which papers are wanted, and the first and the last year, in digits.

    Years within parentheses or quotation marks stay: they may belong to one side of an OR, or to a title.
    """
    for found in _DATES.finditer(text):
        before = text[: found.start()]
        if before.count("(") == before.count(")") and before.count('"') % 2 == 0:
            first, last = _years(found)
            return " ".join((before + text[found.end() :]).split()), first, last
    return text, None, None


def _years(found: re.Match[str]) -> tuple[str | None, str | None]:
    if found[1]:
        return min(found[1], found[2]), max(found[1], found[2])
    if found[6]:
        return min(found[6], found[7]), max(found[6], found[7])
    word, year = (found[4] or "since").casefold(), int(found[3] or found[5])
    if word in ("before", "until"):
        return None, str(year - (word == "before"))
    return str(year + (word == "after")), None
