"""Our own overload: said as such, and never as a provider's budget or time-out. `no_room` is a leg's part of it."""

from __future__ import annotations

from shared.errors import LiteratureError

RETRY_AFTER_S = 1.0


class Overloaded(LiteratureError):
    """This service has no room for the request at the moment; no provider is at fault."""

    code = "overloaded"
    retryable = True
