"""The usage of one provider's limits: when the next request may be sent, how many are in flight, what is left today.

Pure: time is an argument, in epoch seconds. A request needs a permit (the moment at which it may be sent) and, where
the provider limits connections, an in-flight slot. One decision grants both.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from shared.rate_limits.limits import MAX_WINDOW_REQUESTS, NO_CONNECTION, NO_PERMIT, Charge, Limits, with_header_limits
from shared.rate_limits.outage import REASON, RETRY_AFTER_S, Share

NETWORK_S = 0.02  # the part of the slack between permits that is left to network latency
GRACE_S = 1.0  # seconds after a deadline until an in-flight slot, or a probe, expires
MIN_RESPONSE_S = 2.0  # do not wait for a permit that leaves less time for the response: sources take up to 1.5 s
DAILY_RESERVE = 0.2  # the fraction of the daily allowance that scheduled callers leave to the others
SCHEDULED_LEAD_S = 3_600.0  # scheduled callers get the rest evenly over the day, this many seconds early
QUIET_WINDOWS = 4  # at a rate of one request per window, scheduled callers wait for this many idle windows
DAY_S = 86_400.0
HEADERS_VALID_S = 3_600.0  # limits from response headers expire after this
PROBE_S = 3_600.0  # a wait that responses ask for is checked by one request so often


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The usage of one provider's limits by all callers, and the limits that its response headers stated."""

    permits: tuple[float, ...] = ()  # the most recent ones in order, once for each part; some may lie in the future
    in_flight: Mapping[str, float] = field(default_factory=dict)  # permit id -> expires at the latest
    not_before: float = 0.0
    probe_at: float = 0.0  # one request is sent then, whatever wait `not_before` and `credits_left` ask for
    day: int = 0  # days since 1970, for `requests_today`
    requests_today: int = 0
    header_rate: float | None = None  # requests per second
    header_concurrency: int | None = None
    headers_at: float = 0.0
    credits_left: int | None = None
    credits_a_day: int | None = None
    credits_until: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PermitRequest:
    """A request for a permit: the limits, the seconds left, what it costs, and whether a scheduled search makes it.

    `latest`: the moment after which it is not worth waiting for, in epoch seconds.
    """

    permit_id: str
    limits: Limits
    time_left: Callable[[], float]
    scheduled: bool
    charge: Charge = Charge.UNKNOWN
    latest: float = math.inf


@dataclass(frozen=True, slots=True)
class Grant:
    """The request may be sent between `at` and `until`, and takes `parts` of a window; store `budget`.

    A `probe` is sent although an earlier response asked to wait; its response corrects what that one said.
    """

    at: float
    until: float
    budget: Budget
    parts: int
    probe: bool = False


@dataclass(frozen=True, slots=True)
class Retry:
    """No permit is available; request one again after `seconds`."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Reject:
    """No permit can be granted before the caller's deadline."""

    retry_after_s: float
    reason: str
    is_ours: bool = False  # the provider's limits allow a request now; this process came too late


def effective_limits(limits: Limits, budget: Budget, now: float) -> Limits:
    """The limits, adjusted by recent response headers."""
    if now - budget.headers_at >= HEADERS_VALID_S:
        return limits
    return with_header_limits(limits, budget.header_rate, budget.header_concurrency)


