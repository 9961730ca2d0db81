"""Answers in which nothing fits: scores below a stated value, and telling words that no paper has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from shared.bibliography.text import fold
from shared.query.greek import spellings
from shared.query.understanding import understand

if TYPE_CHECKING:
    from shared.bibliography.paper import MergedPaper

# If no paper of an answer has this score, none has even a third of the query's telling words (`shared.search.ranking`).
WEAK_SCORE = 0.3
_KINDS = ("question", "sentence", "keywords")


def is_weak(scores: Iterable[float | None]) -> bool:
    """Whether there are scores and all are below WEAK_SCORE; results outside a search have None."""
    known = False
    for score in scores:  # of stored results, none behind the first good one is decoded
        if score is not None and score >= WEAK_SCORE:
            return False
        known = known or score is not None
    return known


def absent_words(wordings: Sequence[str], papers: Sequence[MergedPaper]) -> list[str]:
    """The telling words that occur in no paper, as they were typed; of a single wording without operators only.

    Names of authors and journals, and years, count: people type them among the words.
    """
    if len(wordings) != 1 or not papers or understand(wordings[0]).kind not in _KINDS:
        return []
    text = " ".join(part for paper in papers for part in _texts(paper))
    plain = text.casefold()
    rest = [word for word in understand(wordings[0]).telling if not any(stem in plain for stem in _stems(word))]
    if not rest:
        return []  # the usual case: what a text has, its folded form has, and folding takes half as long as ranking
    folded = fold(text)
    return [word for word in rest if not any(stem in folded for stem in _stems(word))]


def _stems(word: str) -> list[str]:
    """The words to look for, in folded text."""
    return [_stem(part) for form in spellings(word) for part in fold(form).split()]


def _texts(paper: MergedPaper) -> Iterator[str]:
    """What a paper has, in which people expect the words of a query."""
    yield from (paper.title, paper.abstract or "", paper.journal or "", str(paper.year or ""))
    yield from (author.display for author in paper.authors)


def _stem(word: str) -> str:
    """The word without a plural's `s`: as a part of a longer word it counts as there."""
    return word[:-1] if len(word) > 4 and word.endswith("s") else word
