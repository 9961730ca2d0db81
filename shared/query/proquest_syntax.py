"""Reads the fields of ProQuest (PsycInfo, ABI/INFORM, ERIC, Dissertations), which stand before a group in parentheses.

    ti(mindfulness)   ab(…)   ti,ab(tau OR amyloid)   noft(…)   titles, abstracts, both, all but the full text
    su(depression)   SU.EXACT("Depression")   MESH.EXACT.EXPLODE("Asthma")   MJMAINSUBJECT(…)   subject headings
    au("Smith, J" OR Jones)   pub(Nature)   la(english)   dtype(review)   authors, journals, languages, types
    pd(20150101-20201231)   pd(>2015)   yr(2015-2020)   dates
    tau NEAR/3 amyloid   N/3   PRE/3   P/3   both words, at any distance

The headings of most of its databases are those of thesauri that MeSH shares in part: they are searched for as words of
titles and abstracts, too. Only codes in capitals or in small letters alone, as terms by themselves, are fields:
`Ti(OH)4` and `AB(1-42)` are words. What has no equal is left out: `stype(…)`.
https://proquest.libguides.com/proquestplatform/tips
"""

from __future__ import annotations

import re
from collections.abc import Callable

from shared.query.distances import read_distances
from shared.query.limits import dates_term, either, is_excluded, type_term

_TEXTS = {"ti": "TITLE", "ab": "ABSTRACT", "if": "KW", "diskw": "KW", "noft": "TITLE_ABS"}
_NAMES = {"au": "AUTH", "pub": "JOURNAL", "pubtitle": "JOURNAL"}
_SUBJECTS = ("su", "subject", "mainsubject", "mesh")
_MAJOR = ("mjsub", "mjmainsubject", "mjmesh")
_TYPES, _DATES = ("dtype", "rtype", "at"), ("pd", "yr")
# Of source, university, peer review, degree, classification, place.
_LEFT_OUT = ("stype", "ulo", "peer", "dg", "dep", "sch", "cc", "loc")
_CODES = "|".join((*_TEXTS, *_NAMES, *_SUBJECTS, *_MAJOR, *_TYPES, *_DATES, *_LEFT_OUT, "la", "ft"))
_SMALL = rf"(?:{_CODES})(?:,(?:{_CODES})){{0,5}}(?:\.(?:exact|x)(?:\.explode)?)?"
_LARGE = rf"(?:{_CODES.upper()})(?:,(?:{_CODES.upper()})){{0,5}}(?:\.(?:EXACT|X)(?:\.EXPLODE)?)?"
_CODE = rf"(?:{_SMALL}|{_LARGE})"
_FIELD = re.compile(rf"(?<![\w.,-])({_CODE})\((?=\S)")
_DISTANCE = r"(?:(?:NEAR|PRE|N|P|W|near|pre|n|p|w)/[0-9]{1,2}|NEAR|PRE)"
_OPERATOR = rf"(?:AND|OR|NOT|and|or|not|{_DISTANCE})"
# What a field stands between, so that it is a term by itself.
_BEFORE = re.compile(rf"(?:^|[()\"]|(?:^|(?<=[\s()])){_OPERATOR}) ?$")
_BEHIND = re.compile(rf" ?(?:$|[()\"]|{_OPERATOR}(?![^\s(\"])|{_CODE}\()")
_OPERATORS = re.compile(r"(?<![^\s()\"])(?:AND|OR|NOT|and|or|not)(?![^\s()\"])")
_MARK = re.compile(r'"[^"]*"|[()]')
_BETWEEN = re.compile(rf'"[^"]*"|[()]|{_OPERATORS.pattern}')
# The charge of an ion, numbers and single letters are nothing to search a field for.
_WORD = re.compile(r"[^\W\d_]{2}")
_CHARGE = re.compile(r"[IVX]+")
_NEAR = re.compile(rf"(?<=[\w)\"*]) {_DISTANCE} (?=[\w(\"])")
_SMALL_OPERATOR = re.compile(r"(?<![^\s()])(?:and|or|not)(?![^\s()])")
_MOST_FIELDS = 50  # of one text; the end of each is looked for


