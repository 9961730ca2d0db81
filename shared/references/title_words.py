"""Heuristics on the words of a printed reference: whether they are names, a title, or a quotation in a sentence."""

from __future__ import annotations

import re

from shared.bibliography.group_authors import begins_as_institution, ends_in_group
from shared.bibliography.name_patterns import CAPITAL
from shared.bibliography.person_names import PARTICLES
from shared.bibliography.stop_words import STOP_WORDS
from shared.bibliography.words import words_of
from shared.references.journal_in_citation import PLACE

_SMALL_IN_NAMES = PARTICLES | frozenset(words_of("and e et in others t und y"))
_NEVER_IN_NAMES = frozenset(
    words_of(
        "against all are beyond by critique for from how into is no not of on or that the this to towards was what "
        "when where which who why with without"
    )
)
_ENDS_IN_INITIAL = re.compile(rf"(?:^|[\s.-]){CAPITAL}$")
_LAST_LETTER = re.compile(r"(?<=\w\w) [A-Z]$")
_QUOTATION_CONTINUED = frozenset(("again", "reconsidered", "reexamined", "refuted", "revisited"))


def ends_quotation(behind: str) -> bool:
    """Whether a quotation is a title of its own, given the text after its closing mark: in `“X” is wrong` X is not."""
    following = re.match(r"\s*([^\W_]+)(?:\s+([^\W_]+))?", behind)
    if not following or following[1].lower() in _QUOTATION_CONTINUED:
        return not following
    word = following[2] or "" if following[1] in ("in", "by") else following[1]
    return not word.islower()


def reads_like_names(text: str) -> bool:
    """Whether every word may be part of a name: `Vaswani A, van der Berg K, et al. 2017a`, not `The sequel to`."""
    words = re.findall(r"(?<![^\W_])(?!WHO\b)[^\W\d_]+(?:[’'-][^\W\d_]+)*", text)
    return not any(
        (word.islower() and word not in _SMALL_IN_NAMES) or word.lower() in _NEVER_IN_NAMES - {word} for word in words
    )


def reads_like_title(text: str) -> bool:
    """Whether it can only be a title: words of a sentence, not names of persons, groups or journals."""
    words = re.findall(r"[^\W_]+(?:[’'-][^\W_]+)*", text)
    plain = [word for word in words if word.islower() and len(word) > 1 and word not in _SMALL_IN_NAMES]
    plain += [word for word in words if word.istitle() and word.lower() in _NEVER_IN_NAMES]
    if len(words) < 3 or ends_in_group(text) or PLACE.search(text):
        return False
    if ends_in_initial(text.rstrip(".")):
        return False
    if STOP_WORDS.issuperset(plain) and begins_as_institution(text):
        return False
    return len(plain) > 1 or (len(plain) == 1 and len(words) > 3 and "," not in text)


def ends_in_initial(text: str) -> bool:
    """Whether the last word is one capital, without the full stop behind it."""
    return _ENDS_IN_INITIAL.search(text) is not None


def reads_like_whole_title(text: str) -> bool:
    """The same of what ends where a title ends; a letter there is the title's, not an initial: `… in hepatitis C`."""
    return reads_like_title(_LAST_LETTER.sub("", text))


def begins_with_sentence(source: str) -> bool:
    """Whether a text in the place of a journal begins with a sentence: `Effects on sleep in mice. Nat Neurosci`."""
    first, stop, _ = source.partition(". ")
    if not reads_like_title(first) or re.match(r"in\b|proc(?:eedings)?\b", first, re.I):
        return False
    return bool(stop) or any(word.islower() and word not in STOP_WORDS and len(word) > 3 for word in first.split())
