"""What Europe PMC's index has of a record, and how each field of a query matches it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from infra.local.sandbox.europe_pmc.records import first_date, initials, language, record_id, source, types
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.orcids import orcids_of
from shared.bibliography.text import plain_text

EVERYTHING = ""  # the field of a word without one
TEXTS = ("TITLE", "ABSTRACT", "TITLE_ABS", "KW", "KEYWORD", "MESH", "JOURNAL", "JOUR", "PUBLISHER")
_TOKEN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_\u3040-\u30ff\u3400-\u9fff]+")
_POSSESSIVE = re.compile(r"['’]s\b")
# A full text has all of them, so in it they exclude nothing.
_FUNCTION_WORDS = (
    "a about after all an and are as at be between by can could do does for from had has have how if in into is it its"
    " more most no not of on or our should such than that the their then there these they this to was we were what"
    " when where which while who why will with would you"
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One record of the index, and the papers of the index that it cites."""

    fact: Fact
    cited: Callable[[], Iterable[Fact]] = tuple

    def texts(self, field: str) -> list[tuple[str, ...]]:
        """Return the tokens of the texts in which a field looks."""
        return [tokens(text) for text in _TEXTS[field](self.fact) if text]


@cache
def tokens(text: str) -> tuple[str, ...]:
    """Split a text at punctuation and hyphens; without accents and the possessive `'s`, not stemmed."""
    plain = unicodedata.normalize("NFKD", _POSSESSIVE.sub("", text).lower())
    return tuple(_TOKEN.findall("".join(sign for sign in plain if not unicodedata.combining(sign))))


def _title(fact: Fact) -> list[str]:
    return [plain_text(fact.title) or "", fact.title_translated or ""]


def _abstract(fact: Fact) -> list[str]:
    return [fact.abstract or ""]


def _journal(fact: Fact) -> list[str]:
    return [fact.journal or ""] if source(fact) != "PPR" else []


def _everything(fact: Fact) -> list[str]:
    """The record, and of the full text, which the corpus lacks, its function words."""
    people = [f"{family or ''} {given or ''}" for family, given in fact.authors]
    full_text = [_FUNCTION_WORDS] if fact.pmcid else []
    return [*_title(fact), *_abstract(fact), *_journal(fact), *people, *fact.keywords, *fact.mesh, *full_text]


_TEXTS: dict[str, Callable[[Fact], list[str]]] = {
    EVERYTHING: _everything,
    "TITLE": _title,
    "ABSTRACT": _abstract,
    "TITLE_ABS": lambda fact: [*_title(fact), *_abstract(fact)],
    "KW": lambda fact: list(fact.keywords + fact.mesh),
    "KEYWORD": lambda fact: list(fact.keywords + fact.mesh),
    "MESH": lambda fact: list(fact.mesh),
    "JOURNAL": _journal,
    "JOUR": _journal,
    "PUBLISHER": lambda fact: [fact.journal or ""] if source(fact) == "PPR" else [],
}


def _has_author(entry: Entry, name: str, people: slice = slice(None)) -> bool:
    """Match a family name, and the initials that follow it as the beginning of the author's; or the full name."""
    wanted = tokens(name.removesuffix("*"))
    for family, given in entry.fact.authors[people]:
        own, letters = tokens(family or ""), initials(given).lower()
        if name.endswith("*") and " ".join(own).startswith(" ".join(wanted)):
            return True
        if given and wanted == (*tokens(given), *own):
            return True
        rest = wanted[len(own) :]
        if own and wanted[: len(own)] == own and (not rest or (len(rest) == 1 and letters.startswith(rest[0]))):
            return True
    return False


def _is_between(value: str | None, bounds: str) -> bool:
    """Whether a date, in the length of the bounds, is in `[2020-01 TO 2021]`, or begins with a single value."""
    if value is None:
        return False
    first, _, last = bounds.strip("[]{}").partition(" TO ")
    if not last:
        return value.startswith(first)
    return (first == "*" or first <= value) and (last == "*" or value[: len(last)] <= last)


def _is_count_between(count: int, bounds: str) -> bool:
    first, _, last = bounds.strip("[]{}").partition(" TO ")
    low, high = (int(bound) if bound.isdecimal() else None for bound in (first, last or first))
    return (low is None or low <= count) and (high is None or count <= high)


def _cites(entry: Entry, wanted: str) -> bool:
    """Whether a record cites the one of an id and a source, `8521067_med`."""
    return any(_has(f"{record_id(fact)}_{source(fact)}", wanted) for fact in entry.cited())


def _year(fact: Fact) -> str | None:
    return str(fact.year) if fact.year else None


def _has(text: str | None, wanted: str) -> bool:
    return (text or "").casefold() == wanted.casefold() != ""


FIELDS: dict[str, Callable[[Entry, str], bool]] = {
    "AUTH": _has_author,
    "AUTHOR": _has_author,
    "AUTHORID": lambda entry, orcid: orcid in orcids_of(entry.fact),
    "AUTH_FIRST": lambda entry, name: _has_author(entry, name, slice(1)),
    "AUTH_LAST": lambda entry, name: _has_author(entry, name, slice(-1, None)),
    "CITED": lambda entry, bounds: _is_count_between(entry.fact.citation_count or 0, bounds),
    "CITES": _cites,
    "DOI": lambda entry, doi: _has(entry.fact.doi, doi),
    "E_PDATE": lambda entry, bounds: _is_between(first_date(entry.fact), bounds),
    "EXT_ID": lambda entry, number: record_id(entry.fact) == number,
    "FIRST_PDATE": lambda entry, bounds: _is_between(first_date(entry.fact), bounds),
    "ISSN": lambda entry, issn: _has(entry.fact.issn, issn),
    "ISSUE": lambda entry, issue: _has(entry.fact.issue, issue),
    "LANG": lambda entry, name: name.lower() in (language(entry.fact) or "eng", entry.fact.language),
    "P_PDATE": lambda entry, bounds: _is_between(first_date(entry.fact), bounds),
    "PAGE_INFO": lambda entry, pages: _has(entry.fact.pages, pages),
    "PMCID": lambda entry, number: _has(entry.fact.pmcid, number),
    "PUB_TYPE": lambda entry, name: any(_has(kind, name) for kind in types(entry.fact)),
    "PUB_YEAR": lambda entry, bounds: _is_between(_year(entry.fact), bounds),
    "SRC": lambda entry, name: _has(source(entry.fact), name),
    "VOLUME": lambda entry, volume: _has(entry.fact.volume, volume),
}
FLAGS: dict[str, Callable[[Entry], bool]] = {
    "HAS_ABSTRACT": lambda entry: bool(entry.fact.abstract),
    "HAS_DOI": lambda entry: bool(entry.fact.doi),
    "HAS_FT": lambda entry: bool(entry.fact.pmcid),
    "HAS_PDF": lambda entry: bool(entry.fact.oa_url),
    "HAS_REFLIST": lambda entry: bool(entry.fact.references),
    "IN_EPMC": lambda entry: bool(entry.fact.pmcid),
    "IN_PMC": lambda entry: bool(entry.fact.pmcid),
    "OPEN_ACCESS": lambda entry: bool(entry.fact.is_open_access),
}
