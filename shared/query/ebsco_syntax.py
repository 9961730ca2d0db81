"""Reads the fields of EBSCOhost (CINAHL, PsycINFO, Academic Search), which stand before a term with a blank between.

    MH "Alzheimer's Disease+"   a subject heading, `+` with those below it; MM a major one
    TI TREM2 AND AB (tau OR amyloid)   TX, SU, DE, KW, AU, SO   the same for texts, subjects, authors, journals

    PY 2015-2020, PY 2018       years
    tau N3 amyloid, W5          both words, at any distance

Only beside an operator, a quotation or a parenthesis: `AB blood groups` and `MM cells` are words.
https://connect.ebsco.com/s/article/Searching-with-Field-Codes
"""

from __future__ import annotations

import re

from shared.query.distances import read_distances

_FIELDS = {
    "TI": "TITLE", "AB": "ABSTRACT", "TX": "TITLE_ABS", "SU": "KW", "DE": "KW", "KW": "KW", "AU": "AUTH",
    "SO": "JOURNAL",
}  # fmt: skip
_HEADINGS = {"MH": "mh", "MM": "majr"}
_START = r"(?:(?<=^)|(?<=\()|(?<=\bAND )|(?<=\bOR )|(?<=\bNOT ))"
_HEADING = re.compile(rf'{_START}(MH|MM) (?:"([^"]{{2,80}}?)\+?"|([^\W\d_][\w\'’-]{{1,40}})\+?)(?=[\s)]|$)')
_TERM = re.compile(
    rf"{_START}({'|'.join(_FIELDS)}) (?:(?=[\"(])|([^\s()\"]+(?: (?!AND\b|OR\b|NOT\b)[^\s()\"]+)*))(?=\S|\s|$)"
)
_YEARS = re.compile(rf"{_START}PY (?:([12]\d{{3}})[-–])?([12]\d{{3}})(?=[\s)]|$)")
_NEAR = re.compile(r"(?<=[\w)\"*]) ([NW]\d{1,2}) (?=[\w(\"])")
_OPERATOR = re.compile(r"\b(?:AND|OR|NOT)\b")


def read_ebsco(text: str) -> tuple[str, list[str]]:
    """A text in tidy form with these fields as this service's tags, and a note on each."""
    if not (_OPERATOR.search(text) or '"' in text or "(" in text):
        return text, []
    notes: list[str] = []

    def heading(found: re.Match[str]) -> str:
        read = f'"{found[2] or found[3]}"[{_HEADINGS[found[1]]}]'
        notes.append(f"{found[0]} as {read}"[:120])
        return read

    def term(found: re.Match[str]) -> str:
        name, words = _FIELDS[found[1]], found[2]
        notes.append(f"{found[1]} as {name}:")
        if words is None:
            return f"{name}:"
        return (
            f'{name}:"{words}"'
            if name in ("AUTH", "JOURNAL")
            else f"{name}:({words})"
            if " " in words
            else f"{name}:{words}"
        )

    def years(found: re.Match[str]) -> str:
        notes.append(f"{found[0]} as {(read := f'PUB_YEAR:[{found[1] or found[2]} TO {found[2]}]')}")
        return read

    read = _YEARS.sub(years, _TERM.sub(term, _HEADING.sub(heading, text)))
    read, distances = read_distances(read, _NEAR, " ") if notes else (read, [])
    return read, list(dict.fromkeys([*notes, *distances]))
