"""One process and its slots, at a simulated table: what a slot that is missed, or whose request fails, leaves there."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from functions.providers import crossref
from shared.aws.dynamodb.rate_limit_store import DynamoStore
from shared.aws.dynamodb.slot_counter import DynamoSlotCounter
from shared.errors import BudgetSpent, CircuitOpen, KeyRefused, ProviderError, RateLimited, Unavailable
from shared.outcomes import Outcome
from shared.rate_limits.limits import Limits
from shared.rate_limits.rate_limiter import RateLimiter
from shared.rate_limits.recent_hour import SLICE_S
from shared.rate_limits.slots import SlotRequest, TakeFirst
from shared.rate_limits.state import ProviderState
from tests.simulations.high_rates import LEG_S, plus_limits
from tests.simulations.hot_table import HotTable
from tests.virtual_time import START_S, Clock, Task

pytestmark = pytest.mark.usefixtures("declared_limits")


@dataclass
class Process:
    """A process with a rate limiter; several share a table and its clock."""

    table: HotTable
    name: str = "a"
    sent: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        clock, client = self.table.clock, self.table.client()
        self.store = DynamoStore(client, "budgets", "crossref", now=clock.time, process_id=self.name)
        self.counter = DynamoSlotCounter(client, "budgets", "crossref", lost=self.store.lost)
        self.limiter = RateLimiter(
            "Crossref", self.store, read_limits=crossref.read_limits, now=clock.time, sleep=clock.sleep,
            jitter=clock.jitter, process_id=self.name, slots=self.counter,
        )  # fmt: skip

    def send(self, *, limits: Limits | None = None, opening_s: float = 0.0, fault: Exception | None = None) -> None:
        """One request. Raises what the limiter raises, and `fault`."""
        clock = self.table.clock
        deadline = clock.time() + LEG_S
        with self.limiter.permit(limits or plus_limits(), lambda: deadline - clock.time()) as granted:
            clock.sleep(opening_s)
            granted.confirm()
            self.sent.append(clock.time() - START_S)
            clock.sleep(0.2)
            if fault:
                raise fault

    def fill_until(self, at_s: float) -> None:
        """Give others all slots up to a moment."""
        now = self.table.clock.time()
        request = SlotRequest(
            permit_id="others", first=now, latest=now + LEG_S, interval_s=0.0, concurrency=None,
            release_by=now, scheduled=False,
        )  # fmt: skip
        self.counter.take(request, TakeFirst(START_S + at_s, enter=False), now)
        self.counter.take(request, TakeFirst(START_S + at_s, enter=False), now)  # the first has made the item

    def run(self, work: Any, at: float = 0.0) -> None:
        """Run it at a moment, and raise what it raises."""
        (end,) = self.table.clock.run([Task(work=work, at=at)])
        end.result()

    @property
    def state(self) -> ProviderState:
        """What the table has."""
        seen: list[ProviderState] = []
        self.run(lambda: seen.append(self.store.read().state))
        return seen[0]


@pytest.mark.parametrize("opening_s", [0.0, 0.7], ids=["in time", "missed"])
def test_a_request_and_its_failure_count_in_the_five_minutes_of_its_slot(opening_s: float) -> None:
    """It counted when it was asked for: one too many before, and one too few after, when the slot was given back."""
    process = Process(HotTable(Clock()))

    def work() -> None:
        process.fill_until(SLICE_S + 0.2)
        with pytest.raises(Unavailable):
            process.send(opening_s=opening_s, fault=Unavailable("down"))

    process.run(work, at=SLICE_S - 0.2)
    hour = process.state.hour
    assert [(it.number * SLICE_S - START_S, it.requests, it.failed) for it in hour] == [
        (SLICE_S, 1, {Outcome.UNAVAILABLE: 1})
    ]


@pytest.mark.parametrize(
    ("fault", "refusal"),
    [(RateLimited("slow down", retry_after_s=600.0), BudgetSpent), (KeyRefused("no"), CircuitOpen)],
    ids=["a wait", "an open circuit"],
)
@pytest.mark.parametrize("concurrency", [50, None])
def test_a_slot_some_seconds_ahead_is_not_used_when_the_source_has_refused_another_request_since(
    fault: ProviderError, refusal: type[ProviderError], concurrency: int | None
) -> None:
    """The state was read when the slot was taken, and the request sent as long after the refusal as the queue was."""
    table = HotTable(Clock())
    first, second = Process(table), Process(table, "b")
    limits = replace(plus_limits(), concurrency=concurrency)

    def waiting() -> None:
        first.fill_until(6.0)
        with pytest.raises(refusal):
            first.send(limits=limits)

    def refused() -> None:
        with pytest.raises(type(fault)):
            second.send(limits=limits, fault=fault)

    ends = table.clock.run([Task(work=refused), Task(work=waiting, at=0.1)])
    for end in ends:
        end.result()
    assert first.sent == []
