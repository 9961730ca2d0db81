"""Our own overload: said as such, and never as a provider's budget or time-out."""

from __future__ import annotations

from shared.errors import LiteratureError, Outcome
from shared.providers.provider import ProviderReply, failed

RETRY_AFTER_S = 1.0


class Overloaded(LiteratureError):
    """This service has no room for the request at the moment; no provider is at fault."""

    code = "overloaded"
    retryable = True


def no_room(provider: str) -> ProviderReply:
    """The reply to a leg that this service had no room for: no function or thread was free."""
    reason = f"this service is too busy at the moment; {provider} was not queried"
    return failed(provider, provider, Outcome.SKIPPED_OVERLOAD, reason, retry_after_s=RETRY_AFTER_S)
