"""Whether two names are of one journal: in full, abbreviated, by initials, with or without place and country.

The comparison is one; what callers need of it differs, so that it has four results and each caller states which of
them it takes for yes.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache

from shared.bibliography.journal_names import JournalNames, bare_words, known_journal
from shared.bibliography.stop_words import STOP_WORDS
from shared.bibliography.words import words_of


class JournalMatch(IntEnum):
    """How two names of journals compare, the worst first."""

    DIFFERENT = 0
    UNKNOWN = 1  # they share a word: `SIGMOD Record` and `Conference on Management of Data, SIGMOD`
    SHORTER = 2  # one is the other with words left out: `Nature` and `Nature Communications`
    SAME = 3


def compare_journals(a: str, b: str) -> JournalMatch:
    """Compare two names; the order does not matter. A name without a word is UNKNOWN."""
    return _compare(a, b) if a < b else _compare(b, a)


@lru_cache(maxsize=16384)
def _compare(a: str, b: str) -> JournalMatch:
    ours, theirs = bare_words(a), bare_words(b)
    if not ours or not theirs:
        return JournalMatch.UNKNOWN
    one, other = known_journal(a), known_journal(b)
    if one and other:
        same = one is other
    elif one or other:
        same = _is_also(one, theirs) if one else other is not None and _is_also(other, ours)
    else:
        same = _is_same(ours, theirs)
    return JournalMatch.SAME if same else _likeness(a, b)


def _is_also(known: JournalNames, words: tuple[str, ...]) -> bool:
    """Whether these are words of a known journal, whose acronym stands for no other journal of the same initials."""
    forms = map(bare_words, known.forms)
    return any(_is_same(form, words) for form in forms if len(form) > 1 or len(words) == 1)


_ANY_JOURNAL = frozenset(("journal", "j", "international", "int", "proceedings", "proc", "conference", "conf"))


def _is_same(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    """Each word of the one abbreviates its partner, or one is the other's initials: `PNAS`."""
    if a == b:
        return True
    shorter, longer = sorted((a, b), key=len)
    if len(shorter) == 1 and shorter[0] == "".join(word[0] for word in longer):
        return True
    if len(longer) == 1:  # `Physiol`, but Cell and Cellulose, Cancer and Cancers are four journals
        (short,), (long,) = sorted((a, b), key=lambda words: len(words[0]))
        return len(short) > 4 and long.startswith(short) and long != f"{short}s"
    return len(shorter) == len(longer) and all(map(_abbreviates, shorter, longer))


def _abbreviates(a: str, b: str) -> bool:
    """One begins the other, or leaves out letters of it: `natl` and `national`."""
    shorter, longer = sorted((a, b), key=len)
    if longer.startswith(shorter):
        return True
    letters = iter(longer)
    return shorter[0] == longer[0] and len(shorter) < 6 and all(letter in letters for letter in shorter)


def _likeness(a: str, b: str) -> JournalMatch:
    """SHORTER, UNKNOWN or DIFFERENT, by all words of the two names."""
    ours, theirs = _all_words(a), _all_words(b)
    if not ours or not theirs:
        return JournalMatch.UNKNOWN
    shorter, longer = sorted((ours, theirs), key=len)
    if _left_out(shorter, longer) or (len(shorter) == 1 and shorter[0] in "".join([word[0] for word in longer])):
        return JournalMatch.SHORTER
    stems = [{word[:3] for word in words if word not in _ANY_JOURNAL} for words in (shorter, longer)]
    return JournalMatch.UNKNOWN if stems[0] & stems[1] else JournalMatch.DIFFERENT


@lru_cache(maxsize=4096)
def _all_words(name: str) -> tuple[str, ...]:
    return tuple([word for word in words_of(name) if word not in STOP_WORDS])


def _left_out(shorter: Sequence[str], longer: Sequence[str]) -> bool:
    """Each word of the one begins a word of the other, or is begun by it, in this order."""
    place = 0
    for word in shorter:
        while place < len(longer) and not (longer[place].startswith(word) or word.startswith(longer[place])):
            place += 1
        if place == len(longer):
            return False
        place += 1
    return True
