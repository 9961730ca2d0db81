"""The early response of a search: at the moment of its rule, or as soon after it as the answers are sufficient."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Generic

from shared.legs.endings import EarlyResponseRule, RespondedEarly, Result
from shared.legs.leg import LegAnswer
from shared.legs.leg_state import LegState
from shared.outcomes import Outcome


class EarlyResponses(Generic[Result]):
    """Tries to respond early each time that more legs are answered, until it has been tried to store a response."""

    def __init__(self, rule: EarlyResponseRule[Result] | None) -> None:
        self._rule, self._checked = rule, 0  # of how many answers it was checked

    def wait_s(self, now: float) -> float:
        """Seconds until a response may be given; infinite if one may be given now, or none any more."""
        return self._rule.until - now if self._rule and now < self._rule.until else math.inf

    def response(self, legs: Sequence[LegState], now: float) -> RespondedEarly[Result] | None:
        """The response, if it is time and the answers so far are sufficient and can be stored."""
        rule, count = self._rule, sum(1 for it in legs if it.answer)
        if rule is None or count == self._checked or now < rule.until:
            return None
        self._checked = count
        draft = [it.answer or LegAnswer(it.failed(Outcome.PENDING, "it is still being asked")) for it in legs]
        if not rule.is_sufficient(draft):
            return None
        self._rule, result = None, rule.store(draft)
        return None if result is None else RespondedEarly(draft, result)
