"""What other services limit a search to, as this service's terms: languages, types of papers, years.

    LIMIT-TO ( LANGUAGE , "English" )   LIMIT-TO ( DOCTYPE , "ar" )   LIMIT-TO ( PUBYEAR , 2020 )                 Scopus
    DOCTYPE ( ar OR re )   AND ( EXCLUDE ( DOCTYPE , "re" ) OR EXCLUDE ( PUBYEAR , 2014 ) )
    DT=(Article OR Review)   PY=(2010-2015 OR 2018)   PY==("2015" OR "2018")                              Web of Science
    2015.yr.   (2015* or 2016*).yr.   201*.yr.                                                                    Ovid
    year:2015-2020   pub_date:>=2015                                                                     other services

A type is a term only if PubMed and Europe PMC have it, which would find nothing for another. Of several of which one
has no equal, none is a limit, which would be narrower than what was written; but each that has one is excluded.
https://dev.elsevier.com/sc_search_tips.html, https://ospguides.ovid.com/OSPguides/medline.htm
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from shared.bibliography import dates
from shared.bibliography.languages import read_language
from shared.bibliography.paper_types import read_paper_type
from shared.query.field_tags import prefix_field

FIRST_YEAR, LAST_YEAR = 1800, 2099  # of a range of years that is open on one side
_ONE_SCOPUS = r"(?:LIMIT-TO|EXCLUDE) ?\([^()]*\)"
_SEVERAL_SCOPUS = rf"{_ONE_SCOPUS}(?: (?:OR|AND) {_ONE_SCOPUS})*"
SCOPUS_LIMITS = re.compile(
    rf"(?<![\w-])(?:(?:AND (?=\(? ?EXCLUDE))?(?:\( ?{_SEVERAL_SCOPUS} ?\)|{_SEVERAL_SCOPUS})|DOCTYPE ?\([^()]*\))"
)
_SCOPUS_LIMIT = re.compile(r"(?:LIMIT-TO|EXCLUDE) ?\( ?([A-Z-]+) ?, ?\"?([^\"()]*?)\"? ?\)")
_SCOPUS_TYPES = {"ar": "journal article", "re": "review", "ed": "editorial", "le": "letter"}
WEB_OF_SCIENCE_LIMITS = re.compile(
    r"(?<![\w-])(DT|F?PY) ?==? ?(\([^()]*\)|\ue000[0-9]+\ue001|[^\W\d_][\w -]*?(?= (?:AND|OR|NOT|and|or|not)\b|[()]|$))"
)
# What has no equal.
LEFT_OUT = re.compile(
    r"(?<![\w-])(?:SUBJAREA|SRCTYPE|PUBSTAGE|OPENACCESS|AFFILCOUNTRY"
    r"|REF(?:AUTH|TITLE|SRCTITLE|PUBYEAR(?:IS)?|PAGE(?:FIRST)?|ARTNUM)?) ?\([^()]*\)"
    r"|(?<![\w-])(?:WC|SU|WE|ED|UT|CU|DOP|FPY|FO|OO|SG) ?= ?(?:\([^()]*\)|\ue000[0-9]+\ue001|\w[\w/-]*)"
    r"|(?:(?<=\()|(?<=\( )|(?<=AND )|(?<=OR )|(?<=NOT ))"
    r"(?:INDEX|A[UF]-ID|EID|SRC-?ID|FUND-[A-Z]{2,9}|LOAD-DATE|ISSN|CASREGNUMBER|CHEMNAME|CONFNAME|EDITOR) ?\([^()]*\)"
    r"| ?/freq ?= ?[0-9]{1,2}(?=[\s)]|$)"
    r"|(?<![\w-])(?:db|instance|type_of_study):(?:\([^()]*\)|\ue000[0-9]+\ue001)"  # the Virtual Health Library
    r"| ?\[mp ?=[^\[\]]*\]"
    r"|(?<!\S)(?i:sort_(?:date|cited):y)(?!\S)"
    # The days on which a record was made, changed or got its headings.
    r"|(?:\ue000[0-9]+\ue001|\([^()]*\)|(?<![\w-])[0-9][0-9*$-]*)\.(?:dt|ed|dc|da|ez|up)\.(?=[\s)]|$)"
)
YEAR_FIELDS = re.compile(
    r"(?<![\w&?-])(year|year_published|(?:pub|publication)_?(?:year|date)|published):"
    r"(?:(>=|<=|>|<)?([12][0-9]{3})|([12][0-9]{3})[-–]([12][0-9]{3}))(?![\w/-])",
    re.I,
)
_EITHER = re.compile(r" ?\bor\b ?|,", re.I)
_EXCLUDED = re.compile(r"(?:^|[\s()])NOT ?\(? ?$", re.I)
_YEAR = r"(?:[12][0-9]{3}[*$]?|[12][0-9]{2}[*$])"
_SEVERAL_YEARS = rf"{_YEAR}(?:(?: or |, ?| ?[-:] ?){_YEAR}){{0,60}}"
_YEARS = re.compile(_SEVERAL_YEARS, re.I)
OVID_YEARS = re.compile(
    rf"(?:\( ?({_SEVERAL_YEARS}) ?\)|(?<![\w*$]){_YEAR}(?: ?[-:] ?{_YEAR})?)\.(?:yr|dp|\(sa_year\))\.(?=[\s)]|$)", re.I
)
_DAY = r"([12][0-9]{3})(?:-?(0[1-9]|1[0-2])(?:-?([0-3][0-9]))?)?"
_DATED = re.compile(rf"(>=|<=|>|<)?{_DAY}(?:-(?:{_DAY})?)?")
_ONE_OR_SPAN = re.compile(rf"({_YEAR})(?: ?[-:] ?({_YEAR}))?")
_INDEXED = frozenset(
    ("journal-article", "review", "systematic-review", "meta-analysis", "randomized-controlled-trial",
     "clinical-trial", "editorial", "letter", "preprint")
)  # fmt: skip
_LONGEST_CODE = 2  # letters; `de` and `no` are words, too


def type_name(text: str) -> str:
    """A type of MEDLINE as it is, and Embase's `article` as MEDLINE has it."""
    return "journal article" if read_paper_type(text) == "journal-article" else text


