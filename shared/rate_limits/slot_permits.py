"""How a caller gets a permit of a provider with a high rate: it takes a slot, waits for its moment, and is in flight.

The state, with the circuit and the waits that responses ask for, is read once in STATE_AGE_S instead of with each
permit, and again before a slot that is further ahead: other processes may send requests for so long after it has
changed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from shared.errors import ProviderError
from shared.rate_limits.budget import MIN_RESPONSE_S, PermitRequest, Reject, Retry, effective_limits
from shared.rate_limits.granting import Granting
from shared.rate_limits.limits import NO_PERMIT, Limits
from shared.rate_limits.outage import QUIET_S, REASON, RETRY_AFTER_S, VIEW_S, check_in
from shared.rate_limits.pauses import Pauses
from shared.rate_limits.permits import LONGEST_LEAD_S, OPENING_S, Permit, still_valid, without_probe
from shared.rate_limits.recent_hour import Tally, counted, merged
from shared.rate_limits.slots import (
    Clear,
    SlotCounter,
    SlotRequest,
    TableLost,
    TableThrottled,
    TakeFirst,
    TakeNext,
    interval_s,
    is_high,
    plan,
)
from shared.rate_limits.state import ProviderState, StateStore, VersionedState

STATE_AGE_S = QUIET_S  # how old the state may be at the moment of a slot
CHECK_IN_S = VIEW_S / 2  # a process writes the state so often, to keep its place for an outage
ENTER_S = 0.01  # seconds before the moment of a slot at which the request takes one of the connections


class SlotPermits:
    """The slots of one provider, for one process."""

    def __init__(
        self,
        counter: SlotCounter,
        store: StateStore,
        granting: Granting,
        now: Callable[[], float],
        pauses: Pauses,
        tally: Tally,
    ) -> None:
        self._counter, self._store, self._granting, self._tally = counter, store, granting, tally
        self._now, self._pauses = now, pauses
        self._read_at = -math.inf

    def are_for(self, request: PermitRequest) -> bool:
        """Whether permits are slots. Raises BudgetSpent if they would be, and the table throttles this process.

        The others may use all limits then, so a share of its own would come on top.
        """
        if not is_high(self._allowed(self._store.last().state, request)):
            return False
        if (outage := self._store.outage) and outage.throttled:
            raise self._granting.refusal(Reject(RETRY_AFTER_S, REASON))
        return outage is None

    def acquire(self, request: PermitRequest) -> Permit | None:
        """A permit, shortly before its moment; None if they are slots no longer. Raises BudgetSpent or CircuitOpen."""
        now, permit = self._now(), None
        self._tally.add(counted(now, requests=1))  # before the state is written, so that a first request is in it
        try:
            permit = self._acquire(request)
        finally:
            # Counted again at its own moment, where it is given back and where its failure counts.
            own = counted(permit.at, requests=1) if permit else ()
            self._tally.add(merged(counted(now, requests=-1), own))
        return permit

    def _acquire(self, request: PermitRequest) -> Permit | None:
        lead_s, polls = 0.0, 0
        while True:
            seen = self._recent()
            if not self.are_for(request):
                return None
            try:
                permit = self._try_once(seen, request, lead_s)
            except TableLost:
                return None
            if isinstance(permit, Permit):
                if self._now() <= permit.until:
                    return permit
                # A request sent later than the slack could be in one second with those of later slots.
                self._give_back(permit)
                lead_s = min(lead_s + self._now() - permit.at, LONGEST_LEAD_S)
            elif isinstance(permit, Retry):
                self._pauses.poll(permit.seconds, polls, request.time_left())
                polls += 1
            else:
                raise permit

    def wait_for(self, permit: Permit, time_left: Callable[[], float]) -> Permit | None:
        """The permit at its moment, counted as in flight; None if it cannot be used, or no connection is free."""
        if permit.at - self._read_at > STATE_AGE_S:
            self._read()
        if self._store.outage or not still_valid(permit, self._store.last().state):
            return None
        self._pauses.sleep_until(permit.at - ENTER_S, self._now, time_left)
        entered = self._entered(permit) if self._now() <= permit.until else None
        if entered:
            self._pauses.sleep_until(permit.at, self._now, time_left)
            if permit.at <= self._now() <= permit.until:
                return entered
            if not permit.counted:
                self.release(entered)
        return None

    def _entered(self, permit: Permit) -> Permit | None:
        """The permit with a connection; None if none is free, or the table does not answer."""
        if permit.enters is None:
            return permit
        with suppress(TableThrottled, TableLost):
            if self._counter.enter(permit.permit_id, permit.release_by, permit.enters):
                return replace(permit, enters=None, counted=True)
        return None

    def release(self, permit: Permit) -> None:
        """The request is no longer in flight; if that cannot be written, its time runs out by itself."""
        if permit.counted:
            with suppress(TableThrottled, TableLost):
                self._counter.release(permit.permit_id)

    def give_back(self, unused: Permit) -> None:
        """No request was sent with this permit: it is counted no longer."""
        self._tally.add(counted(unused.at, requests=-1))
        self._give_back(unused)

    def _give_back(self, unused: Permit) -> None:
        self.release(unused)
        self._release_probe(unused)

    def _release_probe(self, permit: Permit) -> None:
        """Let another caller send the probe of a permit that came too late; without it, that waits for its deadline."""
        if not (permit.circuit_probe or permit.wait_probe):
            return
        seen: VersionedState | None = self._read()
        while seen and self._store.outage is None:
            seen = self._store.swap(seen, without_probe(seen.state, permit))

    def _try_once(self, seen: VersionedState, request: PermitRequest, lead_s: float) -> Permit | Retry | ProviderError:
        """The permit, shortly before the moment of its slot. A table that throttles is tried again in time."""
        decision = self._granting.decide(seen.state, request, now=self._now(), outage=None, lead_s=lead_s)
        if not isinstance(decision, tuple) and self._read_at < self._now():  # never reject because of an outdated state
            seen = self._read()
            decision = self._granting.decide(seen.state, request, now=self._now(), outage=None, lead_s=lead_s)
        if not isinstance(decision, tuple):
            return decision
        permit, new = decision
        allowed = self._allowed(seen.state, request)
        try:
            taken = self._take(request, permit, allowed, lead_s)
        except TableThrottled:
            waits = request.time_left() > MIN_RESPONSE_S and self._now() <= request.latest
            taken = Retry(0.0) if waits else Reject(RETRY_AFTER_S, REASON)
        if isinstance(taken, Reject):
            return self._granting.refusal(taken)
        if isinstance(taken, Retry):
            return taken
        permit = taken
        is_probe = permit.circuit_probe or permit.wait_probe
        if not still_valid(permit, self._recent().state) or (is_probe and self._store.swap(seen, new)):
            self.release(permit)  # the provider asks to wait, or another process sends the probe
            return Retry(0.0)
        self._pauses.sleep_until(permit.at - OPENING_S, self._now, request.time_left)
        return permit

    def _take(self, request: PermitRequest, permit: Permit, allowed: Limits, lead_s: float) -> Permit | Retry | Reject:
        """The permit at the moment of a slot; it takes a connection with the slot only where nobody waits."""
        slots, fresh = self._counter.last(), False
        while True:
            if slots is None:
                slots, fresh = self._counter.read(), True
            now, left = self._now(), request.time_left()
            if left <= 0.0:
                return Reject(1.0, NO_PERMIT, is_ours=True)
            slot = SlotRequest(
                permit_id=request.permit_id,
                first=max(now + lead_s, permit.at),
                latest=min(now + left - MIN_RESPONSE_S, request.latest),
                interval_s=interval_s(allowed),
                concurrency=allowed.concurrency,
                release_by=permit.release_by,
                scheduled=request.scheduled,
            )
            step = plan(slots, slot, now)
            if isinstance(step, Retry | Reject):
                if fresh:
                    return step
                slots = None  # never reject because of what was seen a while ago
            elif isinstance(step, Clear):
                slots, fresh = self._counter.clear(step.permit_ids, now), True
            else:
                taken = self._counter.take(slot, step, now)
                if isinstance(taken, float):
                    return _at_slot(permit, taken, allowed.concurrency, step)
                slots, fresh = self._counter.last(), True

    def _allowed(self, state: ProviderState, request: PermitRequest) -> Limits:
        return effective_limits(request.limits, state.budget, self._now())

    def _recent(self) -> VersionedState:
        """The state, at most STATE_AGE_S old, in which this process has its place."""
        return self._store.last() if self._now() - self._read_at < STATE_AGE_S else self._read()

    def _read(self) -> VersionedState:
        now = self._read_at = self._now()
        seen = self._store.read()
        if self._store.outage is None:
            self._check_in(seen, now)
        return self._store.last()

    def _check_in(self, seen: VersionedState, now: float) -> None:
        process_id = self._granting.process_id
        own, processes = seen.state.processes.get(process_id), check_in(seen.state.processes, process_id, now)
        if process_id in processes and (own is None or now - own.seen > CHECK_IN_S):
            hour = self._tally.take()
            new = replace(seen.state, processes=processes, hour=merged(seen.state.hour, hour))
            if self._store.swap(seen, new):  # another was faster: the next time
                self._tally.add(hour)


def _at_slot(permit: Permit, at: float, concurrency: int | None, step: TakeFirst | TakeNext) -> Permit:
    limited, entered = concurrency is not None, isinstance(step, TakeFirst) and step.enter
    return replace(
        permit,
        at=at,
        until=at + permit.until - permit.at,
        is_slot=True,
        counted=limited and entered,
        enters=None if entered else concurrency,
    )
