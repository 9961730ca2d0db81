"""Answers the legs of one search, so that concurrent searches share one query to a provider.

    fresh in the cache         use it
    failed a moment ago        use that failure: not every waiting search repeats the query
    another search queries it  wait for its reply until our own deadline; take over if its lease expires
    the circuit is open        circuit_open at once, without a query
    its queue is too long      skipped_budget at once, without a query
    otherwise                  acquire the lease, query the provider, store the reply for all
    all legs were refused      wait for the shortest of their queues

A stored reply replaces, marked stale, one that failed; not where a scheduled search wants fresh ones. The search ends
at its deadline, whatever the state of its legs. If it only waits, it reads no reply as long as the leader of equal ones
may make its result. In an early response, which comes before the last legs, those are `pending`; they go on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from typing import Generic

from shared.legs.endings import (
    AllEnded,
    EarlyResponseRule,
    EarlyResponses,
    Ending,
    LeaderFinished,
    LeaderWait,
    LegState,
    RespondedEarly,
    Result,
    release_late,
)
from shared.legs.intervals import BACKGROUND_LEASE_S, MAX_POLL_S, MIN_POLL_S, MIN_QUERY_S, READ_S, RENEW_EVERY_S
from shared.legs.leg import Leg, LegAnswer, LegDependencies, fresh_for_s, is_limited, share_reply, stale_in_place_of
from shared.legs.refusals import last_resort, no_room
from shared.outcomes import Outcome
from shared.providers.provider import LEG_TIMEOUT_S, ProviderReply
from shared.rate_limits.permit_queue import longest_wait_s


def answer_legs(
    legs: Sequence[Leg], dependencies: LegDependencies, *, until: float, fresh: bool = False
) -> list[LegAnswer]:
    """One answer per leg, in order, by the moment `until` of the monotonic clock. `fresh` queries every provider."""
    search = _Search[None](legs, dependencies, until, fresh, EarlyResponses(None), LeaderWait(None))
    search.run()
    return search.answers()


def answer_legs_of_search(
    legs: Sequence[Leg],
    dependencies: LegDependencies,
    *,
    until: float,
    fresh: bool,
    early_response: EarlyResponseRule[Result] | None = None,
    leaders_result: Callable[[], Result | None] | None = None,
) -> Ending[Result]:
    """The same for a search that may end before it has all answers; returns how it ended.

    `leaders_result` waits for what the leader of equal searches makes (None: it does not come): once, after others have
    answered every leg, and only where there can be no early response.
    """
    leader = LeaderWait(None if early_response else leaders_result)
    search = _Search(legs, dependencies, until, fresh, EarlyResponses(early_response), leader)
    return search.run() or AllEnded(search.answers(), leader.was_awaited)


class _Search(Generic[Result]):
    """One search, until all of its legs are answered or its time is over."""

    def __init__(
        self,
        legs: Sequence[Leg],
        dependencies: LegDependencies,
        until: float,
        fresh: bool,
        early: EarlyResponses[Result],
        leader: LeaderWait[Result],
    ) -> None:
        self._leader, self._early = leader, early
        self._legs, self._dependencies = [LegState(leg) for leg in legs], dependencies
        self._until, self._fresh = until, fresh
        self._queried: dict[Future[ProviderReply | None], LegState] = {}
        self._poll_s = MIN_POLL_S
        self._began = self._renewed_at = dependencies.monotonic()

    def answers(self) -> list[LegAnswer]:
        """The answers so far, in the order of their legs; after `run`, those of all."""
        return [it.answer for it in self._legs if it.answer]

    def run(self) -> LeaderFinished[Result] | RespondedEarly[Result] | None:
        """Answer all legs, or as many as the time allows; returns how the search ended if it ended before that."""
        self._read(self._legs, coalesced=False)
        if ending := self._work():
            return ending
        while state := self._last_resort():
            self._wait_in_queue(state)
            if ending := self._work():
                return ending
        not_begun = [state for future, state in self._queried.items() if future.cancel()]  # no thread was free
        for state in self._legs:
            if not state.answer:
                late = state.failed(Outcome.TIMEOUT, "no answer within the request's time")
                self._end(state, no_room(late.provider) if state in not_begun else late)
        release_late([it.leg for future, it in self._queried.items() if not future.cancel()], self._dependencies)
        return None

    def _work(self) -> LeaderFinished[Result] | RespondedEarly[Result] | None:
        """Wait for the legs and collect their replies until all are answered or the search ends before that."""
        while len(self.answers()) < len(self._legs) and self._left() > 0:
            if early := self._respond_early():
                return early
            self._wait()
            self._collect()
            self._renew()
            due = self._due()
            if isinstance(due, LeaderFinished):
                return due
            if due:
                self._read(due, coalesced=True)
        self._collect()
        return None

    def _last_resort(self) -> LegState | None:
        answers = {number: it.answer for number, it in enumerate(self._legs) if it.answer}
        number = last_resort([it.leg for it in self._legs], answers, self._left(), self._dependencies.rates)
        return None if number is None else self._legs[number]

    def _wait_in_queue(self, state: LegState) -> None:
        """Query a leg again that was refused for its queue, whose end it now waits for; another search may do it."""
        state.leg, state.answer = replace(state.leg, queue_s=math.inf), None
        state.entry = self._dependencies.cache.read([state.leg], fresh=self._fresh)[0]
        if state.entry.leased or (state.entry.reply and state.entry.fresh_s > 0):
            state.is_awaited = True
        else:
            self._submit(state)

    def _submit(self, state: LegState) -> None:
        self._queried[self._dependencies.threads.submit(partial(self._lead, state))] = state

    def _left(self) -> float:
        return self._until - self._dependencies.monotonic()

    def _respond_early(self) -> RespondedEarly[Result] | None:
        """Respond before the last legs, which go on under longer leases."""
        response = self._early.response(self._legs, self._dependencies.monotonic())
        if response:
            running = [it.leg for future, it in self._queried.items() if not future.cancel()]
            self._dependencies.cache.renew(running, min(LEG_TIMEOUT_S, max(self._left(), 0.0)) + BACKGROUND_LEASE_S)
        return response

    def _due(self) -> Sequence[LegState] | LeaderFinished[Result]:
        """The legs to be read now, of those that are waited for; or the leader's result, for which none is read."""
        waiting = [it for it in self._legs if it.is_awaited]
        others_alone = not self._queried and all(answer.is_shared for answer in self.answers())
        if not (waiting and self._leader.may_finish and others_alone) or self._left() < READ_S:
            return waiting
        return self._leader.due(waiting, self._dependencies.cache)

    def _read(self, states: Sequence[LegState], *, coalesced: bool) -> None:
        """Read the entries of these legs; answer, wait for or query each."""
        entries = self._dependencies.cache.read([it.leg for it in states], fresh=self._fresh)
        to_query = []
        for state, entry in zip(states, entries, strict=True):
            state.entry = entry
            if entry.reply and entry.fresh_s > 0:
                reply = entry.reply if coalesced else replace(entry.reply, source="cache", elapsed_ms=0)
                state.answer, state.is_awaited = LegAnswer(reply, coalesced, entry.fresh_s), False
            elif entry.failure and not state.leg.may_wait_longer_than(entry.failure):
                self._end(state, entry.failure, coalesced=True)
            elif entry.leased or self._left() < MIN_QUERY_S:
                state.is_awaited = True
            else:
                to_query.append(state)
        self._query(to_query)

    def _query(self, states: Sequence[LegState]) -> None:
        seconds = min(LEG_TIMEOUT_S, self._left())
        waits = {it.leg.provider: longest_wait_s(seconds, it.leg.queue_s) for it in states}
        refused = self._dependencies.refusals(waits) if waits else {}
        for state in states:
            state.is_awaited = False
            if state.leg.provider in refused:
                self._end(state, refused[state.leg.provider])
            else:
                self._submit(state)

    def _lead(self, state: LegState) -> ProviderReply | None:
        """In another thread: query the provider for all searches. None if another search acquired the lease first."""
        leg, cache = state.leg, self._dependencies.cache
        if not cache.lease(leg, state.entry):
            return None
        state.is_leased = True
        seconds = min(LEG_TIMEOUT_S, self._left())
        if seconds <= 0:
            cache.release(leg, None)
            return None
        reply = self._dependencies.ask(leg.after(self._dependencies.monotonic() - self._began), seconds)
        # After its deadline the search has been answered, and has released its leases.
        if self._left() > 0:
            share_reply(cache, leg, reply, limited=is_limited(seconds, scheduled=self._dependencies.scheduled))
        return reply

    def _wait(self) -> None:
        """Wait until a query ends, or for the next poll or lease renewal; jitter spreads the polls of many searches."""
        seconds = min(RENEW_EVERY_S, self._left(), self._early.wait_s(self._dependencies.monotonic()))
        if any(it.is_awaited for it in self._legs):
            seconds = min(seconds, self._poll_s * (0.5 + self._dependencies.jitter()))
            self._poll_s = min(MAX_POLL_S, 2 * self._poll_s)
        self._dependencies.threads.wait(list(self._queried), max(seconds, 0.0))

    def _collect(self) -> None:
        for future in [it for it in self._queried if it.done()]:
            state = self._queried.pop(future)
            if (reply := future.result()) is None:
                state.is_awaited = True
            else:
                self._end(state, reply)

    def _renew(self) -> None:
        if self._queried and self._left() > 0 and self._dependencies.monotonic() - self._renewed_at >= RENEW_EVERY_S:
            self._dependencies.cache.renew([it.leg for it in self._queried.values() if it.is_leased])
            self._renewed_at = self._dependencies.monotonic()

    def _end(self, state: LegState, reply: ProviderReply, *, coalesced: bool = False) -> None:
        state.is_awaited = False
        fallback = None if self._fresh and self._dependencies.scheduled else state.entry.reply
        if fallback and not reply.outcome.answered:
            state.answer = LegAnswer(stale_in_place_of(fallback, reply), coalesced, failure=reply.outcome)
        else:
            state.answer = LegAnswer(reply, coalesced, fresh_for_s(reply))
