"""The journal of a reference: read out of its source, and whether two names are of one, in full or abbreviated.

Stricter than what merging asks of journals, where `Nature` may stand for `Nature Communications`: here a journal
corroborates, so that each word must have its partner.
"""

from __future__ import annotations

import re
from functools import lru_cache

from shared.bibliography.stop_words import STOP_WORDS
from shared.matching.evidence import journals_agree
from shared.matching.title_features import words_of

# `Lancet (London, England)`, `bioRxiv : the preprint server for biology`, `Sheng li = Progress in physiology`
_ADDED = re.compile(r"\([^()]{0,100}\)|\s[:=]\s.*")
YEAR = r"(?:1[6-9]|20)\d\d"
_COUNTRY = frozenset(("u", "s", "a", "us", "usa", "united", "states", "america"))
_PAGE = r"[A-Za-z]{0,4}\d{1,9}[A-Za-z]?(?:\s?[-–—]{1,2}\s?[A-Za-z]{0,4}\d{1,9})?"
_LABELLED_PAGES = re.compile(rf"\b(?:pp?\.?|pages?|art(?:icle|\.)?(?: no\.?)?)\s?({_PAGE})", re.I)
_LABELLED_VOLUME = re.compile(r"\bvol(?:ume|\.)?\s?(\d{1,4})\b", re.I)
PLACE = re.compile(
    rf"(?<![\w/:–-])(?!{YEAR}\b)(\d{{1,4}})\b(?:\s?\([^()]{{1,25}}\)|,? (?:no|issue|iss)\.? ?[\w-]{{1,9}})*"
    rf"(?:\s?\({YEAR}\)[:,]?|\s?[:,])\s?(?:pp?\.?\s?)?({_PAGE})(?!\w)",
    re.I,
)
_YEAR_AS_VOLUME = re.compile(rf"\b({YEAR})[;,:]\s?(\d{{1,4}})\b")
_JOURNAL = re.compile(
    rf"\s*(?:in:?\s+)?((?:(?!\s\(?{YEAR}\b|[\s,.;(]{{1,3}}(?:vol|volume|pp?|pages?|no|eds?)\.?\s?\d|,?\s\(?\d|[;:(\[]).){{2,200}})",
    re.I,
)


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


def read_place(source: str) -> tuple[str | None, str | None]:
    """Volume and pages in what stands behind a title; None for what it does not tell."""
    labelled, pages = _LABELLED_VOLUME.search(source), _LABELLED_PAGES.search(source)
    place = PLACE.search(source) or _YEAR_AS_VOLUME.search(source)
    volume = labelled[1] if labelled else place[1] if place else None
    if place and place.re is _YEAR_AS_VOLUME:
        volume, place = labelled[1] if labelled else place[2], None
    found = pages[1] if pages else place[2] if place and not labelled else None
    return volume, re.sub(r"\s?[-–—]{1,2}\s?", "-", found) if found else None


def read_journal(source: str) -> str | None:
    """The journal in what stands behind a title."""
    found = _JOURNAL.match(source)
    name = found[1].strip(" .,;") if found else ""
    return name if any(letter.isalpha() for letter in name) else None
