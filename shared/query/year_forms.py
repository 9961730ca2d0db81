"""The forms in which people write years (`shared.query.years_in_words`), and what each of them names."""

from __future__ import annotations

import re
from collections.abc import Callable

from shared.query.read_years import YearsInWords
from shared.query.sides import has_sides
from shared.query.subject_years import EVENT_BEHIND, belongs_to_subject, follows_event, is_recalled, names_a_time

_YEAR = "(1[89][0-9]{2}|20[0-9]{2})"
_NUMBERS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "fifteen": 15,
    "twenty": 20, "couple of": 2, "few": 3, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "zehn": 10, "deux": 2,
    "trois": 3, "quatre": 4, "cinq": 5, "dix": 10, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "diez": 10, "due": 2,
    "tre": 3, "cinque": 5, "dieci": 10, "dois": 2, "três": 3, "dez": 10, "一": 1, "两": 2, "二": 2, "三": 3, "四": 4,
    "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10,
}  # fmt: skip
_NUMBER = f"([1-9][0-9]?|{'|'.join(_NUMBERS)})"
# The beginnings of units, in months; and those that need no number before them (`in recent years` is vague).
_MONTHS = {
    "month": 1, "mes": 1, "mois": 1, "monat": 1, "月": 1, "year": 12, "yr": 12, "jahr": 12, "an": 12, "añ": 12,
    "年": 12, "decade": 120, "década": 120, "décennie": 120, "decennio": 120,
}  # fmt: skip
_ONE = frozenset(
    ("year", "month", "decade", "jahr", "monat", "année", "mois", "décennie", "año", "mes", "década", "anno", "ano")
)
# `published 2019`, `since 2019`: what may stand before years, and what must stand behind words that numbers have too.
_BEFORE = r"(?<!\S)(published )?"
_BEHIND = (
    r"(?![\w-]|['’]s\b)(?! ?(?:[mkµ]?g|[ckm]?m|nm|m?l|iu|u|[kmg]?hz|[mk]?pa|[km]?ev|k|kcal|rpm|ppm|cells?|cycles?|steps"
    r"|people|patients|participants)\b)"
)
_CLOSED = r"(?=[.,;:!?]*(?:$| (?:in|on|for|with|and|about|regarding|using|by|(?:and)?not) ))"

