"""The permits of a provider that allows more than HIGH_RATE requests a second: slots at equal distances.

The state of such a provider changes too often for compare-and-swap: of twenty processes that write the version that
they have read, nineteen write again. So what each request changes is counted apart, by updates that need no version:
the moment of the next slot, and the requests in flight. `plan` decides what to write by what a process saw last; the
update carries the same decision as its condition.

Without a queue one update takes a slot and the connection. Otherwise a caller takes the next slot, sleeps until its
moment, and takes a connection then; if none is free, it takes another slot. So however many callers wait, they write
as often as there are slots, and never read. Pure: time is an argument, in epoch seconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from shared.rate_limits.budget import Reject, Retry
from shared.rate_limits.limits import NO_CONNECTION, NO_PERMIT, SLACK, Limits
from shared.rate_limits.state import ProviderState
from shared.rate_limits.stored_state import AHEAD_S

HIGH_RATE = 30.0  # requests per second; up to here one compare-and-swap for each permit is cheap, and rarely repeated
MAX_CLEARED = 20  # expired requests in flight that one update removes
FULL_S = 0.02  # seconds after which the first of a queue looks for a free connection again


class TableThrottled(Exception):
    """The shared state is there and refuses this request for its rate: other processes may use all limits."""


class TableLost(Exception):
    """The shared state cannot be reached; the process goes on within its share."""


@dataclass(frozen=True, slots=True)
class Slots:
    """What is counted apart: the moment of the next slot, and until when each request is in flight at the latest."""

    next_at: float = 0.0
    in_flight: Mapping[str, float] = field(default_factory=dict)  # by permit id


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotRequest:
    """A request for one slot, not before `first`; a later one than `latest` would be too late for the response."""

    permit_id: str
    first: float
    latest: float
    interval_s: float
    concurrency: int | None
    release_by: float  # it is in flight until then at the latest
    scheduled: bool

    @property
    def idle_since(self) -> float:
        """A slot is free at `first` if the next one is not later than this.

        Scheduled callers leave one slot empty before theirs, so alone they get half of the rate.
        """
        return self.first - self.interval_s if self.scheduled else self.first


@dataclass(frozen=True, slots=True)
class TakeFirst:
    """Nobody waits: take the slot at `at`, and a connection with it if `enter`."""

    at: float
    enter: bool


@dataclass(frozen=True, slots=True)
class TakeNext:
    """Others wait: take the slot after theirs."""


@dataclass(frozen=True, slots=True)
class Clear:
    """Remove requests in flight whose time is over: their processes have ended."""

    permit_ids: tuple[str, ...]


class SlotCounter(Protocol):
    """Storage of one provider's slots. Every method but `last` raises TableThrottled or TableLost."""

    def last(self) -> Slots | None:
        """What this process saw last; None if it has seen nothing."""

    def read(self) -> Slots:
        """The stored slots, perhaps without the newest updates."""

    def take(self, request: SlotRequest, step: TakeFirst | TakeNext, now: float) -> float | Slots:
        """The moment of the slot taken; the current slots if the step is no longer possible."""

    def enter(self, permit_id: str, release_by: float, concurrency: int) -> bool:
        """Whether a connection was free for the request, which is in flight now."""

    def clear(self, permit_ids: tuple[str, ...], now: float) -> Slots:
        """Remove those that are still over; the slots after it."""

    def release(self, permit_id: str) -> None:
        """The request is no longer in flight."""


def with_slots(state: ProviderState, slots: Slots | None, now: float) -> ProviderState:
    """The state as others read it: with the end of the queue as its last permit, and the requests in flight."""
    if slots is None or not 0.0 < slots.next_at <= now + AHEAD_S:
        return state
    permits = tuple(sorted((*state.budget.permits, slots.next_at)))
    in_flight = {**state.budget.in_flight, **slots.in_flight}
    return replace(state, budget=replace(state.budget, permits=permits, in_flight=in_flight))


def is_high(limits: Limits) -> bool:
    """Whether permits of these limits are counted as slots. A daily allowance is counted in the state only."""
    return limits.a_day is None and limits.requests / limits.window_s > HIGH_RATE


def interval_s(limits: Limits) -> float:
    """The seconds between two slots: no second, longer by the slack, has more than a second's requests."""
    return (1.0 + SLACK) * limits.window_s / limits.requests


def plan(slots: Slots, request: SlotRequest, now: float) -> TakeFirst | TakeNext | Clear | Retry | Reject:
    """What to do next by these slots, as `shared.rate_limits.budget.decide` does it for lower rates."""
    full = request.concurrency is not None and len(slots.in_flight) >= request.concurrency
    if full:
        over = [permit_id for permit_id, until in slots.in_flight.items() if until <= now]
        if over:
            return Clear(tuple(over[:MAX_CLEARED]))
        if now + FULL_S > request.latest:
            return Reject(1.0, NO_CONNECTION)
    # A moment further ahead than this code ever writes is read as if it had never been written.
    if slots.next_at <= request.idle_since or slots.next_at > now + AHEAD_S:
        return TakeFirst(request.first + (FULL_S if full else 0.0), enter=not full and request.concurrency is not None)
    free_in_s = max(slots.next_at + request.first - request.idle_since - now, 0.0)
    if slots.next_at > request.latest:
        return Reject(max(free_in_s, 1.0), NO_PERMIT)
    return Retry(free_in_s) if request.scheduled else TakeNext()
