"""A leg: one provider asked one question, shared by all callers; and the outside world that legs are answered with."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Protocol

from shared.errors import Outcome
from shared.providers.provider import ProviderReply
from shared.query.question import Question

# How long an answer may be used without asking again, how long an empty one, and how long one is kept for need.
FRESH_S, EMPTY_S, KEPT_S = 24 * 3600.0, 3600.0, 7 * 24 * 3600.0
# An asker that has not renewed its lease for so long is dead.
LEASE_S = 5.0


@dataclass(frozen=True, slots=True)
class Leg:
    """One provider to be asked one question; `wording` tells the wordings of a search apart."""

    provider: str
    question: Question
    wording: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What the cache knows of one leg."""

    reply: ProviderReply | None = None  # the last answer, as it came
    stored_at: int | None = None  # epoch milliseconds
    fresh_s: float = 0.0  # for how long `reply` may yet be used without asking
    being_asked: bool = False  # somebody holds the lease
    failure: ProviderReply | None = None  # of a moment ago
    failed_until: int | None = None  # the end of that moment, epoch milliseconds


class LegCache(Protocol):
    """Legs shared by all callers. A cache that cannot be reached knows nothing and grants every lease."""

    def read(self, legs: Sequence[Leg], *, fresh: bool) -> list[Entry]:
        """In the order asked. With `fresh`, only what came since this search began may be used."""

    def lease(self, leg: Leg, seen: Entry) -> bool:
        """True when this search may ask; False when somebody else does, or has since `seen`."""

    def renew(self, legs: Sequence[Leg]) -> None:
        """Tell the others that these legs are still being asked."""

    def keep(self, leg: Leg, reply: ProviderReply) -> None:
        """Keep what answered, and give the lease back."""

    def give_up(self, leg: Leg, failure: ProviderReply | None) -> None:
        """Give the lease back; `failure` is shown to the others for a moment."""


class Threads(Protocol):
    """Where legs are asked at the same time."""

    def submit(self, work: Callable[[], ProviderReply | None]) -> Future[ProviderReply | None]:
        """Begin."""

    def wait(self, begun: Collection[Future[ProviderReply | None]], seconds: float) -> None:
        """Until one more has ended, or the time is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LegWorld:
    """The outside world of the legs of one search."""

    cache: LegCache
    threads: Threads
    ask: Callable[[Leg, float], ProviderReply]  # within so many seconds; never raises
    blocked: Callable[[Collection[str]], Mapping[str, ProviderReply]]  # providers whose circuit is open
    monotonic: Callable[[], float]
    jitter: Callable[[], float]  # in [0, 1)
    scheduled: bool = False  # nobody waits for this search


@dataclass(frozen=True, slots=True)
class LegAnswer:
    """How one leg ended; `coalesced` when another search asked for it, `fresh_s` for how long it may be used again."""

    reply: ProviderReply
    coalesced: bool = False
    fresh_s: float = 0.0


def life_s(reply: ProviderReply) -> float:
    """For how long a reply may be used without asking again; 0 for a failure, which the next search puts right."""
    lives = {
        Outcome.OK: FRESH_S,
        Outcome.EMPTY: EMPTY_S,
        Outcome.SKIPPED_UNSUPPORTED_FILTER: FRESH_S,
        Outcome.SKIPPED_NO_KEY: EMPTY_S,  # a key may be set meanwhile
    }
    return lives.get(reply.outcome, 0.0)
