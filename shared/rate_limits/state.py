"""The shared state of a provider, its budget, circuit and last hour: one object, changed by compare-and-swap."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from math import ceil
from typing import Any, Protocol

from shared.clock import timestamp
from shared.rate_limits.budget import DAY_S, Budget, effective_limits, next_permit_at, requests_on
from shared.rate_limits.budget import reconcile as reconciled_budget
from shared.rate_limits.circuit_breaker import Circuit
from shared.rate_limits.circuit_breaker import reconcile as reconciled_circuit
from shared.rate_limits.limits import Limits
from shared.rate_limits.outage import Processes
from shared.rate_limits.recent_hour import Hour, public_hour


@dataclass(frozen=True, slots=True)
class ProviderState:
    """The default: no request sent yet, circuit closed."""

    budget: Budget = field(default_factory=Budget)
    circuit: Circuit = field(default_factory=Circuit)
    processes: Processes = field(default_factory=dict)  # by process id: those that have written recently
    hour: Hour = ()


@dataclass(frozen=True, slots=True)
class VersionedState:
    """A state and the version under which it was read; 0 if nothing is stored."""

    state: ProviderState = field(default_factory=ProviderState)
    version: int = 0


@dataclass(frozen=True, slots=True)
class Outage:
    """The shared state cannot be reached since `since` (epoch seconds); `shared` is what was read or written last.

    `throttled`: it is there, and refuses this process for its rate; other processes may reach it.
    """

    since: float
    shared: ProviderState
    throttled: bool = False


def reconciled(shared: ProviderState, local: ProviderState, outage: Outage, process_id: str) -> ProviderState:
    """The shared state with what this process has done alone in an outage: its permits and their failures."""
    budget = reconciled_budget(shared.budget, local.budget, outage.shared.budget, process_id)
    return replace(shared, budget=budget, circuit=reconciled_circuit(shared.circuit, local.circuit, outage.since))


class StateStore(Protocol):
    """Storage of one provider's state. It never raises: the process keeps in memory what it cannot store."""

    @property
    def outage(self) -> Outage | None:
        """Set while the shared state cannot be reached and the permits are in this process's memory only."""

    def last(self) -> VersionedState:
        """The state that this process read or wrote last, possibly outdated."""

    def read(self) -> VersionedState:
        """The stored state."""

    def swap(self, seen: VersionedState, new: ProviderState) -> VersionedState | None:
        """Compare and swap: store `new` if `seen` is still current and return None, else return the current state."""


class MemoryStore:
    """The state of one process."""

    outage: Outage | None = None

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = VersionedState()

    def last(self) -> VersionedState:
        """The current state."""
        return self._last

    read = last

    def swap(self, seen: VersionedState, new: ProviderState) -> VersionedState | None:
        """Store `new` if no other thread was faster."""
        with self._lock:
            if self._last is not seen:
                return self._last
            self._last = VersionedState(new, seen.version)
        return None

    def remember(self, seen: VersionedState) -> None:
        """Replace the state by one that was read elsewhere."""
        with self._lock:
            self._last = seen


def public_status(state: ProviderState, limits: Limits, now: float) -> dict[str, Any]:
    """Circuit, budget and last hour as `GET /v1/providers` shows them, JSON-ready. Unknown values are None."""
    return {
        "circuit": _circuit_status(state.circuit, now),
        "budget": _budget_status(state.budget, limits, now),
        "last_hour": public_hour(state.hour, now),
    }


def _circuit_status(circuit: Circuit, now: float) -> dict[str, Any]:
    if circuit.open_until is None:
        return {"state": "closed", "reason": None, "retry_after_s": None}
    wait = circuit.open_until - now
    return {
        "state": "open" if wait > 0 else "half_open",
        "reason": circuit.reason,
        "retry_after_s": round(wait, 1) if wait > 0 else None,
    }


def _budget_status(budget: Budget, limits: Limits, now: float) -> dict[str, Any]:
    allowed = effective_limits(limits, budget, now)
    in_flight = sum(until > now for until in budget.in_flight.values())
    recent = sum(at > now - allowed.spacing_s for at in budget.permits)
    left = max(allowed.requests - ceil(recent / allowed.parts), 0) if next_permit_at(budget, allowed, now) <= now else 0
    if allowed.concurrency is not None:
        left = min(left, max(allowed.concurrency - in_flight, 0))
    credits_left, reset = _credits(budget, allowed, now)
    return {
        "requests": allowed.requests,
        "window_s": round(allowed.window_s, 3),
        "left_now": 0 if credits_left == 0 else left,
        "concurrency": allowed.concurrency,
        "under_way": in_flight if allowed.concurrency is not None else None,
        "credits_left": credits_left,
        "credits_reset_at": timestamp(datetime.fromtimestamp(reset, UTC)) if reset is not None else None,
    }


def _credits(budget: Budget, allowed: Limits, now: float) -> tuple[int | None, float | None]:
    """Requests left today: the provider's own credits if its headers state them, else the declared daily allowance."""
    if budget.credits_left is not None and now < budget.credits_until:
        return budget.credits_left, budget.credits_until
    if allowed.a_day is None:
        return None, None
    today, day_s = divmod(now, DAY_S)
    return max(allowed.a_day - requests_on(int(today), budget), 0), now - day_s + DAY_S
