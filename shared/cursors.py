"""The text form of every opaque cursor: URL-safe base64 without padding (RFC 4648, section 5)."""

from __future__ import annotations

import base64
import binascii


def encode_cursor(position: str) -> str:
    """Encode a position as an opaque token."""
    return base64.urlsafe_b64encode(position.encode()).decode("ascii").rstrip("=")


def decode_cursor(token: str) -> str | None:
    """The position in a token from `encode_cursor`; None for any other text."""
    try:
        return base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True).decode()
    except (binascii.Error, ValueError):
        return None
