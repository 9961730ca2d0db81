"""The error of a request whose body is larger than its route accepts."""

from __future__ import annotations

from shared.errors import BadRequest


class TooLarge(BadRequest):
    """The body is larger than the route accepts; a smaller one may be good."""

    code = "too_large"
