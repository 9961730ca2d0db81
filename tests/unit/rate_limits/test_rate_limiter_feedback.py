"""Response headers and failures of one request affect the permits of all callers."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from shared.errors import BudgetSpent, CircuitOpen, KeyRefused, RateLimited, RequestRejected, Unavailable
from shared.rate_limits.limits import Limits, RateLimitHeaders, rate_headers
from shared.rate_limits.state import VersionedState
from tests.unit.rate_limits.rate_limiter_setup import SimulatedProvider, most_in_a_window


def test_headers_that_make_the_limit_stricter_hold_for_all_processes() -> None:
    provider = SimulatedProvider(Limits(requests=10, window_s=1.0), processes=2)

    def first() -> None:
        provider.ask(provider.processes[0], takes_s=0.0, headers={"limit": "1", "interval": "2s"})

    def later() -> None:
        provider.sleep(5.0)
        provider.ask(provider.processes[1], takes_s=0.0)

    provider.run(first, *[later] * 4)
    assert most_in_a_window(provider.arrived, 2.0) == 1


def test_unchanged_headers_are_not_written_again() -> None:
    provider = SimulatedProvider(Limits(requests=10, window_s=1.0))

    def thrice() -> None:
        for _ in range(3):
            provider.ask(provider.processes[0], headers={"limit": "5", "interval": "1s"})

    provider.run(thrice)
    assert provider.table.writes == 4


def test_a_retry_after_holds_for_all_callers_even_with_a_permit() -> None:
    provider = SimulatedProvider(Limits(requests=1, window_s=1.0), processes=3)
    late: list[BudgetSpent] = []

    def refused() -> None:
        with pytest.raises(RateLimited):
            provider.ask(provider.processes[0], fault=RateLimited("slow down", retry_after_s=600.0))

    def waiting() -> None:
        provider.sleep(0.01)
        with pytest.raises(BudgetSpent) as caught:
            provider.ask(provider.processes[1])
        late.append(caught.value)

    provider.run(refused, *[waiting] * 3)
    assert len(provider.arrived) == 1
    assert all(590 < (error.retry_after_s or 0) <= 600 for error in late)
    assert provider.table.seen.state.budget.in_flight == {}


def test_after_five_failures_no_request_is_sent_and_then_a_single_probe() -> None:
    provider = SimulatedProvider(Limits(requests=50, window_s=1.0), processes=5, way_s=0.004)
    outage = Unavailable("down", status=503)

    def first(number: int) -> None:
        with pytest.raises(Unavailable):
            provider.ask(provider.processes[number], fault=outage)

    opened: list[float] = []

    def later(number: int) -> None:
        provider.sleep(31.0)
        try:
            provider.ask(provider.processes[number % 5], takes_s=1.0)
        except CircuitOpen:
            opened.append(provider.clock.time())

    provider.run(*[lambda number=number: first(number) for number in range(5)])
    provider.run(*[lambda number=number: later(number) for number in range(20)])
    assert len(provider.arrived) == 6
    assert len(opened) == 19
    assert max(opened) - min(opened) < 0.2
    assert provider.table.seen.state.circuit.open_until is None


def test_a_caller_that_waits_for_its_permit_notices_an_opened_circuit() -> None:
    provider = SimulatedProvider(Limits(requests=5, window_s=10.0), processes=2)

    def failing() -> None:
        with pytest.raises(Unavailable):
            provider.ask(provider.processes[0], fault=Unavailable("down"))

    def waiting() -> None:
        provider.sleep(0.1)
        with pytest.raises(CircuitOpen, match="last requests failed"):
            provider.ask(provider.processes[1])

    provider.run(*[failing] * 5, *[waiting] * 3)
    assert len(provider.arrived) == 5
    assert len(provider.table.seen.state.budget.permits) == 5


def test_a_rejected_key_is_reported_as_such() -> None:
    provider = SimulatedProvider(Limits(requests=5, window_s=1.0))

    def twice() -> None:
        with pytest.raises(KeyRefused):
            provider.ask(provider.processes[0], fault=KeyRefused("no"))
        with pytest.raises(CircuitOpen, match="set a valid key") as caught:
            provider.ask(provider.processes[0])
        assert caught.value.retry_after_s == pytest.approx(600, abs=1)

    provider.run(twice)


def test_a_caller_with_an_outdated_open_circuit_reads_the_state_before_it_gives_up() -> None:
    provider = SimulatedProvider(Limits(requests=5, window_s=1.0))

    def refused() -> None:
        with pytest.raises(KeyRefused):
            provider.ask(provider.processes[0], fault=KeyRefused("no"))

    provider.run(refused)
    provider.table.seen = VersionedState(version=provider.table.seen.version + 1)  # another process has closed it since
    provider.run(lambda: provider.ask(provider.processes[0]))
    assert len(provider.arrived) == 2


def test_a_rejected_request_releases_its_slot_and_does_not_change_the_circuit() -> None:
    provider = SimulatedProvider(Limits(requests=50, window_s=1.0, concurrency=1))

    def often() -> None:
        for _ in range(8):
            with pytest.raises(RequestRejected):
                provider.ask(provider.processes[0], fault=RequestRejected("wrong"))

    provider.run(often)
    assert len(provider.arrived) == 8
    assert provider.table.seen.state.budget.in_flight == {}


def test_a_response_without_limit_headers_causes_no_write() -> None:
    assert rate_headers("limit")({}, datetime.now(UTC)) == RateLimitHeaders()
