"""The client takes a permit for each request and reports headers and errors to it."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace

import pytest
from pytest_httpserver import HTTPServer

from shared.errors import BudgetSpent, CircuitOpen, ProviderError, ProviderTimeout, RateLimited, Unavailable
from shared.providers.http_client import RequestId
from tests.unit.http.timed_client import Clock, client


class Permits:
    """Permits that record the reported headers and errors; some may be refused."""

    def __init__(self, *refusals: ProviderError | None) -> None:
        self.refusals = [*refusals]
        self.reported: list[tuple[str, str | None]] = []
        self.requests: list[RequestId] = []

    def __call__(self, request: RequestId) -> AbstractContextManager[Callable[[Mapping[str, str]], None]]:
        self.requests.append(request)
        return self._permit()

    @contextmanager
    def _permit(self) -> Iterator[Callable[[Mapping[str, str]], None]]:
        if self.refusals and (refusal := self.refusals.pop(0)):
            raise refusal
        headers: dict[str, str] = {}
        failure: str | None = None
        try:
            yield headers.update
        except ProviderError as error:
            failure = type(error).__name__
            raise
        finally:
            self.reported.append((headers.get("x-limit", ""), failure))


def test_every_attempt_takes_a_permit_and_reports_headers_and_error(httpserver: HTTPServer) -> None:
    httpserver.expect_ordered_request("/x").respond_with_data("", status=429, headers={"X-Limit": "3"})
    httpserver.expect_ordered_request("/x").respond_with_json([1], headers={"X-Limit": "5"})
    permits = Permits()
    assert replace(client(httpserver, Clock(15)), permit=permits).get_json("/x") == [1]
    assert permits.reported == [("3", "RateLimited"), ("5", None)]


def test_a_permit_gets_the_path_and_a_digest_that_differs_between_requests(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/x").respond_with_json([1])
    httpserver.expect_oneshot_request("/y").respond_with_data("", status=503)
    httpserver.expect_oneshot_request("/y").respond_with_json([1])
    permits = Permits()
    sender = replace(client(httpserver, Clock(15)), permit=permits)
    for words in ("private words", "other words", "private words"):
        sender.get_json("/x", {"q": words})
    sender.post_form("/x", {"q": "private words"})
    sender.get_json("/y")
    first, other, again, posted, once, retried = permits.requests
    assert (first, once) == (again, retried)
    assert len({first, other, posted, once}) == 4
    assert [request.path for request in permits.requests] == ["/x", "/x", "/x", "/x", "/y", "/y"]
    assert all(len(request.digest) == 8 for request in permits.requests)


def test_the_permit_sees_an_error_in_the_body(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/x").respond_with_data("slow down", headers={"Retry-After": "47052"})
    permits = Permits()
    with pytest.raises(RateLimited) as caught:
        replace(client(httpserver, Clock(15)), permit=permits).request(
            "GET", "/x", read_error=lambda _: RateLimited("no")
        )
    assert permits.reported == [("", "RateLimited")]
    assert caught.value.retry_after_s == 47052


@pytest.mark.parametrize("refusal", [BudgetSpent("no permit"), CircuitOpen("open")], ids=["budget", "circuit"])
def test_without_a_permit_nothing_is_sent_or_retried(httpserver: HTTPServer, refusal: ProviderError) -> None:
    clock = Clock(15)
    with pytest.raises(type(refusal)):
        replace(client(httpserver, clock), permit=Permits(refusal)).get_json("/x")
    assert (len(httpserver.log), clock.slept) == (0, [])


@pytest.mark.parametrize(
    ("headers", "seconds"), [({}, 30.0), ({"Retry-After": "2"}, 2.0)], ids=["the rest's time", "its own time"]
)
def test_a_retry_without_a_permit_raises_the_first_error(
    httpserver: HTTPServer, headers: dict[str, str], seconds: float
) -> None:
    httpserver.expect_request("/x").respond_with_data("", status=503, headers=headers)
    permits = Permits(None, CircuitOpen("open", retry_after_s=30.0))
    with pytest.raises(Unavailable, match="HTTP 503") as caught:
        replace(client(httpserver, Clock(15)), permit=permits).get_json("/x")
    assert caught.value.retry_after_s == seconds
    assert len(httpserver.log) == 1


def test_running_out_of_time_while_waiting_for_a_permit_is_a_timeout(httpserver: HTTPServer) -> None:
    clock = Clock(1)

    @contextmanager
    def late(_: RequestId) -> Iterator[Callable[[Mapping[str, str]], None]]:
        clock.sleep(2)
        yield lambda _: None

    with pytest.raises(ProviderTimeout, match="deadline has passed"):
        replace(client(httpserver, clock), permit=late).get_json("/x")
    assert len(httpserver.log) == 0


def test_a_retry_that_runs_out_of_time_raises_the_first_error(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/x").respond_with_data("", status=503)
    clock = Clock(2)
    permits = Permits()

    @contextmanager
    def late_retry(request: RequestId) -> Iterator[Callable[[Mapping[str, str]], None]]:
        if permits.requests:
            clock.sleep(2)
        with permits(request) as report_headers:
            yield report_headers

    with pytest.raises(Unavailable, match="HTTP 503"):
        replace(client(httpserver, clock), permit=late_retry).get_json("/x")
    assert len(httpserver.log) == 1


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
