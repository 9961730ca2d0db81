"""What became of a provider's requests in the last hour: counts for slices of five minutes, shared by all processes.

They are part of the provider's state and cost no write of their own. A request is counted by the write of its permit,
and a failure by the write that it causes. What causes none, such as most requests of slots, a process adds up and
writes with its next change of the state; if it ends before that, these are never counted. Counts only: no query, no
key, no caller. Pure: time is an argument, in epoch seconds.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TypeAlias, TypedDict

from shared.clock import timestamp
from shared.errors import ProviderError
from shared.outcomes import Outcome

SLICE_S, SLICES = 300, 12
UNKNOWN_THERE = (404, 410)  # statuses of an answer: there is no such paper
MOST = 1_000_000  # requests in a slice: more than any limit allows


@dataclass(frozen=True, slots=True)
class Slice:
    """The requests sent in five minutes, and how many of them are known to have failed, by outcome."""

    number: int  # since 1970
    requests: int = 0
    failed: Mapping[Outcome, int] = field(default_factory=dict)


class PublicSlice(TypedDict):
    """A slice as `GET /v1/providers` shows it; `failed` is by outcome."""

    since: str
    requests: int
    failed: dict[str, int]


Hour: TypeAlias = tuple[Slice, ...]  # in order, those with a request only


def counted(at: float, *, requests: int = 0, failed: Outcome | None = None) -> Hour:
    """A change of the counts of the slice of the moment `at`; a negative one takes back."""
    return (Slice(int(at // SLICE_S), requests, {failed: 1} if failed else {}),)


def failure_of(error: BaseException | None) -> Outcome | None:
    """How a request failed; None if the provider answered it, or if what failed was not the provider."""
    if not isinstance(error, ProviderError) or error.status in UNKNOWN_THERE:
        return None
    return error.outcome


def merged(*hours: Hour) -> Hour:
    """The sums, of the last hour that any of them knows."""
    slices = [it for hour in hours for it in hour]
    newest = max((it.number for it in slices), default=0)
    requests: Counter[int] = Counter()
    failed: dict[int, Counter[Outcome]] = {}
    for it in slices:
        if it.number > newest - SLICES:
            requests[it.number] += it.requests
            failed.setdefault(it.number, Counter()).update(it.failed)
    return tuple(
        Slice(number, min(requests[number], MOST), _bounded(failed[number]))
        for number in sorted(requests)
        if requests[number] or failed[number]
    )


def _bounded(failed: Mapping[Outcome, int]) -> dict[Outcome, int]:
    return {outcome: min(count, MOST) for outcome, count in sorted(failed.items())}


def public_hour(hour: Iterable[Slice], now: float) -> list[PublicSlice]:
    """The slices of the last hour in which requests were sent, JSON-ready, the oldest first."""
    last = int(now // SLICE_S)
    return [
        {
            "since": timestamp(datetime.fromtimestamp(it.number * SLICE_S, UTC)),
            "requests": max(it.requests, sum(it.failed.values())),
            "failed": {outcome.value: count for outcome, count in it.failed.items()},
        }
        for it in hour
        if it.number > last - SLICES and (it.requests > 0 or it.failed)
    ]


class Tally:
    """What one process has counted and not yet written."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._hour: Hour = ()

    def add(self, hour: Hour) -> None:
        """Count more, or again what could not be written."""
        with self._lock:
            self._hour = merged(self._hour, hour)

    def take(self) -> Hour:
        """All that is counted, in order to be written: it is counted no longer."""
        with self._lock:
            hour, self._hour = self._hour, ()
        return hour
