"""The bounds of what is read: a document comes from outside, and each bound has a clear error."""

from __future__ import annotations

import re

from shared.errors import Unprocessable

MAX_TEXT_CHARS = 2_000_000
MAX_DOCX_BYTES = 5_000_000
MAX_ENTRIES = 2_000
MAX_DEPTH = 100  # of braces, brackets and elements within each other
MAX_WARNINGS = 50
MAX_VALUE_CHARS = 10_000  # of one field; a longer one is cut
FIELD = "document"  # the field of the request that errors name

_BRACES = re.compile(r"\\.|[{}]", re.S)


def unreadable(reason: str) -> Unprocessable:
    """The error of a document that cannot be read; `reason` continues the name of the field to a sentence."""
    return Unprocessable.field(FIELD, reason)


def check_length(text: str) -> None:
    """Raise Unprocessable if the text is empty or longer than MAX_TEXT_CHARS."""
    if not text.strip():
        raise unreadable("is empty; send the text of a document with references")
    if len(text) > MAX_TEXT_CHARS:
        raise unreadable(
            f"has more than {MAX_TEXT_CHARS:,} characters; send its reference list alone, in parts, or exported "
            "without abstracts and cited references"
        )


def check_count(count: int) -> None:
    """Raise Unprocessable if there are more than MAX_ENTRIES entries."""
    if count > MAX_ENTRIES:
        raise unreadable(f"has more than {MAX_ENTRIES:,} references; send it in parts")


def check_braces(text: str) -> None:
    """Raise Unprocessable if braces are nested more deeply than MAX_DEPTH: libraries descend into each."""
    depth = 0
    for brace in _BRACES.finditer(text):
        depth = depth + 1 if brace[0] == "{" else max(0, depth - 1) if brace[0] == "}" else depth
        if depth > MAX_DEPTH:
            raise unreadable(f"has braces nested more than {MAX_DEPTH} deep")
