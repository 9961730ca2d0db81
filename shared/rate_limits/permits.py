"""The permission to send one request, and what it leaves in the shared state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from shared.errors import BudgetSpent, ProviderError
from shared.outcomes import Outcome
from shared.rate_limits.budget import release, return_unused, unblocked
from shared.rate_limits.circuit_breaker import Cause, Circuit, record_result, release_probe
from shared.rate_limits.feedback import apply_headers, wait_as_stated
from shared.rate_limits.limits import Charge, ReadLimits
from shared.rate_limits.recent_hour import counted, merged
from shared.rate_limits.state import ProviderState

# Seconds by which a permit that was missed is requested early at most. With slower writes there is none in time.
LONGEST_LEAD_S = 1.0
# Seconds before the moment of a permit at which its connection is opened: look-up, TCP and TLS take four round trips,
# of 0.1 s to another continent. What is open only when the permit has expired wastes it, and waits in the queue again.
OPENING_S = 0.5


class NoRoom(BudgetSpent):
    """The provider's limits have a permit for the request; this service was too busy to use it in time."""

    outcome = Outcome.SKIPPED_OVERLOAD


@dataclass(frozen=True, slots=True, kw_only=True)
class Permit:
    """The request may be sent between `at` and `until` (epoch seconds)."""

    permit_id: str
    at: float
    until: float
    release_by: float  # it is in flight until then at the latest
    circuit_probe: bool  # sent although the circuit is open
    wait_probe: float | None  # sent although an earlier response asked to wait; when the next one is due
    shared: bool  # granted from the shared state, not from this process's share during an outage
    charge: Charge
    parts: int = 1  # of a window
    is_slot: bool = False  # granted beside the state (`shared.rate_limits.slots`)
    counted: bool = False  # as in flight beside the state
    enters: int | None = None  # the connections of which it takes one before it is sent
    recheck_at: float | None = None  # when the state is read again; None if it was read so late already


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """How a request ended: its failure, if any, its response headers, its timeout in seconds, its cost and cause."""

    failure: BaseException | None
    headers: tuple[Mapping[str, str], ...]
    given_s: float
    charge: Charge
    cause: Cause


def still_valid(permit: Permit, state: ProviderState) -> bool:
    """False if the provider has asked to wait, or the circuit has opened, since the permit was granted."""
    budget = state.budget
    spent = budget.credits_left == 0 and budget.credits_until > permit.at and permit.charge is not Charge.FREE
    waits = (budget.not_before > permit.at or spent) and not permit.wait_probe
    return not waits and (permit.circuit_probe or state.circuit.open_until is None)


def without(state: ProviderState, unused: Permit | None) -> ProviderState:
    """The state without an unused permit, its in-flight slot and its probe."""
    if unused is None:
        return state
    budget = release(return_unused(state.budget, unused.at, unused.parts), unused.permit_id)
    hour = merged(state.hour, counted(unused.at, requests=-1))
    return without_probe(replace(state, budget=budget, hour=hour), unused)


def without_probe(state: ProviderState, unused: Permit) -> ProviderState:
    """The state in which another caller may send the probe that an unused permit was for, if it was for one.

    Not if another one is the probe by now, or if a response has asked to wait since.
    """
    circuit = release_probe(state.circuit, probe=_is_probe(unused, state.circuit))
    own = unused.wait_probe is not None and state.budget.probe_at == unused.wait_probe
    budget = replace(state.budget, probe_at=unused.at) if own else state.budget
    return replace(state, budget=budget, circuit=circuit)


def _is_probe(permit: Permit, circuit: Circuit) -> bool:
    """Whether the circuit still waits for this request: once its time is over, another one may be the probe."""
    return permit.circuit_probe and circuit.probe_until == permit.release_by


def with_result(
    state: ProviderState, permit: Permit, result: Result, read_limits: ReadLimits, now: float
) -> ProviderState:
    """The state after a request: permit released, headers applied, circuit updated."""
    error = result.failure if isinstance(result.failure, ProviderError) else None
    budget = release(state.budget, permit.permit_id)
    if permit.wait_probe and (result.failure is None or (error and error.retry_after_s is not None)):
        # A free request says nothing about the credits.
        budget = replace(budget, not_before=0.0) if result.charge is Charge.FREE else unblocked(budget)
    for received in result.headers:
        budget = apply_headers(budget, read_limits(received, datetime.fromtimestamp(now, UTC)), now)
    if error:
        budget = wait_as_stated(budget, error, result.charge, now)
    circuit = record_result(
        state.circuit,
        result.failure,
        now=now,
        given_s=result.given_s,
        probe=_is_probe(permit, state.circuit),
        cause=result.cause,
    )
    return replace(state, budget=budget, circuit=circuit)