def type_term(text: str) -> str | None:
    """The term for a type of papers; None if it names none that the indexes have."""
    kind = read_paper_type(text.lower().removesuffix(" material"))
    name = kind.replace("-", " ").replace("meta analysis", "meta-analysis") if kind in _INDEXED else None
    return f'PUB_TYPE:"{name}"' if name else None


def either(terms: Iterable[str | None], *, excluded: bool = False) -> str:
    """Any of these terms, as one; empty if one of them has no equal, or, where they are excluded, all."""
    written = list(terms)
    known = list(dict.fromkeys(filter(None, written)))
    if not known or (not excluded and not all(written)):
        return ""
    return f"({' OR '.join(known)})" if len(known) > 1 else known[0]


def is_excluded(before: str) -> bool:
    """Whether NOT stands at the end of the text before a term."""
    return _EXCLUDED.search(before) is not None


def language_term(text: str) -> str | None:
    """The term for a language by its name: `english`, `English language`."""
    name = text.lower().removesuffix(" language")
    return f"LANG:{name}" if len(name) > _LONGEST_CODE and read_language(name) and name.isalpha() else None


def scopus_term(written: str, before: str) -> str:
    """The term for one of Scopus' limits, or several in a row, behind a text; empty if they have no equal."""
    if written.startswith("DOCTYPE"):
        codes = _EITHER.split(written.partition("(")[2].strip(' ")'))
        return either(map(_scopus_type, codes), excluded=is_excluded(before))
    limits = _SCOPUS_LIMIT.findall(written)
    years = [value for field, value in limits if field == "PUBYEAR" and re.fullmatch("[12][0-9]{3}", value)]
    others = [_scopus_term(field, value) for field, value in limits if value not in years]
    terms = [*others, *([years_of(" or ".join(years))] if years else [])]
    if "EXCLUDE" not in written:
        return either(terms)
    excluded = either(terms, excluded=True)
    return f"AND NOT {excluded}" if excluded and written.startswith("AND") else ""


