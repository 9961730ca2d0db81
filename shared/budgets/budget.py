"""What a provider still allows us: when the next request may be sent, how many are under way, what is left of the day.

Pure: time is given, in epoch seconds. A request needs a turn (the moment at which it may be sent) and, where the
provider counts connections, a hold (a place among those under way). Both are taken in one step, the hold first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import ceil

from shared.budgets.limits import MOST_REQUESTS, Limits, Told, as_told

NETWORK_S = 0.02  # of the slack between turns, what is left to the network
LEAST_S = 2.0  # a turn that leaves less for the answer is not worth waiting for: sources take up to 1.5 s
RESERVE = 0.2  # of the day's allowance, kept from scheduled callers
AHEAD_S = 3_600.0  # they are given the rest evenly over the day, so much before its time
QUIET_WINDOWS = 4  # where a window holds one request, they go when nobody has asked for so many windows
DAY_S = 86_400.0
TOLD_S = 3_600.0  # for so long the limits in an answer's headers hold


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What all callers of one provider have used of its limits, and what its headers told."""

    turns: tuple[float, ...] = ()  # the last ones given, in order; some may lie ahead
    holds: Mapping[str, float] = field(default_factory=dict)  # turn id -> given back at the latest
    not_before: float = 0.0
    day: int = 0  # since 1970, of `asked`
    asked: int = 0
    told_rate: float | None = None  # requests a second
    told_concurrency: int | None = None
    told_at: float = 0.0
    credits_left: int | None = None
    credits_a_day: int | None = None
    credits_until: float = 0.0


@dataclass(frozen=True, slots=True)
class Take:
    """The request may be sent from `at` to `until`; `budget` is to be kept."""

    at: float
    until: float
    budget: Budget


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing is free yet; asking again makes no sense for `seconds`."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Refuse:
    """There is no turn within the caller's time."""

    retry_after_s: float
    reason: str


def effective(limits: Limits, budget: Budget, now: float) -> Limits:
    """The limits with what the provider's headers told of them lately."""
    if now - budget.told_at >= TOLD_S:
        return limits
    return as_told(limits, budget.told_rate, budget.told_concurrency)


