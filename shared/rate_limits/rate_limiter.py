"""The rate limiter of one provider: a caller waits here for a permit, sends one request and reports its result.

All callers share one state in a store, changed by compare-and-swap, so two concurrent processes cannot get the same
permit. In the common case a permit costs one write, and reporting a result costs none; one that expires while the
connection is opened costs another. Permits of a rate above `shared.rate_limits.slots.HIGH_RATE` are counted beside the
state, if there is a counter. While the store cannot reach the shared state, the process uses its share only
(`shared.rate_limits.outage`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count

from shared.errors import ProviderTimeout
from shared.providers.granted_permit import GrantedPermit
from shared.rate_limits.budget import PermitRequest
from shared.rate_limits.circuit_breaker import UNKNOWN_CAUSE, Cause
from shared.rate_limits.granting import Granting
from shared.rate_limits.limits import Charge, Limits, ReadLimits, no_limits
from shared.rate_limits.pauses import Pauses
from shared.rate_limits.permits import Permit, Result, with_result
from shared.rate_limits.recent_hour import Tally, counted, failure_of, merged
from shared.rate_limits.slot_permits import SlotPermits
from shared.rate_limits.slots import SlotCounter, with_slots
from shared.rate_limits.state import ProviderState, StateStore
from shared.rate_limits.state_permits import StatePermits

PERMIT_NUMBERS = 1_000  # a process has fewer requests in flight; short ids keep the stored items small


@dataclass(slots=True)
class _Held:
    """The permit of one request until it has ended; None if it expired and there was no other: nothing was sent."""

    permit: Permit | None
    given_s: float  # the request's timeout
    headers: list[Mapping[str, str]] = field(default_factory=list)


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
        slots: SlotCounter | None = None,
    ) -> None:
        self._store = store
        self._read_limits = read_limits
        self._now = now
        self.title, self._process_id = title, process_id
        self._numbers = count()
        granting, self._pauses = Granting(title, process_id), Pauses(sleep, jitter)
        self._tally = Tally()
        self._permits = StatePermits(store, granting, now, self._pauses, self._tally)
        self._counter = slots
        self._slots = SlotPermits(slots, store, granting, now, self._pauses, self._tally) if slots else None

    @property
    def state(self) -> ProviderState:
        """The state, and the slots, that this process read or wrote last."""
        state = self._store.last().state
        return with_slots(state, self._counter.last(), self._now()) if self._counter else state

    @contextmanager
    def permit(
        self,
        limits: Limits,
        time_left: Callable[[], float],
        *,
        scheduled: bool = False,
        charge: Charge = Charge.UNKNOWN,
        cause: Cause = UNKNOWN_CAUSE,
        longest_wait_s: float = math.inf,
    ) -> Iterator[GrantedPermit]:
        """Wait for a permit; send one request in the body, confirmed before its first byte, and report its headers.

        The body begins shortly before the permit's moment, so that a connection can be opened; the confirmation waits
        for it. Raises BudgetSpent or CircuitOpen if no permit is available within `time_left` seconds, or
        `longest_wait_s`; so does the confirmation of a permit that has expired while the connection was opened, and
        ProviderTimeout if no time is left then.
        """
        request = PermitRequest(
            permit_id=f"{self._process_id}-{next(self._numbers) % PERMIT_NUMBERS}",
            limits=limits,
            time_left=time_left,
            scheduled=scheduled,
            charge=charge,
            latest=self._now() + longest_wait_s,
        )
        held = _Held(self._acquire(request), time_left())
        failure: BaseException | None = None
        try:
            yield GrantedPermit(held.headers.append, partial(self._confirm, held, request))
        except BaseException as error:
            failure = error
            raise
        finally:
            if held.permit:
                if self._slots:
                    self._slots.release(held.permit)
                result = Result(
                    failure=failure, headers=tuple(held.headers), given_s=held.given_s, charge=charge, cause=cause
                )
                self._record(held.permit, result)

    def _confirm(self, held: _Held, request: PermitRequest) -> None:
        """Wait for the permit's moment; get another permit if it cannot be used. Raises BudgetSpent or CircuitOpen.

        The other one is waited for as long as there is time: a leg that has begun ends (decision 0101). Raises
        ProviderTimeout if the connection took all of it to open, which is the provider's failure.
        """
        permit = held.permit
        if permit and self._now() > permit.until and request.time_left() <= 0.0:
            raise ProviderTimeout(f"{self.title} could not be reached in time")
        while permit:
            held.permit = self._wait_for(permit, request)
            if held.permit:
                break
            # Sent later than the slack, it could be too close to the request sent `requests` permits later.
            permit = held.permit = self._acquire(replace(request, latest=math.inf), permit)
        held.given_s = request.time_left()

    def _acquire(self, request: PermitRequest, late: Permit | None = None) -> Permit:
        """A permit by the way that the limits and the table call for, which may change while the caller waits.

        It takes the place of one that came too `late`, whose connection is open: where the state counts it, it stays
        counted as in flight.
        """
        if late and late.is_slot and self._slots:
            self._slots.give_back(late)
            late = None
        while True:
            if permit := self._permits.acquire(request, partial(self._are_slots, request), late):
                return permit
            late = None
            if self._slots and (permit := self._slots.acquire(request)):
                return permit

    def _wait_for(self, permit: Permit, request: PermitRequest) -> Permit | None:
        permits = self._slots if permit.is_slot and self._slots else self._permits
        return permits.wait_for(permit, request.time_left)

    def _are_slots(self, request: PermitRequest) -> bool:
        return self._slots is not None and self._slots.are_for(request)

    def _record(self, permit: Permit, result: Result) -> None:
        """Write what a request changes in the state, and what is counted with it: the counts alone are no reason."""
        if failed := failure_of(result.failure):
            self._tally.add(counted(permit.at, failed=failed))
        hour = self._tally.take()

        def change(state: ProviderState) -> ProviderState:
            new = with_result(state, permit, result, self._read_limits, self._now())
            return state if new == state else replace(new, hour=merged(new.hour, hour))

        if not self._permits.update(change):
            self._tally.add(hour)
