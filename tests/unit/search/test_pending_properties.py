"""Whatever dies: a result set ends complete or names what is missing, and no cursor repeats or loses a paper."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from shared.errors import AllProvidersFailed, StorageUnavailable
from shared.outcomes import Outcome
from shared.search.early_response import PENDING_S
from shared.search.result_sets.cursor import Cursor
from shared.search.result_sets.pending_state import missing_of, state_of
from tests.results import keys
from tests.unit.search.pending_readers import Reader, SetReader
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
ANSWERS = st.builds(Source, seconds=st.floats(0.1, 0.9), finds=st.just((1, 2, 4, 6, 7)))  # or there is nothing to show
RETRIES_S = (0.1, 100.0, 200.0)  # after the message was sent, as the queue delivers it
PAGE, LARGER_PAGE = 2, 3


@dataclass
class Afterwards:
    """What happens to one result set after its search has responded early, until nothing of it is under way."""

    service: Service
    first: Any
    completed: list[str] = field(default_factory=list)
    seen: list[list[str]] = field(default_factory=list)  # its papers, at moments in order
    equal: list[Any] = field(default_factory=list)  # the answers of equal searches

    def __post_init__(self) -> None:
        self.id, self.began = self.first["result_set_id"], self.service.clock.monotonic()
        self.early = Reader(self.service, self.first["next_cursor"], PAGE, keys=keys(self.first))
        self.other = Reader(self.service, str(Cursor(self.id, 0)), LARGER_PAGE, waits_ms=500)
        self.of_the_set = SetReader(self.service, "", PAGE, result_set_id=self.id)
        self.readers = (self.early, self.other, self.of_the_set)

    def task(self, work: Any, after: float, life: float = math.inf) -> Task:
        return Task(work=work, at=self.began + after, dies_at=self.began + after + life)

    def attempts(self, lives: list[float]) -> list[Task]:
        """The queue's attempts: the next one only if the last one died or failed."""

        def attempt(number: int) -> None:
            if not self.completed:
                self.again(f"completion {number}")

        times = enumerate(zip(RETRIES_S, lives, strict=True))
        return [self.task(partial(attempt, number), after, life) for number, (after, life) in times]

    def again(self, owner: str) -> None:
        """An attempt of a message that may have been delivered before."""
        self.completed.append(self.service.complete(owner, self.id))

    def poll(self, number: int) -> None:
        """One page for one of the readers, and a look at the whole."""
        self.readers[number % len(self.readers)].read()
        if not self.service.unreachable():
            found = Sets(self.service).get(self.id)
            assert state_of(found) != "complete" or not missing_of(found)
            self.seen.append(keys(found))

    def ask(self, number: int) -> None:
        """An equal search, with patience or without."""
        self.equal.append(self.service.search(f"equal {number}", 1000 if number % 2 else None, max_results=100))

    def read_on(self) -> None:
        for reader in self.readers:
            reader.read_all()

    def run(self, tasks: list[Task]) -> None:
        """All of it, then the readers to the end."""
        for it in self.service.clock.run(tasks):
            assert it.exception() is None or isinstance(
                it.exception(), (Vanished, StorageUnavailable, AllProvidersFailed)
            )
        self.service.clock.run([Task(work=self.read_on, at=self.began + PENDING_S + 5.0)])


def assert_honest(service: Service, answer: Any) -> None:
    """An answer is complete if all providers have answered; what is found by its request is complete."""
    outcomes = {report["outcome"] for report in answer["providers"].values()}
    assert answer["complete"] == (outcomes <= {"ok", "empty"})
    assert answer["cache"] != "hit" or answer["complete"]
    for result_set_id in service.by_request.values():
        assert state_of(Sets(service)._read(result_set_id)) == "complete"


@settings(max_examples=60, deadline=None)
@given(
    sources=st.fixed_dictionaries({**dict.fromkeys(PROVIDERS, SOURCE), "openalex": ANSWERS}),
    patience_ms=st.sampled_from([0, 500, 1000, 3000]),
    lives=st.lists(LIVES_S, min_size=3, max_size=3),
    repeated=st.lists(st.floats(0, 400), max_size=2),
    down=st.lists(st.tuples(st.floats(0.5, 30), st.floats(0.5, 120)), max_size=2),
    reads=st.lists(st.floats(0, 40), min_size=3, max_size=10),
    equal=st.lists(st.floats(0, 60), max_size=3),
    seed=st.integers(0, 1000),
)
def test_it_ends_complete_or_says_what_is_missing_and_all_read_the_same(
    sources: Any, patience_ms: int, lives: Any, repeated: Any, down: Any, reads: Any, equal: Any, seed: int
) -> None:
    service = Service(sources, down=[(start, start + long) for start, long in down], seed=seed)
    (end,) = service.clock.run([Task(work=lambda: service.search("first", patience_ms, max_results=PAGE))])
    if isinstance(end.exception(), AllProvidersFailed) or not end.result()["result_set_id"]:
        return
    if not service.queue:
        assert "pending" not in {report["outcome"] for report in end.result()["providers"].values()}
        return
    after = Afterwards(service, end.result())
    polls = [after.task(partial(after.poll, number), at) for number, at in enumerate(sorted(reads))]
    again = [after.task(partial(after.again, f"repeated {number}"), at) for number, at in enumerate(repeated)]
    asking = [after.task(partial(after.ask, number), at) for number, at in enumerate(equal)]
    after.run([*after.attempts(lives), *polls, *again, *asking])
    final = Sets(service).get(after.id)
    whole = keys(final)
    assert state_of(final) != "pending"
    assert (state_of(final) == "complete") == (not missing_of(final))
    assert all(longer[: len(shorter)] == shorter for shorter, longer in pairwise([*after.seen, whole]))
    assert len(set(whole)) == len(whole)
    for reader in after.readers:
        assert (reader.keys, reader.cursor) == (whole, None)
    for answer in after.equal:
        assert_honest(service, answer)