def decide(
    budget: Budget,
    limits: Limits,
    *,
    turn_id: str,
    now: float,
    deadline: float,
    hold_until: float,
    scheduled: bool = False,
) -> Take | Wait | Refuse:
    """A turn, the time to wait before asking again, or a refusal. A scheduled caller never reserves a turn ahead."""
    allowed = effective(limits, budget, now)
    renewed = _renewed(budget, allowed, now, scheduled=scheduled)
    if renewed is not None:
        share = "what the day's allowance has had for scheduled searches" if scheduled else "the day's allowance"
        return Refuse(renewed - now, f"{share} is spent")
    at = next_turn(budget, allowed, now, scheduled=scheduled)
    holds = {other: until for other, until in budget.holds.items() if until > now and other != turn_id}
    full = allowed.concurrency is not None and len(holds) >= allowed.concurrency
    if now >= deadline or ((at > now or full) and at + LEAST_S >= deadline):
        reason = "as many requests as it allows at once are under way" if full else "it has no turn for us in time"
        return Refuse(max(at - now, 1.0), reason)
    if full or (scheduled and at > now):
        return Wait(0.0 if full else at - now)
    if allowed.concurrency is not None:
        holds[turn_id] = hold_until
    today = int(now // DAY_S)
    taken = replace(
        budget,
        # As many again as a window holds: forfeited turns are taken out, and the window must still be known whole.
        turns=(*budget.turns, at)[-2 * allowed.requests :],
        holds=holds,
        day=today,
        asked=(budget.asked if budget.day == today else 0) + 1,
    )
    return Take(at, at + allowed.slack_s - NETWORK_S, taken)


def next_turn(budget: Budget, allowed: Limits, now: float, *, scheduled: bool = False) -> float:
    """The first moment at which no window holds too many turns; scheduled callers see half of the rate only.

    Where that is less than one request, they see the gaps: whoever comes right after one of them waits a whole window.
    """
    requests, spacing_s = allowed.requests, allowed.spacing_s
    if scheduled:
        requests, spacing_s = (requests // 2, spacing_s) if requests > 1 else (1, QUIET_WINDOWS * spacing_s)
    free = budget.turns[-requests] + spacing_s if len(budget.turns) >= requests else 0.0
    return max(now, budget.not_before, free, *budget.turns[-1:])


def _renewed(budget: Budget, allowed: Limits, now: float, *, scheduled: bool) -> float | None:
    """When the day's allowance has a request for this caller again; None while it has one."""
    today = int(now // DAY_S)
    moments = []
    if allowed.a_day is not None:
        asked = budget.asked if budget.day == today else 0
        moments.append(_affordable(allowed.a_day - asked, allowed.a_day, (today + 1) * DAY_S, scheduled=scheduled))
    if budget.credits_left is not None and now < budget.credits_until:
        whole = budget.credits_a_day or 0
        moments.append(_affordable(budget.credits_left, whole, budget.credits_until, scheduled=scheduled))
    latest = max(moments, default=0.0)
    return latest if latest > now else None


def _affordable(left: int, whole: int, end: float, *, scheduled: bool) -> float:
    """From when on a day's allowance, renewed at `end`, can be taken from; what others took counts as taken first."""
    if left <= 0:
        return end
    if not scheduled or not whole:
        return 0.0
    share = (whole - left) / ((1.0 - RESERVE) * whole)
    return end if share >= 1.0 else end - DAY_S - AHEAD_S + share * DAY_S


def forfeit(budget: Budget, at: float) -> Budget:
    """Without a turn that was given and never used: no request was sent, so no window holds it."""
    if at not in budget.turns:
        return budget
    place = budget.turns.index(at)
    return replace(budget, turns=budget.turns[:place] + budget.turns[place + 1 :], asked=max(budget.asked - 1, 0))


def release(budget: Budget, turn_id: str) -> Budget:
    """Without this turn's hold."""
    return replace(budget, holds={other: until for other, until in budget.holds.items() if other != turn_id})


def pause(budget: Budget, seconds: float, now: float) -> Budget:
    """Nobody asks for so long, a day at most: the provider's Retry-After."""
    return replace(budget, not_before=max(budget.not_before, now + min(max(seconds, 0.0), DAY_S)))


def learn(budget: Budget, told: Told, now: float) -> Budget:
    """With what an answer's headers told; the same budget when that is nothing new, so that nothing is written."""
    known = budget.told_rate, budget.told_concurrency
    rate = told.requests_per_second, told.concurrency
    if rate != (None, None) and (rate != known or now - budget.told_at > TOLD_S / 2):
        budget = replace(budget, told_rate=rate[0], told_concurrency=rate[1], told_at=now)
    if told.credits_left is None:
        return budget
    before = budget.credits_left if now < budget.credits_until else None
    if before is not None and _percent(before, told.credits_a_day) == _percent(told.credits_left, told.credits_a_day):
        return budget
    until = now + told.credits_reset_s if told.credits_reset_s else (now // DAY_S + 1) * DAY_S
    return replace(budget, credits_left=told.credits_left, credits_a_day=told.credits_a_day, credits_until=until)


def _percent(left: int, a_day: int | None) -> int:
    """In whole percents, 0 only when nothing is left; where the whole is not known, as it is."""
    return ceil(100 * left / a_day) if a_day else left


def joined(kept: Budget, own: Budget) -> Budget:
    """What others have kept, with turns and holds of our own that could not be written among them."""
    turns = sorted((Counter(kept.turns) | Counter(own.turns)).elements())
    return replace(
        kept,
        turns=tuple(turns[-2 * MOST_REQUESTS :]),
        holds={**kept.holds, **own.holds},
        not_before=max(kept.not_before, own.not_before),
    )
