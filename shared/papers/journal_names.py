"""Whether two names are of one journal: in full, abbreviated word by word, or by initials.

Stricter than what merging asks of journals, where `Nature` may stand for `Nature Communications`: here a journal
corroborates, so that each word must have its partner.
"""

from __future__ import annotations

import re
from functools import lru_cache

from shared.matching.evidence import journals_agree
from shared.matching.title_features import STOP_WORDS, words_of

# `Lancet (London, England)`, `bioRxiv : the preprint server for biology`, `Sheng li = Progress in physiology`
_ADDED = re.compile(r"\([^()]{0,100}\)|\s[:=]\s.*")
_COUNTRY = frozenset(("u", "s", "a", "us", "usa", "united", "states", "america"))


@lru_cache(maxsize=16384)
def same_journal(a: str, b: str) -> bool | None:
    """`J Clin Oncol` is the Journal of Clinical Oncology, `PNAS` is it by initials; None: cannot tell."""
    ours, theirs = _words(a), _words(b)
    if not ours or not theirs:
        return None
    shorter, longer = sorted((ours, theirs), key=len)
    if len(shorter) == 1 and shorter[0] == "".join(word[0] for word in longer):
        return True
    if len(shorter) == len(longer) and all(map(_abbreviates, shorter, longer)):
        return True
    return None if journals_agree(*sorted((a, b))) is not False else False


def _words(name: str) -> list[str]:
    words = [word for word in words_of(_ADDED.sub("", name) or name) if word not in STOP_WORDS - {"a"}]
    while len(words) > 3 and words[-1] in _COUNTRY:  # Proc Natl Acad Sci U S A
        words.pop()
    return [word for word in words if word != "a"] or words


def _abbreviates(a: str, b: str) -> bool:
    """One begins the other, or leaves out letters of it: `natl` and `national`."""
    shorter, longer = sorted((a, b), key=len)
    if longer.startswith(shorter):
        return True
    letters = iter(longer)
    return shorter[0] == longer[0] and len(shorter) < 6 and all(letter in letters for letter in shorter)
