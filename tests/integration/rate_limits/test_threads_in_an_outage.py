"""Several threads of one process share a limiter whose table fails now and then: they never exceed its limit."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import pytest
from botocore.exceptions import ReadTimeoutError

from shared.aws.dynamodb.rate_limit_store import PAUSE_S, DynamoStore
from shared.errors import RateLimited
from shared.rate_limits.budget import Budget
from shared.rate_limits.circuit_breaker import FAILURES, Circuit, Failure
from shared.rate_limits.limits import Limits
from shared.rate_limits.state import ProviderState
from tests.integration.rate_limits.table_outages import Connection, OneItem, Processes, most_in_a_window
from tests.virtual_time import START_S, Clock, Task

pytestmark = pytest.mark.slow  # storms of threads

LOST = ReadTimeoutError(endpoint_url="table")


class UnsteadyConnection(Connection):
    """Each call takes another time and fails by chance, so that calls overlap and end in another order."""

    def __init__(self, table: OneItem, clock: Clock, random: Random) -> None:
        super().__init__(table, clock, lambda _: random.random() < 0.3, fails_s=0.0)
        self._random, self._slowest_s = random, random.choice([0.005, 0.05, 0.3])

    def _call(self, operation: Callable[..., Any], options: dict[str, Any]) -> Any:
        self.way_s, self._fails_s = self._slowest_s * self._random.random(), 0.5 * self._random.random()
        return super()._call(operation, options)


@pytest.mark.parametrize("threads", [2, 4, 8])
@pytest.mark.parametrize("limits", [Limits(requests=3, window_s=1.0), Limits(requests=1, window_s=3.0)])
@pytest.mark.parametrize("seed", range(8))
def test_threads_whose_calls_fail_by_chance_send_no_more_than_the_limit(
    limits: Limits, threads: int, seed: int
) -> None:
    """They sent up to eight where three are allowed: each could overwrite what another had got in memory alone."""
    running = Processes(1, limits, lambda *_: False)
    store = running.limiters[0]._store
    assert isinstance(store, DynamoStore)
    connection: Any = UnsteadyConnection(running.table, running.clock, Random(seed))
    store._client = connection
    tasks = [Task(work=partial(running._hammer, 0, 28.0, 0.05)) for _ in range(threads)]
    for end in running.clock.run(tasks):
        end.result()
    sent = sorted(moment for moment, _ in running.sent)
    assert sent
    assert most_in_a_window(sent, limits.window_s) <= limits.requests


class Table(OneItem):
    """A table that one process loses and finds again, while others may write to it."""

    fails = False

    def put_item(self, **options: Any) -> dict[str, Any]:
        if self.fails:
            raise LOST
        return super().put_item(**options)


class OneProcess:
    """A store at a table, by a clock that is set."""

    def __init__(self) -> None:
        self.table, self.now = Table(), START_S
        self.store, self.other = self._store("own"), self._store("other")

    def _store(self, process_id: str) -> DynamoStore:
        client: Any = self.table
        return DynamoStore(client, "budgets", "provider", now=lambda: self.now, process_id=process_id)

    def write(self, store: DynamoStore, state: ProviderState) -> None:
        assert store.swap(store.last(), state) is None

    def lose(self) -> None:
        """The table cannot be reached, as this process finds."""
        self.store.lost(LOST)

    def find(self) -> ProviderState:
        """The state after the pause, when the table answers again."""
        self.now += PAUSE_S
        return self.store.read().state


def with_permits(*moments: float, today: int = 0) -> ProviderState:
    return ProviderState(Budget(permits=tuple(START_S + at for at in moments), requests_today=today))


def test_a_permit_that_was_decided_before_an_outage_is_not_stored_within_it() -> None:
    """Another thread lost the table meanwhile: the decision was by all limits, and only a share is left."""
    process = OneProcess()
    seen = process.store.read()
    process.lose()
    newest = process.store.swap(seen, with_permits(0.0))
    assert newest is not None
    assert newest.state == ProviderState()


def test_permits_that_other_threads_got_in_memory_are_not_overwritten_after_the_pause() -> None:
    process = OneProcess()
    process.lose()
    seen = process.store.last()
    process.write(process.store, with_permits(1.0))
    process.now += PAUSE_S
    newest = process.store.swap(seen, with_permits(2.0))
    assert newest is not None
    assert newest.state == with_permits(1.0)


def test_two_permits_of_the_same_moment_are_two_when_the_table_is_back() -> None:
    process = OneProcess()
    process.write(process.other, ProviderState())
    process.store.read()
    process.lose()
    process.write(process.store, with_permits(1.0, today=1))
    process.write(process.other, with_permits(1.0, today=1))
    assert process.find().budget == with_permits(1.0, 1.0, today=2).budget
    assert process.store.read().state.budget == with_permits(1.0, 1.0, today=2).budget


@pytest.mark.parametrize("others_write", [False, True], ids=["alone", "with others"])
def test_failures_of_an_outage_count_when_the_table_is_back(others_write: bool) -> None:
    process = OneProcess()
    process.write(process.other, ProviderState(circuit=Circuit(failures=(Failure(START_S - 1.0),))))
    process.store.read()
    process.lose()
    process.now += 1.0
    state = process.store.last().state
    failures = (*state.circuit.failures, Failure(START_S + 1.0))
    process.write(process.store, ProviderState(circuit=Circuit(failures=failures)))
    if others_write:
        process.write(process.other, ProviderState(Budget(permits=(START_S,))))  # and a success, so no failure
    found = process.find().circuit.failures
    assert found == ((Failure(START_S + 1.0),) if others_write else failures)


def test_a_circuit_that_opened_in_an_outage_is_open_when_the_table_is_back() -> None:
    process = Processes(1, Limits(requests=9, window_s=1.0), lambda _, at: 1.0 <= at < 8.0)
    ends: list[float | None] = []

    def fail() -> None:
        process.send(0, 0.05)
        process.clock.sleep(1.0)
        for _ in range(FAILURES):
            with pytest.raises(RateLimited), process.limiters[0].permit(process.limits, lambda: 9.0) as granted:
                granted.confirm()
                raise RateLimited("too many requests", retry_after_s=None)
        ends.append(process.limiters[0].state.circuit.open_until)
        process.clock.sleep(8.0)
        process.limiters[0]._store.read()
        ends.append(process.limiters[0].state.circuit.open_until)

    for end in process.clock.run([Task(work=fail)]):
        end.result()
    assert ends[0] is not None
    assert ends[0] == ends[1]
