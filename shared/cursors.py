"""The text form of every opaque cursor: URL-safe base64 without padding (RFC 4648, section 5).

That of a list kept in a table has the kind of the list, and the position where the next page begins.
"""

from __future__ import annotations

import base64
import binascii

from shared.errors import FieldError, Unprocessable

MAX_POSITION_BYTES = 900  # a sort key of DynamoDB may have 1,024


def encode_cursor(position: str) -> str:
    """Encode a position as an opaque token."""
    return base64.urlsafe_b64encode(position.encode()).decode("ascii").rstrip("=")


def decode_cursor(token: str) -> str | None:
    """The position in a token from `encode_cursor`; None for any other text."""
    try:
        return base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True).decode()
    except (binascii.Error, ValueError):
        return None


def write_cursor(kind: str, position: str | None) -> str | None:
    """The cursor of a position in a list of this kind; None without a position."""
    if position is None:
        return None
    return encode_cursor(f"{kind} {position}")


def kind_of(cursor: str) -> str | None:
    """The kind of the list that a cursor is of; None for any other text."""
    kind, _, position = (decode_cursor(cursor) or "").partition(" ")
    return kind if position else None


def read_cursor(kind: str, cursor: str | None) -> str:
    """The position of a cursor; "" without a cursor. Raises Unprocessable for anything but a cursor of this kind."""
    if cursor is None:
        return ""
    own, _, position = (decode_cursor(cursor) or "").partition(" ")
    if own != kind or not position or len(position.encode()) > MAX_POSITION_BYTES:
        raise Unprocessable(
            "cursor: not a cursor of this list",
            [FieldError("cursor", "pass the `next_cursor` of a page of this list unchanged")],
        )
    return position