def _scopus_term(field: str, value: str) -> str | None:
    return language_term(value) if field == "LANGUAGE" else _scopus_type(value) if field == "DOCTYPE" else None


def _scopus_type(code: str) -> str | None:
    return type_term(_SCOPUS_TYPES.get(code.strip(' "').lower(), ""))


def web_of_science_term(found: re.Match[str], written: str) -> str:
    """The term for the types or years of a search in the Web of Science as written; empty if they have no equal."""
    inside = written.strip("() ")
    if found[1] != "DT":
        inside = inside.replace('"', "")
        return years_of(inside) if _YEARS.fullmatch(inside) else ""
    is_not = is_excluded(found.string[: found.start()])
    return either((type_term(it.strip(' "')) for it in _EITHER.split(inside)), excluded=is_not)


def years_of(text: str) -> str:
    """The years of a list, those that follow one another as one term."""
    spans = [(_first(it[1]), _last(it[2] or it[1])) for it in _ONE_OR_SPAN.finditer(text)]
    joined: list[tuple[int, int]] = []
    for first, last in sorted(spans):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return either(f"PUB_YEAR:[{first} TO {last}]" for first, last in joined)


def year_field_term(found: re.Match[str]) -> str:
    """The years that `YEAR_FIELDS` has found: `year:2015-2020`, `pub_date:>=2015`; one year with a tag as it is."""
    name, sign, year, first, last = found.groups()
    if first:
        return span_term(first, last)
    return since_term(sign or "=", int(year)) if sign or not prefix_field(name) else found[0]


def span_term(first: str, last: str) -> str:
    """The years from one to another."""
    return f"PUB_YEAR:[{first} TO {last}]"


def since_term(sign: str, year: int) -> str:
    """The years on one side of one; beyond those that anyone means, as far as papers are dated."""
    first = {
        ">": year + 1,
        "AFT": year + 1,
        "after": year,
        "since": year,
        "from": year,
        ">=": year,
        "=": year,
        "IS": year,
    }.get(sign)
    last = {
        "<": year - 1,
        "BEF": year - 1,
        "before": year,
        "until": year,
        "to": year,
        "<=": year,
        "=": year,
        "IS": year,
    }.get(sign)
    if first is None and last is not None:
        first = FIRST_YEAR if last >= FIRST_YEAR else min(dates.FIRST_YEAR, last)
    if last is None and first is not None:
        last = LAST_YEAR if first <= LAST_YEAR else max(dates.LAST_YEAR, first)
    return span_term(str(first), str(last))


def dates_term(inside: str) -> str | None:
    """The term for dates as ProQuest and EBSCOhost write them: `20150101-20201231`, `>2015`; None if they are none."""
    found = _DATED.fullmatch(inside.strip().replace(" ", "").replace("–", "-"))
    if not found:
        return None
    sign, first, last = found[1] or "", list(found.groups()[1:4]), list(found.groups()[4:7])
    is_open = found[0].endswith("-")
    if sign:
        edge = int(first[0]) + {">": 1, "<": -1}.get(sign, 0) * (not first[1])
        first, last = [str(edge), *first[1:]], [str(LAST_YEAR), None, None]
        if sign[0] == "<":
            first, last = [str(FIRST_YEAR), None, None], first
    elif is_open:
        last = [str(LAST_YEAR), None, None]
    last = last if last[0] else first
    is_whole = first[1:] in ([None, None], ["01", "01"]) and last[1:] in ([None, None], ["12", "31"])
    if is_whole:
        return f"PUB_YEAR:[{first[0]} TO {last[0]}]"
    return f"FIRST_PDATE:[{'-'.join(filter(None, first))} TO {'-'.join(filter(None, last))}]"


def _first(year: str) -> int:
    return int(year.rstrip("*$").ljust(4, "0"))


def _last(year: str) -> int:
    return int(year.rstrip("*$").ljust(4, "9"))
