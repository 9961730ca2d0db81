"""A leg: one provider queried with one question, shared by all callers; and the dependencies that answer legs."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import Protocol

from shared.clock import Deadline
from shared.outcomes import Outcome
from shared.providers.provider import LEG_TIMEOUT_S, ProviderReply
from shared.query.question import Question
from shared.rate_limits.permit_queue import SEARCH_QUEUE_S

# How long a reply is used without a new query, how long an empty or partial one, and how long one is stored as a stale
# fallback.
FRESH_S, EMPTY_S, PARTIAL_S, RETENTION_S = 24 * 3600.0, 3600.0, 3600.0, 7 * 24 * 3600.0
# A lease that was not renewed for this long has expired: its owner has crashed.
LEASE_S = 5.0


@dataclass(frozen=True, slots=True)
class Leg:
    """One provider to be queried with one question; `wording` is the number of the search's wording, from 0.

    `queue_s`: how long its first request may wait for a permit, in seconds, if less than the leg's time.
    """

    provider: str
    question: Question
    wording: int = 0
    queue_s: float = math.inf

    def after(self, seconds: float) -> Leg:
        """The leg of a search that has waited for so long: its caller does not wait for it again in a queue."""
        return replace(self, queue_s=max(self.queue_s - seconds, 0.0))

    def may_wait_longer_than(self, failure: ProviderReply) -> bool:
        """Whether it may wait longer in the queue of its provider than the leg that was refused for it may have."""
        return failure.outcome is Outcome.SKIPPED_BUDGET and self.queue_s > SEARCH_QUEUE_S


@dataclass(frozen=True, slots=True, kw_only=True)
class LegEntry:
    """The state of one leg in the cache."""

    reply: ProviderReply | None = None  # the last reply, unchanged
    stored_at: int | None = None  # epoch milliseconds
    fresh_s: float = 0.0  # how long `reply` may still be used without a new query
    leased: bool = False  # another search is querying the provider
    failure: ProviderReply | None = None  # a recent one
    failed_until: int | None = None  # until when it is shared, epoch milliseconds
    unread: bool = False  # of `read_metadata`: there is a reply that this search has not read


class LegCache(Protocol):
    """The replies and leases that all callers share. When it is unreachable, it is empty and grants every lease."""

    def read(self, legs: Sequence[Leg], *, fresh: bool) -> list[LegEntry]:
        """The entries of these legs, in order. With `fresh`, replies from before this search began are not fresh."""

    def read_metadata(self, legs: Sequence[Leg]) -> list[LegEntry]:
        """The same without replies that were not read yet: whether there are any, and whether a provider is queried."""

    def lease(self, leg: Leg, seen: LegEntry) -> bool:
        """Whether this search may query; False if another one does, or has done so since `seen` was read."""

    def renew(self, legs: Sequence[Leg], seconds: float = LEASE_S) -> None:
        """Extend the leases of these legs, from now on by so many seconds."""

    def store(self, leg: Leg, reply: ProviderReply) -> None:
        """Store a reply that answered, and release the lease."""

    def release(self, leg: Leg, failure: ProviderReply | None) -> None:
        """Release the lease; a `failure` is shared with other searches for a short time."""


class Threads(Protocol):
    """Runs legs in parallel."""

    def submit(self, work: Callable[[], ProviderReply | None]) -> Future[ProviderReply | None]:
        """Start the work."""

    def wait(self, futures: Collection[Future[ProviderReply | None]], seconds: float) -> None:
        """Return when one more has finished, or after `seconds`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LegDependencies:
    """What the legs of one search need from outside the domain."""

    cache: LegCache
    threads: Threads
    ask: Callable[[Leg, float], ProviderReply]  # queries the provider within so many seconds; never raises
    # Of these providers, with the seconds that a leg may wait for its permit: replies for those that are not queried.
    refusals: Callable[[Mapping[str, float]], Mapping[str, ProviderReply]]
    monotonic: Callable[[], float]
    jitter: Callable[[], float]  # in [0, 1)
    rates: Mapping[str, float] = field(default_factory=dict)  # requests in a second, by provider
    scheduled: bool = False  # no caller waits for this search


@dataclass(frozen=True, slots=True)
class LegAnswer:
    """The reply of one leg. `coalesced`: another search queried it. `fresh_s`: how long it may be reused.

    `failure`: how the leg ended of which the reply is a stale one.
    """

    reply: ProviderReply
    coalesced: bool = False
    fresh_s: float = 0.0
    failure: Outcome | None = None

    @property
    def is_shared(self) -> bool:
        """Whether any search may answer the leg so: it was not queried for this one, and has not failed."""
        return (self.coalesced or self.reply.source == "cache") and self.fresh_s >= 1


class LookUp(Protocol):
    """Looks papers up by identifiers in normal form; each reply's papers name in `asked` what they were found by."""

    def __call__(
        self, names: Sequence[str], deadline: Deadline, *, fresh: bool, only: Collection[str] | None
    ) -> Sequence[LegAnswer]:
        """The answers of all providers that could know the papers, `only` of these providers. Never raises."""


def is_limited(seconds: float, *, scheduled: bool) -> bool:
    """Whether a leg with so many seconds has less than its whole time, or no one waits for it."""
    return scheduled or seconds < LEG_TIMEOUT_S


def is_shared_failure(reply: ProviderReply, *, limited: bool) -> bool:
    """Whether other searches would fail too; of a `limited` leg, more time, or a higher priority, might have helped."""
    return not (limited and (reply.outcome.no_room or reply.outcome is Outcome.TIMEOUT))


def share_reply(cache: LegCache, leg: Leg, reply: ProviderReply, *, limited: bool) -> None:
    """Store the reply, or release the lease, with the failure if other searches would fail too."""
    if reply.outcome.answered:
        cache.store(leg, reply)
    else:
        cache.release(leg, reply if is_shared_failure(reply, limited=limited) else None)


def fresh_for_s(reply: ProviderReply) -> float:
    """How long a reply may be used without a new query, in seconds; 0 for a failure, which the next search retries.

    A partial list may be complete at the next query, as an empty one may be filled.
    """
    seconds = {
        Outcome.OK: PARTIAL_S if reply.partial else FRESH_S,
        Outcome.EMPTY: EMPTY_S,
        Outcome.SKIPPED_UNSUPPORTED_FILTER: FRESH_S,
        Outcome.SKIPPED_NO_KEY: EMPTY_S,  # a key may have been set since
    }
    return seconds.get(reply.outcome, 0.0)


def stale_in_place_of(stored: ProviderReply, failure: ProviderReply) -> ProviderReply:
    """The stored reply in place of the failed one, with the failure as a warning."""
    reason = f"stale cached answer, because the provider did not answer now: {failure.outcome.value}"
    return replace(
        stored,
        source="stale",
        warnings=(reason, *failure.warnings),
        elapsed_ms=failure.elapsed_ms,
        retry_after_s=failure.retry_after_s,
    )
