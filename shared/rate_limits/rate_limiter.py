"""The rate limiter of one provider: a caller waits here for a permit, sends one request and reports its result.

All callers share one state in a store, changed by compare-and-swap, so two concurrent processes cannot get the same
permit. In the common case a permit costs one write, and reporting a result costs none. While the store
cannot reach the shared state, the process uses its share only (`shared.rate_limits.outage`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from itertools import count

from shared.errors import BudgetSpent, CircuitOpen, ProviderError
from shared.rate_limits.budget import (
    DAY_S,
    Grant,
    Retry,
    decide,
    effective_limits,
    release,
    requests_on,
    unblocked,
)
from shared.rate_limits.circuit_breaker import UNKNOWN_CAUSE, Cause, admit, open_for, record_result
from shared.rate_limits.feedback import apply_headers, wait_as_stated
from shared.rate_limits.limits import Charge, Limits, ReadLimits, no_limits
from shared.rate_limits.outage import Share, check_in, share_of
from shared.rate_limits.permits import NoRoom, Permit, PermitRequest, Result, still_valid, without
from shared.rate_limits.state import ProviderState, StateStore

GRACE_S = 1.0  # seconds after a leg's deadline until its in-flight slot, or its probe, expires
RECHECK_S = 0.05  # seconds before the moment of a permit at which the state is read again
FIRST_POLL_S, LONGEST_POLL_S = 0.125, 0.5  # mean intervals at which a caller polls for a free in-flight slot
LONGEST_BACKOFF_S = 0.1
# A permit is requested early by as long as writes take; after so many late ones, earlier than the slowest write.
LONGEST_LEAD_S, MISSES, CERTAIN_LEAD_S, CERTAIN_RECHECK_S = 0.25, 2, 1.0, 0.5
UPDATE_ATTEMPTS = 20


class RateLimiter:
    """The limiter of one provider in one process, whose `process_id` no other process has."""

    def __init__(
        self,
        title: str,
        store: StateStore,
        *,
        read_limits: ReadLimits = no_limits,
        now: Callable[[], float],
        sleep: Callable[[float], None],
        jitter: Callable[[], float],
        process_id: str,
    ) -> None:
        self._title = title
        self._store = store
        self._read_limits = read_limits
        self._now = now
        self._sleep = sleep
        self._jitter = jitter
        self._process_id = process_id
        self._numbers = count()

    @property
    def state(self) -> ProviderState:
        """The state that this process read or wrote last."""
        return self._store.last().state

    @contextmanager
    def permit(
        self,
        limits: Limits,
        time_left: Callable[[], float],
        *,
        scheduled: bool = False,
        charge: Charge = Charge.UNKNOWN,
        cause: Cause = UNKNOWN_CAUSE,
    ) -> Iterator[Callable[[Mapping[str, str]], None]]:
        """Wait for a permit; send one request in the body and pass its response headers to the yielded function.

        Raises BudgetSpent or CircuitOpen if no permit is available within `time_left` seconds.
        """
        request = PermitRequest(
            permit_id=f"{self._process_id}-{next(self._numbers)}",
            limits=limits,
            time_left=time_left,
            scheduled=scheduled,
            charge=charge,
        )
        permit = self._acquire(request)
        given_s = time_left()
        headers: list[Mapping[str, str]] = []
        failure: BaseException | None = None
        try:
            yield headers.append
        except BaseException as error:
            failure = error
            raise
        finally:
            result = Result(failure=failure, headers=tuple(headers), given_s=given_s, charge=charge, cause=cause)
            self._update(lambda state: self._with_result(state, permit, result))

    def _acquire(self, request: PermitRequest) -> Permit:
        seen, fresh = self._store.last(), False
        unused: Permit | None = None
        lost = polls = missed = 0
        lead_s = 0.0
        while True:
            decision = self._decide(seen.state, request, unused, lead_s)
            if isinstance(decision, tuple):
                permit, state = decision
                newer = self._store.swap(seen, state)
                recheck_s = RECHECK_S if missed < MISSES else CERTAIN_RECHECK_S
                if newer is None and self._wait_until_valid(permit, recheck_s):
                    return permit
                if newer is None:
                    late_s = max(self._now() - permit.at, 0.0)  # 0: revoked in time
                    unused, missed = permit, missed + (late_s > 0)
                    # Writes took as long as was allowed for, and `late_s` longer.
                    lead_s = CERTAIN_LEAD_S if missed >= MISSES else min(lead_s + late_s, LONGEST_LEAD_S)
                    seen, fresh = self._store.last(), False
                else:
                    seen, fresh, lost = newer, True, lost + 1
                    self._back_off(lost)
            elif not fresh:  # never reject because of an outdated state
                seen, fresh = self._store.read(), True
            elif isinstance(decision, Retry):
                self._poll(decision.seconds, polls, request.time_left())
                seen, polls = self._store.read(), polls + 1
            else:
                if unused:
                    self._update(partial(without, unused=unused))
                raise decision

    def _decide(
        self, state: ProviderState, request: PermitRequest, unused: Permit | None, lead_s: float
    ) -> tuple[Permit, ProviderState] | Retry | ProviderError:
        now, left = self._now(), request.time_left()
        state = without(state, unused)
        if blocked := open_for(state.circuit, now):
            message, seconds = blocked
            return CircuitOpen(f"{self._title} {message}", retry_after_s=round(seconds, 1))
        release_by, share = now + left + GRACE_S, self._share(state, request.limits, now)
        decision = decide(
            state.budget,
            request.limits,
            permit_id=request.permit_id,
            now=now + lead_s,
            deadline=now + left,
            release_by=release_by,
            scheduled=request.scheduled,
            share=share,
            charge=request.charge,
        )
        if isinstance(decision, Retry):
            return decision
        if not isinstance(decision, Grant):
            if decision.is_ours:
                return NoRoom(f"{self._title} was not queried: this service was too busy", retry_after_s=1.0)
            message = f"{self._title} was not queried: {decision.reason}"
            return BudgetSpent(message, retry_after_s=round(decision.retry_after_s, 1))
        probe = state.circuit.open_until is not None
        shared = self._store.outage is None
        permit = Permit(
            permit_id=request.permit_id,
            at=decision.at,
            until=decision.until,
            circuit_probe=probe,
            wait_probe=decision.probe,
            shared=shared,
            charge=request.charge,
        )
        processes = check_in(state.processes, self._process_id, now) if shared else state.processes
        return permit, ProviderState(decision.budget, admit(state.circuit, release_by), processes)

    def _share(self, state: ProviderState, limits: Limits, now: float) -> Share | None:
        """The share of this process during an outage; None without an outage or if it is the only process."""
        if (outage := self._store.outage) is None:
            return None
        return share_of(
            state.processes,
            self._process_id,
            effective_limits(limits, state.budget, now),
            since=outage.since,
            now=now,
            sent_before=requests_on(int(now // DAY_S), outage.shared.budget),
        )

    def _wait_until_valid(self, permit: Permit, recheck_s: float) -> bool:
        """Sleep until the permit is valid. False if it cannot be used: woken too late, or revoked in the meantime."""
        early = permit.at - recheck_s - self._now()
        if early > 0:
            self._sleep(early)
            state = self._store.read().state
            # If an outage has begun or ended since, other processes do not take this permit into account.
            if not still_valid(permit, state) or permit.shared != (self._store.outage is None):
                return False
        while (rest := permit.at - self._now()) > 0:
            self._sleep(rest)
        # A request sent later than the slack could be too close to the one sent `requests` permits later.
        return self._now() <= permit.until

    def _back_off(self, lost: int) -> None:
        self._sleep(min(0.005 * 2.0 ** min(lost, 8), LONGEST_BACKOFF_S) * self._jitter())

    def _poll(self, seconds: float, polls: int, left: float) -> None:
        """Sleep before the next read; with jitter, so that waiting callers do not read at the same moment."""
        poll = min(FIRST_POLL_S * 1.5 ** min(polls, 8), LONGEST_POLL_S) * (0.5 + self._jitter())
        self._sleep(max(min(max(seconds, poll), left), 0.001))

    def _with_result(self, state: ProviderState, permit: Permit, result: Result) -> ProviderState:
        """The state after a request: permit released, headers applied, circuit updated."""
        now, error = self._now(), result.failure if isinstance(result.failure, ProviderError) else None
        budget = release(state.budget, permit.permit_id)
        if permit.wait_probe and (result.failure is None or (error and error.retry_after_s is not None)):
            # A free request says nothing about the credits.
            budget = replace(budget, not_before=0.0) if result.charge is Charge.FREE else unblocked(budget)
        for received in result.headers:
            stated = self._read_limits(received, datetime.fromtimestamp(now, UTC))
            budget = apply_headers(budget, stated, now)
        if error:
            budget = wait_as_stated(budget, error, result.charge, now)
        circuit = record_result(
            state.circuit,
            result.failure,
            now=now,
            given_s=result.given_s,
            probe=permit.circuit_probe,
            cause=result.cause,
        )
        return replace(state, budget=budget, circuit=circuit)

    def _update(self, change: Callable[[ProviderState], ProviderState]) -> None:
        """Apply a change, retrying lost races; nothing is written if nothing changes."""
        seen = self._store.last()
        for attempt in range(1, UPDATE_ATTEMPTS + 1):
            new = change(seen.state)
            newer = self._store.swap(seen, new) if new != seen.state else None
            if newer is None:
                return
            seen = newer
            self._back_off(attempt)
