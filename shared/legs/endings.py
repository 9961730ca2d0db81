"""How the legs of a search end: all have ended, the leader of equal searches has the result, or it responds early.

`Result` is what the search makes of its legs, of which this package knows nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeAlias, TypeVar

from shared.legs.intervals import RELEASE_S
from shared.legs.leg import Leg, LegAnswer, LegCache, LegDependencies, LegEntry
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply, failed

Result = TypeVar("Result")
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


@dataclass(frozen=True, slots=True)
class EarlyResponseRule(Generic[Result]):
    """When a search answers before its last legs: from `until` on, as soon as the answers so far are sufficient.

    Both functions get an answer for each leg, in order; a leg that has none yet is `pending`. `store` returns what it
    has stored, after it arranged for the rest to be completed; if it cannot (None), the search waits for all its legs.
    """

    until: float  # on the monotonic clock
    is_sufficient: Callable[[Sequence[LegAnswer]], bool]
    store: Callable[[Sequence[LegAnswer]], Result | None]


@dataclass(frozen=True, slots=True)
class AllEnded:
    """An answer for each leg, in order. `awaited_leader`: the leader's result was waited for, and did not come."""

    answers: list[LegAnswer]
    awaited_leader: bool = False


@dataclass(frozen=True, slots=True)
class LeaderFinished(Generic[Result]):
    """The leader of equal searches has made the result: no leg was read."""

    result: Result


@dataclass(frozen=True, slots=True)
class RespondedEarly(Generic[Result]):
    """The answers so far, for each leg in order, and what is stored of them."""

    answers: list[LegAnswer]
    result: Result


Ending: TypeAlias = AllEnded | LeaderFinished[Result] | RespondedEarly[Result]


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


def release_late(legs: Sequence[Leg], dependencies: LegDependencies) -> None:
    """Release the leases of unanswered legs for other searches, within RELEASE_S: the answer must not be late."""
    releases = [dependencies.threads.submit(partial(dependencies.cache.release, leg, None)) for leg in legs]
    until = dependencies.monotonic() + RELEASE_S
    while releases and (seconds := until - dependencies.monotonic()) > 0:
        dependencies.threads.wait(releases, seconds)
        releases = [future for future in releases if not future.done()]
