"""The time of a leg, as the event of its function states it: in all, and in the queue of its provider."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from shared.providers.provider import LEG_TIMEOUT_S, ProviderSpec

MOST_MS = 1e15  # some 30,000 years
LONGEST_START_S = 10.0  # Lambda ends a function that starts for longer


def check_times(event: Mapping[str, object]) -> None:
    """Raises ValueError for a time in an event that is not a number up to MOST_MS; None counts as not given."""
    for name in ("timeout_ms", "deadline_ms", "queue_ms", "stored_after"):
        value = event.get(name)
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= MOST_MS:  # or NaN
            raise ValueError(f"{name} must be a number: {value!r:.50}")


def seconds_left(spec: ProviderSpec, timeout_ms: float | None, deadline_ms: float | None, now: float) -> float:
    """The time of the leg: not longer than `timeout_ms`, and until `deadline_ms`, which a start of the function delays.

    `now` is in epoch seconds. A clock that is wrong by more than the start of a function takes shortens no leg.
    """
    seconds = min(spec.timeout_s, LEG_TIMEOUT_S if timeout_ms is None else timeout_ms / 1000)
    late_s = now + seconds - (math.inf if deadline_ms is None else deadline_ms / 1000)
    return max(seconds - late_s, 0.05) if 0 < late_s < LONGEST_START_S else seconds


class QueueTime:
    """How long each request of a leg may wait for its permit, of the seconds that its event allows (`queue_ms`).

    The first request waits for a part of them if others must follow it, since these stand in the queue again. A request
    that the leg can do without waits for what is left of them. What the leg has begun, it ends: other requests wait for
    as long as the leg has time (decision 0101).
    """

    def __init__(self, queue_ms: float | None, search_requests: int, monotonic: Callable[[], float]) -> None:
        seconds = math.inf if queue_ms is None else queue_ms / 1000
        self._first_s, self._until, self._monotonic = seconds / search_requests, monotonic() + seconds, monotonic
        self._begun = self._optional = False

    def next_s(self) -> float:
        """The seconds for the next request."""
        if self._optional:
            return max(self._until - self._monotonic(), 0.0)
        seconds, self._begun = math.inf if self._begun else self._first_s, True
        return seconds

    @contextmanager
    def optional(self) -> Iterator[None]:
        """While inside, requests are such as the leg can do without."""
        self._optional = True
        try:
            yield
        finally:
            self._optional = False
