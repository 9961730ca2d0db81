"""Time that is skipped where the code would wait, for legs that are otherwise run in real time."""

from __future__ import annotations

import threading
import time

from shared.aws.lambda_functions.provider_handler import Timing


class SkippedTime(threading.local):
    """The monotonic clock with all that this thread has skipped: a leg runs in one thread."""

    skipped_s = 0.0

    def sleep(self, seconds: float) -> None:
        """Not at all: the clock jumps."""
        self.skipped_s += max(seconds, 0.0)

    def monotonic(self) -> float:
        """Seconds, as `time.monotonic`."""
        return time.monotonic() + self.skipped_s

    def timing(self) -> Timing:
        """For a provider's handler; without jitter."""
        return Timing(sleep=self.sleep, jitter=lambda: 0.5, monotonic=self.monotonic)
