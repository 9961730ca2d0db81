"""The client takes a permit for each request and reports headers and errors to it."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from threading import Thread

import pytest
from pytest_httpserver import HTTPServer

from shared.errors import BudgetSpent, CircuitOpen, ProviderError, ProviderTimeout, RateLimited, Unavailable
from shared.providers.deadline_sockets import MAX_REOPENED
from shared.providers.granted_permit import GrantedPermit
from shared.providers.http_client import ATTEMPTS, RequestId
from tests.unit.http.timed_client import Clock, client


class Permits:
    """Permits that record the reported headers and errors; some may be refused."""

    def __init__(self, *refusals: ProviderError | None) -> None:
        self.refusals = [*refusals]
        self.reported: list[tuple[str, str | None]] = []
        self.requests: list[RequestId] = []

    def __call__(self, request: RequestId) -> AbstractContextManager[GrantedPermit]:
        self.requests.append(request)
        return self._permit()

    @contextmanager
    def _permit(self) -> Iterator[GrantedPermit]:
        if self.refusals and (refusal := self.refusals.pop(0)):
            raise refusal
        headers: dict[str, str] = {}
        failure: str | None = None
        try:
            yield GrantedPermit(headers.update)
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


def test_a_permit_is_confirmed_once_a_request_when_the_connection_is_open_and_nothing_is_sent() -> None:
    """On a new connection and on one that is kept open."""
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 3\r\n\r\n[1]"
    seen: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:
        connections: list[socket.socket] = []

        def confirm() -> None:
            if not connections:
                connections.append(listener.accept()[0])
                connections[0].setblocking(False)
            with pytest.raises(BlockingIOError):
                connections[0].recv(1)
            seen.append(b"confirmed")
            Thread(target=serve).start()

        def serve() -> None:
            connections[0].setblocking(True)
            seen.append(connections[0].recv(65_536).split(b" ")[0])
            connections[0].setblocking(False)
            connections[0].sendall(answer)

        sender = client(f"http://127.0.0.1:{listener.getsockname()[1]}", Clock(15))
        sender = replace(sender, permit=lambda _: nullcontext(GrantedPermit(lambda _: None, confirm)))
        with sender.http:
            assert [sender.get_json("/x"), sender.post_json("/y", {"a": 1})] == [[1], [1]]
        connections[0].close()
    assert seen == [b"confirmed", b"GET", b"confirmed", b"POST"]


def test_a_permit_that_is_not_confirmed_ends_the_request_before_its_first_byte() -> None:
    def confirm() -> None:
        raise BudgetSpent("no other permit in time")

    with socket.create_server(("127.0.0.1", 0)) as listener:
        sender = client(f"http://127.0.0.1:{listener.getsockname()[1]}", Clock(15))
        sender = replace(sender, permit=lambda _: nullcontext(GrantedPermit(lambda _: None, confirm)))
        with sender.http, pytest.raises(BudgetSpent, match="no other permit"):
            sender.get_json("/x")
        with listener.accept()[0] as connection:
            assert connection.recv(65_536) == b""  # closed, and nothing came


def test_a_connection_that_the_peer_closes_while_the_permit_is_waited_for_is_opened_again() -> None:
    """Nothing was sent: the provider has not failed, and the permit is not wasted."""
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 3\r\n\r\n[1]"
    confirmed: list[int] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:
        connections: list[socket.socket] = []

        def confirm() -> None:
            confirmed.append(len(connections))
            if len(confirmed) != 2:
                connections.append(listener.accept()[0])
                Thread(target=serve, args=(connections[-1],)).start()
            else:
                connections[0].shutdown(socket.SHUT_RDWR)

        def serve(connection: socket.socket) -> None:
            assert connection.recv(65_536)
            connection.sendall(answer)

        clock = Clock(15)
        sender = client(f"http://127.0.0.1:{listener.getsockname()[1]}", clock)
        permit = GrantedPermit(lambda _: None, confirm)
        sender = replace(sender, permit=lambda _: nullcontext(permit))
        with sender.http:
            assert [sender.get_json("/x"), sender.get_json("/y")] == [[1], [1]]
        for connection in connections:
            connection.close()
    assert confirmed == [0, 1, 1]  # the first, the same when it is closed, and the second
    assert clock.slept == []  # no attempt has failed


def test_a_peer_that_closes_every_connection_before_the_request_is_unavailable() -> None:
    confirmed: list[None] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def confirm() -> None:
            confirmed.append(None)
            listener.accept()[0].close()

        sender = client(f"http://127.0.0.1:{listener.getsockname()[1]}", Clock(15))
        sender = replace(sender, permit=lambda _: nullcontext(GrantedPermit(lambda _: None, confirm)))
        with sender.http, pytest.raises(Unavailable):
            sender.get_json("/x")
    assert len(confirmed) == ATTEMPTS * (1 + MAX_REOPENED)


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
    def late(_: RequestId) -> Iterator[GrantedPermit]:
        clock.sleep(2)
        yield GrantedPermit(lambda _: None)

    with pytest.raises(ProviderTimeout, match="deadline has passed"):
        replace(client(httpserver, clock), permit=late).get_json("/x")
    assert len(httpserver.log) == 0


def test_a_retry_that_runs_out_of_time_raises_the_first_error(httpserver: HTTPServer) -> None:
    httpserver.expect_request("/x").respond_with_data("", status=503)
    clock = Clock(2)
    permits = Permits()

    @contextmanager
    def late_retry(request: RequestId) -> Iterator[GrantedPermit]:
        if permits.requests:
            clock.sleep(2)
        with permits(request) as granted:
            yield granted

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
