"""Titles that are cited in part: cut inside a word (`… and neurodegen`), or with an ellipsis in place of words."""

from __future__ import annotations

import re
from functools import lru_cache

from shared.bibliography.words import words_of

MIN_LETTERS = 3  # of a word that breaks off
_ELLIPSIS = re.compile(r"[\[(]?(?:…|\.{3,}|\. \. \.){1,4}[\])]?")


def has_ellipsis(title: str) -> bool:
    """Whether words are left out of it, or were at its end."""
    return _ELLIPSIS.search(title) is not None


def words_in(cited: str, whole: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a title that its abridged form has; nothing if that is none.

    What stands before the first ellipsis begins the title, and what stands behind the last one ends it.
    """
    pieces = _pieces(cited)
    found: list[str] = []
    at = 0
    for number, (words, is_whole) in enumerate(pieces):
        is_last = number == len(pieces) - 1
        if not words:
            if is_last and number:
                break  # it ends in the ellipsis
            return ()
        ends_title = is_last and number > 0
        last = len(whole) - len(words)
        starts = (0,) if not number else (last,) if ends_title else range(at, last + 1)
        is_cut = not is_whole and not ends_title
        start = next((it for it in starts if it >= at and _stand_at(words, whole, it, is_cut=is_cut)), None)
        if start is None:
            return ()
        at = start + len(words)
        found += whole[start:at]
    return tuple(found)


@lru_cache(maxsize=1024)  # one cited title is compared with many papers
def _pieces(cited: str) -> tuple[tuple[tuple[str, ...], bool], ...]:
    """The words between the ellipses, and whether the last of them is whole."""
    return tuple(
        (tuple(word for word in words_of(piece) if word != "s"), piece[-1:].isspace())
        for piece in _ELLIPSIS.split(cited)
    )


def _stand_at(words: tuple[str, ...], whole: tuple[str, ...], start: int, *, is_cut: bool) -> bool:
    there = whole[start : start + len(words)]
    if len(there) < len(words) or there[:-1] != words[:-1]:
        return False
    cut = is_cut and len(words[-1]) >= MIN_LETTERS and there[-1].startswith(words[-1])
    return cut or there[-1] == words[-1]
