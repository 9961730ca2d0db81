"""Whatever dies: a result set ends complete or names what is missing, and no cursor repeats or loses a paper."""

from __future__ import annotations

import math
from functools import partial
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from shared.errors import AllProvidersFailed, Outcome, StorageUnavailable
from shared.search.pending import PENDING_S
from shared.search.pending_state import missing_of, state_of
from tests.unit.search.pending_service import PROVIDERS, Service, Sets, Source
from tests.virtual_time import Task, Vanished

LIVES_S = st.sampled_from([math.inf, math.inf, 0.3, 1.2, 2.5, 6.0])
SOURCE = st.builds(
    Source,
    seconds=st.floats(0.1, 16.0),
    finds=st.lists(st.integers(1, 12), min_size=1, max_size=6, unique=True),
    outcome=st.sampled_from([Outcome.OK] * 4 + [Outcome.EMPTY, Outcome.UNAVAILABLE]),
    dies=st.sampled_from([False, False, False, True]),
)
ANSWERS = st.builds(Source, seconds=st.floats(0.1, 0.9), finds=st.just((1, 2, 4, 6, 7)))  # or there is nothing to leave
RETRIES_S = (0.1, 100.0, 200.0)  # after the message was sent, as the queue delivers it
PAGE = 2


class Reader:
    """Somebody who pages through a result set, one page each time, and pages on while there is a cursor."""

    def __init__(self, service: Service, cursor: str) -> None:
        self.service, self.cursor = service, cursor
        self.keys: list[str] = []

    def read_all(self) -> None:
        for _ in range(60):
            self.read()

    def read(self) -> None:
        if self.cursor is None:
            return
        try:
            page = self.service.search("reader", None, cursor=self.cursor, max_results=PAGE)
        except StorageUnavailable:  # they ask again
            return
        self.keys += [paper["key"] for paper in page["results"]]
        self.cursor = page["next_cursor"]


def attempts(service: Service, result_set_id: str, lives: list[float], done: list[str]) -> list[Task]:
    """The queue's attempts: the next one only if the last one died or failed."""

    def attempt(number: int) -> None:
        if not done:
            state = service.complete(f"completion {number}", result_set_id)
            done.append(state)

    began = service.clock.monotonic()
    return [
        Task(work=partial(attempt, number), at=began + after, dies_at=began + after + life)
        for number, (after, life) in enumerate(zip(RETRIES_S, lives, strict=True))
    ]


@settings(max_examples=60, deadline=None)
@given(
    sources=st.fixed_dictionaries({**dict.fromkeys(PROVIDERS, SOURCE), "openalex": ANSWERS}),
    patience_ms=st.sampled_from([0, 500, 1000, 3000]),
    lives=st.lists(LIVES_S, min_size=3, max_size=3),
    down=st.lists(st.tuples(st.floats(0.5, 30), st.floats(0.5, 120)), max_size=2),
    reads=st.lists(st.floats(0, 40), min_size=2, max_size=8),
    seed=st.integers(0, 1000),
)
def test_it_ends_complete_or_says_what_is_missing_and_all_read_the_same(
    sources: Any, patience_ms: int, lives: Any, down: Any, reads: list[float], seed: int
) -> None:
    service = Service(sources, down=[(start, start + long) for start, long in down], seed=seed)
    (end,) = service.clock.run([Task(work=lambda: service.search("first", patience_ms, max_results=PAGE))])
    if isinstance(end.exception(), AllProvidersFailed) or not end.result()["result_set_id"]:
        return
    first = end.result()
    result_set_id, began = first["result_set_id"], service.clock.monotonic()
    if not service.queue:
        assert "pending" not in {report["outcome"] for report in first["providers"].values()}
        return
    early = Reader(service, first["next_cursor"])
    done: list[str] = []
    seen: list[list[str]] = []
    early.keys = [paper["key"] for paper in first["results"]]

    def poll() -> None:
        early.read()
        if not service.unreachable():
            found = Sets(service).get(result_set_id)
            seen.append([paper["key"] for paper in found["results"]])
            assert state_of(found) != "complete" or not missing_of(found)

    polls = [Task(work=poll, at=began + at) for at in reads]
    ends = service.clock.run([*attempts(service, result_set_id, lives, done), *polls])
    for it in ends:
        assert it.exception() is None or isinstance(it.exception(), (Vanished, StorageUnavailable))
    after = Task(work=early.read_all, at=began + PENDING_S + 5.0)
    service.clock.run([after])
    final = Sets(service).get(result_set_id)
    whole = [paper["key"] for paper in final["results"]]
    assert state_of(final) != "pending"
    assert (state_of(final) == "complete") == (not missing_of(final))
    assert all(longer[: len(shorter)] == shorter for shorter, longer in pairwise([*seen, whole]))
    assert early.keys == whole
    assert len(set(whole)) == len(whole)
    assert early.cursor is None
