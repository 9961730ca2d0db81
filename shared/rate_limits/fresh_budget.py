"""How often one caller may skip the cache with `fresh: true`: two token buckets, one for bursts and one for the hour.

Each request takes a token from both, or from none. A bucket of n tokens per period is full at first and regains one
token every period/n; it is stored as the moment at which it will be full again (the theoretical arrival time of the
generic cell rate algorithm, ITU-T I.371). Pure: time is an argument, in epoch milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass

from shared.errors import LiteratureError

MINUTE_MS, HOUR_MS = 60_000, 3_600_000


class FreshBudgetSpent(LiteratureError):
    """The caller has skipped the cache too often; the same request without `fresh` is answered."""

    code = "fresh_budget_spent"
    retryable = True

    def __init__(self, per_minute: int, per_hour: int, retry_after_s: float) -> None:
        super().__init__(
            f"an API key may skip the cache {per_minute} times a minute and {per_hour} times an hour: with "
            "`fresh: true`, or by a new exhaustive search",
            hint="Send the request without `fresh`: a cached answer is at most a day old. Or wait for `retry_after_s`.",
            retry_after_s=retry_after_s,
        )


@dataclass(frozen=True, slots=True)
class FreshLimits:
    """The sizes of the buckets, in requests of one API key."""

    per_minute: int = 10
    per_hour: int = 100


@dataclass(frozen=True, slots=True)
class FreshUsage:
    """When each bucket is full again, in epoch milliseconds; 0 for one that was never used."""

    minute_full_at: int = 0
    hour_full_at: int = 0


@dataclass(frozen=True, slots=True)
class FreshRefused:
    """A bucket is empty; its next token comes after `retry_after_s` seconds."""

    retry_after_s: float


def spend(usage: FreshUsage, limits: FreshLimits, now_ms: int) -> FreshUsage | FreshRefused:
    """The usage after one more request at `now_ms`, or how long to wait; a refused request takes no token."""
    minute = _full_at(usage.minute_full_at, limits.per_minute, MINUTE_MS, now_ms)
    hour = _full_at(usage.hour_full_at, limits.per_hour, HOUR_MS, now_ms)
    wait_ms = max(minute - MINUTE_MS, hour - HOUR_MS) - now_ms
    return FreshRefused(wait_ms / 1000) if wait_ms > 0 else FreshUsage(minute, hour)


def _full_at(full_at: int, tokens: int, period_ms: int, now_ms: int) -> int:
    return max(full_at, now_ms) + period_ms // tokens
