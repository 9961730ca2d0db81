"""How the legs of a search end: all have ended, the leader of equal searches has the result, or it responds early.

`Result` is what the search makes of its legs, of which this package knows nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from shared.legs.leg import LegAnswer

Result = TypeVar("Result")


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