def decide(
    budget: Budget, request: PermitRequest, *, now: float, deadline: float, share: Share | None = None
) -> Grant | Retry | Reject:
    """Grant a permit, let the caller retry later, or reject. Scheduled callers never reserve a permit in advance.

    `share` limits interactive callers in an outage, and scheduled ones get none.
    """
    allowed, scheduled = effective_limits(request.limits, budget, now), request.scheduled
    if share is not None:
        allowed = replace(allowed, a_day=share.a_day(allowed))
        if scheduled or share.connections(allowed) == 0:
            return Reject(RETRY_AFTER_S, REASON)
    usable = without_credits(budget) if request.charge is Charge.FREE else budget
    probe = _probe_is_due(usable, allowed, now, scheduled=scheduled)
    usable = unblocked(usable) if probe else usable
    renewed = _renewed_at(usable, allowed, now, scheduled=scheduled)
    if renewed is not None:
        return Reject(renewed - now, f"the daily allowance{' for scheduled searches' if scheduled else ''} is spent")
    at = next_permit_at(usable, allowed, now, scheduled=scheduled)
    if share is not None:
        at = share.next_slot(allowed, at, budget.permits[-1] if budget.permits else 0.0)
    in_flight = {key: until for key, until in budget.in_flight.items() if until > now and key != request.permit_id}
    full = _is_full(in_flight, allowed, share)
    too_late = at + MIN_RESPONSE_S >= deadline or max(at, now) > request.latest
    if now >= deadline or ((at > now or full) and too_late):
        return Reject(max(at - now, 1.0), NO_CONNECTION if full else NO_PERMIT, is_ours=at <= now and not full)
    if full or (scheduled and at > now):
        return Retry(0.0 if full else at - now)
    if allowed.concurrency is not None:
        in_flight[request.permit_id] = deadline + GRACE_S
    day = int(now // DAY_S)
    granted = replace(
        budget,
        # Twice a window's requests: unused permits are removed, and a whole window must remain.
        permits=(*budget.permits, *[at] * allowed.parts_taken)[-2 * allowed.requests * allowed.parts :],
        in_flight=in_flight,
        day=day,
        requests_today=requests_on(day, budget) + 1,
        probe_at=at + PROBE_S if probe else budget.probe_at,
    )
    return Grant(at, at + allowed.slack_s - NETWORK_S, granted, allowed.parts_taken, probe)


def _is_full(in_flight: Mapping[str, float], allowed: Limits, share: Share | None) -> bool:
    """Whether no connection is free; during an outage, neither in total nor in this process's share."""
    if allowed.concurrency is None:
        return False
    is_spent = share is not None and len(_own(in_flight, share.process_id)) >= (share.connections(allowed) or 0)
    return is_spent or len(in_flight) >= allowed.concurrency


def _own(in_flight: Mapping[str, float], process_id: str) -> dict[str, float]:
    """The requests in flight of this process."""
    return {permit_id: until for permit_id, until in in_flight.items() if permit_id.startswith(f"{process_id}-")}


def next_permit_at(budget: Budget, allowed: Limits, now: float, *, scheduled: bool = False) -> float:
    """The earliest moment at which no window exceeds its limit; scheduled callers get half of the rate only.

    If half of the rate is less than one request per window, they wait for idle windows instead: an interactive request
    right after a scheduled one would wait for a whole window. As they reserve nothing, they all need room for a whole
    request: light ones would leave none for the others.
    """
    requests, spacing_s = allowed.requests, allowed.spacing_s
    if scheduled:
        requests, spacing_s = (requests // 2, spacing_s) if requests > 1 else (1, QUIET_WINDOWS * spacing_s)
    # Counted from the end: the part that has to leave the window before this request's parts are free.
    last = requests * allowed.parts - (allowed.parts if scheduled else allowed.parts_taken) + 1
    free = budget.permits[-last] + spacing_s if len(budget.permits) >= last else 0.0
    return max(now, budget.not_before, free, *budget.permits[-1:])


def _probe_is_due(budget: Budget, allowed: Limits, now: float, *, scheduled: bool) -> bool:
    """Whether a wait that a response asked for blocks this caller and is to be checked: nothing else corrects it."""
    if now < budget.probe_at:
        return False
    return budget.not_before > now or _renewed_at(budget, allowed, now, scheduled=scheduled) is not None


def unblocked(budget: Budget) -> Budget:
    """The budget without the wait and the credits that responses stated."""
    return replace(without_credits(budget), not_before=0.0)


def without_credits(budget: Budget) -> Budget:
    """The budget as it is for requests that cost none of the day's credits."""
    return replace(budget, credits_left=None, credits_a_day=None, credits_until=0.0)


def requests_on(day: int, budget: Budget) -> int:
    """The requests counted on a day (since 1970)."""
    return budget.requests_today if budget.day == day else 0


def _renewed_at(budget: Budget, allowed: Limits, now: float, *, scheduled: bool) -> float | None:
    """When the daily allowance has a request for this caller again (epoch seconds); None if it has one now."""
    today = int(now // DAY_S)
    moments = []
    if allowed.a_day is not None:
        left = allowed.a_day - requests_on(today, budget)
        moments.append(_available_from(left, allowed.a_day, (today + 1) * DAY_S, scheduled=scheduled))
    if budget.credits_left is not None and now < budget.credits_until:
        total = budget.credits_a_day or 0
        moments.append(_available_from(budget.credits_left, total, budget.credits_until, scheduled=scheduled))
    latest = max(moments, default=0.0)
    return latest if latest > now else None


def _available_from(left: int, total: int, end: float, *, scheduled: bool) -> float:
    """When a daily allowance that is renewed at `end` has a request; requests of other callers count as spent first."""
    if left <= 0:
        return end
    if not scheduled or not total:
        return 0.0
    spent = (total - left) / ((1.0 - DAILY_RESERVE) * total)
    return end if spent >= 1.0 else end - DAY_S - SCHEDULED_LEAD_S + spent * DAY_S


def return_unused(budget: Budget, at: float, parts: int = 1) -> Budget:
    """Remove a permit that was granted but not used: no request was sent, so it does not count in any window."""
    if at not in budget.permits:
        return budget
    index = budget.permits.index(at)
    end = index + min(parts, budget.permits.count(at))
    return replace(
        budget,
        permits=budget.permits[:index] + budget.permits[end:],
        requests_today=max(budget.requests_today - (at // DAY_S == budget.day), 0),  # not of the day after
    )


def release(budget: Budget, permit_id: str) -> Budget:
    """Remove this permit from the requests in flight."""
    return replace(budget, in_flight={other: until for other, until in budget.in_flight.items() if other != permit_id})


def reconcile(shared: Budget, local: Budget, before: Budget, process_id: str) -> Budget:
    """The shared budget with what this process has added to `before`, an earlier one, and could not write to it.

    Of the requests in flight it knows its own alone: those of others have ended since, or are in the shared budget.
    """
    others = dict(shared.in_flight.items() - _own(shared.in_flight, process_id).items())
    permits = sorted((Counter(shared.permits) + (Counter(local.permits) - Counter(before.permits))).elements())
    alone = max(requests_on(local.day, local) - requests_on(local.day, before), 0)
    return replace(
        shared,
        permits=tuple(permits[-2 * MAX_WINDOW_REQUESTS :]),
        in_flight=others | _own(local.in_flight, process_id),
        not_before=max(shared.not_before, local.not_before),
        probe_at=max(shared.probe_at, local.probe_at),
        day=max(shared.day, local.day),
        requests_today=requests_on(max(shared.day, local.day), shared) + alone * (local.day >= shared.day),
    )
