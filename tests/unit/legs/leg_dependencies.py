"""The dependencies of many searches' legs, in memory and virtual time: their shared cache, and the sent requests."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import count
from typing import Any

from shared.aws.dynamodb.leg_cache import FAILURE_S
from shared.aws.lambda_functions.provider_fan_out import INVOKE_RESERVE_S
from shared.bibliography.paper import Paper
from shared.legs.coalescing import answer_legs_of_search
from shared.legs.endings import AllEnded, Ending
from shared.legs.leg import (
    EMPTY_S,
    LEASE_S,
    RETENTION_S,
    Leg,
    LegAnswer,
    LegCache,
    LegDependencies,
    LegEntry,
    fresh_for_s,
)
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply, failed
from shared.query.query import Query
from tests.virtual_time import Clock, Task, Vanished

Ask = Callable[[Leg, float], ProviderReply]
Reply = Callable[[Leg], ProviderReply]


def leg(text: str = "TREM2", provider: str = "openalex", wording: int = 0) -> Leg:
    return Leg(provider, Query(text=text), wording)


def text_of(leg: Leg) -> str:
    """The words of a search's leg."""
    assert isinstance(leg.question, Query)
    return leg.question.text


def found(leg: Leg) -> ProviderReply:
    """One paper, whose title is the wording."""
    paper = Paper(provider=leg.provider, rank=1, title=text_of(leg))
    return ProviderReply(provider=leg.provider, family=leg.provider, outcome=Outcome.OK, papers=(paper,))


def failing(leg: Leg, outcome: Outcome, **report: Any) -> ProviderReply:
    return failed(leg.provider, leg.provider, outcome, "as the test wants it", **report)


def empty(leg: Leg) -> ProviderReply:
    return replace(found(leg), outcome=Outcome.EMPTY, papers=())


def unavailable(leg: Leg) -> ProviderReply:
    return failing(leg, Outcome.UNAVAILABLE, retry_after_s=7.0)


@dataclass(slots=True)
class Item:
    """The cache item of one leg; moments are epoch milliseconds."""

    reply: ProviderReply | None = None
    stored_at: int | None = None
    owner: str | None = None
    lease_until: int = 0
    failure: ProviderReply | None = None
    failed_until: int | None = None


@dataclass(frozen=True, slots=True)
class SentRequest:
    """One question that reached a provider; `ended` is infinite while it has no answer."""

    leg: Leg
    owner: str
    started: float
    ended: float = math.inf


@dataclass
class Shared:
    """What all searches share. `answer` is the providers; every request to the cache takes `cache_s`."""

    clock: Clock
    answer: Ask
    cache_s: float = 0.0
    refusals: dict[str, ProviderReply] = field(default_factory=dict)
    rates: dict[str, float] = field(default_factory=dict)
    items: dict[tuple[str, str], Item] = field(default_factory=dict)
    replies_read: list[str] = field(default_factory=list)  # by which search
    sent: list[SentRequest] = field(default_factory=list)
    written: list[str] = field(default_factory=list)  # what was written, by the name of the method
    endings: dict[str, Ending[str]] = field(default_factory=dict)  # how each search ended
    ended: dict[str, float] = field(default_factory=dict)  # when each search had its answers
    _owners: count[int] = field(default_factory=lambda: count(1))

    def search(
        self,
        *legs: Leg,
        seconds: float = 19.25,
        fresh: bool = False,
        scheduled: bool = False,
        owner: str = "",
        leaders_result: Callable[[], str | None] | None = None,
    ) -> Callable[[], list[LegAnswer]]:
        """A search to be run on the clock."""
        name = owner or f"search {next(self._owners)}"

        def work() -> list[LegAnswer]:
            dependencies = LegDependencies(
                cache=self.cache(name),
                threads=self.clock,
                ask=lambda leg, left: self._ask(name, leg, left),
                refusals=lambda names: {name: self.refusals[name] for name in names if name in self.refusals},
                monotonic=self.clock.monotonic,
                jitter=self.clock.jitter,
                rates=self.rates,
                scheduled=scheduled,
            )
            until = self.clock.monotonic() + seconds
            ending = answer_legs_of_search(legs, dependencies, until=until, fresh=fresh, leaders_result=leaders_result)
            self.ended[name], self.endings[name] = self.clock.monotonic(), ending
            return ending.answers if isinstance(ending, AllEnded) else []

        return work

    def cache(self, owner: str) -> LegCache:
        return MemoryLegCache(self, owner)

    def _ask(self, owner: str, leg: Leg, seconds: float) -> ProviderReply:
        place = len(self.sent)
        self.sent.append(SentRequest(leg, owner, self.clock.monotonic()))
        reply = self.answer(leg, seconds)
        self.sent[place] = replace(self.sent[place], ended=self.clock.monotonic())
        return reply


