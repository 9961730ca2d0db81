"""The queue ahead of a request: how long it would wait for its permit, by the permits that others already have.

Callers reserve permits in advance, so the last permit granted is the end of the queue. A leg that would wait for longer
than it may is refused before a function is started that could only wait (decision 0101).
"""

from __future__ import annotations

import math

from shared.rate_limits.budget import MIN_RESPONSE_S, Budget

# How long the first request of a search's leg waits for its permit, unless the caller is more patient: at one request
# in three seconds, for one other. A provider of another discipline than the question's is waited for less long: its
# later permits are for questions that it is best for.
SEARCH_QUEUE_S, UNRELATED_QUEUE_S = 3.5, 1.0
# A shorter queue is over, or nearly, when the provider's function asks for its permit: that function decides.
LEAST_QUEUE_S = 1.0


def search_queue_s(*, unrelated: bool, patience_ms: int | None = None) -> float:
    """How long a leg of a search that somebody waits for may wait for its first permit, in seconds."""
    return max(UNRELATED_QUEUE_S if unrelated else SEARCH_QUEUE_S, (patience_ms or 0) / 1000)


def longest_wait_s(seconds: float, queue_s: float = math.inf) -> float:
    """How long a leg of so many seconds may wait for its first permit, if its question bears `queue_s`."""
    return max(min(seconds - MIN_RESPONSE_S, queue_s), LEAST_QUEUE_S)


def queue_s(budget: Budget, now: float) -> float:
    """Seconds until the last permit granted so far may be used; 0 if all permits are of the past."""
    return max(budget.permits[-1] - now, 0.0) if budget.permits else 0.0
