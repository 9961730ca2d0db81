"""The circuit breaker of one provider: repeated failures stop all requests for a while, then a single probe is sent.

    closed ── 5 failures in a row within a minute, or a rejected key ──▶ open ── open_s elapsed ──▶ half-open
       ▲                                                                  ▲                            │
       └── a successful request ──────────────────────────────────────────┴── the probe fails ─────────┘

One question or one request, such as a query or a DOI that the provider cannot handle, counts as one failure however
often it fails: it is not evidence about the others. A rate limit counts each time: it is not about the question.
A 403 that does not say why counts as a failure; two for different questions without a success between them are a
rejected key. Pure: time is an argument, in epoch seconds.
Pattern: https://learn.microsoft.com/en-us/azure/architecture/patterns/circuit-breaker
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from shared.errors import (
    KEY_REJECTED,
    CutOff,
    Forbidden,
    KeyRefused,
    ProviderError,
    ProviderTimeout,
    RateLimited,
    Unavailable,
)

FAILURES = 5
FAILURE_WINDOW_S = 60.0
FORBIDDEN_QUESTIONS = 2  # different ones that get 403 within FAILURE_WINDOW_S, so that the key or address is rejected
FIRST_OPEN_S = 30.0
LONGEST_OPEN_S = 600.0
MIN_TIMEOUT_S = 5.0  # a request that times out after less than this is not evidence of an outage


class Reason(StrEnum):
    """Why a circuit is open."""

    OUTAGE = "outage"
    KEY_REFUSED = "key_refused"


MESSAGES = {
    Reason.OUTAGE: "is not queried for now because its last requests failed",
    Reason.KEY_REFUSED: f"is not queried for now: {KEY_REJECTED}; set a valid key",
}


@dataclass(frozen=True, slots=True)
class Cause:
    """What a request was about: digests of the leg's question and of the request itself; empty if unknown."""

    question: str = ""
    request: str = ""

    def overlaps(self, other: Cause) -> bool:
        """Whether both have the same question or the same request."""
        same_question = bool(self.question) and self.question == other.question
        return same_question or (bool(self.request) and self.request == other.request)


UNKNOWN_CAUSE = Cause()


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed request, in epoch seconds; `forbidden` if it was a 403 that did not say why."""

    at: float
    cause: Cause = UNKNOWN_CAUSE
    forbidden: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Circuit:
    """The circuit that all callers share; the default is closed."""

    failures: tuple[Failure, ...] = ()  # consecutive failures while closed, no two of one question or request
    open_until: float | None = None
    open_s: float = 0.0  # duration of the current open period
    reason: Reason | None = None
    probe_until: float | None = None  # a probe is in flight, until this moment at the latest


def open_for(circuit: Circuit, now: float) -> tuple[str, float] | None:
    """Message (to follow the provider's name) and seconds to wait while requests are blocked, else None.

    None also when the open period is over and no probe is in flight: the caller may then send the probe.
    """
    if circuit.open_until is None or circuit.reason is None:
        return None
    end = max(circuit.open_until, circuit.probe_until or 0.0)
    return (MESSAGES[circuit.reason], end - now) if now < end else None


def admit(circuit: Circuit, probe_until: float) -> Circuit:
    """The circuit after admitting a caller that `open_for` does not block; its request is the probe if it is open."""
    return circuit if circuit.open_until is None else replace(circuit, probe_until=probe_until)


def release_probe(circuit: Circuit, *, probe: bool) -> Circuit:
    """The circuit after a request without evidence; if it was the probe, another caller may send one."""
    return replace(circuit, probe_until=None) if probe else circuit


def record_result(
    circuit: Circuit,
    error: BaseException | None,
    *,
    now: float,
    given_s: float,
    probe: bool,
    cause: Cause = UNKNOWN_CAUSE,
) -> Circuit:
    """The circuit after a request. `error` is None on success; `given_s` is the request's timeout."""
    if error is None:
        return Circuit()
    if isinstance(error, KeyRefused):
        return _opened(circuit, now, LONGEST_OPEN_S, Reason.KEY_REFUSED)
    if not _is_failure(error, given_s):
        return release_probe(circuit, probe=probe)
    if circuit.open_until is not None:  # a request sent before the circuit opened is no new evidence
        open_s = min(2 * circuit.open_s, LONGEST_OPEN_S)
        return _opened(circuit, now, open_s, circuit.reason or Reason.OUTAGE) if probe else circuit
    cause = UNKNOWN_CAUSE if isinstance(error, RateLimited) else cause
    return _with_failure(circuit, Failure(now, cause, isinstance(error, Forbidden)))


def reconcile(shared: Circuit, local: Circuit, since: float) -> Circuit:
    """The shared circuit with the failures that this process alone has seen since a moment (epoch seconds)."""
    if local.open_until is not None and local.open_until - local.open_s >= since:
        return local if local.open_until > (shared.open_until or 0.0) else shared
    for failure in local.failures:
        if shared.open_until is None and failure.at >= since and failure not in shared.failures:
            shared = _with_failure(shared, failure)
    return shared


def _with_failure(circuit: Circuit, failure: Failure) -> Circuit:
    """A closed circuit after one more failure, which replaces earlier ones of its question or request."""
    recent = (other for other in circuit.failures if failure.at - other.at <= FAILURE_WINDOW_S)
    failures = (*(other for other in recent if not other.cause.overlaps(failure.cause)), failure)
    if sum(other.forbidden for other in failures) >= FORBIDDEN_QUESTIONS:
        return _opened(circuit, failure.at, LONGEST_OPEN_S, Reason.KEY_REFUSED)
    if len(failures) < FAILURES:
        return replace(circuit, failures=failures)
    return _opened(circuit, failure.at, FIRST_OPEN_S, Reason.OUTAGE)


def _is_failure(error: BaseException, given_s: float) -> bool:
    """A rejected request or an unexpected format is neither an outage nor proof of health.

    No working server sends an answer without end, or headers in parts: these are failures, however short the time was.
    A rate limit with a longer wait than an open circuit's is none: the budget holds it, for those that it is for.
    """
    if isinstance(error, ProviderError) and error.endless:
        return True
    if isinstance(error, ProviderTimeout):
        return given_s >= MIN_TIMEOUT_S
    if isinstance(error, RateLimited):
        return (error.retry_after_s or 0.0) < FIRST_OPEN_S
    return isinstance(error, Unavailable | CutOff | Forbidden)


def _opened(circuit: Circuit, now: float, open_s: float, reason: Reason) -> Circuit:
    # Concurrent requests fail together: they open the circuit once.
    if circuit.reason is reason and circuit.open_until is not None and now < circuit.open_until:
        return circuit
    return Circuit(open_until=now + open_s, open_s=open_s, reason=reason)
