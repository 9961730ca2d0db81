"""Each operation of each provider against sources that are slow or endless, through the provider's own handler."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor

import pytest

from infra.functions import provider_names
from tests.simulations.slow_legs import (
    Ended,
    Leg,
    addressed_by_thread,
    circuit_opens,
    every_leg,
    is_expected,
    run_leg,
)
from tests.simulations.slow_server import SlowServer, slow_server
from tests.simulations.slow_ways import WAYS

pytestmark = pytest.mark.slow  # sources that are slow or without end

SAMPLE = ("100 Continue, dripping", "chunk extension, dripping", "gzip bomb in gzip", "redirect to another host")
LEGS = list(every_leg(provider_names(), SAMPLE))
SHORT_S = 0.5
AT_ONCE = 16  # of the legs that do nothing but wait for their deadline


@pytest.fixture(scope="module")
def server() -> Iterator[SlowServer]:
    with slow_server(*SAMPLE) as running, addressed_by_thread():
        yield running


def waits(leg: Leg) -> bool:
    return WAYS[leg.way].outcome == "timeout"


@pytest.fixture(scope="module")
def waited(server: SlowServer) -> Mapping[Leg, Ended]:
    """How the legs end that wait for their deadline, many at a time."""
    legs = list(filter(waits, LEGS))
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return dict(zip(legs, pool.map(lambda leg: run_leg(server, leg, SHORT_S), legs), strict=True))


@pytest.mark.parametrize("leg", [pytest.param(leg, id=str(leg)) for leg in LEGS])
def test_every_operation_of_every_provider_ends(server: SlowServer, waited: Mapping[Leg, Ended], leg: Leg) -> None:
    ended = waited[leg] if waits(leg) else run_leg(server, leg, 15.0)
    assert is_expected(ended)
    assert ended.warning
    assert WAYS[leg.way].complete or server.all_closed(leg.way)


@pytest.mark.parametrize(
    ("provider", "way", "opens"),
    [
        ("openalex", "100 Continue, dripping", True), ("openalex", "gzip bomb in gzip", True),
        ("openalex", "redirect to another host", False), ("europe_pmc_text", "100 Continue, dripping", True),
        ("arxiv_text", "100 Continue, dripping", True),
    ],
)  # fmt: skip
def test_a_source_without_end_opens_its_circuit(server: SlowServer, provider: str, way: str, opens: bool) -> None:
    seconds = SHORT_S if WAYS[way].outcome == "timeout" else 15.0
    assert circuit_opens(server, provider, way, seconds) is opens
