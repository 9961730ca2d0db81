"""The circuit breaker of one provider: after repeated failures nobody asks for a while, then one probe tries.

    closed ── 5 failures in a row within a minute, or a refused key ──▶ open ── its time is over ──▶ half-open
       ▲                                                                 ▲                              │
       └── an answered request ──────────────────────────────────────────┴── the one probe fails ───────┘

Pure: time is given, in epoch seconds. What fails is a request, not a leg.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from shared.errors import CutOff, KeyRefused, ProviderTimeout, RateLimited, Unavailable

FAILURES = 5
REMEMBERED_S = 60.0
FIRST_REST_S = 30.0
LONGEST_REST_S = 600.0
FAIR_TIME_S = 5.0  # a request that was given less says nothing of the provider when it times out


class Reason(StrEnum):
    """Why a circuit is open."""

    OUTAGE = "outage"
    KEY_REFUSED = "key_refused"


MESSAGES = {
    Reason.OUTAGE: "is not asked for a while, because its last requests failed",
    Reason.KEY_REFUSED: "is not asked for a while: it refuses the key or this address; set a valid key",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Circuit:
    """The circuit as all callers share it; a fresh one is closed."""

    failures: tuple[float, ...] = ()  # in a row, while closed
    open_until: float | None = None
    rest_s: float = 0.0  # how long it was opened for
    reason: Reason | None = None
    probe_until: float | None = None  # a probe is under way, until this moment at the latest


def blocked(circuit: Circuit, now: float) -> tuple[str, float] | None:
    """What to tell a caller (a message that follows the provider's name, seconds); None when it may ask or probe."""
    if circuit.open_until is None or circuit.reason is None:
        return None
    over = max(circuit.open_until, circuit.probe_until or 0.0)
    return (MESSAGES[circuit.reason], over - now) if now < over else None


def admit(circuit: Circuit, probe_until: float) -> Circuit:
    """The circuit with a caller let through who is not blocked: the probe, where it is open."""
    return circuit if circuit.open_until is None else replace(circuit, probe_until=probe_until)


def free(circuit: Circuit, *, probe: bool) -> Circuit:
    """The circuit after a request that says nothing of the provider; its probe may be another's now."""
    return replace(circuit, probe_until=None) if probe else circuit


def after(circuit: Circuit, fault: BaseException | None, *, now: float, given_s: float, probe: bool) -> Circuit:
    """The circuit after a request: answered when `fault` is None. `given_s` is the time that it had for its answer."""
    if fault is None:
        return Circuit()
    if isinstance(fault, KeyRefused):
        return _open(circuit, now, LONGEST_REST_S, Reason.KEY_REFUSED)
    if not _counts(fault, given_s):
        return free(circuit, probe=probe)
    if circuit.open_until is not None:  # one that was sent before the circuit opened tells nothing new
        rest_s = min(2 * circuit.rest_s, LONGEST_REST_S)
        return _open(circuit, now, rest_s, circuit.reason or Reason.OUTAGE) if probe else circuit
    failures = (*(moment for moment in circuit.failures if now - moment <= REMEMBERED_S), now)
    if len(failures) < FAILURES:
        return replace(circuit, failures=failures)
    return _open(circuit, now, FIRST_REST_S, Reason.OUTAGE)


def _counts(fault: BaseException, given_s: float) -> bool:
    """A rejected request or an answer in another form is no outage, and no proof of the contrary."""
    if isinstance(fault, ProviderTimeout):
        return given_s >= FAIR_TIME_S
    return isinstance(fault, RateLimited | Unavailable | CutOff)


def _open(circuit: Circuit, now: float, rest_s: float, reason: Reason) -> Circuit:
    # Requests that were under way together fail together: they open it once.
    if circuit.reason is reason and circuit.open_until is not None and now < circuit.open_until:
        return circuit
    return Circuit(open_until=now + rest_s, rest_s=rest_s, reason=reason)
