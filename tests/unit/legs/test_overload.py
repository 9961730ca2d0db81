"""A leg for which no thread was free is our own overload, not a time-out of its provider."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from shared.errors import AllProvidersFailed
from shared.legs.coalescing import answer_legs
from shared.legs.leg import Leg, LegDependencies
from shared.legs.overload import Overloaded
from shared.legs.refusals import no_room
from shared.legs.reports import raise_if_all_failed
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply, failed
from tests.benchmarks.dispatch import NoCache
from tests.unit.legs.leg_dependencies import found, leg


class OneThread:
    """A pool of one thread; waiting lets the clock go on, and no real time passes."""

    def __init__(self, pool: ThreadPoolExecutor, begun: threading.Event) -> None:
        self._pool, self._begun, self.now = pool, begun, 0.0

    def submit(self, work: Callable[[], ProviderReply | None]) -> Future[ProviderReply | None]:
        return self._pool.submit(work)

    def wait(self, futures: Collection[Future[ProviderReply | None]], seconds: float) -> None:
        self._begun.wait()
        self.now += seconds


def test_a_leg_that_no_thread_began_is_not_called_a_timeout() -> None:
    ended, begun = threading.Event(), threading.Event()

    def ask(asked: Leg, seconds: float) -> ProviderReply:
        begun.set()
        ended.wait()
        return found(asked)

    with ThreadPoolExecutor(1) as pool:
        threads = OneThread(pool, begun)
        dependencies = LegDependencies(
            cache=NoCache(), threads=threads, ask=ask, refusals=lambda _: {}, monotonic=lambda: threads.now,
            jitter=lambda: 0.5,
        )  # fmt: skip
        answers = answer_legs([leg(provider="openalex"), leg(provider="crossref")], dependencies, until=2.0)
        ended.set()
    assert [answer.reply.outcome for answer in answers] == [Outcome.TIMEOUT, Outcome.SKIPPED_OVERLOAD]
    assert answers[1].reply.retry_after_s is not None


def test_only_where_nothing_but_our_overload_is_at_fault_the_whole_answer_is_refused_for_it() -> None:
    no_key = failed("core", "core", Outcome.SKIPPED_NO_KEY, "needs a key")
    with pytest.raises(Overloaded) as caught:
        raise_if_all_failed([no_room("crossref"), no_room("openalex"), no_key])
    assert caught.value.retry_after_s == 1.0
    with pytest.raises(AllProvidersFailed):
        raise_if_all_failed([no_room("crossref"), failed("arxiv", "arxiv", Outcome.TIMEOUT, "too slow")])
    raise_if_all_failed([no_room("crossref"), found(leg())])