class MemoryLegCache:
    """`shared.legs.leg.LegCache` with the rules of DynamoDB's; reading and each write is one step of its own."""

    def __init__(self, shared: Shared, owner: str) -> None:
        self._shared = shared
        self._owner = owner
        self._began = self._ms()
        self._read: set[tuple[tuple[str, str], int | None]] = set()

    def read(self, legs: Sequence[Leg], *, fresh: bool) -> list[LegEntry]:
        self._shared.clock.sleep(self._shared.cache_s)
        self._read |= {(_key(leg), self._item(leg).stored_at) for leg in legs}
        self._shared.replies_read += [self._owner for leg in legs if self._item(leg).reply]
        return [self._entry(self._item(leg), self._began if fresh else 0) for leg in legs]

    def read_metadata(self, legs: Sequence[Leg]) -> list[LegEntry]:
        self._shared.clock.sleep(self._shared.cache_s)
        unread = [
            bool(self._item(leg).reply) and (_key(leg), self._item(leg).stored_at) not in self._read for leg in legs
        ]
        entries = [self._entry(self._item(leg), 0) for leg in legs]
        return [replace(it, reply=None, unread=True) if new else it for it, new in zip(entries, unread, strict=True)]

    def lease(self, leg: Leg, seen: LegEntry) -> bool:
        item, now = self._write("lease", leg), self._ms()
        failed = item.failed_until is not None and item.failed_until > now and item.failed_until != seen.failed_until
        if item.lease_until > now or failed or item.stored_at not in (None, seen.stored_at):
            return False
        item.owner, item.lease_until, item.failure = self._owner, now + round(LEASE_S * 1000), None
        if seen.reply is None:
            item.reply = item.stored_at = None
        return True

    def renew(self, legs: Sequence[Leg], seconds: float = LEASE_S) -> None:
        for leg in legs:
            item = self._write("renew", leg)
            if item.owner == self._owner:
                item.lease_until = self._ms() + round(seconds * 1000)

    def store(self, leg: Leg, reply: ProviderReply) -> None:
        self._write("store", leg)
        self._shared.items[_key(leg)] = Item(reply=reply, stored_at=self._ms())

    def release(self, leg: Leg, failure: ProviderReply | None) -> None:
        item = self._write("release", leg)
        if item.owner == self._owner:
            item.owner, item.lease_until = None, 0
            if failure:
                item.failure, item.failed_until = failure, self._ms() + round(FAILURE_S * 1000)

    def _write(self, what: str, leg: Leg) -> Item:
        self._shared.clock.sleep(self._shared.cache_s)
        self._shared.written.append(what)
        return self._item(leg)

    def _item(self, leg: Leg) -> Item:
        return self._shared.items.setdefault(_key(leg), Item())

    def _entry(self, item: Item, not_before: int) -> LegEntry:
        now = self._ms()
        reply, age_s = item.reply, (now - (item.stored_at or 0)) / 1000
        if reply and age_s >= (EMPTY_S if reply.outcome is Outcome.EMPTY else RETENTION_S):
            reply = None
        began_s = ((item.failed_until or 0) - not_before) / 1000 - FAILURE_S
        return LegEntry(
            reply=reply,
            stored_at=item.stored_at,
            fresh_s=fresh_for_s(reply) - age_s if reply and (item.stored_at or 0) >= not_before else 0.0,
            leased=item.lease_until > now,
            failure=item.failure if (item.failed_until or 0) > now and began_s >= 0 else None,
            failed_until=item.failed_until,
        )

    def _ms(self) -> int:
        return round(self._shared.clock.now().timestamp() * 1000)


@lru_cache(maxsize=4096)
def _key(leg: Leg) -> tuple[str, str]:
    return leg.provider, leg.question.cache_key()


def after(clock: Clock, seconds: float, reply: Reply = found) -> Ask:
    """Providers that need so many seconds; for who has less they give up in time, as the fan-out lets them."""

    def ask(leg: Leg, left: float) -> ProviderReply:
        given = left - INVOKE_RESERVE_S
        clock.sleep(max(min(seconds, given), 0.0))
        return reply(leg) if seconds <= given else failing(leg, Outcome.TIMEOUT)

    return ask


def in_sequence(clock: Clock, *steps: tuple[float, Reply]) -> Ask:
    """Each question is answered by the next step; the last one answers all that follow."""
    left = list(steps)
    return lambda leg, seconds: after(clock, *(left.pop(0) if len(left) > 1 else left[0]))(leg, seconds)


def run(shared: Shared, *tasks: Task) -> list[list[LegAnswer]]:
    """The answers of those searches that lived to have them."""
    return [end.result() for end in shared.clock.run(tasks) if not isinstance(end.exception(), Vanished)]


def one(shared: Shared, *legs: Leg, at: float = 0.0, **how: Any) -> LegAnswer:
    """The answer of a search of one leg that begins at `at`."""
    ((answer,),) = run(shared, Task(work=shared.search(*(legs or [leg()]), **how), at=at))
    return answer
