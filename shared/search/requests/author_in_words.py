"""An author whom the one wording of a request names by a cue: the request is read as one with the filter `author`.

The words are searched for as they were typed if that finds nothing: `phosphorylation by Akt Kinases` names nobody.
"""

from __future__ import annotations

from dataclasses import dataclass

from shared.query.person_in_words import person_in_words
from shared.query.syntax import tidy
from shared.query.understanding import understand


@dataclass(frozen=True, slots=True)
class AuthorInWords:
    """The query as it was typed, and what it was read as: an author, a citation's year, and the words beside them."""

    query: str
    author: str
    year: str | None
    rest: str

    @property
    def fields(self) -> dict[str, str | None]:
        """The fields of the request that this changes."""
        dates = {"date_from": self.year, "date_to": self.year} if self.year else {}
        return {"query": self.rest or None, "author": self.author, **dates}


def author_in_words(query: str, *, dated: bool) -> AuthorInWords | None:
    """The author whom a query names by a cue; `dated`: its request has dates, so that a citation's year is none."""
    typed = tidy(query)
    read = person_in_words(typed)
    if not read or understand(typed).identifiers:
        return None
    return AuthorInWords(typed, read.author, None if dated else read.year, read.rest)