_RANGE = re.compile(
    rf"{_BEFORE}(?:(?:between|from|zwischen|von|entre|de|desde|tra il|dal) (?:the years? )?{_YEAR} "
    rf"(?:and|to|until|till|through|und|bis|et|à|a|y|hasta|e il|al|e|-) {_YEAR}"
    rf"|(?:in |from )?(?:(?:the )?years )?{_YEAR} ?(?:[-–—]|to|bis) ?{_YEAR}){_BEHIND}",
    re.I,
)
_FROM = re.compile(
    rf"{_BEFORE}(?:(?:(?:ever )?since|seit|depuis|desde|ab|dal|à partir de|a partir de|starting (?:in|from)"
    rf"|no earlier than|not before) {_YEAR}(?: onwards?)?"
    rf"|from {_YEAR} (?:on(?=[.,;:!?]|$)|onwards?|to (?:date|now|present|the present|today))"
    rf"|{_YEAR} (?:onwards?|(?:and|or) (?:later|newer|after|onwards?)|to (?:date|now|present|the present|today))"
    rf"|{_YEAR} ?[-–—] ?(?:present|now|today|heute|date))(?![\w-])",
    re.I,
)
_SIGNED = re.compile(rf"(?<!\S)(?:(>=|≥|>|<=|≤|<) ?{_YEAR}|{_YEAR}\+)[.?!]?$")
_AFTER = re.compile(
    rf"{_BEFORE}(?:after|later than|newer than|nach|après|después de|depois de|dopo il) {_YEAR}{_BEHIND}{_CLOSED}", re.I
)
_TO = re.compile(
    rf"{_BEFORE}(?:(?:until|till|up to|up until|no later than|bis|jusqu'en|jusqu'à|hasta|até|fino al) {_YEAR}"
    rf"|{_YEAR} (?:and|or) (?:earlier|older|before)){_BEHIND}",
    re.I,
)
_UNTIL = re.compile(
    rf"{_BEFORE}(?:before|prior to|earlier than|older than|vor|avant|antes de|prima del) {_YEAR}{_BEHIND}{_CLOSED}",
    re.I,
)
# The same before further words of an expression, which is no title: `after 2015 mouse NOT rat`. A round number may be
# one of any thing, and what follows may be an event.
_AMID_YEAR = rf"(?![12][0-9]00){_YEAR}{_BEHIND}(?= [^\W\d_])(?!{EVENT_BEHIND})"
_AFTER_AMID = re.compile(rf"{_BEFORE}(?:after|later than|newer than) {_AMID_YEAR}", re.I)
_UNTIL_AMID = re.compile(rf"{_BEFORE}(?:before|prior to|earlier than|older than) {_AMID_YEAR}", re.I)
_IN = re.compile(rf"(?<!\S)published (?:in |during )?(?:the year )?{_YEAR}{_BEHIND}", re.I)
_UNITS = "years?|yrs?|months?|decades?"
_BACK = re.compile(
    rf"{_BEFORE}(?:(?:in|within|over|during|from|for) )?(?:the )?(?:last|past) "
    rf"(?:{_NUMBER} )?({_UNITS}){_BEHIND}(?! of )"
    rf"|{_BEFORE}(?:in |from )?this (year){_BEHIND}(?! of )"
    rf"|(?<!\S)(?:(?:in|im|aus|während) )?(?:den |der |die )?(?:letzten?|vergangenen?) (?:{_NUMBER} )?"
    rf"(jahre?n?|monate?n?){_BEHIND}"
    rf"|(?<!\S)(?:(?:au cours |durant |pendant )?(?:des |ces |les |la ))?(?:{_NUMBER} )?derni[eè]re?s? "
    rf"(années?|ans|mois|décennie){_BEHIND}"
    rf"|(?<!\S)(?:(?:en|durante|de|negli|degli|nos|no|na) )?(?:los |las |la |gli |os |a )?"
    rf"[uú]ltim[oai]s? (?:{_NUMBER} )?(años?|anni|anno|anos?|meses|mesi|década|decennio){_BEHIND}",
    re.I,
)
# `TREM2 (2015-2020)`: nothing but the years is within the parentheses.
_ENCLOSED = re.compile(
    rf"(?<!\S)[(\[]({_YEAR} ?[-–—] ?{_YEAR}|(?:since|from|after|before|until) {_YEAR})[)\]](?![^\s.,;?!])", re.I
)
_LAST_OPERATOR, _NEXT_OPERATOR = re.compile(r"(?:^| )(?:NOT|ANDNOT|\|) ?$"), re.compile(r" ?\| ")
_NOT = re.compile(r"(?:^|[\s()])(?:NOT|ANDNOT)(?=[\s()]|$)")
# PubMed's filters of its website: `y_5[Filter]`, `"last 5 years"[PDat]`.
_PUBMED_YEARS = re.compile(r"\by_([0-9]{1,2})\[filter\]", re.I)
_PUBMED_BACK = re.compile(
    r'(?:(?:^| )AND )?\(?"?last ([0-9]{1,2}) (years?|months?)"?'
    r"\[(?:dp|pdat|edat|ppdat|epdat|crdt|publication date|date - publication)\]\)?",
    re.I,
)
# Chinese has no blanks between words.
_CHINESE_RANGE = re.compile(rf"(?:从|自)?{_YEAR} ?年? ?(?:[-–—~]|至|到) ?{_YEAR} ?年(?:之?间|期间)?")
_CHINESE_FROM = re.compile(rf"(?:自|从)?{_YEAR} ?年?(?:之后|以后|以来|至今|起)(?:的)?")
_CHINESE_TO = re.compile(rf"(?:在)?{_YEAR} ?年?(?:之前|以前)(?:的)?")
_CHINESE_BACK = re.compile(rf"(?:最近|过去|近)(?:的)?{_NUMBER}(?:个)?(年|月)(?:以?来|内|的)?")


