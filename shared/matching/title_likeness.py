"""How near two titles are: tolerant of spelling, strict with words.

Jaccard's coefficient of the words calls "sensitive" and "resistant" near and "p38alpha" and "p38 α" far; here the words
in which two titles differ are set against each other, and their spelling decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from rapidfuzz import fuzz
from rapidfuzz.distance import Postfix, Prefix

from shared.bibliography.stop_words import ARTICLES, STOP_WORDS
from shared.matching.title_features import Title, compact_of

SAME_STEM = 0.7
SAME_SPELLING = 80  # of the words that differ: tumour and tumor, p38α and p38 alpha
NEARLY_ALL = 90
REWORDED = 60


class Likeness(IntEnum):
    """How near two titles are."""

    UNLIKE = 0
    REWORDED = 1  # many letters in common
    NEAR = 2  # nine letters in ten in common, yet a word differs
    CUT = 3  # one says all that the other says, and more
    SPELLING = 4  # the words that differ are spelled differently
    EQUAL = 5


def nearest_titles(a: Sequence[Title], b: Sequence[Title]) -> tuple[Likeness, Title, Title]:
    """Of all forms of two titles, the two that are nearest, and how near."""
    if len(a) == len(b) == 1:
        return title_likeness(a[0], b[0]), a[0], b[0]
    pairs = ((title_likeness(x, y), x, y) for x in a for y in b)
    return max(pairs, key=lambda pair: pair[0])


def title_likeness(a: Title, b: Title) -> Likeness:
    """Compare two titles, tolerant of spelling and strict with words."""
    if a.compact == b.compact:
        return Likeness.EQUAL if a.compact else Likeness.UNLIKE
    if not a.compact or not b.compact:
        return Likeness.UNLIKE
    ratio = fuzz.ratio(a.compact, b.compact, score_cutoff=REWORDED)  # 0 below it
    if not ratio and not a.compact.startswith(b.compact) and not b.compact.startswith(a.compact):
        return Likeness.UNLIKE
    only_a, only_b = _differing_words(a, b)
    if not only_a or not only_b:
        return Likeness.CUT if only_a or only_b else Likeness.SPELLING
    if _same_spelling(only_a, only_b):
        return Likeness.SPELLING
    return Likeness.NEAR if ratio >= NEARLY_ALL else Likeness.REWORDED


def leads_into(a: Title, b: Title) -> bool:
    """Whether the longer title leads into the shorter: `Design of X`, `An introduction to the X`; not `Name: an X`."""
    shorter, longer = sorted((a.words, b.words), key=len)
    place = len(longer) - len(shorter)
    if longer[place:] != shorter:
        return False
    before = [word for word in longer[:place] if word not in ARTICLES]
    return bool(before) and before[-1] in _LEADING


_LEADING = frozenset(("about", "and", "as", "at", "by", "for", "from", "in", "into", "of", "on", "to", "via", "with"))


def _differing_words(a: Title, b: Title) -> tuple[str, str]:
    """What only the one title says and what only the other says, each run together.

    Articles and prepositions say nothing, unless a single letter stands against them: hepatitis A and hepatitis B.
    """
    words_a, words_b = set(a.words), set(b.words)
    only_a = [word for word in a.words if word not in words_b]
    only_b = [word for word in b.words if word not in words_a]
    said_a = [word for word in only_a if word not in STOP_WORDS]
    said_b = [word for word in only_b if word not in STOP_WORDS]
    if not (len("".join(said_a)) == 1 or len("".join(said_b)) == 1):
        only_a, only_b = said_a, said_b
    return compact_of(only_a), compact_of(only_b)


def _same_spelling(a: str, b: str) -> bool:
    """Tumour and tumor, index and indices; but not hypertension and hypotension, male and female, rats and cats."""
    if a == b:
        return True
    shorter = min(len(a), len(b))
    beginning = Prefix.similarity(a, b)  # how many letters they have in common before they part
    inflected = beginning > 4 and beginning >= SAME_STEM * shorter
    if not inflected and (fuzz.ratio(a, b) < SAME_SPELLING or (shorter < 7 and not beginning)):
        return False
    ending = Postfix.similarity(a, b)
    return a[: len(a) - ending] not in _OPPOSING or b[: len(b) - ending] not in _OPPOSING


_OPPOSING = frozenset(
    ("", "a", "an", "anti", "de", "dis", "down", "endo", "exo", "extra", "fe", "hetero", "homo", "hyper", "hypo", "im",
     "in", "inter", "intra", "ir", "macro", "micro", "mono", "multi", "non", "over", "poly", "post", "pre", "sub",
     "super", "un", "under", "uni", "up")
)  # fmt: skip
