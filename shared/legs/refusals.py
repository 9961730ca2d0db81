"""Providers that are not queried at the moment, by their shared state: no function is started that could only wait."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply, failed
from shared.rate_limits.circuit_breaker import open_for
from shared.rate_limits.limits import NO_PERMIT
from shared.rate_limits.permit_queue import queue_s
from shared.rate_limits.state import ProviderState


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


def _refusal(name: str, outcome: Outcome, reason: str, seconds: float) -> ProviderReply:
    return failed(name, name, outcome, reason, retry_after_s=round(seconds, 1))
