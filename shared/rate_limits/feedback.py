"""What a response changes in a budget: limits and credits that its headers state, and the wait that it asks for.

Pure: time is an argument, in epoch seconds. The values come from `shared.providers.header_numbers`, which bounds them.
"""

from __future__ import annotations

from dataclasses import replace
from math import ceil

from shared.clock import A_MOMENT_S, MAX_WAIT_S
from shared.errors import ProviderError, RateLimited
from shared.rate_limits.budget import DAY_S, HEADERS_VALID_S, PROBE_S, Budget
from shared.rate_limits.limits import Charge, RateLimitHeaders

RESET_TOLERANCE_S = 60.0  # a reset in whole seconds, read after some latency, is never at the very same moment


def pause(budget: Budget, seconds: float, now: float) -> Budget:
    """Block all callers for the provider's Retry-After, at most one day, but for one probe an hour."""
    until = now + min(max(seconds, 0.0), MAX_WAIT_S)
    return replace(budget, not_before=max(budget.not_before, until), probe_at=now + PROBE_S)


def spend(budget: Budget, seconds: float, now: float) -> Budget:
    """No credits are left for the provider's Retry-After: block what costs credits, but for one probe an hour."""
    until = now + min(max(seconds, 0.0), MAX_WAIT_S)
    return replace(budget, credits_left=0, credits_until=until, probe_at=now + PROBE_S)


def wait_as_stated(budget: Budget, error: ProviderError, charge: Charge, now: float) -> Budget:
    """The budget after an error that states a wait; the same without one.

    Where some requests are free, a rate limit for longer than a moment says of the others that the day's allowance is
    spent: OpenAlex answers single works all the same (https://developers.openalex.org/api-reference/authentication).
    """
    if not error.retry_after_s:
        return budget
    spent = charge is Charge.CHARGED and isinstance(error, RateLimited) and error.retry_after_s > A_MOMENT_S
    return (spend if spent else pause)(budget, error.retry_after_s, now)


def apply_headers(budget: Budget, headers: RateLimitHeaders, now: float) -> Budget:
    """The budget updated from response headers; the same object if nothing changed, so that nothing is written."""
    stored = budget.header_rate, budget.header_concurrency
    stated = headers.requests_per_second, headers.concurrency
    if stated != (None, None) and (stated != stored or now - budget.headers_at > HEADERS_VALID_S / 2):
        budget = replace(budget, header_rate=stated[0], header_concurrency=stated[1], headers_at=now)
    if headers.credits_left is None:
        return budget
    left, a_day, reset_s = headers.credits_left, headers.credits_a_day, headers.credits_reset_s
    until = (now // DAY_S + 1) * DAY_S if reset_s is None else now + reset_s
    before = budget.credits_left if now < budget.credits_until else None
    same_reset = abs(until - budget.credits_until) <= RESET_TOLERANCE_S
    if before == 0 and same_reset:  # the few credits that are left were too few for a request
        return budget
    if before is not None and same_reset and _percent(before, a_day) == _percent(left, a_day):
        return budget
    return replace(budget, credits_left=left, credits_a_day=a_day, credits_until=until, probe_at=now + PROBE_S)


def _percent(left: int, a_day: int | None) -> int:
    """Whole percents, 0 only if nothing is left; the number itself if the total is unknown."""
    return ceil(100 * left / a_day) if a_day else left
