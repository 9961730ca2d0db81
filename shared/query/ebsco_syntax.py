"""Reads the fields of EBSCOhost (CINAHL, PsycINFO, Academic Search), which stand before a term with a blank between.

    MH "Alzheimer's Disease+"   a subject heading, `+` with those below it; MM a major one
    TI TREM2 AND AB (tau OR amyloid)   TX, SU, DE, KW, MW, MJ, AU, SO, JN   for texts, subjects, authors, journals
    PT review, PZ, ZT, LA English, PY 2015-2020, DT 20150101-20201231   types, languages, dates
    tau N3 amyloid, W5          both words, at any distance
    … Limiters - Published Date: 20150101-20201231; English Language    what its history prints behind a search

Only beside an operator, a quotation or a parenthesis: `AB blood groups` and `MM cells` are words; so is a code that may
be an acronym if it is the only one: `MM cells AND lenalidomide`. Lower-case operators are read before a code.
https://connect.ebsco.com/s/article/Searching-with-Field-Codes
"""

from __future__ import annotations

import re

from shared.query.distances import read_distances
from shared.query.limits import dates_term, either, is_excluded, language_term, type_term

_FIELDS = {
    "TI": "TITLE", "AB": "ABSTRACT", "TX": "TITLE_ABS", "XB": "TITLE_ABS",
    "SU": "KW", "DE": "KW", "KW": "KW", "MW": "KW", "MJ": "KW",
    "AU": "AUTH", "SO": "JOURNAL", "JN": "JOURNAL",
}  # fmt: skip
_HEADINGS = {"MH": "mh", "MM": "majr"}
_LIMITS = {"PT": type_term, "PZ": type_term, "ZT": type_term, "LA": language_term, "PY": dates_term, "DT": dates_term}
_CODES = "|".join((*_FIELDS, *_HEADINGS, *_LIMITS))
_NO_ACRONYMS = ("TI", "TX", "XB", "AU", "KW", "MH", "PY", "PZ", "ZT")
_START = r"(?:(?<=^)|(?<=\()|(?<=\( )|(?<=\bAND )|(?<=\bOR )|(?<=\bNOT ))"
_WORDS = r"[^\s()\"]+(?: (?!AND\b|OR\b|NOT\b)[^\s()\"]+)*"
_CODE = re.compile(rf"{_START}({_CODES}) ([^\s)])")
_HEADING = re.compile(rf'{_START}(MH|MM) (?:"([^"]{{2,80}}?)\+?"|([^\W\d_]{_WORDS}))(?=[\s)]|$)')
_TERM = re.compile(rf"{_START}({'|'.join(_FIELDS)}) (?:(?=[\"(])|({_WORDS}))(?=\S|\s|$)")
_LIMIT = re.compile(rf'{_START}({"|".join(_LIMITS)}) (?:"([^"]+)"|\(([^()]+)\)|({_WORDS}))')
# `MH ("Asthma" OR "Cough")`: each of them is a heading.
_HEADINGS_IN_GROUP = re.compile(rf"{_START}(MH|MM) \(([^()]+)\)")
_BETWEEN = re.compile(r" (AND|OR|NOT|and|or|not) ")
_NEAR = re.compile(r"(?<=[\w)\"*]) ([NW]\d{1,2}) (?=[\w(\"])")
_OPERATOR = re.compile(r"\b(?:AND|OR|NOT)\b")
_SMALL = re.compile(rf"(?<=[\s)])(and|or|not)(?= \(*(?:{_CODES}) )")
_PRINTED = re.compile(r",? (?:Limiters|Expanders|Search modes) - .*$")
_LIMITERS = re.compile(r"Limiters - (.+?)(?: (?:Expanders|Search modes|Narrow by\b.*) - .*|$)")


def read_ebsco(text: str) -> tuple[str, list[str]]:
    """A text in tidy form with these fields as this service's tags, and a note on each."""
    text, notes = _with_limiters(text)
    typed, text = text, _SMALL.sub(lambda it: it[0].upper(), text) if _CODE.match(text.lstrip("( ")) else text
    codes = _CODE.findall(text)
    is_sure = len(codes) > 1 or any(code in _NO_ACRONYMS or sign in '"(' for code, sign in codes)
    if not codes or not is_sure or not (_OPERATOR.search(text) or '"' in text or "(" in text):
        return typed, notes
    text = _HEADINGS_IN_GROUP.sub(_each_heading, text)

    def noted(written: str, read: str) -> str:
        notes.append(f"{written} {f'as {read}' if read else 'left out'}"[:120])
        return read

    def heading(found: re.Match[str]) -> str:
        name = (found[2] or found[3].rstrip("+")).replace("+/", "/")  # `Stroke+/PC`, with a subheading
        return noted(found[0], f'"{name}"[{_HEADINGS[found[1]]}]')

    def limit(found: re.Match[str]) -> str:
        values = [it.strip(' "') for it in _BETWEEN.split(found[2] or found[3] or found[4])[::2]]
        return noted(
            found[0], either(map(_LIMITS[found[1]], values), excluded=is_excluded(found.string[: found.start()]))
        )

    def term(found: re.Match[str]) -> str:
        name, words = noted(found[1], f"{_FIELDS[found[1]]}:"), found[2] or ""
        if name in ("AUTH:", "JOURNAL:") and words:
            return f'{name}"{words}"'
        return f"{name}({words})" if " " in words else f"{name}{words}"

    read = _LIMIT.sub(limit, _TERM.sub(term, _HEADING.sub(heading, text)))
    read, distances = read_distances(read, _NEAR, " ") if notes else (read, [])
    return read, list(dict.fromkeys([*notes, *distances]))


def _each_heading(found: re.Match[str]) -> str:
    parts = _BETWEEN.split(found[2].strip())
    parts[::2] = [f"{found[1]} {part}" for part in parts[::2]]
    return f"({' '.join(parts)})"


def _with_limiters(text: str) -> tuple[str, list[str]]:
    """A search with the limiters that are printed behind it as terms."""
    printed = _PRINTED.search(text)
    if not printed or not (rest := text[: printed.start()].strip()):
        return text, []
    found = _LIMITERS.search(printed[0])
    named = [it.strip() for it in found[1].split(";")] if found else []
    values = [it.rpartition(": ")[2] for it in named]
    terms = [dates_term(it) or language_term(it) or type_term(it) for it in values]
    notes = [f"{name[:60]} {f'as {term}' if term else 'left out'}" for name, term in zip(named, terms, strict=True)]
    known = [*filter(None, terms)]
    return " AND ".join([f"({rest})" if known else rest, *known]), notes or [f"{printed[0].strip()[:60]} left out"]
