"""How the legs of one search are answered, and how many callers share one question to a provider.

    fresh in the cache        used, nobody is asked
    failed a moment ago       that failure is this leg's too: not every waiter repeats it
    somebody is asking it     wait for their answer within our own deadline; when they die, take over
    the circuit is open       circuit_open at once, nobody is asked
    else                      take the lease, ask, keep the answer for all

A kept reply that is no longer fresh stands in, marked stale, for a leg that failed. Whatever the legs do, the search
goes on at its deadline.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial

from shared.errors import Outcome
from shared.legs.leg import Entry, Leg, LegAnswer, LegWorld, life_s
from shared.providers.provider import LEG_TIMEOUT_S, ProviderReply, failed

RENEW_EVERY_S = 1.0
# With less time than this nobody begins to ask: the request would be spent and its answer missed.
LEAST_S = 0.5
# At its deadline a search waits so long for its leases to be given back; else they end by themselves.
LEAVING_S = 0.05
# Those who wait look again after this time, and half as long again each time, up to the last.
FIRST_LOOK_S, LAST_LOOK_S = 0.1, 1.0


def answer_legs(legs: Sequence[Leg], world: LegWorld, *, until: float, fresh: bool = False) -> list[LegAnswer]:
    """One answer a leg, in their order, by the moment `until` of the monotonic clock."""
    search = _Search(legs, world, until, fresh)
    search.run()
    return [search.answers[number] for number in range(len(legs))]


class _Search:
    """The legs of one search on their way; a leg is known by its number."""

    def __init__(self, legs: Sequence[Leg], world: LegWorld, until: float, fresh: bool) -> None:
        self._legs, self._world, self._until, self._fresh = legs, world, until, fresh
        self._entries: dict[int, Entry] = {}
        self._asked: dict[Future[ProviderReply | None], int] = {}
        self._awaited: set[int] = set()
        self._renewed_at = world.monotonic()
        self._look_after_s = FIRST_LOOK_S
        self.answers: dict[int, LegAnswer] = {}

    def run(self) -> None:
        """Until all are answered or the time is over."""
        self._look(range(len(self._legs)), coalesced=False)
        while len(self.answers) < len(self._legs) and self._left() > 0:
            self._wait()
            self._collect()
            self._renew()
            if self._awaited:
                self._look(sorted(self._awaited), coalesced=True)
        self._collect()
        for number in set(range(len(self._legs))) - set(self.answers):
            self._end(number, self._failed(number, Outcome.TIMEOUT, "no answer within the request's time"))
        self._leave()

    def _left(self) -> float:
        return self._until - self._world.monotonic()

    def _leave(self) -> None:
        """Let others ask what was asked in vain; nothing that this search began may outlast it for long."""
        late = [number for future, number in self._asked.items() if not future.cancel()]
        cache, threads = self._world.cache, self._world.threads
        left = [threads.submit(partial(cache.give_up, self._legs[number], None)) for number in late]
        until = self._world.monotonic() + LEAVING_S
        while left and (seconds := until - self._world.monotonic()) > 0:
            threads.wait(left, seconds)
            left = [future for future in left if not future.done()]

    def _look(self, numbers: Sequence[int], *, coalesced: bool) -> None:
        """Read these legs' entries and take each one step further."""
        entries = self._world.cache.read([self._legs[number] for number in numbers], fresh=self._fresh)
        to_ask = []
        for number, entry in zip(numbers, entries, strict=True):
            self._entries[number] = entry
            if entry.reply and entry.fresh_s > 0:
                kept = entry.reply if coalesced else replace(entry.reply, source="cache", elapsed_ms=0)
                self.answers[number] = LegAnswer(kept, coalesced, entry.fresh_s)
                self._awaited.discard(number)
            elif entry.failure:
                self._end(number, entry.failure, coalesced=True)
            elif entry.being_asked or self._left() < LEAST_S:
                self._awaited.add(number)
            else:
                to_ask.append(number)
        self._ask(to_ask)

    def _ask(self, numbers: Iterable[int]) -> None:
        numbers = list(numbers)
        blocked = self._world.blocked({self._legs[number].provider for number in numbers}) if numbers else {}
        for number in numbers:
            self._awaited.discard(number)
            provider = self._legs[number].provider
            if provider in blocked:
                self._end(number, blocked[provider])
            else:
                self._asked[self._world.threads.submit(partial(self._lead, number))] = number

    def _lead(self, number: int) -> ProviderReply | None:
        """In a thread of its own: ask for all who wait. None when somebody else was quicker."""
        leg, cache = self._legs[number], self._world.cache
        if not cache.lease(leg, self._entries[number]):
            return None
        seconds = min(LEG_TIMEOUT_S, self._left())
        if seconds <= 0:
            cache.give_up(leg, None)
            return None
        reply = self._world.ask(leg, seconds)
        # A search that has answered does nothing more.
        if self._left() > 0:
            if reply.outcome.answered:
                cache.keep(leg, reply)
            else:
                cache.give_up(leg, reply if self._holds_for_others(reply, seconds) else None)
        return reply

    def _holds_for_others(self, reply: ProviderReply, seconds: float) -> bool:
        """A leg that failed for want of time or of its turn might have been answered to somebody with more of it."""
        hurried = seconds < LEG_TIMEOUT_S or self._world.scheduled
        return not (hurried and reply.outcome in (Outcome.TIMEOUT, Outcome.SKIPPED_BUDGET))

    def _wait(self) -> None:
        """Until an asked leg ends, an awaited one is worth a look, or a lease is due; jitter keeps waiters apart."""
        seconds = min(RENEW_EVERY_S, self._left())
        if self._awaited:
            seconds = min(seconds, self._look_after_s * (0.5 + self._world.jitter()))
            self._look_after_s = min(LAST_LOOK_S, 1.5 * self._look_after_s)
        self._world.threads.wait(list(self._asked), max(seconds, 0.0))

    def _collect(self) -> None:
        for future in [it for it in self._asked if it.done()]:
            number = self._asked.pop(future)
            reply = future.result()
            if reply is None:
                self._awaited.add(number)
            else:
                self._end(number, reply)

    def _renew(self) -> None:
        if self._asked and self._left() > 0 and self._world.monotonic() - self._renewed_at >= RENEW_EVERY_S:
            self._world.cache.renew([self._legs[number] for number in self._asked.values()])
            self._renewed_at = self._world.monotonic()

    def _end(self, number: int, reply: ProviderReply, *, coalesced: bool = False) -> None:
        self._awaited.discard(number)
        entry = self._entries[number]
        kept = entry.reply if not self._fresh else None
        if kept and not reply.outcome.answered:
            self.answers[number] = LegAnswer(_stale(kept, reply), coalesced)
        else:
            self.answers[number] = LegAnswer(reply, coalesced, life_s(reply))

    def _failed(self, number: int, outcome: Outcome, reason: str) -> ProviderReply:
        name = self._legs[number].provider
        return failed(name, name, outcome, reason)


def _stale(kept: ProviderReply, now: ProviderReply) -> ProviderReply:
    """The kept reply in place of one that failed, saying so."""
    reason = f"kept answer shown, because the provider did not answer now: {now.outcome.value}"
    return replace(
        kept,
        source="stale",
        warnings=(reason, *now.warnings),
        elapsed_ms=now.elapsed_ms,
        retry_after_s=now.retry_after_s,
    )
