"""Each operation of each provider against sources that are slow or endless, through the provider's own handler."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from infra.functions import provider_names
from tests.simulations.slow_legs import Leg, addressed_by_thread, circuit_opens, every_leg, is_expected, run_leg
from tests.simulations.slow_server import SlowServer, slow_server
from tests.simulations.slow_ways import WAYS

pytestmark = pytest.mark.slow  # sources that are slow or without end

SAMPLE = ("100 Continue, dripping", "chunk extension, dripping", "gzip bomb in gzip", "redirect to another host")
SHORT_S = 0.5


@pytest.fixture(scope="module")
def server() -> Iterator[SlowServer]:
    with slow_server(*SAMPLE) as running, addressed_by_thread():
        yield running


@pytest.mark.parametrize(
    "leg",
    [
        pytest.param(leg, marks=() if leg.provider == "openalex" else pytest.mark.slow, id=str(leg))
        for leg in every_leg(provider_names(), SAMPLE)
    ],
)
def test_every_operation_of_every_provider_ends(server: SlowServer, leg: Leg) -> None:
    ended = run_leg(server, leg, SHORT_S if WAYS[leg.way].outcome == "timeout" else 15.0)
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
