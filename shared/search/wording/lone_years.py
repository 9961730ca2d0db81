"""A year at the end or the beginning of a few words: `TREM2 2022`.

It stays a word, since it may be the subject's (`H1N1 2009`), and many sources then find only the papers that name it in
their texts. So the answer says how to search for the papers of that year.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from shared.query.subject_years import FIRST_YEAR_OF_PAPERS, belongs_to_subject
from shared.query.understanding import understand
from shared.search.wording.pasted_reference import journal_issue, short_citation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from shared.answers.search import Action, Hint
    from shared.search.requests.search_request import SearchRequest

_YEAR = re.compile(r"\(?((?:19|20)[0-9]{2})\)?[.,]?")
MOST_WORDS = 6  # more are a title


class LoneYear(NamedTuple):
    """The year, and the words beside it."""

    year: str
    words: str


def lone_year(text: str, today: str | None) -> LoneYear | None:
    """The one year that a text has, if it may be that of the papers; not a year to come, as of a day in ISO 8601."""
    words = text.split()
    found = [(place, match[1]) for place, word in enumerate(words) if (match := _YEAR.fullmatch(word))]
    if len(found) != 1 or not 1 < len(words) <= MOST_WORDS or ":" in text or understand(text).kind != "keywords":
        return None
    place, year = found[0]
    before, after = " ".join(words[:place]), " ".join(words[place + 1 :])
    if (before and after) or int(year) < FIRST_YEAR_OF_PAPERS or (today and year > today[:4]):
        return None
    if belongs_to_subject(f"{before} ", year, f" {after}") or not any(map(str.isalpha, before + after)):
        return None
    if short_citation(text) or journal_issue(text):  # these have hints of their own
        return None
    return LoneYear(year, before or after)


def year_hints(request: SearchRequest, today: str | None) -> list[Hint]:
    """How to search for papers of the year that a single wording ends or begins with."""
    if len(request.wordings) != 1 or request.date_from or request.date_to or request.identifiers:
        return []
    if not (found := lone_year(request.wordings[0], today)):
        return []
    dates = f'`date_from: "{found.year}"` and `date_to: "{found.year}"`'
    message = f"`{found.year}` was searched for as a word. For the papers of that year, use {dates} in its place: "
    return [{"reason": "year", "message": f"{message}`next_actions` has the call."}]


def year_actions(
    same: dict[str, object], wordings: Sequence[str], hints: Sequence[Hint], today: str | None
) -> list[Action]:
    """The search that a hint of `year_hints` names; `same` repeats the one that was made."""
    found = lone_year(wordings[0], today) if wordings and any(it["reason"] == "year" for it in hints) else None
    if not found:
        return []
    arguments = {**same, "query": found.words, "date_from": found.year, "date_to": found.year}
    return [{"tool": "literature_search", "arguments": arguments, "why": f"searches for papers of {found.year}"}]
