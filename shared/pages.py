"""The cursor: an opaque name for "this result set, from there on"."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass

from shared.errors import FieldError, Unprocessable

_FORM = re.compile(r"([0-9a-f]{32}):(\d{1,6})")


@dataclass(frozen=True, slots=True)
class Cursor:
    """A result set and the place of its first result to show (0 = the best)."""

    result_set_id: str
    offset: int

    def __str__(self) -> str:
        return base64.urlsafe_b64encode(f"{self.result_set_id}:{self.offset}".encode()).decode().rstrip("=")


def read_cursor(text: str) -> Cursor:
    """The cursor that `str` wrote. Raises Unprocessable for anything else."""
    try:
        decoded = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode("ascii")
    except (binascii.Error, ValueError):
        decoded = ""
    match = _FORM.fullmatch(decoded)
    if not match:
        raise Unprocessable(
            "cursor: not one of ours", [FieldError("cursor", "pass `next_cursor` of an earlier answer unchanged")]
        )
    return Cursor(match[1], int(match[2]))