def years_by_form(text: str, *, in_expression: bool) -> YearsInWords:
    """Read a text as `years_in_words` does, whatever it contains."""
    written = _PUBMED_YEARS.sub(r'"last \1 years"[dp]', text)
    if has_sides(written):
        return YearsInWords(written)
    text = _ENCLOSED.sub(_unwrapped, written)
    for pattern in (_PUBMED_BACK, *_FIRST_AND_LAST, *(_AMID if in_expression else ()), _BACK, _CHINESE_BACK):
        for found in pattern.finditer(text):
            before = text[: found.start()]
            rest = " ".join((before + text[found.end() :]).split()).replace(" ?", "?").strip(" ,;:")
            if before.count("(") != before.count(")") or before.count('"') % 2 or not any(map(str.isalpha, rest)):
                continue
            if _LAST_OPERATOR.search(before) or _NEXT_OPERATOR.match(text, found.end()):
                continue  # of one side, or of what is excluded
            words, of_papers = found[0].strip(), "published" in found[0].casefold() or pattern is _PUBMED_BACK
            if pattern in (_BACK, _CHINESE_BACK, _PUBMED_BACK):
                if (months := _months(found)) is None or (not of_papers and is_recalled(before, months)):
                    continue
                return YearsInWords(rest, months_back=months, words=words, is_of_papers=of_papers)
            first, last = (_FIRST_AND_LAST.get(pattern) or _AMID[pattern])(found)
            if (not of_papers and names_a_time(first, last)) or belongs_to_subject(before, words, text[found.end() :]):
                continue
            return YearsInWords(rest, first, last, None, words, of_papers)
    return YearsInWords(written)


def _unwrapped(found: re.Match[str]) -> str:
    """The years without their parentheses; as they are where they belong to an event, or to what is excluded."""
    before = found.string[: found.start()].rstrip()
    is_alone = before.endswith(" AND") or not _NOT.search(found.string)
    return found[1] if is_alone and not follows_event(before) else found[0]


def _years(found: re.Match[str]) -> list[int]:
    return sorted(int(it) for it in found.groups() if it and it.isdecimal())


def _range(found: re.Match[str]) -> tuple[int | None, int | None]:
    first, last = _years(found)
    return first, last


def _signed(found: re.Match[str]) -> tuple[int | None, int | None]:
    (year,) = _years(found)
    sign = found[1] or ">="
    if sign[0] in "<≤":
        return None, year - (sign == "<")
    return year + (sign == ">"), None


_FIRST_AND_LAST: dict[re.Pattern[str], Callable[[re.Match[str]], tuple[int | None, int | None]]] = {
    _RANGE: _range,
    _CHINESE_RANGE: _range,
    _FROM: lambda found: (_years(found)[0], None),
    _CHINESE_FROM: lambda found: (_years(found)[0], None),
    _SIGNED: _signed,
    _TO: lambda found: (None, _years(found)[0]),  # before `_AFTER`: `no later than`
    _AFTER: lambda found: (_years(found)[0] + 1, None),
    _UNTIL: lambda found: (None, _years(found)[0] - 1),
    _CHINESE_TO: lambda found: (None, _years(found)[0] - 1),
    _IN: lambda found: (_years(found)[0], _years(found)[0]),
}
_AMID: dict[re.Pattern[str], Callable[[re.Match[str]], tuple[int | None, int | None]]] = {
    _AFTER_AMID: _FIRST_AND_LAST[_AFTER],
    _UNTIL_AMID: _FIRST_AND_LAST[_UNTIL],
}


def _months(found: re.Match[str]) -> int | None:
    """How many months back; none for `this year`, None for several years without a number."""
    parts = [part.casefold() for part in found.groups() if part and part.strip().casefold() != "published"]
    if "this year" in found[0].casefold():
        return 0
    if len(parts) == 1 and parts[0] not in _ONE:
        return None
    number = 1 if len(parts) == 1 else int(parts[0]) if parts[0].isdecimal() else _NUMBERS[parts[0]]
    return number * next(months for name, months in _MONTHS.items() if parts[-1].startswith(name))
