"""The error of a service that has no room for a request. `shared.legs.refusals.no_room` reports the same of a leg."""

from __future__ import annotations

from shared.errors import LiteratureError

RETRY_AFTER_S = 1.0


class Overloaded(LiteratureError):
    """This service has no room for the request at the moment; no provider is at fault."""

    code = "overloaded"
    retryable = True
