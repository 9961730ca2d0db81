"""The cursor of a page: a result set and the position of the page's first result.

One of a page of `/v1/result-sets/{id}` names this route as well: its filters decide which paper is at the position.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from shared.canonical_json import ID_FORM
from shared.cursors import decode_cursor, encode_cursor
from shared.errors import FieldError, Unprocessable

_FORM = re.compile(rf"({ID_FORM}):([0-9]{{1,6}})(?::({ID_FORM}))?")


@dataclass(frozen=True, slots=True)
class Cursor:
    """A position in a result set; 0 is the best result.

    `filtered`: the id of the result set, where `result_set_id` stands for its papers that pass certain filters.
    """

    result_set_id: str
    offset: int
    filtered: str | None = None

    def __str__(self) -> str:
        route = f":{self.filtered}" if self.filtered else ""
        return encode_cursor(f"{self.result_set_id}:{self.offset}{route}")


def read_cursor(text: str) -> Cursor:
    """The cursor of a search or of a list of references or citations. Raises Unprocessable for any other text."""
    cursor = read_any_cursor(text)
    if cursor.filtered:
        hint = f"Pass it to GET /v1/result-sets/{cursor.filtered}, with the same filters."
        error = FieldError("cursor", "belongs to another route: to the result set whose pages it continues")
        raise Unprocessable("cursor: of another route", [error], hint=hint)
    return cursor


def read_any_cursor(text: str) -> Cursor:
    """The cursor from its text form, `str(cursor)`. Raises Unprocessable for any other text."""
    match = _FORM.fullmatch(decode_cursor(text) or "")
    if not match:
        raise Unprocessable(
            "cursor: not a valid cursor", [FieldError("cursor", "pass `next_cursor` of an earlier answer unchanged")]
        )
    return Cursor(match[1], int(match[2]), match[3])
