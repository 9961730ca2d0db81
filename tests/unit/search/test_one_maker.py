"""Equal searches at once: one makes the result set, the others take it or, where it does not come, make their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from shared.errors import Outcome
from shared.legs.leg import LegAnswer
from shared.providers.provider import ProviderReply, failed
from shared.search.one_maker import RESERVE_S, WAIT_S, Taking, made_by_another, may_take

FOUND: Any = {"result_set_id": "r"}


class Waiting:
    """Counts the waits; time passes by nothing else."""

    def __init__(self) -> None:
        self.waited: list[float] = []

    def claim(self, request_key: str) -> Callable[[], bool]:
        raise AssertionError(request_key)

    def wait(self, seconds: float) -> None:
        self.waited.append(seconds)


def take(found_at: int, *, is_maker: bool = False, left_s: float = 20.0) -> tuple[Any, Waiting]:
    """What a search gets whose `find` finds something at this look, counted from 0."""
    waiting = Waiting()
    looks = iter(range(100))
    find = lambda: FOUND if next(looks) >= found_at else None  # noqa: E731
    return made_by_another(find, lambda: is_maker, waiting, lambda: left_s - sum(waiting.waited)), waiting


def test_a_search_without_the_claim_takes_the_result_set_when_it_comes() -> None:
    found, waiting = take(3)
    assert found is FOUND
    assert len(waiting.waited) == 4


def test_a_search_that_has_no_time_to_wait_looks_once() -> None:
    found, waiting = take(0, left_s=RESERVE_S)
    assert found is FOUND
    assert waiting.waited == []


def test_a_search_waits_once_for_a_maker() -> None:
    looks: list[int] = []
    waiting = Waiting()
    taking = Taking(lambda: looks.append(1), lambda: False, waiting, lambda: 20.0)
    assert not taking()
    tried = len(looks)
    assert tried > 1
    assert not taking()
    assert len(looks) == tried


def test_the_maker_neither_looks_again_nor_waits() -> None:
    found, waiting = take(0, is_maker=True)
    assert found is None
    assert waiting.waited == []


@pytest.mark.parametrize(("left_s", "most"), [(20.0, WAIT_S + 0.4), (1.0, 1.0 - RESERVE_S), (0.3, 0.0)])
def test_no_search_waits_long_for_a_maker_that_has_crashed(left_s: float, most: float) -> None:
    found, waiting = take(1_000, left_s=left_s)
    assert found is None
    assert sum(waiting.waited) <= most


def test_a_search_that_queried_a_provider_or_lacks_a_leg_does_not_wait() -> None:
    live = ProviderReply(provider="a", family="a", outcome=Outcome.OK)
    cached = ProviderReply(provider="b", family="b", outcome=Outcome.OK, source="cache")
    shared = [LegAnswer(live, coalesced=True, fresh_s=9.0), LegAnswer(cached, fresh_s=9.0)]
    assert may_take(shared)
    assert not may_take([*shared, LegAnswer(live, fresh_s=9.0)])
    assert not may_take([*shared, LegAnswer(failed("c", "c", Outcome.TIMEOUT, "late"), coalesced=True)])
    assert not may_take([*shared, LegAnswer(failed("c", "c", Outcome.PENDING, "under way"))])
