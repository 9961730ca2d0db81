"""The number or mark that a printed reference has in its list."""

from __future__ import annotations

import re

from shared.references.markdown_citation import without_marker

_NUMBERING = re.compile(
    r"\A\s*(?:[\[［]\d{1,4}[\]］]|\(\d{1,3}\)|\d{1,3}[.):](?=\s)|\[[^\W\d_][^\[\]]{0,40}\d[a-z]?\](?=\s?[^\W\d_])"
    r"|[\u2070\xb9\xb2\xb3\u2074-\u2079]{1,4}|\^(?: [a-z]\b){0,26}(?=\s)|↑|\d{1,3}[)）])\s*"
)


def without_numbering(line: str) -> str:
    """The line without its number and mark in a list: `[12]`, `12.`, `- `."""
    return _NUMBERING.sub("", without_marker(line))
