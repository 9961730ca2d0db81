"""What costs none of the day's allowance goes on when that is spent: OpenAlex's single works beside its searches."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress

import pytest

from functions.providers.openalex import SPEC
from functions.providers.openalex import read_limits as read_credits
from shared.errors import BudgetSpent, RateLimited, Unavailable
from shared.rate_limits.circuit_breaker import FAILURES
from shared.rate_limits.limits import Charge, Limits, charge_of
from shared.rate_limits.state import VersionedState, public_status
from shared.rate_limits.stored_state import state_from_json, state_to_json
from tests.unit.rate_limits.rate_limiter_setup import SimulatedProvider
from tests.virtual_time import START_S

HOUR_S, HOURS_S = 3_600.0, 47_052.0
TEN_A_SECOND = Limits(requests=10, window_s=1.0)
SPENT = RateLimited("429", retry_after_s=HOURS_S)
FREE, CHARGED = Charge.FREE, Charge.CHARGED


class Works(SimulatedProvider):
    """Two processes that send OpenAlex searches (CHARGED) and requests for single works (FREE)."""

    def __init__(self) -> None:
        super().__init__(TEN_A_SECOND, processes=2, way_s=0.004, read_limits=read_credits)

    def send(
        self,
        charge: Charge,
        *,
        process: int = 0,
        fault: Exception | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.ask(self.processes[process], charge=charge, fault=fault, headers=headers)

    def fails(self, charge: Charge, fault: Exception) -> None:
        with pytest.raises(type(fault)):
            self.send(charge, fault=fault)

    def refuses(self, charge: Charge, *, process: int = 1) -> BudgetSpent:
        with pytest.raises(BudgetSpent) as caught:
            self.send(charge, process=process)
        return caught.value


def credits_of(left: int, reset_s: float) -> dict[str, str]:
    return {"x-ratelimit-limit": "1000", "x-ratelimit-remaining": str(left), "x-ratelimit-reset": str(round(reset_s))}


@pytest.mark.parametrize(
    ("path", "charge"),
    [
        ("/works", CHARGED),
        ("/sources", CHARGED),
        ("/works/W1", FREE),
        ("/works/doi:10.1%2Fx", FREE),
        ("/autocomplete/sources", FREE),
    ],
)
def test_openalex_declares_single_works_and_autocompletion_as_free(path: str, charge: Charge) -> None:
    assert charge_of(SPEC, path) is charge


def test_a_search_that_is_refused_for_hours_stops_searches_of_all_processes_and_no_single_work() -> None:
    works = Works()

    def then() -> None:
        works.fails(CHARGED, SPENT)
        error = works.refuses(CHARGED)
        assert "the daily allowance is spent" in error.message
        assert error.retry_after_s == pytest.approx(HOURS_S, abs=2)
        for process in (0, 1):
            works.send(FREE, process=process)

    works.run(then)
    assert len(works.arrived) == 3


def test_the_spent_allowance_survives_the_table_and_is_shown() -> None:
    works = Works()
    works.run(lambda: works.fails(CHARGED, SPENT))
    stored = json.loads(json.dumps(state_to_json(works.table.seen.state)))
    works.table.seen = VersionedState(state_from_json(stored, works.clock.time()), 9)
    shown = public_status(works.table.seen.state, TEN_A_SECOND, works.clock.time())
    assert shown["circuit"]["state"] == "closed"
    assert (shown["budget"]["credits_left"], shown["budget"]["left_now"]) == (0, 0)
    assert shown["budget"]["credits_reset_at"] is not None
    works.run(lambda: works.refuses(CHARGED), lambda: works.send(FREE))


def test_many_concurrent_searches_that_are_refused_for_hours_do_not_open_the_circuit() -> None:
    works = Works()

    def search() -> None:
        with suppress(BudgetSpent, RateLimited):
            works.send(CHARGED, fault=SPENT)

    works.run(*[search] * 20)
    assert len(works.arrived) >= FAILURES
    works.run(lambda: works.send(FREE))
    assert works.table.seen.state.circuit.open_until is None


def test_credits_that_headers_state_as_spent_stop_no_single_work_either() -> None:
    works = Works()

    def then() -> None:
        works.send(CHARGED, headers=credits_of(0, 600))
        works.refuses(CHARGED)
        works.send(FREE, headers=credits_of(0, 600))

    works.run(then)


def test_a_single_works_headers_with_too_few_credits_for_a_search_do_not_let_searches_through() -> None:
    works = Works()

    def then() -> None:
        works.fails(CHARGED, SPENT)
        works.send(FREE, headers=credits_of(3, HOURS_S))
        works.refuses(CHARGED)

    works.run(then)


def test_one_search_an_hour_checks_and_a_success_opens_searches_again() -> None:
    works = Works()

    def then() -> None:
        works.fails(CHARGED, SPENT)
        works.clock.sleep(HOUR_S + 1)
        works.send(FREE)  # no probe, and no proof of credits
        works.send(CHARGED, headers=credits_of(1000, HOURS_S - HOUR_S))
        works.send(CHARGED)

    works.run(then)
    assert len(works.arrived) == 4


@pytest.mark.parametrize(
    ("charge", "fault"),
    [
        pytest.param(CHARGED, RateLimited("429", retry_after_s=20.0), id="too many requests a second"),
        pytest.param(CHARGED, Unavailable("503", retry_after_s=120.0), id="an outage"),
        pytest.param(FREE, SPENT, id="a single work that is refused for hours"),
        pytest.param(Charge.UNKNOWN, SPENT, id="a provider without free requests"),
    ],
)
def test_any_other_wait_holds_for_all_requests(charge: Charge, fault: Exception) -> None:
    works = Works()

    def then() -> None:
        works.fails(charge, fault)
        for one in Charge:
            works.refuses(one)

    works.run(then)
    assert len(works.arrived) == 1


def test_a_free_request_that_checks_a_wait_leaves_the_credits_as_they_were() -> None:
    works = Works()

    def then() -> None:
        works.fails(CHARGED, SPENT)
        works.fails(FREE, Unavailable("503", retry_after_s=HOURS_S))
        works.clock.sleep(HOUR_S + 1)
        works.send(FREE)
        works.send(FREE)
        works.refuses(CHARGED, process=0)

    works.run(then)
    assert works.clock.time() - START_S > HOUR_S
