"""What a search waits for that has an equal one before it: the result of that one, its leader."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic

from shared.legs.endings import LeaderFinished, Result
from shared.legs.leg import LegCache
from shared.legs.leg_state import LegState


class LeaderWait(Generic[Result]):
    """Waits once for the leader's result, when others have answered every leg, so that none has to be read."""

    def __init__(self, result: Callable[[], Result | None] | None) -> None:
        self._result, self.was_awaited = result, False

    @property
    def may_finish(self) -> bool:
        """Whether the result may come, and was not waited for."""
        return self._result is not None

    def due(self, waiting: Sequence[LegState], cache: LegCache) -> Sequence[LegState] | LeaderFinished[Result]:
        """The leader's result, or those of the legs that are to be read now: all of them if it does not come."""
        entries = cache.read_metadata([it.leg for it in waiting])
        is_given_up = any(it.failure or not (it.leased or it.unread) for it in entries)
        if not is_given_up and not all(it.unread for it in entries):
            return []
        leaders_result, self._result = self._result, None
        self.was_awaited = not is_given_up
        result = leaders_result() if leaders_result and not is_given_up else None
        return waiting if result is None else LeaderFinished(result)
