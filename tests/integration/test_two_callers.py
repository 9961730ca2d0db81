"""Two callers over HTTP: no text of one in the other's answer, completeness never lost, cursors continue."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
from hypothesis import HealthCheck, given, settings

from infra.local.gateway import application
from infra.local.machine import machine
from infra.local.sandbox.server import Sandbox
from tests.http_server import serving
from tests.simulations.two_callers import PAIRS, UNLIMITED, Ask, Callers, unshared_failures

FEW, MANY = 6, 300


@pytest.fixture(scope="module")
def callers() -> Iterator[Callers]:
    with pytest.MonkeyPatch.context() as environment:
        for name, value in UNLIMITED.items():
            environment.setenv(name, value)
        sandbox = Sandbox(faults={})
        with (
            machine(sandbox=sandbox) as local,
            unshared_failures(),
            serving(application(local)) as address,
            httpx.Client(base_url=address, timeout=30) as client,
        ):
            yield Callers(client, sandbox)


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
