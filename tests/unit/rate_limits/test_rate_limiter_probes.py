"""A wait that a response asked for, however long, is checked by one request an hour, which corrects it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import pairwise

import pytest

from functions.providers.openalex import read_limits as read_credits
from shared.errors import BudgetSpent, CircuitOpen, ProviderTimeout, RateLimited
from shared.rate_limits.circuit_breaker import Circuit, Reason
from shared.rate_limits.limits import Charge, Limits
from shared.rate_limits.state import ProviderState, VersionedState, public_status
from tests.unit.rate_limits.rate_limiter_setup import SimulatedProvider, SlowStore
from tests.virtual_time import START_S

HOUR_S, DAY_S = 3_600.0, 86_400.0
TEN_A_SECOND = Limits(requests=10, window_s=1.0)
SPENT = {"x-ratelimit-limit": "1000", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "86400"}
IN_2083 = {**SPENT, "x-ratelimit-reset": "3565728000"}
RENEWED = {"x-ratelimit-limit": "1000", "x-ratelimit-remaining": "1000", "x-ratelimit-reset": "86400"}


def provider_of(processes: int = 1) -> SimulatedProvider:
    return SimulatedProvider(TEN_A_SECOND, processes=processes, way_s=0.004, read_limits=read_credits)


def every(provider: SimulatedProvider, wait_s: float, until_s: float, ask: Callable[[], object]) -> None:
    """Ask at these intervals, and go on when the provider is not asked."""
    while provider.clock.time() < START_S + until_s:
        with suppress(BudgetSpent, RateLimited):
            ask()
        provider.clock.sleep(wait_s)


@pytest.mark.slow
@pytest.mark.parametrize("headers", [SPENT, IN_2083], ids=["a day", "until 2083"])
def test_spent_credits_let_one_request_an_hour_through(headers: Mapping[str, str]) -> None:
    provider = provider_of(processes=3)
    provider.run(*[
        lambda limiter=limiter: every(provider, 60.0, DAY_S, lambda: provider.ask(limiter, headers=headers))
        for limiter in provider.processes
    ])  # fmt: skip
    first = [moment for moment in provider.arrived if moment < START_S + 60]
    later = provider.arrived[len(first) :]
    assert 22 <= len(later) <= 24
    assert all(HOUR_S - 1 <= one - other <= HOUR_S + 120 for other, one in pairwise([first[-1], *later]))


def test_a_request_that_finds_the_credits_renewed_opens_the_provider_to_all() -> None:
    provider = provider_of(processes=2)

    def then() -> None:
        provider.ask(provider.processes[0], headers=IN_2083)
        with pytest.raises(BudgetSpent, match="allowance is spent") as caught:
            provider.ask(provider.processes[1])
        assert 0 < (caught.value.retry_after_s or 0) <= DAY_S
        provider.clock.sleep(HOUR_S + 1)
        provider.ask(provider.processes[0], headers=RENEWED)
        for _ in range(5):
            provider.ask(provider.processes[1], headers=RENEWED)

    provider.run(then)
    assert len(provider.arrived) == 7


def test_an_answer_without_credits_lifts_the_wait_too() -> None:
    provider = provider_of()

    def then() -> None:
        provider.ask(provider.processes[0], headers=SPENT)
        provider.clock.sleep(HOUR_S + 1)
        provider.ask(provider.processes[0], headers={**SPENT, "x-ratelimit-prepaid-remaining-usd": "20"})
        provider.ask(provider.processes[0])

    provider.run(then)
    budget = public_status(provider.table.seen.state, TEN_A_SECOND, provider.clock.time())["budget"]
    assert (budget["credits_left"], budget["credits_reset_at"]) == (None, None)


def test_the_reset_is_corrected_although_the_credits_are_still_spent() -> None:
    provider = provider_of()

    def then() -> None:
        provider.ask(provider.processes[0], headers=IN_2083)
        provider.clock.sleep(HOUR_S + 1)
        provider.ask(provider.processes[0], headers={**SPENT, "x-ratelimit-reset": "600"})
        with pytest.raises(BudgetSpent) as caught:
            provider.ask(provider.processes[0])
        assert caught.value.retry_after_s == pytest.approx(600, abs=2)
        provider.clock.sleep(601)
        provider.ask(provider.processes[0])

    provider.run(then)
    assert len(provider.arrived) == 3


def test_of_many_callers_in_several_processes_one_sends_the_request() -> None:
    provider = provider_of(processes=5)
    refused: list[BudgetSpent] = []

    def first() -> None:
        with pytest.raises(RateLimited):
            provider.ask(provider.processes[0], fault=RateLimited("slow down", retry_after_s=DAY_S))

    def later(number: int) -> None:
        provider.sleep(HOUR_S + 1)
        try:
            provider.ask(provider.processes[number % 5], takes_s=5.0)
        except BudgetSpent as error:
            refused.append(error)

    provider.run(first)
    provider.run(*[lambda number=number: later(number) for number in range(20)])
    assert len(provider.arrived) == 2
    assert len(refused) == 19
    provider.run(lambda: provider.ask(provider.processes[3]))  # it was answered: the wait is over for all


def test_a_shorter_wait_in_a_response_replaces_the_longer_one() -> None:
    provider = provider_of()

    def then() -> None:
        for wait_s in (DAY_S, 60.0):
            with pytest.raises(RateLimited):
                provider.ask(provider.processes[0], fault=RateLimited("slow down", retry_after_s=wait_s))
            provider.clock.sleep(HOUR_S + 1 if wait_s == DAY_S else 61)
        provider.ask(provider.processes[0])

    provider.run(then)
    assert len(provider.arrived) == 3


def test_a_request_that_learns_nothing_leaves_the_wait_as_it_was() -> None:
    provider = provider_of()

    def then() -> None:
        with pytest.raises(RateLimited):
            provider.ask(provider.processes[0], fault=RateLimited("slow down", retry_after_s=DAY_S))
        provider.clock.sleep(HOUR_S + 1)
        with pytest.raises(ProviderTimeout):
            provider.ask(provider.processes[0], fault=ProviderTimeout("no answer"))
        with pytest.raises(BudgetSpent):
            provider.ask(provider.processes[0])

    provider.run(then)
    assert len(provider.arrived) == 2


def test_a_scheduled_search_sends_the_request_as_well() -> None:
    provider = provider_of()

    def then() -> None:
        provider.ask(
            provider.processes[0], headers={**SPENT, "x-ratelimit-remaining": "10"}
        )  # only the reserve is left
        with pytest.raises(BudgetSpent, match="for scheduled searches"):
            provider.ask(provider.processes[0], scheduled=True)
        provider.clock.sleep(HOUR_S + 1)
        provider.ask(provider.processes[0], scheduled=True, headers=RENEWED)

    provider.run(then)
    assert len(provider.arrived) == 2


def test_a_rate_of_one_request_a_day_lets_one_an_hour_through() -> None:
    provider = SimulatedProvider(TEN_A_SECOND)
    headers = {"limit": "1", "interval": "9999999s"}
    provider.run(lambda: every(
        provider, 60.0, 5 * HOUR_S, lambda: provider.ask(provider.processes[0], headers=headers)
    ))  # fmt: skip
    assert all(one - other <= HOUR_S + 120 for other, one in pairwise(provider.arrived))
    assert 4 <= len(provider.arrived) <= 6


def test_a_probe_whose_process_was_frozen_leaves_the_probe_that_another_one_has_sent_since() -> None:
    """It gave its own back, and with it the other's: a third process sent a request to a source that was down."""
    provider = SimulatedProvider(TEN_A_SECOND, processes=3)
    frozen, second, third = provider.processes
    clock = provider.clock

    def opened() -> None:
        down = Circuit(open_until=clock.time(), open_s=30.0, reason=Reason.OUTAGE)
        provider.table.seen = VersionedState(ProviderState(circuit=down), version=1)

    def freeze() -> None:
        with pytest.MonkeyPatch.context() as patch, suppress(BudgetSpent, CircuitOpen):
            swap = SlowStore.swap

            def slow(store: SlowStore, seen: VersionedState, new: ProviderState) -> VersionedState | None:
                patch.undo()
                answer = swap(store, seen, new)
                clock.sleep(20.0)
                return answer

            frozen._permits._store.read()
            patch.setattr(SlowStore, "swap", slow)
            provider.ask(frozen)

    def probe() -> None:
        clock.sleep(18.0)
        provider.ask(second, takes_s=5.0)

    def later() -> None:
        clock.sleep(21.0)
        with pytest.raises(CircuitOpen):
            provider.ask(third)

    provider.run(opened)
    provider.run(freeze, probe, later)
    assert len(provider.arrived) == 1


def test_an_unsent_probe_leaves_the_wait_that_another_response_has_stated_since() -> None:
    """The next one was due at once, as if only the unsent probe had been counted."""
    provider = provider_of()
    limiter = provider.processes[0]

    def free() -> None:
        provider.clock.sleep(HOUR_S + 1.5)
        with pytest.raises(RateLimited):
            fault = RateLimited("slow down", retry_after_s=600.0)
            provider.ask(limiter, takes_s=0.1, charge=Charge.FREE, fault=fault)

    def slow() -> None:
        provider.ask(limiter, headers=SPENT, charge=Charge.CHARGED)
        provider.clock.sleep(HOUR_S + 1)
        deadline = provider.clock.time() + 15.0
        time_left = lambda: deadline - provider.clock.time()  # noqa: E731
        with limiter.permit(provider.limits, time_left, charge=Charge.CHARGED) as granted:
            provider.clock.sleep(0.7)
            with pytest.raises(BudgetSpent):
                granted.confirm()

    provider.run(slow, free)
    assert len(provider.arrived) == 2
