"""Answers in which nothing fits: scores below a stated value, and telling words that no paper has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from shared.bibliography.text import fold
from shared.query.greek import spellings
from shared.query.pasted_text import PRINTED_REFERENCE
from shared.query.understanding import understand

if TYPE_CHECKING:
    from shared.answers.search import Hint
    from shared.bibliography.paper import MergedPaper

# If no paper of an answer has this score (`shared.search.ranking.formula`), none has even a third of the query's
# telling words.
WEAK_SCORE = 0.3
WEAK_MATCH = "weak_match"  # the reason of the hint that says so
_KINDS = ("question", "sentence", "keywords")


def is_weak(scores: Iterable[float | None]) -> bool:
    """Whether there are scores and all are below WEAK_SCORE; results outside a search have None."""
    known = False
    for score in scores:
        if score is not None and score >= WEAK_SCORE:
            return False
        known = known or score is not None
    return known


def are_weak(hints: Iterable[Hint]) -> bool:
    """Whether the hints of a result set say that it is weak: to read the scores would decode all of its results."""
    return any(hint["reason"] == WEAK_MATCH for hint in hints)


def absent_words(wordings: Sequence[str], papers: Sequence[MergedPaper]) -> list[str]:
    """The telling words that occur in no paper, as they were typed; of a single wording without operators only.

    Names of authors and journals, and years, count: people type them among the words. Numbers do not where they are a
    volume and pages: beside an identifier, and in a printed reference.
    """
    if len(wordings) != 1 or not papers or understand(wordings[0]).kind not in _KINDS:
        return []
    rest, unfolded = [*understand(wordings[0]).telling], set[str]()
    if understand(wordings[0]).identifiers or PRINTED_REFERENCE.search(wordings[0]):
        rest = [word for word in rest if any(map(str.isalpha, word))]
    for text in (" ".join(_texts(paper)).casefold() for paper in papers):
        rest = [word for word in rest if not any(stem in text for stem in _stems(word))]
        if not rest:
            return []  # the usual case, after the first papers
        if not text.isascii():  # folding takes long, and adds nothing to a word in ASCII
            unfolded.update(word for word in text.split() if not word.isascii())
    folded = fold(" ".join(unfolded))
    return [word for word in rest if not any(stem in folded for stem in _stems(word))]


@lru_cache(maxsize=256)  # each is looked for in every text, until it is found
def _stems(word: str) -> tuple[str, ...]:
    """The words to look for, in folded text."""
    return tuple(_stem(part) for form in spellings(word) for part in fold(form).split())


def _texts(paper: MergedPaper) -> Iterator[str]:
    """What a paper has, in which people expect the words of a query."""
    yield from (paper.title, paper.abstract or "", paper.journal or "", str(paper.year or ""))
    yield from (author.display for author in paper.authors)


def _stem(word: str) -> str:
    """The word without a plural's `s`: as a part of a longer word it counts as there."""
    return word[:-1] if len(word) > 4 and word.endswith("s") else word
