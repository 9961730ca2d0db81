"""What one search knows of one of its legs."""

from __future__ import annotations

from dataclasses import dataclass

from shared.legs.leg import Leg, LegAnswer, LegEntry
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply, failed

UNREAD = LegEntry()


@dataclass(slots=True, eq=False)
class LegState:
    """A leg of one search: what the cache has of it, who queries its provider, and how it was answered."""

    leg: Leg
    entry: LegEntry = UNREAD  # as last read
    answer: LegAnswer | None = None
    is_awaited: bool = False  # another search queries the provider
    is_leased: bool = False  # by this search

    def failed(self, outcome: Outcome, reason: str) -> ProviderReply:
        """The reply of a leg that this search does not wait for any longer."""
        return failed(self.leg.provider, self.leg.provider, outcome, reason)
