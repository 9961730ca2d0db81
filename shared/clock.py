"""The clock, timestamps in one form, the longest wait, and the deadline of a request.

The domain gets the clock as an argument: functions pass `now`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

# Reserved for merging, ranking and writing the answer after the last leg: seconds, or this share of a short request.
RESERVE_S, RESERVE_SHARE = 0.75, 0.25
# The longest wait that a header of a response can ask for, and that an answer states: a day.
MAX_WAIT_S = 86_400.0
# A longer wait that a provider states is not a matter of its requests per second: the allowance of a day is spent.
A_MOMENT_S = 60.0
# The minimum time for a step that queries providers.
STEP_S = 1.0
# The reason for what a request did not do because its time was over.
OUT_OF_TIME = "timeout_ms"
TIMESTAMP = "%Y-%m-%dT%H:%M:%SZ"


def now() -> datetime:
    """The current time, in UTC."""
    return datetime.now(UTC)


def timestamp(moment: datetime) -> str:
    """ISO 8601 to the second, UTC as `Z`. The moment must be in UTC."""
    return moment.strftime(TIMESTAMP)


def epoch_s(moment: datetime) -> int:
    """The nearest epoch second, as the expiry of an item is stored."""
    return round(moment.timestamp())


def begun_epoch_s(moment: datetime) -> int:
    """The epoch second that the moment lies in, never a later one."""
    return int(moment.timestamp())


def epoch_ms(moment: datetime) -> int:
    """The nearest epoch millisecond."""
    return round(moment.timestamp() * 1000)


def timestamp_of(seconds: float) -> str:
    """The timestamp of epoch seconds."""
    return timestamp(datetime.fromtimestamp(seconds, UTC))


def bounded_wait_s(seconds: float | None) -> float | None:
    """Seconds to wait as an answer may state them: from 0 to MAX_WAIT_S, None instead of NaN."""
    if seconds is None or math.isnan(seconds):
        return None
    return min(max(seconds, 0.0), MAX_WAIT_S)


@dataclass(slots=True)
class Deadline:
    """When the legs of one request must have ended. It starts when created; times are of the monotonic clock."""

    monotonic: Callable[[], float]
    timeout_ms: int
    started: float = field(init=False)

    def __post_init__(self) -> None:
        self.started = self.monotonic()

    @property
    def until(self) -> float:
        """The moment at which the last leg ends, in seconds."""
        whole_s = self.timeout_ms / 1000
        return self.started + whole_s - min(RESERVE_S, RESERVE_SHARE * whole_s)

    @property
    def over(self) -> bool:
        """Whether the whole time of the request is used up: work that is not done yet is left out of the answer."""
        return self.monotonic() >= self.started + self.timeout_ms / 1000

    def share(self, part: float) -> float:
        """The moment after this part of the time left; at least STEP_S from now, if that much is left."""
        begin = self.monotonic()
        left = max(0.0, self.until - begin)
        return begin + max(part * left, min(left, STEP_S))

    def elapsed_ms(self) -> int:
        """Milliseconds since the request began."""
        return round((self.monotonic() - self.started) * 1000)
