"""Reads the query languages of Embase and the Cochrane Library as Ovid's and this service's own.

    Embase    'heart attack'/exp   'stroke':ti,ab   (asthma NEAR/3 child*):ti   [humans]/lim   [2010-2020]/py
              NOT ('editorial'/it OR 'conference abstract'/it)   review:it   [1-1-2015]/sd
    Cochrane  #1 OR #2 with Publication Year from 2010 to 2020, in Trials   (Word variations have been searched)
              "heart failure" in Title Abstract Keyword AND fall* in Record Title
              [mh "Heart Failure"]   [mh ^Asthma]   MeSH descriptor: [Stroke] explode all trees   wheez*:ti,ab,kw

Embase's headings are Emtree's, which MeSH shares in part: they are searched for as words of titles and abstracts, too.
https://www.elsevier.com/products/embase, https://www.cochranelibrary.com/help/how-to-use-advanced-search
"""

from __future__ import annotations

import re
from collections.abc import Callable

from shared.query.field_tags import prefix_field
from shared.query.limits import either, is_excluded, language_term, span_term, type_term
from shared.query.pubmed_tags import CHECK_TAGS

_NAME = r"(?:'(?P<quoted>[^'\"]{2,80})'|\"(?P<double>[^\"]{2,80})\"|(?P<word>[^\W_][\w-]{1,60}))"
_TREE = re.compile(
    rf"(?<![\w']){_NAME}/(?P<how>exp|de|mj|syn)(?:/(?:mj|exp|de))?(?:/[a-z]{{2}}_[a-z_,]{{2,60}})?(?![\w/])"
)
_FIELDS = "ti|ab|kw|au|de|pt|la|jt|tt|ad|lnk"
_SUFFIX = re.compile(rf"(?:(?<=[\w*')\"]):|(?<=['\"])/)((?:{_FIELDS})(?:, ?(?:{_FIELDS}))*)(?=[\s)]|$)")
_SINGLE = re.compile(r"(?<![\w'])'([^'\"]{2,120})'(?=[:/\s)]|$)")
_TYPE = r"(?:'[^'\"]{2,40}'|\"[^\"]{2,40}\"|(?<![\w'\"/])(?:article|review|editorial|letter))"
_EITHER, _AND = re.compile(r" or ", re.I), re.compile(r" and ", re.I)
_ONE_LIMIT = rf"(?:\[[A-Za-z][A-Za-z -]{{2,40}}\]/lim|{_TYPE}[/:]it)(?!\w)"
_LIMITS = re.compile(rf"{_ONE_LIMIT}(?: (?:OR|or) {_ONE_LIMIT})*")
# `NOT ([conference abstract]/lim AND [1800-2020]/py)`: without one of them, it would exclude more.
_EXCLUDED = re.compile(r"(?:AND )?NOT ?\(([^()]* AND [^()]*)\)", re.I)
_ADDED = re.compile(r"\[[0-9-]{6,10}\]/sd(?!\w)")  # the day on which Embase got a record
_YEARS = re.compile(r"\[?([12][0-9]{3})(?:-([12][0-9]{3}))?\]?[/:]py(?!\w)")
# What the Cochrane Library prints behind a line, and behind a whole search.
_VARIATIONS = re.compile(r" ?\(Word variations have been searched\)")
_IN_FIELDS = re.compile(
    r"(?<=[\w*')\"]) in (Title Abstract Keyword|Record Title|All Text)(?: -)?(?= (?:AND|OR|NOT|with)\b|\)|$)"
)
_COCHRANE_FIELDS = {"Title Abstract Keyword": ":ti,ab,kw", "Record Title": ":ti", "All Text": ""}
_PUBLISHED = re.compile(
    r"(?P<rest>.+?),? with (?:Cochrane Library publication date|Publication Year) (?:from|between) "
    r"(?:[A-Z][a-z]{2} )?(?P<first>[12][0-9]{3}) (?:to|and) (?:[A-Z][a-z]{2} )?(?P<last>[12][0-9]{3})"
    r"(?:, in [A-Z][\w ,()]{2,80})?",
    re.I,
)
_PREFIX = re.compile(r"[A-Za-z_]{2,20}$")
_HEADING = re.compile(r'\[m[hj] (?P<alone>\^?)"?(?P<name>[^\[\]"/]{2,80})"?(?:/[A-Z, ]*)?\]')
_DESCRIPTOR = re.compile(
    r"MeSH descriptor: ?\[(?P<name>[^\[\]]{2,80})\](?P<how> explode all trees| this term only| in all MeSH products)*"
)
_NEAR = re.compile(r"(?<!\S)(?:near|next)(/[0-9]{1,2})?(?!\S)", re.I)
_OVID = {"jt": "jn", "tt": "ti", "ad": "in", "lnk": "sh", "de": "kw"}


