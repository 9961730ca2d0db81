"""A leg for which this service had no room."""

from __future__ import annotations

from shared.legs.overload import RETRY_AFTER_S
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply, failed


def no_room(provider: str) -> ProviderReply:
    """The reply to a leg that this service had no room for: no function or thread was free."""
    reason = f"this service is too busy at the moment; {provider} was not queried"
    return failed(provider, provider, Outcome.SKIPPED_OVERLOAD, reason, retry_after_s=RETRY_AFTER_S)
