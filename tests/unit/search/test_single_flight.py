"""Equal searches at once: the leader makes the result set; followers use it or, if it does not come, make their own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from shared.legs.leg import LegAnswer
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply, failed
from shared.search.requests.search_request import SearchRequest
from shared.search.result_sets.single_flight import LONGEST_WAIT_S, RESERVE_S, WAIT_S, leaders_result, may_follow
from shared.search.run import run_search
from tests.unit.search.pending_service import QUERY, Service, Source
from tests.virtual_time import Clock, Task

FOUND: Any = {"result_set_id": "r"}


class Waiting:
    """Counts the waits; time passes by nothing else."""

    def __init__(self) -> None:
        self.waited: list[float] = []

    def claim(self, request_key: str) -> Callable[[], bool]:
        raise AssertionError(request_key)

    def wait(self, seconds: float) -> None:
        self.waited.append(seconds)


def follow(found_at: int, *, is_leader: bool = False, left_s: float = 20.0) -> tuple[Any, Waiting]:
    """What a search gets whose `find` finds something at this poll, counted from 0."""
    waiting = Waiting()
    polls = iter(range(100))
    find = lambda: FOUND if next(polls) >= found_at else None  # noqa: E731
    return leaders_result(find, lambda: is_leader, waiting, lambda: left_s - sum(waiting.waited)), waiting


def test_a_search_without_the_claim_uses_the_result_set_when_it_comes() -> None:
    found, waiting = follow(3)
    assert found is FOUND
    assert len(waiting.waited) == 4


def test_a_search_that_has_no_time_to_wait_polls_once() -> None:
    found, waiting = follow(0, left_s=RESERVE_S)
    assert found is FOUND
    assert waiting.waited == []


class Following(Waiting):
    """Another search has the claim, and makes nothing."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock

    def claim(self, request_key: str) -> Callable[[], bool]:
        return lambda: False

    def wait(self, seconds: float) -> None:
        super().wait(seconds)
        self._clock.sleep(seconds)


class Forgetful(dict[str, str]):
    """No result set is found by its request."""

    def __setitem__(self, request_key: str, result_set_id: str) -> None: ...


def test_a_follower_waits_once() -> None:
    service = Service({"openalex": Source(1.0), "crossref": Source(1.5)}, by_request=Forgetful())
    following = Following(service.clock)
    request = SearchRequest.model_validate({"query": QUERY})
    dependencies = service._dependencies("follower", [False])
    follower = Task(work=lambda: run_search(request, replace(dependencies, single_flight=following)), at=0.1)
    first, second = (
        end.result() for end in service.clock.run([Task(work=lambda: service.search("first", None)), follower])
    )
    assert [paper["key"] for paper in second["results"]] == [paper["key"] for paper in first["results"]]
    assert len(service.asked) == 2  # of the first search alone
    assert len(following.waited) > 1
    assert sum(following.waited) < WAIT_S + LONGEST_WAIT_S


def test_the_leader_neither_polls_nor_waits() -> None:
    found, waiting = follow(0, is_leader=True)
    assert found is None
    assert waiting.waited == []


@pytest.mark.parametrize(("left_s", "most"), [(20.0, WAIT_S + 0.4), (1.0, 1.0 - RESERVE_S), (0.3, 0.0)])
def test_no_search_waits_long_for_a_leader_that_has_crashed(left_s: float, most: float) -> None:
    found, waiting = follow(1_000, left_s=left_s)
    assert found is None
    assert sum(waiting.waited) <= most


def test_a_search_that_queried_a_provider_or_lacks_a_leg_does_not_wait() -> None:
    live = ProviderReply(provider="a", family="a", outcome=Outcome.OK)
    cached = ProviderReply(provider="b", family="b", outcome=Outcome.OK, source="cache")
    shared = [LegAnswer(live, coalesced=True, fresh_s=9.0), LegAnswer(cached, fresh_s=9.0)]
    assert may_follow(shared)
    assert not may_follow([*shared, LegAnswer(live, fresh_s=9.0)])
    assert not may_follow([*shared, LegAnswer(failed("c", "c", Outcome.TIMEOUT, "late"), coalesced=True)])
    assert not may_follow([*shared, LegAnswer(failed("c", "c", Outcome.PENDING, "under way"))])
