"""Styles that hide a text from readers: it is for programs alone, and no part of what was published."""

from __future__ import annotations

import re

_HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|(?<![\w-])(?:font-size|opacity)\s*:\s*0(?![.\d]*[1-9])"
    r"|(?<![\w-])color\s*:\s*(?:#fff(?:fff)?\b|white|transparent|rgba?\(\s*255(?:\s*,\s*255){2}\b)"
    r"|(?<![\w-])(?:left|top|text-indent)\s*:\s*-\d{4}",
    re.I,
)


def is_hidden(style: str) -> bool:
    """Whether CSS declarations, as in an attribute `style`, show nothing, or white, or beside the page."""
    return bool(_HIDDEN.search(style[:1000]))
