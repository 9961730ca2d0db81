"""The errors of a request whose body is not read: it is larger than its route accepts, or compressed."""

from __future__ import annotations

from shared.errors import BadRequest


class TooLarge(BadRequest):
    """The body is larger than the route accepts; a smaller one may be good."""

    code = "too_large"


class UnsupportedEncoding(BadRequest):
    """The body is compressed, which API Gateway would pass on as a text, with bytes lost."""

    code = "unsupported_encoding"


def encoding_of(header: str | None) -> str | None:
    """The encoding in which a header `Content-Encoding` says that a body is; None for a plain one."""
    named = (header or "").strip()
    return named[:100] if named.lower() not in ("", "identity") else None
