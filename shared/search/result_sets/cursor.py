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
    cursor = _read(text)
    if cursor.filtered:
        raise _of_another_route("to the result set whose pages it continues", _of_result_set(cursor.filtered))
    return cursor


def read_filtered_cursor(text: str, place: str, result_set_id: str) -> Cursor:
    """The cursor of a page of this result set, whose papers that pass the filters are `place`. Raises Unprocessable."""
    cursor = _read(text)
    if not cursor.filtered:
        raise _of_another_route("to the search or list that it continues", "Pass it alone to the route it came from.")
    if cursor.filtered != result_set_id:
        error = FieldError("cursor", "belongs to another result set")
        raise Unprocessable("cursor: of another result set", [error], hint=_of_result_set(cursor.filtered))
    if cursor.result_set_id != place:
        raise Unprocessable.field("cursor", "belongs to other filters: pass it with the same")
    return cursor


def _of_result_set(result_set_id: str) -> str:
    return f"Pass it to GET /v1/result-sets/{result_set_id}, with the same filters."


def _of_another_route(owner: str, hint: str) -> Unprocessable:
    error = FieldError("cursor", f"belongs to another route: {owner}")
    return Unprocessable("cursor: of another route", [error], hint=hint)


def _read(text: str) -> Cursor:
    """The cursor from its text form, `str(cursor)`. Raises Unprocessable for any other text."""
    match = _FORM.fullmatch(decode_cursor(text) or "")
    if not match:
        raise Unprocessable(
            "cursor: not a valid cursor", [FieldError("cursor", "pass `next_cursor` of an earlier answer unchanged")]
        )
    return Cursor(match[1], int(match[2]), match[3])
