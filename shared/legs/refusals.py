"""Legs whose provider is not queried now: by its shared state, for want of room, and how they are asked again."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from shared.legs.leg import Leg, LegAnswer
from shared.legs.overload import RETRY_AFTER_S
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply, failed
from shared.rate_limits.budget import MIN_RESPONSE_S
from shared.rate_limits.circuit_breaker import open_for
from shared.rate_limits.limits import NO_PERMIT
from shared.rate_limits.permit_queue import queue_s
from shared.rate_limits.state import ProviderState

AT_ONCE = 15  # searches that are refused at the same moment, and may join the same queue


def refusals_of(
    states: Mapping[str, ProviderState], waits: Mapping[str, float], now: float
) -> dict[str, ProviderReply]:
    """Replies for the providers whose circuit is open, or whose queue is longer than a leg may wait (seconds).

    `now` is in epoch seconds. A provider without a state is queried.
    """
    refusals = {}
    for name, state in states.items():
        if stop := open_for(state.circuit, now):
            reason, seconds = stop
            refusals[name] = _refusal(name, Outcome.CIRCUIT_OPEN, f"{name} {reason}", seconds)
        elif (queue := queue_s(state.budget, now)) > waits[name]:
            reason = f"{name} was not queried: {NO_PERMIT}"
            refusals[name] = _refusal(name, Outcome.SKIPPED_BUDGET, reason, max(queue, 1.0))
    return refusals


def replies_of_switched_off(off: Mapping[str, str], providers: Iterable[str]) -> dict[str, ProviderReply]:
    """Replies for those of the providers that an operator has switched off; `off` has the reasons."""
    outcome = Outcome.SKIPPED_DISABLED
    return {
        name: failed(name, name, outcome, f"{name} is switched off by the operator: {off[name]}")
        for name in providers
        if name in off
    }


def no_room(provider: str) -> ProviderReply:
    """The reply to a leg that this service had no room for: no function or thread was free."""
    reason = f"this service is too busy at the moment; {provider} was not queried"
    return failed(provider, provider, Outcome.SKIPPED_OVERLOAD, reason, retry_after_s=RETRY_AFTER_S)


def last_resort(
    legs: Sequence[Leg], answers: Mapping[int, LegAnswer], left_s: float, rates: Mapping[str, float]
) -> int | None:  # fmt: skip
    """The leg of a refused search to ask again: the soonest within `left_s` seconds, if no leg was answered; else None.

    The soonest for AT_ONCE searches: `rates` has the requests that a provider allows in a second, by default one.
    It was refused for the queue of its provider, or because this service was too busy to use its permit in time.
    """
    if any(answer.reply.outcome.answered for answer in answers.values()):
        return None
    waits = {
        number: answer.reply.retry_after_s
        for number, answer in answers.items()
        if answer.reply.outcome.no_room and legs[number].queue_s < math.inf
    }
    within = {number: wait for number, wait in waits.items() if wait is not None and wait + MIN_RESPONSE_S < left_s}
    return min(
        within, key=lambda number: within[number] + AT_ONCE / rates.get(legs[number].provider, 1.0), default=None
    )


def _refusal(name: str, outcome: Outcome, reason: str, seconds: float) -> ProviderReply:
    return failed(name, name, outcome, reason, retry_after_s=round(seconds, 1))
