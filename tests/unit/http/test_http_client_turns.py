"""How a client takes a turn for each request, and what it tells of it."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace

import pytest
from pytest_httpserver import HTTPServer

from shared.errors import BudgetSpent, CircuitOpen, ProviderError, ProviderTimeout, RateLimited, Unavailable
from tests.unit.http.timed_client import Clock, client


class Turns:
    """Turns that note what they are told; the later ones may be refused."""

    def __init__(self, *refusals: ProviderError | None) -> None:
        self.refusals = [*refusals]
        self.told: list[tuple[str, str | None]] = []

    def __call__(self) -> AbstractContextManager[Callable[[Mapping[str, str]], None]]:
        return self._turn()

    @contextmanager
    def _turn(self) -> Iterator[Callable[[Mapping[str, str]], None]]:
        if self.refusals and (refusal := self.refusals.pop(0)):
            raise refusal
        headers: dict[str, str] = {}
        fault: str | None = None
        try:
            yield headers.update
        except ProviderError as error:
            fault = type(error).__name__
            raise
        finally:
            self.told.append((headers.get("x-limit", ""), fault))


def test_every_attempt_has_a_turn_of_its_own_that_is_told_headers_and_fault(httpserver: HTTPServer) -> None:
    httpserver.expect_ordered_request("/x").respond_with_data("", status=429, headers={"X-Limit": "3"})
    httpserver.expect_ordered_request("/x").respond_with_json([1], headers={"X-Limit": "5"})
    turns = Turns()
    assert replace(client(httpserver, Clock(15)), permit=turns).get_json("/x") == [1]
    assert turns.told == [("3", "RateLimited"), ("5", None)]


def test_a_turn_is_told_of_the_fault_that_a_body_holds(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/x").respond_with_data("slow down", headers={"Retry-After": "47052"})
    turns = Turns()
    with pytest.raises(RateLimited) as caught:
        replace(client(httpserver, Clock(15)), permit=turns).request(
            "GET", "/x", read_error=lambda _: RateLimited("no")
        )
    assert turns.told == [("", "RateLimited")]
    assert caught.value.retry_after_s == 47052


@pytest.mark.parametrize("refusal", [BudgetSpent("no turn"), CircuitOpen("at rest")], ids=["budget", "circuit"])
def test_without_a_turn_nothing_is_sent_and_nothing_is_tried_again(
    httpserver: HTTPServer, refusal: ProviderError
) -> None:
    clock = Clock(15)
    with pytest.raises(type(refusal)):
        replace(client(httpserver, clock), turn=Turns(refusal)).get_json("/x")
    assert (len(httpserver.log), clock.slept) == (0, [])


@pytest.mark.parametrize(
    ("headers", "seconds"), [({}, 30.0), ({"Retry-After": "2"}, 2.0)], ids=["the rest's time", "its own time"]
)
def test_a_repetition_without_a_turn_leaves_the_first_fault_standing(
    httpserver: HTTPServer, headers: dict[str, str], seconds: float
) -> None:
    httpserver.expect_request("/x").respond_with_data("", status=503, headers=headers)
    turns = Turns(None, CircuitOpen("at rest", retry_after_s=30.0))
    with pytest.raises(Unavailable, match="HTTP 503") as caught:
        replace(client(httpserver, Clock(15)), permit=turns).get_json("/x")
    assert caught.value.retry_after_s == seconds
    assert len(httpserver.log) == 1


def test_time_that_ran_out_while_waiting_for_the_turn_is_a_timeout(httpserver: HTTPServer) -> None:
    clock = Clock(1)

    @contextmanager
    def late() -> Iterator[Callable[[Mapping[str, str]], None]]:
        clock.sleep(2)
        yield lambda _: None

    with pytest.raises(ProviderTimeout, match="not asked in time"):
        replace(client(httpserver, clock), turn=late).get_json("/x")
    assert len(httpserver.log) == 0


def test_no_connection_within_a_short_time_is_the_callers_timeout_and_no_outage() -> None:
    listener = socket.create_server(("127.0.0.1", 0), backlog=0)
    port = listener.getsockname()[1]
    waiting = [socket.socket() for _ in range(4)]
    for one in waiting:  # fills the queue, so that the next connection is not answered
        one.setblocking(False)
        one.connect_ex(("127.0.0.1", port))
    try:
        with pytest.raises(ProviderTimeout, match="could not be reached in time"):
            client(f"http://127.0.0.1:{port}", seconds=0.3).get_json("/x")
    finally:
        for one in [*waiting, listener]:
            one.close()
