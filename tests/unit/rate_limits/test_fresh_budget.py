"""The two token buckets for requests that skip the cache."""

from __future__ import annotations

from bisect import bisect_right

from hypothesis import given
from hypothesis import strategies as st

from shared.rate_limits.fresh_budget import FreshLimits, FreshRefused, FreshUsage, spend

START_MS = 1_795_000_000_000
LIMITS = FreshLimits()


def granted(moments_ms: list[int]) -> list[int]:
    """The moments at which a request was allowed."""
    usage, allowed = FreshUsage(), []
    for moment in moments_ms:
        after = spend(usage, LIMITS, moment)
        if isinstance(after, FreshUsage):
            usage = after
            allowed.append(moment)
    return allowed


def test_ten_requests_at_once_are_allowed_and_the_next_after_six_seconds() -> None:
    assert granted([START_MS] * 12) == [START_MS] * 10
    usage = FreshUsage()
    for _ in range(10):
        after = spend(usage, LIMITS, START_MS)
        assert isinstance(after, FreshUsage)
        usage = after
    assert spend(usage, LIMITS, START_MS) == FreshRefused(6.0)
    assert isinstance(spend(usage, LIMITS, START_MS + 6_000), FreshUsage)


def test_a_hundred_an_hour_are_allowed_and_then_one_every_36_seconds() -> None:
    every_six_seconds = [START_MS + 6_000 * number for number in range(600)]
    allowed = granted(every_six_seconds)
    assert len(allowed) <= 200  # the bucket of a hundred, and what it regains within the hour
    assert allowed[-2] - allowed[-3] in range(36_000, 43_000)


def test_a_refused_request_takes_no_token() -> None:
    assert granted([START_MS] * 500 + [START_MS + 60_000] * 500) == [START_MS] * 10 + [START_MS + 60_000] * 10


@given(st.lists(st.integers(0, 7_200_000), min_size=1, max_size=400))
def test_no_span_has_more_requests_than_a_bucket_holds_and_regains(offsets: list[int]) -> None:
    allowed = granted([START_MS + it for it in sorted(offsets)])
    assert allowed
    for first, moment in enumerate(allowed):
        assert bisect_right(allowed, moment + 60_000) - first <= 2 * LIMITS.per_minute
        assert bisect_right(allowed, moment + 3_600_000) - first <= 2 * LIMITS.per_hour
