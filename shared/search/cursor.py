"""The cursor of a page: a result set and the position of the page's first result."""

from __future__ import annotations

import re
from dataclasses import dataclass

from shared.cursors import decode_cursor, encode_cursor
from shared.errors import FieldError, Unprocessable

_FORM = re.compile(r"([0-9a-f]{32}):([0-9]{1,6})")


@dataclass(frozen=True, slots=True)
class Cursor:
    """A position in a result set; 0 is the best result."""

    result_set_id: str
    offset: int

    def __str__(self) -> str:
        return encode_cursor(f"{self.result_set_id}:{self.offset}")


def read_cursor(text: str) -> Cursor:
    """The cursor from its text form, `str(cursor)`. Raises Unprocessable for any other text."""
    match = _FORM.fullmatch(decode_cursor(text) or "")
    if not match:
        raise Unprocessable(
            "cursor: not a valid cursor", [FieldError("cursor", "pass `next_cursor` of an earlier answer unchanged")]
        )
    return Cursor(match[1], int(match[2]))
