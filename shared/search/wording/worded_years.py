"""The years that a query's words name, as a filter of the papers that were found.

Only the first year leaves papers out: what is about the years since 2015 was published since 2015, but a paper on the
deaths between 1990 and 2019 is of 2020. The last year filters where the words say that papers were published then.
A paper whose title has the words passes: `Advances of the last 20 years` may be of 1998. The sources are not queried
with these years, so that such a title is found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shared.bibliography.text import fold
from shared.query.filters_in_words import filters_in_words
from shared.query.query import first_day, last_day
from shared.query.read_years import YearsInWords
from shared.query.understanding import understand
from shared.search.requests.search_request import SearchRequest

if TYPE_CHECKING:
    from shared.bibliography.paper import MergedPaper


@dataclass(frozen=True, slots=True)
class WordedYears:
    """The first and the last year or month of the papers that are wanted, and the words that say so."""

    date_from: str | None
    date_to: str | None
    words: tuple[str, ...]

    def admits(self, paper: MergedPaper) -> bool:
        """Whether the paper is of these years, has no date, or has the words in its title."""
        date = paper.publication_date or (str(paper.year) if paper.year else None)
        if date is None:
            return True
        if (not self.date_from or last_day(date) >= first_day(self.date_from)) and (
            not self.date_to or first_day(date) <= last_day(self.date_to)
        ):
            return True
        title = f" {fold(paper.title)} "
        return any(f" {fold(words)} " in title for words in self.words)


def latest(moments: Iterable[str | None]) -> str | None:
    """The latest of these moments in ISO 8601, such as those at which legs were queried: today, for their answers."""
    return max(filter(None, moments), default=None)


def worded_years(request: SearchRequest, today: str | None) -> WordedYears | None:
    """The years that every wording names, together; None if the request has dates of its own.

    Years that are not yet are the subject: `climate since 2050`, `dementia 2020-2050`.
    """
    if request.date_from or request.date_to or not request.wordings:
        return None
    named = [years_of(wording) for wording in request.wordings]
    if today and any(str(years.last or "") > today[:4] for years in named):
        return None
    first = [years.dates(today)[0] for years in named]
    last = [years.dates(today)[1] if years.is_of_papers else None for years in named]
    date_from, date_to = _outer(first, min), _outer(last, max)
    if date_from and today and date_from > today:
        return None
    words = tuple(dict.fromkeys(years.words for years in named))
    return WordedYears(date_from, date_to, words) if date_from or date_to else None


def _outer(dates: list[str | None], choose: Callable[[list[str]], str]) -> str | None:
    """The outermost of the dates, if each wording has one."""
    known = [date for date in dates if date]
    return choose(known) if len(known) == len(dates) else None


def years_of(wording: str) -> YearsInWords:
    """The years that a wording names; of an expression, whose calendar years are a term, those counted from today."""
    understood = understand(wording)
    if not understood.is_searchable:
        return YearsInWords(wording)
    years = filters_in_words(wording).years
    return years if understood.kind != "expression" or years.months_back is not None else YearsInWords(wording)
