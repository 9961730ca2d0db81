"""Wildcards inside a word (`wom?n`, `behavio#r`, `colo$r`, `p?ediatric*`) as the spellings that they stand for.

Ovid, Embase, Scopus and Web of Science have them, PubMed and most others only the one at a word's end. They are nearly
always written for British and American spellings and for plurals; for any other word the part before the sign is
truncated, which finds more. https://ospguides.ovid.com/OSPguides/medline.htm
"""

from __future__ import annotations

import re

_WORD = re.compile(r"(?<![\w*?#$'/.-])([^\W\d_]{1,24})([?#$*])([^\W\d_]{1,24})(\*?)(?![\w?#$'/-])")
# The letters before and behind the sign, and what the sign stands for.
_STANDS_FOR: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("o", "r", ("", "u")),  # tumor, tumour
    ("m", "n", ("a", "e")),  # woman, women
    ("[iy]", "[aei]", ("s", "z")),  # organisation, analyze
    ("s", "s", ("i", "e")),  # analysis, analyses
    ("f|rrh", "e|et", ("", "o")),  # fetus, foetus
    ("l", "[eim]", ("", "l")),  # signaling, signalling
    (".", "e", ("", "a")),  # anemia, anaemia
)
# No source has it: `*glia`. Before a subject heading (`*Dementia/`) it means another thing.
_LEADING = re.compile(r"(?<!\S)(\(*)[*?](?=[^\W\d_]{3})(?![\w ,'-]*/)")
_LEAST_TRUNCATED = 4  # letters of a word before its wildcard


def read_inner_wildcards(text: str) -> tuple[str, list[str]]:
    """The text with each such word as its spellings, or truncated, and a note on each; phrases stay as they are."""
    notes: list[str] = []

    def read(found: re.Match[str]) -> str:
        new = _spellings(found)
        if new:
            notes.append(f"{found[0]} as {new}"[:120])
        return new or found[0]

    parts = text.split('"')
    if any(map(_LEADING.search, parts[::2])):
        parts[::2] = [_LEADING.sub(r"\1", part) for part in parts[::2]]
        notes.append("a wildcard at the beginning of a word as nothing: no source has it")
    return '"'.join(_WORD.sub(read, part) if number % 2 == 0 else part for number, part in enumerate(parts)), notes


def _spellings(found: re.Match[str]) -> str | None:
    before, sign, after, end = found.groups()
    for last, first, letters in _STANDS_FOR:
        if re.search(f"(?:{last})$", before, re.I) and re.match(first, after, re.I):
            return f"({' OR '.join(f'{before}{letter}{after}{end}' for letter in letters)})"
    is_wildcard = sign != "?" or end  # `Does it work?yes`
    return f"{before}*" if is_wildcard and len(before) >= _LEAST_TRUNCATED else None
