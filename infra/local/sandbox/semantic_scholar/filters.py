"""Semantic Scholar's filters of a search, as its documentation describes them.

https://api.semanticscholar.org/api-docs/graph. How `venue` compares letter case is not documented: here it is exact,
the strictest reading. It knows the full name, further names and the ISO 4 abbreviation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, timedelta

from infra.local.sandbox.facts import Fact
from infra.local.sandbox.semantic_scholar.fields import unacceptable
from infra.local.sandbox.semantic_scholar.records import exact_date, studied
from infra.local.sandbox.semantic_scholar.records import field_value as value_of

FILTERS = (
    "year", "publicationDateOrYear", "venue", "fieldsOfStudy", "publicationTypes", "openAccessPdf", "minCitationCount",
)  # fmt: skip
# Further names of a venue. The ISO 4 abbreviations have full stops; those of NLM (`N Engl J Med`) find nothing.
_NAMES = {
    "arXiv.org": ("ArXiv", "arXiv"),
    "Cell": ("Cell",),
    "Nature": ("Nature",),
    "Science": ("Science",),
    "New England Journal of Medicine": ("N. Engl. J. Med.", "The New England Journal of Medicine"),
    "Nat. Biotechnol.": ("Nature Biotechnology",),
    "Nat. Commun.": ("Nature Communications",),
    "Nat. Methods": ("Nature Methods",),
    "Journal of Theoretical Biology": ("J. Theor. Biol.",),
}


def filters(args: Mapping[str, str]) -> Callable[[Fact], bool]:
    """Return the test of all filters of a request. Raises RefusedError."""
    tests = [_TESTS[name](args[name]) for name in FILTERS if name in args]
    return lambda fact: all(test(fact) for test in tests)


def dates(text: str) -> Callable[[Fact], bool]:
    """Return the test of `2019-03`, `2016:2020-06`, `2016:` or `:2020`, by the day or else the first of January."""
    start, colon, end = text.partition(":")
    try:
        first = _day(start, date.min)
        last = _end(end if colon else start)
    except (ValueError, OverflowError) as error:
        raise unacceptable("publicationDateOrYear", text) from error
    return lambda fact: first <= date.fromisoformat(exact_date(fact) or f"{fact.year or 1:04}-01-01") <= last


def _day(text: str, default: date) -> date:
    return date.fromisoformat((text + "-01-01")[:10] if len(text) < 10 else text) if text else default


def _end(text: str) -> date:
    if not text:
        return date.max
    first = _day(text, date.max)
    step = {4: 366, 7: 31}.get(len(text), 0)  # into the next year or month, if not beyond it
    after = first + timedelta(days=step)
    return after.replace(day=1, month=1 if len(text) == 4 else after.month) - timedelta(days=1) if step else first


def _years(text: str) -> Callable[[Fact], bool]:
    """Return the test of `2019`, `2016-2020`, `2010-` or `-2015`."""
    start, dash, end = text.partition("-")
    if not (start or end) or not all(part == "" or (part.isdigit() and len(part) == 4) for part in (start, end)):
        raise unacceptable("year", text)
    first = int(start or 0)
    last = int(end or 9999) if dash else first
    return lambda fact: first <= (fact.year or -1) <= last


def _venues(text: str) -> Callable[[Fact], bool]:
    wanted = set(text.split(","))
    return lambda fact: bool(wanted & {venue := value_of(fact, "venue") or " ", *_NAMES.get(venue, ())})


def _studies(text: str) -> Callable[[Fact], bool]:
    wanted = set(text.split(","))
    return lambda fact: bool(wanted & set(studied(fact)))


def _types(text: str) -> Callable[[Fact], bool]:
    wanted = set(text.split(","))
    return lambda fact: bool(wanted & set(value_of(fact, "publicationTypes") or ()))


def _least(text: str) -> Callable[[Fact], bool]:
    if not text.isdigit():
        raise unacceptable("minCitationCount", text)
    return lambda fact: (fact.citation_count or 0) >= int(text)


def _has_pdf(_: str) -> Callable[[Fact], bool]:
    return lambda fact: bool((value_of(fact, "openAccessPdf") or {}).get("url"))


_TESTS: dict[str, Callable[[str], Callable[[Fact], bool]]] = {
    "year": _years, "publicationDateOrYear": dates, "venue": _venues, "fieldsOfStudy": _studies,
    "publicationTypes": _types, "openAccessPdf": _has_pdf, "minCitationCount": _least,
}  # fmt: skip
