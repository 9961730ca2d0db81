"""Reads the query languages of IEEE Xplore, the ACM Digital Library and Engineering Village.

    IEEE Xplore   ("Document Title":"edge computing" OR "Abstract":edge) AND "Author Keywords":latency
    ACM           [[Title: "edge computing"] OR [Abstract: edge]] AND [E-Publication Date: (01/01/2020 TO 12/31/2023)]
    Compendex     ((edge computing) WN KY) AND ({latency} WN TI)

A field that has no equal is searched for in titles and abstracts, which all sources have.
https://ieeexplore.ieee.org/Xplorehelp/searching-ieee-xplore/command-search
"""

from __future__ import annotations

import re

_FIELDS = {
    "Document Title": "TITLE", "Article Title": "TITLE", "Title": "TITLE", "Abstract": "ABSTRACT",
    "Author Keywords": "KW", "Author Keyword": "KW", "Keywords": "KW", "Index Terms": "KW", "IEEE Terms": "KW",
    "INSPEC Controlled Terms": "KW", "Mesh_Terms": "MESH", "Authors": "AUTH", "Author": "AUTH",
    "Contributor Name": "AUTH", "Publication Title": "JOURNAL", "Author Affiliations": "AFF",
    "All Metadata": "TITLE_ABS", "Full Text & Metadata": "TITLE_ABS", "Full Text Only": "TITLE_ABS",
    "Full Text .AND. Metadata": "TITLE_ABS", "Full Text": "TITLE_ABS", "All": "TITLE_ABS",
}  # fmt: skip
_NAMES = "|".join(map(re.escape, _FIELDS))
_QUOTED = re.compile(rf'"({_NAMES})" ?:(?: ?(?=[("])|([^\s()"]+(?: (?!(?:AND|OR|NOT|NEAR|ONEAR)\b)[^\s()"]+)*))')
_BRACKETED = re.compile(rf"\[({_NAMES}): ?([^\[\]]+)\]")
_ONLY_BRACKETED = re.compile(
    rf"(?:{_BRACKETED.pattern}|\b(?:AND|OR|NOT)\b|[\[\]() ])+"
)  # `[Title: Dr] Smith` is another
_DATES = re.compile(r"\[(?:E-)?Publication Date: \(?[0-9/]{0,6}([12][0-9]{3}) TO [0-9/]{0,6}([12][0-9]{3})\)?\]")
# Engineering Village's, as Ovid's, which are read later.
_WITHIN = re.compile(r" WN (TI|AB|KY|AU|CV|LA|ALL|YR)(?![\w])")
_OVID = {"TI": "ti", "AB": "ab", "KY": "ti,ab", "AU": "au", "CV": "sh", "LA": "la", "ALL": "mp", "YR": "yr"}
_EXACT = re.compile(r"\{([^{}\"]{2,100})\}")
_ROUND = str.maketrans("[]", "()")


def read_computing_libraries(text: str) -> tuple[str, list[str]]:
    """A text in tidy form with these fields as this service's tags, and a note on each."""
    notes: list[str] = []

    def field(found: re.Match[str]) -> str:
        name, words = _FIELDS[found[1]], found[2] or ""
        notes.append(f"{found[1]} as {name}:")
        return f"{name}:({words})" if " " in words or found[0][0] == "[" else f"{name}:{words}"

    text = _QUOTED.sub(field, text)
    if _WITHIN.search(text):
        text = _WITHIN.sub(lambda it: f".{_OVID[it[1]]}.", _EXACT.sub(r'"\1"', text))
    if _BRACKETED.search(text) and _ONLY_BRACKETED.fullmatch(_DATES.sub("", text)):
        text = _BRACKETED.sub(field, _DATES.sub(r"year:\1-\2", text)).translate(_ROUND)
    return text, list(dict.fromkeys(notes))
