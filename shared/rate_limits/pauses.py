"""How long a caller of the rate limiter sleeps before it tries again; with jitter, so that callers do not meet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

FIRST_POLL_S, LONGEST_POLL_S = 0.04, 0.5  # mean intervals at which a caller polls for a free in-flight slot
LONGEST_BACKOFF_S = 0.1


@dataclass(frozen=True, slots=True)
class Pauses:
    """Sleeps of seconds; `jitter` gives numbers from 0 to 1."""

    sleep: Callable[[float], None]
    jitter: Callable[[], float]

    def sleep_until(self, moment: float, now: Callable[[], float], time_left: Callable[[], float]) -> None:
        """Sleep until a moment (epoch seconds); what is asked of `sleep` may end early.

        A clock that is set back meanwhile does not make a leg longer: its `time_left` is counted by another one.
        """
        while (rest := min(moment - now(), time_left())) > 0:
            self.sleep(rest)

    def back_off(self, lost: int) -> None:
        """Sleep after the nth write that came too late."""
        self.sleep(min(0.005 * 2.0 ** min(lost, 8), LONGEST_BACKOFF_S) * self.jitter())

    def poll(self, seconds: float, polls: int, left: float) -> None:
        """Sleep before the next read: at least `seconds`, at most what is `left`, and longer after more polls."""
        poll = min(FIRST_POLL_S * 1.5 ** min(polls, 8), LONGEST_POLL_S) * (0.5 + self.jitter())
        self.sleep(max(min(max(seconds, poll), left), 0.001))
