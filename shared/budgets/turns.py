"""Turns at one provider: whoever wants to send a request waits here for its moment, and tells here how it ended.

What all callers know is one state in a store, changed by compare-and-swap: two processes that ask at the same moment
cannot both get the same turn. In the common case a turn costs one write, and leaving costs none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from shared.budgets.breaker import admit, after, blocked, free
from shared.budgets.budget import Take, Wait, decide, forfeit, learn, pause, release
from shared.budgets.limits import Limits, ReadLimits, Told
from shared.budgets.state import ProviderState, Store
from shared.errors import BudgetSpent, CircuitOpen, ProviderError

GRACE_S = 1.0  # after a leg's deadline its hold, or its probe, is another's
LOOK_AHEAD_S = 0.05  # before a turn that was waited for, the state is looked at once more
FIRST_POLL_S, LONGEST_POLL_S = 0.125, 0.5  # on average; who waits for a free hold looks again so often
LONGEST_BACKOFF_S = 0.1
LONGEST_LEAD_S = 0.25
LEAVING_ATTEMPTS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Who wants a turn: for what limits, until when, and whether nobody waits for the answer."""

    turn_id: str
    limits: Limits
    time_left: Callable[[], float]
    scheduled: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A turn that was given: the request may be sent from `at` to `until`."""

    turn_id: str
    at: float
    until: float
    probe: bool


class Turns:
    """The turns of one provider, as one process asks for them."""

    def __init__(
        self,
        title: str,
        store: Store,
        *,
        read_limits: ReadLimits = lambda _: Told(),
        now: Callable[[], float],
        sleep: Callable[[float], None],
        jitter: Callable[[], float],
        new_id: Callable[[], str],
    ) -> None:
        self._title = title
        self._store = store
        self._read_limits = read_limits
        self._now = now
        self._sleep = sleep
        self._jitter = jitter
        self._new_id = new_id

    @property
    def state(self) -> ProviderState:
        """What this process saw last of budget and circuit."""
        return self._store.last().state

    @contextmanager
    def turn(
        self, limits: Limits, time_left: Callable[[], float], *, scheduled: bool = False
    ) -> Iterator[Callable[[Mapping[str, str]], None]]:
        """Wait for a turn, within it send one request, and tell the headers of its answer to what is yielded.

        Raises BudgetSpent or CircuitOpen when there is no turn within `time_left`.
        """
        asked = Asked(turn_id=self._new_id(), limits=limits, time_left=time_left, scheduled=scheduled)
        turn = self._take(asked)
        given_s = time_left()
        headers: list[Mapping[str, str]] = []
        fault: BaseException | None = None
        try:
            yield headers.append
        except BaseException as error:
            fault = error
            raise
        finally:
            self._change(lambda state: self._after(state, turn, headers, fault, given_s))

    def _take(self, asked: Asked) -> Turn:
        seen, fresh = self._store.last(), False
        missed: Turn | None = None
        lost = polls = 0
        lead_s = 0.0  # where writing takes long, the next turn is taken as much ahead as the last one came too late
        while True:
            decision = self._decide(seen.state, asked, missed, lead_s)
            if isinstance(decision, tuple):
                turn, state = decision
                newer = self._store.swap(seen, state)
                if newer is None and self._reach(turn):
                    return turn
                if newer is None:
                    missed, lead_s = turn, min(max(self._now() - turn.at, 0.0), LONGEST_LEAD_S)
                    seen, fresh = self._store.last(), False
                else:
                    seen, fresh, lost = newer, True, lost + 1
                    self._back_off(lost)
            elif not fresh:  # nobody is refused for what was true some time ago
                seen, fresh = self._store.read(), True
            elif isinstance(decision, Wait):
                self._poll(decision.seconds, polls, asked.time_left())
                seen, polls = self._store.read(), polls + 1
            else:
                if missed:
                    self._change(partial(_without, missed=missed))
                raise decision

    def _decide(
        self, state: ProviderState, asked: Asked, missed: Turn | None, lead_s: float
    ) -> tuple[Turn, ProviderState] | Wait | ProviderError:
        now, left = self._now(), asked.time_left()
        state = _without(state, missed)
        if stop := blocked(state.circuit, now):
            return CircuitOpen(f"{self._title} {stop[0]}", retry_after_s=round(stop[1], 1))
        given_back = now + left + GRACE_S
        decision = decide(
            state.budget,
            asked.limits,
            turn_id=asked.turn_id,
            now=now + lead_s,
            deadline=now + left,
            hold_until=given_back,
            scheduled=asked.scheduled,
        )
        if isinstance(decision, Wait):
            return decision
        if not isinstance(decision, Take):
            message = f"{self._title} was not asked: {decision.reason}"
            return BudgetSpent(message, retry_after_s=round(decision.retry_after_s, 1))
        probe = state.circuit.open_until is not None
        turn = Turn(turn_id=asked.turn_id, at=decision.at, until=decision.until, probe=probe)
        return turn, ProviderState(decision.budget, admit(state.circuit, given_back))

    def _reach(self, turn: Turn) -> bool:
        """Sleep until the turn comes. False when it is forfeited: woken too late, or called off meanwhile."""
        early = turn.at - LOOK_AHEAD_S - self._now()
        if early > 0:
            self._sleep(early)
            if not _stands(turn, self._store.read().state):
                return False
        while (rest := turn.at - self._now()) > 0:
            self._sleep(rest)
        # One sent later than the slack could come too close to the next: `requests` turns on, someone else is sending.
        return self._now() <= turn.until

    def _back_off(self, lost: int) -> None:
        self._sleep(min(0.005 * 2.0 ** min(lost, 8), LONGEST_BACKOFF_S) * self._jitter())

    def _poll(self, seconds: float, polls: int, left: float) -> None:
        """Sleep before looking again: spread, so that those who wait do not all come at once."""
        poll = min(FIRST_POLL_S * 1.5 ** min(polls, 8), LONGEST_POLL_S) * (0.5 + self._jitter())
        self._sleep(max(min(max(seconds, poll), left), 0.001))

    def _after(
        self,
        state: ProviderState,
        turn: Turn,
        headers: list[Mapping[str, str]],
        fault: BaseException | None,
        given_s: float,
    ) -> ProviderState:
        """The state after a request: the hold given back, the circuit told, the headers learnt."""
        now = self._now()
        budget = release(state.budget, turn.turn_id)
        for told in headers:
            budget = learn(budget, self._read_limits(told), now)
        if isinstance(fault, ProviderError) and fault.retry_after_s:
            budget = pause(budget, fault.retry_after_s, now)
        return ProviderState(budget, after(state.circuit, fault, now=now, given_s=given_s, probe=turn.probe))

    def _change(self, change: Callable[[ProviderState], ProviderState]) -> None:
        """Change the state whoever else does; nothing is written when nothing changes."""
        seen = self._store.last()
        for attempt in range(1, LEAVING_ATTEMPTS + 1):
            new = change(seen.state)
            newer = self._store.swap(seen, new) if new != seen.state else None
            if newer is None:
                return
            seen = newer
            self._back_off(attempt)


def _without(state: ProviderState, missed: Turn | None) -> ProviderState:
    """The state as if a missed turn had never been given; no hold and no probe is left behind."""
    if missed is None:
        return state
    budget = release(forfeit(state.budget, missed.at), missed.turn_id)
    return ProviderState(budget, free(state.circuit, probe=missed.probe))


def _stands(turn: Turn, state: ProviderState) -> bool:
    """Whether a turn that was waited for still holds: the provider may have asked for rest, the circuit have opened."""
    return state.budget.not_before <= turn.at and (turn.probe or state.circuit.open_until is None)
