"""Host names are looked up within the time of an exchange, and each address gets its part of it."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from shared.errors import ProviderTimeout, Unavailable
from shared.providers.host_lookup import is_address, resolved_in_time
from tests.unit.http.timed_client import client

HOST = "source.test"


class Resolver:
    """One that waits until it is released."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.released = threading.Event()

    def __call__(self, host: str, port: int) -> list[str]:
        self.asked.append(host)
        self.released.wait(30)
        return ["192.0.2.1"]


@pytest.fixture
def resolver() -> Iterator[Resolver]:
    made = Resolver()
    yield made
    made.released.set()


def test_many_callers_of_one_host_wait_for_one_look_up(resolver: Resolver) -> None:
    before = threading.active_count()
    for _ in range(20):
        with pytest.raises(TimeoutError):
            resolved_in_time(resolver, HOST, 443, 0.01)
    assert (resolver.asked, threading.active_count()) == ([HOST], before + 1)
    resolver.released.set()
    assert resolved_in_time(resolver, HOST, 443, 30) == ["192.0.2.1"]


def test_each_host_and_each_resolver_has_a_look_up_of_its_own(resolver: Resolver) -> None:
    resolver.released.set()
    assert resolved_in_time(resolver, HOST, 443, 30) == ["192.0.2.1"]
    assert resolved_in_time(lambda host, port: ["192.0.2.2"], HOST, 443, 30) == ["192.0.2.2"]


@pytest.mark.parametrize("error", [socket.gaierror("no such host"), TimeoutError("its own"), UnicodeError("label")])
def test_the_resolvers_own_error_is_not_our_time_out(error: Exception) -> None:
    def resolve(host: str, port: int) -> list[str]:
        raise error

    expected = UnicodeError if isinstance(error, UnicodeError) else OSError
    with pytest.raises(expected) as caught:
        resolved_in_time(resolve, HOST, 443, 30)
    assert not isinstance(caught.value, TimeoutError)


@pytest.mark.parametrize(("host", "expected"), [("127.0.0.1", True), ("[::1]", True), ("a.test", False)])
def test_an_address_needs_no_look_up(host: str, expected: bool) -> None:
    assert is_address(host) is expected


def addresses(monkeypatch: pytest.MonkeyPatch, *found: str) -> None:
    """The system finds these addresses for the host, and only itself for an address."""
    real = socket.getaddrinfo

    def getaddrinfo(host: Any, port: Any, *rest: Any, **options: Any) -> Any:
        if host != HOST:
            return real(host, port, *rest, **options)
        return [record for address in found for record in real(address, port, type=socket.SOCK_STREAM)]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)


def test_a_leg_whose_host_is_never_found_ends(resolver: Resolver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", lambda host, port, **_: resolver(host, port))
    with pytest.raises(ProviderTimeout, match="could not be reached in time"):
        client(f"http://{HOST}", seconds=0.2).get_json("/x")


def test_an_unknown_host_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    def getaddrinfo(*_: Any, **__: Any) -> Any:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    with pytest.raises(Unavailable, match="could not be reached"):
        client(f"http://{HOST}").get_json("/x")


def test_the_next_address_is_tried_when_one_refuses(httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> None:
    httpserver.expect_request("/x").respond_with_json([1])
    addresses(monkeypatch, "127.0.0.2", "127.0.0.1")
    assert client(f"http://{HOST}:{httpserver.port}").get_json("/x") == [1]


def test_an_address_that_never_answers_takes_only_its_part(
    httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    httpserver.expect_request("/x").respond_with_json([1])
    addresses(monkeypatch, "127.0.0.2", "127.0.0.1")
    real, allowed = socket.create_connection, {}

    def connect(address: tuple[str, int], timeout: float, **options: Any) -> socket.socket:
        allowed[address[0]] = timeout
        if address[0] == "127.0.0.2":
            raise TimeoutError("no answer")
        return real(address, timeout, **options)

    monkeypatch.setattr(socket, "create_connection", connect)
    assert client(f"http://{HOST}:{httpserver.port}", seconds=4.0).get_json("/x") == [1]
    assert allowed["127.0.0.2"] <= 2.0 < allowed["127.0.0.1"] <= 4.0
