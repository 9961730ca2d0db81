"""What the page of results at an address searches for, with its years: PubMed, Europe PMC, Google Scholar and others.

    https://pubmed.ncbi.nlm.nih.gov/?term=TREM2&filter=years.2015-2020    (TREM2) AND PUB_YEAR:[2015 TO 2020]
    https://scholar.google.com/scholar?q=TREM2&as_ylo=2016                (TREM2) AND PUB_YEAR:[2016 TO 2099]

Other filters of PubMed are named for the caller, so that none is left out without a word.
"""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

from shared.query.limits import FIRST_YEAR, LAST_YEAR
from shared.query.syntax import tidy

# The parameter in which pages of results have their query: PubMed and Europe PMC, Google Scholar, Semantic Scholar.
SEARCHED = ("term", "q", "query", "search", "searchQuery", "search_query", "text")
_YEARS = re.compile(r"years\.([12]\d{3})-([12]\d{3})")
_YEAR = re.compile(r"[12]\d{3}")


def searched_at(address: str) -> tuple[str, list[str]]:
    """The search with its years, "" for any other page, and the filters that are left out."""
    try:
        given = parse_qs(urlsplit(address).query, max_num_fields=50)
    except ValueError:
        return "", []
    text = next((tidy(given[name][0]) for name in SEARCHED if name in given), "")
    if not any(map(str.isalpha, text)):
        return text, []
    filters = given.get("filter", [])
    spans = [found.groups() for it in filters if (found := _YEARS.fullmatch(it))]
    first, last = spans[0] if len(spans) == 1 else (_year(given, "as_ylo"), _year(given, "as_yhi"))
    unread = [it for it in filters if len(spans) != 1 or not _YEARS.fullmatch(it)]
    return _with_years(text, first, last), unread


def _year(given: dict[str, list[str]], name: str) -> str | None:
    found = given.get(name, [""])[0]
    return found if _YEAR.fullmatch(found) else None


def _with_years(text: str, first: str | None, last: str | None) -> str:
    return f"({text}) AND PUB_YEAR:[{first or FIRST_YEAR} TO {last or LAST_YEAR}]" if first or last else text
