"""How DBLP finds publications: words as prefixes, all of them required.

Source: https://dblp.org/faq/1474589.html and the notes on its pages of results. `$` at a word's end makes it exact, `|`
joins alternatives; phrases (`.`) and exclusions (`-`) are disabled since 2017, so that their words count as any
other. The best come first, and of equally good ones the newest.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from shared.bibliography.text import fold

_SEPARATORS = re.compile(r"[^\w$|]+|_")


@dataclass(frozen=True, slots=True)
class Publication:
    """One record: its number, its year, and the words by which it is found."""

    number: int
    year: int
    info: dict[str, object]
    words: frozenset[str]
    title_words: frozenset[str]


@dataclass(frozen=True, slots=True)
class Term:
    """A word or a beginning of words."""

    text: str
    is_exact: bool

    def is_in(self, words: frozenset[str]) -> bool:
        """Whether one of the words is found by the term."""
        return self.text in words if self.is_exact else any(word.startswith(self.text) for word in words)


def terms_of(query: str) -> list[list[Term]]:
    """The alternatives of each required term."""
    found = []
    for written in _SEPARATORS.sub(" ", query).split():
        alternatives = [_term(part) for part in written.split("|") if fold(part)]
        if alternatives:
            found.append(alternatives)
    return found


def _term(written: str) -> Term:
    return Term(fold(written).replace(" ", ""), written.endswith("$"))


def found(query: str, held: Sequence[Publication]) -> list[tuple[int, Publication]]:
    """The score and the record of everything that the query finds; nothing for a query without words."""
    terms = terms_of(query)
    if not terms:
        return []
    hits = [
        (sum(any(it.is_in(record.title_words) for it in alternatives) for alternatives in terms), record)
        for record in held
        if all(any(it.is_in(record.words) for it in alternatives) for alternatives in terms)
    ]
    return sorted(hits, key=lambda hit: (-hit[0], -hit[1].year, hit[1].number))


def shown(query: str) -> str:
    """The query as the engine repeats it: `attention* mechanism*`."""
    return " ".join(
        "|".join(term.text if term.is_exact else f"{term.text}*" for term in alternatives)
        for alternatives in terms_of(query)
    )
