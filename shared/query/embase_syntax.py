"""Reads the query languages of Embase and the Cochrane Library as Ovid's and this service's own.

    Embase    'heart attack'/exp   'stroke':ti,ab   (asthma NEAR/3 child*):ti   [humans]/lim   [2010-2020]/py
    Cochrane  [mh "Heart Failure"]   [mh ^Asthma]   MeSH descriptor: [Stroke] explode all trees   wheez*:ti,ab,kw

Embase's headings are Emtree's, which MeSH shares in part: they are searched for as words of titles and abstracts, too.
https://www.elsevier.com/products/embase, https://www.cochranelibrary.com/help/how-to-use-advanced-search
"""

from __future__ import annotations

import re
from collections.abc import Callable

from shared.bibliography.languages import read_language
from shared.bibliography.paper_types import read_paper_type

_NAME = r"(?:'(?P<quoted>[^'\"]{2,80})'|(?P<word>[^\W_][\w-]{1,60}))"
_TREE = re.compile(rf"(?<![\w']){_NAME}/(?P<how>exp|de|mj|syn)(?:/(?:mj|exp|de))?(?![\w/])")
_FIELDS = "ti|ab|kw|au|de|pt|la|jt|tt|ad|lnk"
_SUFFIX = re.compile(rf"(?<=[\w*')\"]):((?:{_FIELDS})(?:, ?(?:{_FIELDS}))*)(?=[\s)]|$)")
_SINGLE = re.compile(r"(?<![\w'])'([^'\"]{2,120})'(?=:|[\s)]|$)")
_LIMIT = re.compile(r"\[([A-Za-z][A-Za-z -]{2,40})\]/lim(?!\w)")
_YEARS = re.compile(r"\[?([12][0-9]{3})(?:-([12][0-9]{3}))?\]?[/:]py(?!\w)")
_HEADING = re.compile(r'\[m[hj] (?P<alone>\^?)"?(?P<name>[^\[\]"/]{2,80})"?(?:/[A-Z, ]*)?\]')
_DESCRIPTOR = re.compile(
    r"MeSH descriptor: ?\[(?P<name>[^\[\]]{2,80})\](?P<how> explode all trees| this term only| in all MeSH products)*"
)
_NEAR = re.compile(r"(?<!\S)(?:near|next)(/[0-9]{1,2})?(?!\S)", re.I)
_OVID = {"jt": "jn", "tt": "ti", "ad": "in", "lnk": "sh", "de": "kw"}
_OF_SPECIES = frozenset(("humans", "human", "animals", "female", "male", "adult", "aged", "child", "infant"))


def read_embase(text: str) -> tuple[str, list[str]]:
    """The text with what Embase and the Cochrane Library write in other forms, and a note on each."""
    notes: list[str] = []

    def noted(read: Callable[[re.Match[str]], str]) -> Callable[[re.Match[str]], str]:
        def replaced(found: re.Match[str]) -> str:
            new = read(found)
            notes.append(f"{found[0]} {f'as {new}' if new else 'left out'}"[:120])
            return new

        return replaced

    text = _DESCRIPTOR.sub(noted(_descriptor), text)
    text = _HEADING.sub(noted(lambda it: _mesh(it["name"], alone=bool(it["alone"]))), text)
    text = _TREE.sub(noted(_emtree), text)
    text = _LIMIT.sub(noted(_limit), text)
    text = _YEARS.sub(noted(lambda it: f"PUB_YEAR:[{it[1]} TO {it[2] or it[1]}]"), text)
    if notes or _SUFFIX.search(text):
        text = _SINGLE.sub(r'"\1"', text)
        text = _SUFFIX.sub(_as_ovid, text)
        text = _NEAR.sub(lambda it: f"NEAR{it[1] or '/6'}", text)
    return text, notes


def _mesh(name: str, *, alone: bool = False) -> str:
    return f'"{name.strip()}"[{"mh:noexp" if alone else "mh"}]'


def _descriptor(found: re.Match[str]) -> str:
    return _mesh(found["name"], alone="this term only" in found[0])


def _emtree(found: re.Match[str]) -> str:
    name = (found["quoted"] or found["word"]).strip()
    return f'("{name}"[{"majr" if "mj" in found[0].rpartition("/")[2] else "mh"}] OR TITLE_ABS:"{name}")'


def _limit(found: re.Match[str]) -> str:
    name = found[1].strip().lower()
    if read_language(name):
        return f"LANG:{name}"
    if name in _OF_SPECIES:
        return f"{'humans' if name == 'human' else name}[Filter]"
    return f'PUB_TYPE:"{name}"' if read_paper_type(name) else ""


def _as_ovid(found: re.Match[str]) -> str:
    names = dict.fromkeys(_OVID.get(name.strip(), name.strip()) for name in found[1].split(","))
    return f".{','.join(names)}."