def read_embase(text: str) -> tuple[str, list[str], dict[str, str]]:
    """The text with what Embase and the Cochrane Library write in other forms, and a note on each.

    Their fields are written as Ovid's, which are read later; the last part has them as they were typed, by Ovid's form.
    """
    notes: list[str] = []
    typed: dict[str, str] = {}

    def noted(read: Callable[[re.Match[str]], str]) -> Callable[[re.Match[str]], str]:
        def replaced(found: re.Match[str]) -> str:
            new = read(found)
            notes.append(f"{found[0]} {f'as {new}' if new else 'left out'}"[:120])
            return new

        return replaced

    text = _IN_FIELDS.sub(lambda it: _COCHRANE_FIELDS[it[1]], _VARIATIONS.sub("", text))
    if published := _PUBLISHED.fullmatch(text):
        years = span_term(published["first"], published["last"])
        notes.append(f"{text[published.end('rest') :].strip()} as {years}"[:120])
        text = f"({published['rest']}) AND {years}"
    text = _DESCRIPTOR.sub(noted(_descriptor), text)
    text = _HEADING.sub(noted(lambda it: _mesh(it["name"], alone=bool(it["alone"]))), text)
    text = _TREE.sub(noted(_emtree), text)
    text = _EXCLUDED.sub(lambda it: noted(lambda _: "")(it) if _has_unknown_limit(it[1]) else it[0], text)
    text = _LIMITS.sub(noted(_limits), text)
    text = _ADDED.sub(noted(lambda _: ""), text)
    text = _YEARS.sub(noted(lambda it: f"PUB_YEAR:[{it[1]} TO {it[2] or it[1]}]"), text)
    if notes or _SUFFIX.search(text):
        text = _SINGLE.sub(r'"\1"', text)
        text = _SUFFIX.sub(lambda it: _as_ovid(it, typed), text)
        text = _NEAR.sub(lambda it: f"NEAR{it[1] or '/6'}", text)
    return text, notes, typed


def _mesh(name: str, *, alone: bool = False) -> str:
    return f'"{name.strip()}"[{"mh:noexp" if alone else "mh"}]'


def _descriptor(found: re.Match[str]) -> str:
    return _mesh(found["name"], alone="this term only" in found[0])


def _emtree(found: re.Match[str]) -> str:
    name = (found["quoted"] or found["double"] or found["word"]).strip()
    return f'("{name}"[{"majr" if "/mj" in found[0] else "mh"}] OR TITLE_ABS:"{name}")'


def _limits(found: re.Match[str]) -> str:
    """One limit, or any of several; of those that are excluded, each that has an equal."""
    return either(map(_limit, _EITHER.split(found[0])), excluded=is_excluded(found.string[: found.start()]))


def _has_unknown_limit(text: str) -> bool:
    """Whether one of the terms between AND is a limit that has no equal."""
    terms = (term.strip() for term in _AND.split(text))
    return any(_LIMITS.fullmatch(term) and not any(map(_limit, _EITHER.split(term))) for term in terms)


def _limit(written: str) -> str | None:
    name = written.rpartition("/" if "/" in written else ":")[0].strip("[]'\" ").lower()
    name = "humans" if name == "human" else name
    if name in CHECK_TAGS:
        return f"{name}[Filter]"
    return language_term(name) or type_term(name)


def _as_ovid(found: re.Match[str], typed: dict[str, str]) -> str:
    before = _PREFIX.search(found.string[: found.start()])
    if before and prefix_field(before[0]):  # `lang:de`
        return found[0]
    names = dict.fromkeys(_OVID.get(name.strip(), name.strip()) for name in found[1].split(","))
    field = f".{','.join(names)}."
    typed[field] = found[0]
    return field
