"""What the words of a query say that filters do: `recent reviews on TREM2`, `TREM2 since 2015`.

They are no telling words, and a hint names the filters. Titles have such words as well, so that the text is looked for
whole, too. Of them, only years leave papers out: those before the first (`shared.search.worded_years`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from shared.query.years_in_words import YearsInWords, years_in_words

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
    """The text without what it says of its filters, and those filters; `rest` is never empty.

    `is_request`: the text is no title, but what people say to an assistant: `find me …`, `latest research on …`.
    """

    rest: str
    years: YearsInWords
    is_review: bool = False
    sort: Literal["date", "citations"] | None = None
    is_request: bool = False

    def fields(self, today: str | None) -> dict[str, object]:
        """The filters as fields of a request on this day, in ISO 8601; None: the day is not known."""
        first, last = self.years.dates(today)
        found: dict[str, object] = {"date_from": first, "date_to": last, "sort": self.sort}
        found["publication_types"] = ["review"] if self.is_review else None
        return {name: value for name, value in found.items() if value}


@lru_cache(maxsize=1024)
def filters_in_words(text: str) -> FiltersInWords:
    """Read a text in tidy form; of an expression, one of its terms."""
    years = years_in_words(text)
    rest, frame = years.rest, ""
    if found := _FRAME.match(rest):
        frame, rest = found[0], rest[found.end() :]
    elif found := _AROUND.fullmatch(rest):
        frame, rest = rest.replace(found[1], "", 1), found[1]
    if not any(map(str.isalpha, rest)):
        return FiltersInWords(text, YearsInWords(text))
    sort: Literal["date", "citations"] | None = "citations" if "cited" in frame.casefold() else None
    sort = sort or ("date" if _NEW.search(frame) else None)
    asks = bool(sort or _ASKS.match(frame))
    return FiltersInWords(rest, years, bool(_REVIEWS.search(frame)), sort, asks)
