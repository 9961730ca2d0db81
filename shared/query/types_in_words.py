"""The types of papers that a query names: `systematic review TREM2`, `metformin RCT`, `doctoral theses on aphasia`.

Of short texts, which are not titles. Their words stay words: titles have them.
"""

from __future__ import annotations

import re

from shared.bibliography.paper_types import read_paper_type

_DESIGN = r"systematic[- ](?:literature[- ])?reviews?|rcts?|randomi[sz]ed[- ](?:(?:controlled|clinical)[- ])?trials?"
# What people look for in the literature by its type, whatever the subject.
TYPES = (
    rf"{_DESIGN}|(?:(?:literature|narrative)[- ])?reviews?|meta-? ?analys[ie]s|(?:controlled[- ])?clinical[- ]trials?"
)
# Subjects have these words, too, so that less is read from them: `love letters`, `datasets for object detection`.
_WORKS = (
    r"pre-?prints?|editorials?|(?:(?:doctoral|phd|ph\.d\.|master's)[- ])?(?:thes[ie]s|dissertations?)"
    r"|conference[- ](?:papers?|proceedings)|book[- ]chapters?"
)
OTHER_TYPES = (
    rf"{_WORKS}|letters?(?: to the editor)?|books?|data[- ]?sets?|technical[- ]reports?|errat(?:um|a)|corrigend(?:um|a)"
    r"|retraction[- ]notices?|(?:clinical[- ])?trial[- ]registrations?"
)
_FIRST = re.compile(
    rf"(?:an? )?(?:({TYPES}) (?:of|on|about|in|for)|({OTHER_TYPES}) (?:on|about)|({_DESIGN})) (?=\S)", re.I
)
_LAST = re.compile(rf" ({TYPES}|{_WORKS})[.?]?$", re.I)
# `peer review`, `product reviews`, `quality of systematic reviews`: of the subject. `without reviews`: of no type.
_NOT_BEFORE = re.compile(
    r"(?:^|\s)(?:peer|book|film|movie|product|online|customer|systematic|literature|narrative|an?|and|as|between|by|for"
    r"|from|in|of|on|or|the|to|versus|with|without|ohne|sans|sin|sem|senza|excluding|excludes?|except(?: for)?|but|no"
    r"|not|non|than|minus)$",
    re.I,
)
_MOST_WORDS = 8
_OF_ANY = ("journal-article", "other")  # `papers`, `articles`: of whatever type


def type_in_words(text: str) -> tuple[str, str | None]:
    """A short text without the type of papers that it names before or behind its subject, and the type."""
    if len(text.split()) > _MOST_WORDS or ":" in text:
        return text, None
    found = _FIRST.match(text) or _LAST.search(text)
    if not found:
        return text, None
    subject = text[: found.start()] or text[found.end() :]
    if _NOT_BEFORE.search(subject) or not any(map(str.isalpha, subject)):
        return text, None
    return subject, type_of_noun(next(filter(None, found.groups())))


def type_of_noun(noun: str) -> str | None:
    """The type that a noun with its adjectives names, by the longest end of it: `recent systematic reviews`."""
    words = noun.split()
    read = (read_paper_type(" ".join(words[start:])) for start in range(len(words)))
    kind = next(filter(None, read), None)
    return None if kind in _OF_ANY else kind
