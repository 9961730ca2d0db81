"""The queue ahead of a request: how long it would wait for its permit, by the permits that others already have.

Callers reserve permits in advance, so the last permit granted is the end of the queue. A request that would wait for
longer than its leg has is refused before a function is started that could only wait.
"""

from __future__ import annotations

from shared.rate_limits.budget import MIN_RESPONSE_S, Budget

# Of its time, a leg may spend this share in the queue of a provider of another discipline than the question's: the
# later permits are for questions that the provider is best for.
UNRELATED_SHARE = 0.5
# A shorter queue is over, or nearly, when the provider's function asks for its permit: that function decides.
LEAST_QUEUE_S = 1.0


def longest_wait_s(seconds: float, *, unrelated: bool) -> float:
    """How long a leg of so many seconds may wait for its permit."""
    return max((seconds - MIN_RESPONSE_S) * (UNRELATED_SHARE if unrelated else 1.0), LEAST_QUEUE_S)


def queue_s(budget: Budget, now: float) -> float:
    """Seconds until the last permit granted so far may be used; 0 if all permits are of the past."""
    return max(budget.permits[-1] - now, 0.0) if budget.permits else 0.0
