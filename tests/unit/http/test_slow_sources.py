"""Sources that are slow or endless, over real sockets: the leg ends, says how, and holds nothing afterwards."""

from __future__ import annotations

import gc
import time
import tracemalloc
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from pytest_httpserver import HTTPServer

from shared.errors import CutOff, ProviderError, Unavailable
from shared.outcomes import Outcome
from shared.providers.bounded_transport import MAX_BODY_BYTES
from shared.providers.deadline_sockets import HEAD_READ_BYTES, MAX_HEAD_BYTES
from shared.providers.http_client import Client
from shared.rate_limits.circuit_breaker import FAILURES
from shared.rate_limits.limits import Limits
from shared.rate_limits.rate_limiter import RateLimiter
from shared.rate_limits.state import MemoryStore
from tests.simulations.slow_server import SlowServer, slow_server
from tests.simulations.slow_ways import WAYS
from tests.unit.http.test_http_client_permits import Permits
from tests.unit.http.timed_client import client

pytestmark = pytest.mark.slow  # sources that are slow or without end

SHORT_S, LONGER_S = 0.4, 4.0


def error_of(server: SlowServer, way: str) -> ProviderError:
    """How a request ends that the source answers in this way; what needs no deadline to end gets a long one.

    Only in a handshake can a source keep from being reached: else the machine was too busy, and gets longer.
    """
    error = _error_within(SHORT_S if WAYS[way].outcome == "timeout" else 30.0, server, way)
    is_too_busy = WAYS[way].scheme == "http" and "could not be reached in time" in str(error)
    return _error_within(LONGER_S, server, way) if is_too_busy else error


def _error_within(seconds: float, server: SlowServer, way: str) -> ProviderError:
    asking = client(server.url(way), seconds=seconds)
    with asking.http, pytest.raises(ProviderError) as caught:
        asking.request("GET", "/x", follow_redirects=True)
    return caught.value


def ended(way: str) -> tuple[ProviderError, bool]:
    """How a request ends, and whether the client has closed the connection: the source would have gone on."""
    with slow_server(way) as server:
        error = error_of(server, way)
        return error, server.all_closed(way) and not server.over.is_set()


def waits(way: str) -> bool:
    """Whether the leg does nothing but wait for its deadline."""
    return WAYS[way].outcome == "timeout" and "flood" not in way


@pytest.fixture(scope="module")
def waited() -> Mapping[str, tuple[ProviderError, bool]]:
    """How the requests end that wait for their deadline, all at a time."""
    ways = list(filter(waits, WAYS))
    with ThreadPoolExecutor(len(ways)) as pool:
        return dict(zip(ways, pool.map(ended, ways), strict=True))


@pytest.mark.parametrize("way", WAYS)
def test_a_leg_ends_whatever_arrives(way: str, waited: Mapping[str, tuple[ProviderError, bool]]) -> None:
    error, closed = waited[way] if waits(way) else ended(way)
    assert closed
    assert error.outcome is Outcome(WAYS[way].outcome)
    known = isinstance(error, Unavailable | CutOff)  # the circuit counts these anyway
    assert (error.endless or known) is WAYS[way].evidence


@pytest.mark.parametrize(
    ("way", "opens"),
    [("header lines, in a flood", True), ("100 Continue, dripping", True), ("silence", False),
     ("redirect to another host", False)],
)  # fmt: skip
def test_the_circuit_hears_of_what_has_no_end_however_short_the_time(way: str, opens: bool) -> None:
    store = MemoryStore()
    provider = RateLimiter("Testing", store, now=time.time, sleep=time.sleep, jitter=lambda: 0.5, process_id="p")
    limits = Limits(requests=1000, window_s=1.0, concurrency=1)

    def limited(asking: Client) -> Client:
        return replace(asking, permit=lambda _: provider.permit(limits, asking.time_left))

    with slow_server(way) as server:
        for _ in range(FAILURES):
            asking = limited(client(server.url(way), seconds=SHORT_S))
            with asking.http, pytest.raises(ProviderError):
                asking.request("GET", "/x", follow_redirects=True)
    assert (provider.state.circuit.open_until is not None) is opens
    assert not provider.state.budget.in_flight  # each slot was given back


def test_each_redirect_on_the_same_host_uses_the_connection_and_a_permit_of_its_own() -> None:
    permits = Permits()
    with slow_server("redirect to itself") as server:
        asking = replace(client(server.url("redirect to itself")), permit=permits)
        with asking.http, pytest.raises(ProviderError, match="redirected more than 3 times"):
            asking.request("GET", "/x", follow_redirects=True)
        assert len(permits.reported) == 4
        assert server.requests["redirect to itself"] == 4
        assert server.connections["redirect to itself"] == 1


@pytest.mark.slow
def test_too_large_bodies_are_freed_before_the_next_garbage_collection() -> None:
    with slow_server("body, in a flood") as server:
        error_of(server, "body, in a flood")  # what is made once
        gc.collect()
        gc.disable()
        tracemalloc.start()
        try:
            for _ in range(3):
                assert error_of(server, "body, in a flood").outcome is Outcome.BAD_RESPONSE
            kept, _ = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
            gc.enable()
    assert kept < MAX_BODY_BYTES / 2


def test_the_error_of_a_redirect_elsewhere_names_the_host_alone() -> None:
    with slow_server("redirect to another host") as server:
        error = error_of(server, "redirect to another host")
    assert error.message == "Testing redirected to another host (http://localhost), which is not followed"


def test_no_cookie_of_a_source_is_sent_back(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/x").respond_with_json([1], headers={"Set-Cookie": "a=b; Path=/"})
    asking = client(httpserver)
    assert [asking.get_json("/x"), asking.get_json("/x")] == [[1], [1]]
    assert ["cookie" in request.headers for request, _ in httpserver.log] == [False, False]


def test_the_deadline_is_looked_at_after_every_few_kilobytes_before_the_headers_end() -> None:
    with slow_server("100 Continue, in a flood") as server:
        looks: list[float] = []
        asking = client(server.url("100 Continue, in a flood"), seconds=30.0)
        left = asking.time_left
        counted = replace(asking, time_left=lambda: looks.append(0) or left())  # type: ignore[func-returns-value]
        with asking.http, pytest.raises(ProviderError):
            counted.request("GET", "/x")
    assert len(looks) >= MAX_HEAD_BYTES // HEAD_READ_BYTES
