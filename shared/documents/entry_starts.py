"""Where an entry of a list without marks may begin: with a name, behind the end of another entry."""

from __future__ import annotations

import re
from collections.abc import Sequence

from shared.bibliography.dates import MONTHS
from shared.bibliography.identifiers import DOI_START
from shared.bibliography.name_patterns import CAPITAL, ET_AL
from shared.bibliography.person_names import PARTICLE
from shared.documents.fields_read import YEAR
from shared.documents.lines import Line
from shared.references.journal_in_citation import UNDATED

_NAME = (
    rf"(?:(?:(?i:{PARTICLE})|[’'][Tt]|[Oo]')[ -]?){{0,3}}"
    r"[^\W\d_a-z][\w'’‐-]{1,40}"
)
_AUTHOR_START = re.compile(
    rf"{_NAME}(?: {_NAME})?(?:,? (?:{CAPITAL}{{1,3}}(?:[.,;]|\b(?=[,. ]))|[^\W\d_a-z][a-z]{{1,20}}(?=[ ,.]))"
    rf"|,? {ET_AL}|,? (?:&|and|und|et|y) |[,.]? \(?\d{{4}})"
    rf"|(?:{CAPITAL}\.[ -]?){{1,4}}(?:(?:{PARTICLE}) ){{0,3}}[^\W\d_a-z][\w'’-]+|[^\W\d_a-z][^.\d]{{3,120}}\. \(\d{{4}}"
)
_ENDED = re.compile(rf"(?:[.。)\]]|\d[a-z]?|https?://\S{{1,300}}|\b{DOI_START}\S{{1,300}})\s*\Z")
_UNDATED = re.compile(rf"\b(?:{UNDATED})(?!\w)", re.I)
# What goes on in the next line, and lines that only go on: an id, a book after `In`, or a journal with its place,
# `Nature 2015, 521 (7)`.
_GOES_ON = re.compile(
    rf"(?:[,:;&(–]|\b(?:and|und|et|in(?: \d{{4}}|:?(?: {CAPITAL}\.){{1,3}})?|of|the|vol\.|no\.|pp\.))\s*\Z", re.I
)
# A name that leaves no doubt: `Doe J, Roe K`, `Doe, J. (1990)`, `J. Doe and`; not `Commun ACM. 1978;21`, `J. Phys. B`.
_CERTAIN_START = re.compile(
    rf"{_NAME}(?: {_NAME})?,? (?:{CAPITAL}[.-]? ?){{0,2}}{CAPITAL}(?:[.,;]|,? {ET_AL}) ?(?!\(?\d{{1,4}}[;,: (])"
    rf"|(?:{CAPITAL}\.[ -]?){{1,4}}(?:(?:{PARTICLE}) ){{0,3}}{_NAME}(?:,? (?:and|&|{ET_AL})\b|, (?:{CAPITAL}\.|[“\"]))"
)
_SUBHEADING = re.compile(r"[^\W\d_a-z](?:[^\W\d_]{2,19}:?)?")
_INITIAL_LAST = re.compile(rf"\b{CAPITAL}\.?\s*\Z")
# No journal: a name with initials, `De Luca M. Sleep. Brain`; a sentence, `A note on graphs. Science`; a day,
# `March 3, 2020`; a standard, `ISO 9001:2015`.
_NO_JOURNAL = (
    rf"(?-i:{_NAME}(?: {_NAME})? {CAPITAL}{{1,3}}[.,] (?!\d)|[^\d(),;:]{{0,80}}?(?:\b[a-z]{{4,}}[.!]|\?) \D"
    rf"|[^\d(),;:]{{0,80}}\b(?:{'|'.join(it.title() for it in MONTHS)})[a-z]{{0,6}}\.? \d"
    r"|(?:(?:ANSI|BS|DIN|EN|IEC|ISO)[ /]){1,4}\d)"
)
_BEHIND_TITLE = re.compile(
    rf"{DOI_START}|https?://|(?-i:In:? [^\W\d_a-z])"
    rf"|(?!{_NO_JOURNAL})(?:[^\d(),;:]{{2,80}}?[.,]? )?\(?(?:{YEAR.pattern}[;,]? ?)?"
    r"\d{1,4}(?: ?\([\w–-]{1,9}\))?[,:] ?\w{0,2}\d",
    re.I,
)


def begins_with_name(text: str) -> bool:
    """Whether a text begins as the names of an entry do; a title may begin so, too."""
    return _AUTHOR_START.match(text) is not None


def has_ended(text: str) -> bool:
    """Whether an entry may end with this line."""
    return _ENDED.search(text[-320:]) is not None


def is_undated(text: str) -> bool:
    """Whether it has what stands in the place of a year: `in press`."""
    return _UNDATED.search(text) is not None


def is_behind_title(text: str) -> bool:
    """Whether a text begins with what only stands behind a title: an id, or a journal with its place."""
    return _BEHIND_TITLE.match(text) is not None


def may_follow(text: str, before: str, is_dated: bool) -> bool:
    """Whether an entry that begins so can stand behind one that ends so; `is_dated` if that has a year or an id."""
    if _GOES_ON.search(before[-20:]) or is_behind_title(text):
        return False
    return is_dated or (
        has_ended(before) and _INITIAL_LAST.search(before[-20:]) is None and _CERTAIN_START.match(text) is not None
    )


def without_subheadings(lines: Sequence[Line]) -> list[Line]:
    """The lines without the headings inside a list: one word behind an empty line, or a letter alone."""
    filled = [at for at, line in enumerate(lines) if not line.is_blank]
    headings = {
        at
        for before, at, after in zip([-1, *filled], filled, filled[1:], strict=False)
        if _SUBHEADING.fullmatch(lines[at].text.strip())
        and (at == 0 or lines[at - 1].is_blank or len(lines[at].text.strip()) == 1)
        and (before < 0 or has_ended(lines[before].text))
        and begins_with_name(lines[after].text.strip())
        and (YEAR.search(lines[after].text) or len(lines[at].text.strip()) == 1)
    }
    return [line for at, line in enumerate(lines) if at not in headings]
