"""How a caller gets a permit that is written to the provider's state, by compare-and-swap."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from shared.errors import ProviderError
from shared.rate_limits.budget import PermitRequest, Retry
from shared.rate_limits.granting import Granting
from shared.rate_limits.outage import QUIET_S
from shared.rate_limits.pauses import Pauses
from shared.rate_limits.permits import LONGEST_LEAD_S, OPENING_S, Permit, still_valid, without
from shared.rate_limits.recent_hour import Tally, counted, merged
from shared.rate_limits.state import ProviderState, StateStore, VersionedState

RECHECK_S = 0.1  # seconds before the moment of a permit at which the state is read again
UPDATE_ATTEMPTS = 20


class StatePermits:
    """The permits of one provider that its state lists, for one process."""

    def __init__(
        self, store: StateStore, granting: Granting, now: Callable[[], float], pauses: Pauses, tally: Tally
    ) -> None:
        self._store, self._granting, self._now, self._pauses, self._tally = store, granting, now, pauses, tally

    def acquire(self, request: PermitRequest, ends: Callable[[], bool], unused: Permit | None = None) -> Permit | None:
        """A permit, shortly before its moment; None as soon as `ends` says so. Raises BudgetSpent or CircuitOpen.

        It replaces an `unused` one in the same write.
        """
        seen, fresh = self._store.last(), False
        lost = polls = 0
        lead_s = 0.0
        while not self._ended(ends, unused):
            decision = self._granting.decide(
                seen.state, request, now=self._now(), outage=self._store.outage, unused=unused, lead_s=lead_s
            )
            if isinstance(decision, tuple):
                permit, state = decision
                asked_at = self._now()
                newer = self._swap(seen, state, permit)
                if newer is None:
                    permit = self._with_recheck(permit, asked_at, lead_s)
                    self._pauses.sleep_until(permit.at - OPENING_S, self._now, request.time_left)
                    if self._now() <= permit.until:
                        return permit
                    late_s = self._now() - permit.at
                    # Writes took as long as was allowed for, and `late_s` longer: the next may take longer still.
                    unused, lead_s = permit, min(2 * lead_s + late_s, LONGEST_LEAD_S)
                    seen, fresh = self._store.last(), False
                else:
                    seen, fresh, lost = newer, True, lost + 1
                    self._pauses.back_off(lost)
            elif not fresh:  # never reject because of an outdated state
                seen, fresh = self._store.read(), True
            elif isinstance(decision, Retry):
                self._pauses.poll(decision.seconds, polls, request.time_left())
                seen, polls = self._store.read(), polls + 1
            else:
                self._return(unused)
                raise decision
        self._return(unused)
        return None

    def wait_for(self, permit: Permit, time_left: Callable[[], float]) -> Permit | None:
        """The permit at its moment; None if it cannot be used: it expired, was revoked, or is after the deadline."""
        if permit.recheck_at is not None:
            self._pauses.sleep_until(permit.recheck_at, self._now, time_left)
            state = self._store.read().state
            # If an outage has begun or ended since, other processes do not take this permit into account.
            if not still_valid(permit, state) or permit.shared != (self._store.outage is None):
                return None
        self._pauses.sleep_until(permit.at, self._now, time_left)
        return permit if permit.at <= self._now() <= permit.until else None

    def update(self, change: Callable[[ProviderState], ProviderState]) -> bool:
        """Apply a change, retrying lost races; False if nothing is written, as when nothing changes."""
        seen = self._store.last()
        for attempt in range(1, UPDATE_ATTEMPTS + 1):
            new = change(seen.state)
            if new == seen.state:
                return False
            newer = self._store.swap(seen, new)
            if newer is None:
                return True
            seen = newer
            self._pauses.back_off(attempt)
        return False

    def _swap(self, seen: VersionedState, state: ProviderState, permit: Permit) -> VersionedState | None:
        """Store the state with a permit, and what is counted."""
        hour = self._tally.take()
        hours = merged(state.hour, hour, counted(permit.at, requests=1))
        newer = self._store.swap(seen, replace(state, hour=hours))
        if newer:
            self._tally.add(hour)
        return newer

    def _return(self, unused: Permit | None) -> None:
        if unused:
            self.update(partial(without, unused=unused))

    def _ended(self, ends: Callable[[], bool], unused: Permit | None) -> bool:
        try:
            return ends()
        except ProviderError:
            self._return(unused)
            raise

    def _with_recheck(self, permit: Permit, asked_at: float, lead_s: float) -> Permit:
        """The state is read again in time if a read takes no longer than the write, which began at `asked_at`."""
        now = self._now()
        recheck_at = permit.at - min(max(RECHECK_S, lead_s / 2, now - asked_at), QUIET_S)
        is_needed = recheck_at > now or permit.at > asked_at + QUIET_S
        return replace(permit, recheck_at=recheck_at) if is_needed else permit