def read_proquest(text: str) -> tuple[str, list[str]]:
    """A text in tidy form with these fields as this service's tags, and a note on each."""
    notes: list[str] = []
    at = 0
    for _ in range(_MOST_FIELDS):
        if not (found := _FIELD.search(text, at)):
            break
        at, end = found.end(), _end_of_group(text, found.end())
        if not end or not _is_alone(text[: found.start()], text[end:]):
            continue
        if (read := _read(found[1].lower(), text[at : end - 1], excluded=is_excluded(text[: found.start()]))) is None:
            continue
        notes.append(f"{text[found.start() : end]} {f'as {read}' if read else 'left out'}"[:120])
        text = f"{text[: found.start()]}{read}{text[end:]}"
        at = found.start() + len(read)
    return (_with_operators(text, notes), notes) if notes else (text, notes)


def _end_of_group(text: str, start: int) -> int:
    """The place behind the parenthesis that closes the group from here on; 0 if none does."""
    depth = 1
    for mark in _MARK.finditer(text, start):
        depth += {"(": 1, ")": -1}.get(mark[0], 0)
        if depth == 0:
            return mark.end()
    return 0


def _is_alone(before: str, after: str) -> bool:
    in_phrase = before.count('"') % 2 == 1
    return not in_phrase and _BEFORE.search(before[-10:]) is not None and _BEHIND.match(after) is not None


def _read(code: str, inside: str, *, excluded: bool) -> str | None:
    """The equal of a field, which may be excluded; empty if it has none, None if this is no field."""
    names, _, how = code.partition(".")
    fields = names.split(",")
    if fields[0] in _DATES:
        return dates_term(inside)
    if fields[0] in _LEFT_OUT and (how or _WORD.search(inside)):
        return ""
    if not _WORD.search(inside) or _CHARGE.fullmatch(inside):
        return None
    if fields[0] == "ft":
        return f"({inside})"
    if any(it in _SUBJECTS or it in _MAJOR for it in fields) and not any(it in _TEXTS for it in fields):
        headings = _each(inside, _heading(fields, is_wide=not how or "explode" in how))
        return f"({headings})" if _OPERATORS.search(inside) else headings
    if fields[0] in _TYPES:
        return either(map(type_term, _terms(inside)), excluded=excluded)
    if name := _NAMES.get(fields[0]):
        return f"{name}:({_each(inside, _as_name)})"
    if fields[0] == "la":
        return f"LANG:({inside})"
    return f"{_TEXTS[fields[0]] if len(fields) == 1 else 'TITLE_ABS'}:({inside})"


def _heading(fields: list[str], *, is_wide: bool) -> Callable[[str], str]:
    """How a heading is written: in MeSH as it is, of another thesaurus with its words."""
    tag = "majr" if fields[0] in _MAJOR else "mh" if is_wide else "mh:noexp"
    if all("mesh" in field for field in fields):
        return lambda term: f'"{term}"[{tag}]'

    def written(term: str) -> str:
        is_cut = "*" in term or "?" in term
        return f"TITLE_ABS:({term})" if is_cut else f'("{term}"[{tag}] OR TITLE_ABS:"{term}")'

    return written


def _as_name(term: str) -> str:
    words = term.strip("* ")
    return f'"{words}"'


def _terms(inside: str) -> list[str]:
    return [term for term in (it.strip(' "') for it in _BETWEEN.sub(_kept_phrase, inside).split("\n")) if term]


def _kept_phrase(found: re.Match[str]) -> str:
    return f"\n{found[0]}\n" if found[0][0] == '"' else "\n"


def _each(inside: str, write: Callable[[str], str]) -> str:
    """The group with each term between its operators and parentheses written anew."""
    parts, at = [], 0
    for mark in _BETWEEN.finditer(inside):
        parts += [inside[at : mark.start()], mark[0]]
        at = mark.end()
    written = []
    for part in (*parts, inside[at:]):
        term = part.strip(' "')
        is_mark = _BETWEEN.fullmatch(part) and part[0] != '"'
        written += [part] if is_mark or not term else [write(term)]
    return " ".join(" ".join(written).split())


def _with_operators(text: str, notes: list[str]) -> str:
    """Operators in capitals, and AND in place of those of distance; phrases as they are."""
    text, distances = read_distances(text, _NEAR, " AND ")
    notes += distances
    parts = text.split('"')
    parts[::2] = [_SMALL_OPERATOR.sub(lambda it: it[0].upper(), part) for part in parts[::2]]
    return '"'.join(parts)
