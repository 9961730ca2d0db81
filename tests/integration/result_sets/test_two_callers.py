"""Two callers over HTTP: no text of one in the other's answer, completeness never lost, cursors continue."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings

from tests.simulations.two_callers import PAIRS, Ask, Callers, two_callers

pytestmark = pytest.mark.slow  # pairs of random requests

FEW, MANY = 6, 300


@pytest.fixture(scope="module")
def callers() -> Iterator[Callers]:
    with two_callers() as both:
        yield both


@given(pair=PAIRS)
@settings(max_examples=FEW, suppress_health_check=list(HealthCheck))
def test_neither_of_two_callers_sees_what_the_other_typed(callers: Callers, pair: tuple[Ask, Ask]) -> None:
    callers.check(*pair)


@pytest.mark.slow
@given(pair=PAIRS)
@settings(max_examples=MANY, suppress_health_check=list(HealthCheck))
def test_neither_of_two_callers_sees_what_the_other_typed_in_many_pairs(
    callers: Callers, pair: tuple[Ask, Ask]
) -> None:
    callers.check(*pair)
