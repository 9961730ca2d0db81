"""What other services limit a search to, as this service's terms: languages, types of papers, years.

    LIMIT-TO ( LANGUAGE , "English" )   LIMIT-TO ( DOCTYPE , "ar" )   DOCTYPE(re)   LIMIT-TO ( PUBYEAR , 2020 )   Scopus
    2015.yr.   (2015* or 2016*).yr.   201*.yr.                                                                    Ovid

A type is a term only if PubMed and Europe PMC have it, which would find nothing for another.
https://dev.elsevier.com/sc_search_tips.html, https://ospguides.ovid.com/OSPguides/medline.htm
"""

from __future__ import annotations

import re

from shared.bibliography.languages import read_language
from shared.bibliography.paper_types import read_paper_type

FIRST_YEAR, LAST_YEAR = 1800, 2099  # of a range of years that is open on one side
_SCOPUS = re.compile(r"(?:LIMIT-TO ?\( ?(LANGUAGE|DOCTYPE|PUBYEAR) ?, ?|(DOCTYPE) ?\( ?)\"?([^\"()]*?)\"? ?\)")
_SCOPUS_TYPES = {"ar": "journal article", "re": "review", "ed": "editorial", "le": "letter"}
_YEAR = r"(?:[12][0-9]{3}[*$]?|[12][0-9]{2}[*$])"
OVID_YEARS = re.compile(
    rf"(?:\( ?({_YEAR}(?:(?: or |, ?| ?[-:] ?){_YEAR}){{0,60}}) ?\)|(?<![\w*$]){_YEAR})\.(?:yr|dp)\.(?=[\s)]|$)", re.I
)
_ONE_OR_SPAN = re.compile(rf"({_YEAR})(?: ?[-:] ?({_YEAR}))?")
_INDEXED = frozenset(
    ("journal-article", "review", "systematic-review", "meta-analysis", "randomized-controlled-trial",
     "clinical-trial", "editorial", "letter", "preprint")
)  # fmt: skip
_LONGEST_CODE = 2  # letters; `de` and `no` are words, too


def type_term(text: str) -> str | None:
    """The term for a type of papers; None if it names none that the indexes have."""
    kind = read_paper_type(text)
    name = kind.replace("-", " ").replace("meta analysis", "meta-analysis") if kind in _INDEXED else None
    return f'PUB_TYPE:"{name}"' if name else None


def language_term(text: str) -> str | None:
    """The term for a language by its name: `english`, `English language`."""
    name = text.lower().removesuffix(" language")
    return f"LANG:{name}" if len(name) > _LONGEST_CODE and read_language(name) and name.isalpha() else None


def scopus_term(written: str) -> str:
    """The term for one of Scopus' limits; empty if it has no equal."""
    found = _SCOPUS.fullmatch(written)
    if not found:
        return ""
    field, value = found[1] or found[2], found[3].strip()
    if field == "LANGUAGE":
        return language_term(value) or ""
    if field == "DOCTYPE":
        return type_term(_SCOPUS_TYPES.get(value.lower(), "")) or ""
    return f"PUB_YEAR:[{value} TO {value}]" if re.fullmatch("[12][0-9]{3}", value) else ""


def years_term(found: re.Match[str]) -> str:
    """The years that `OVID_YEARS` has found, those that follow one another as one term."""
    spans = [(_first(it[1]), _last(it[2] or it[1])) for it in _ONE_OR_SPAN.finditer(found[1] or found[0])]
    joined: list[tuple[int, int]] = []
    for first, last in sorted(spans):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    terms = " OR ".join(f"PUB_YEAR:[{first} TO {last}]" for first, last in joined)
    return f"({terms})" if len(joined) > 1 else terms


def _first(year: str) -> int:
    return int(year.rstrip("*$").ljust(4, "0"))


def _last(year: str) -> int:
    return int(year.rstrip("*$").ljust(4, "9"))
