"""What all callers of one provider share: its budget and its circuit, kept as one thing and told as one thing."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Any, Protocol

from shared.budgets.breaker import Circuit, Reason
from shared.budgets.budget import DAY_S, Budget, effective, next_turn
from shared.budgets.limits import Limits
from shared.clock import timestamp


@dataclass(frozen=True, slots=True)
class ProviderState:
    """A fresh one: nothing asked yet, circuit closed."""

    budget: Budget = field(default_factory=Budget)
    circuit: Circuit = field(default_factory=Circuit)


@dataclass(frozen=True, slots=True)
class Seen:
    """A state and the version under which it was seen."""

    state: ProviderState = field(default_factory=ProviderState)
    version: int = 0


class Store(Protocol):
    """Where a provider's state is kept. It never fails: what cannot be kept is remembered by the process."""

    def last(self) -> Seen:
        """What this process saw last, be it old."""

    def read(self) -> Seen:
        """What is kept now."""

    def swap(self, seen: Seen, new: ProviderState) -> Seen | None:
        """Put `new` in the place of `seen`; None when that is done, else what is kept by now."""


class MemoryStore:
    """The state of one process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = Seen()

    def last(self) -> Seen:
        """What was kept last."""
        return self._last

    read = last

    def swap(self, seen: Seen, new: ProviderState) -> Seen | None:
        """Keep `new` if nobody was quicker."""
        with self._lock:
            if self._last is not seen:
                return self._last
            self._last = Seen(new, seen.version)
        return None

    def keep(self, seen: Seen) -> None:
        """Keep what was seen elsewhere."""
        with self._lock:
            self._last = seen


def state_to_json(state: ProviderState) -> dict[str, Any]:
    """JSON-ready data; it holds no query, no key and no caller."""
    return asdict(state)


def state_from_json(data: Mapping[str, Any]) -> ProviderState:
    """The state that `state_to_json` wrote. Raises KeyError, TypeError or ValueError on another form."""
    budget, circuit = data["budget"], data["circuit"]
    reason = circuit["reason"]
    return ProviderState(
        budget=Budget(**{**budget, "turns": tuple(budget["turns"])}),
        circuit=Circuit(
            **{**circuit, "failures": tuple(circuit["failures"]), "reason": Reason(reason) if reason else None}
        ),
    )


def told(state: ProviderState, limits: Limits, now: float) -> dict[str, Any]:
    """Circuit and budget as callers of the API see them, JSON-ready. Unknown is None."""
    return {"circuit": _circuit(state.circuit, now), "budget": _budget(state.budget, limits, now)}


def _circuit(circuit: Circuit, now: float) -> dict[str, Any]:
    if circuit.open_until is None:
        return {"state": "closed", "reason": None, "retry_after_s": None}
    wait = circuit.open_until - now
    return {
        "state": "open" if wait > 0 else "half_open",
        "reason": circuit.reason,
        "retry_after_s": round(wait, 1) if wait > 0 else None,
    }


def _budget(budget: Budget, limits: Limits, now: float) -> dict[str, Any]:
    allowed = effective(limits, budget, now)
    under_way = sum(until > now for until in budget.holds.values())
    recent = sum(turn > now - allowed.spacing_s for turn in budget.turns)
    left = max(allowed.requests - recent, 0) if next_turn(budget, allowed, now) <= now else 0
    if allowed.concurrency is not None:
        left = min(left, max(allowed.concurrency - under_way, 0))
    credits_left, reset = _credits(budget, allowed, now)
    return {
        "requests": allowed.requests,
        "window_s": round(allowed.window_s, 3),
        "left_now": 0 if credits_left == 0 else left,
        "concurrency": allowed.concurrency,
        "under_way": under_way if allowed.concurrency is not None else None,
        "credits_left": credits_left,
        "credits_reset_at": timestamp(datetime.fromtimestamp(reset, UTC)) if reset is not None else None,
    }


def _credits(budget: Budget, allowed: Limits, now: float) -> tuple[int | None, float | None]:
    """What is left of the day: of the provider's own credits where it tells them, else of our requests."""
    if budget.credits_left is not None and now < budget.credits_until:
        return budget.credits_left, budget.credits_until
    if allowed.a_day is None:
        return None, None
    today, day_s = divmod(now, DAY_S)
    asked = budget.asked if budget.day == int(today) else 0
    return max(allowed.a_day - asked, 0), now - day_s + DAY_S
