"""Webhooks never reach inward: whatever a name leads to, a receiver answers or the environment says."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from shared.delivery.addresses import permitted
from shared.delivery.errors import AddressRefused, WebhookError
from shared.delivery.webhook import AttemptEnd, judge
from shared.delivery.webhook_client import post
from shared.providers.public_addresses import Target
from tests.integration.saved_searches.webhook_receiver import BODY, HOST, answer, connections_waiting, deliver, receiver

Connects = list[tuple[str, int]]


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    """It accepts none of the connections that are opened to it."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening


@pytest.fixture
def connects(monkeypatch: pytest.MonkeyPatch) -> Connects:
    """Every address that any socket of the process connects to."""
    seen: Connects = []
    connect = socket.socket.connect

    def recorded(self: socket.socket, address: Any) -> None:
        seen.append(address[:2])
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", recorded)
    return seen


INWARD: dict[str, Sequence[str]] = {
    "loopback": ["127.0.0.1"],
    "the rest of loopback": ["127.8.8.8"],
    "any address": ["0.0.0.0"],
    "private": ["10.0.0.1"],
    "metadata": ["169.254.169.254"],
    "IPv6 loopback": ["::1"],
    "IPv6 any address": ["::"],
    "IPv6 mapped": ["::ffff:127.0.0.1"],
    "IPv6 mapped, as numbers": ["::ffff:7f00:1"],
    "IPv6 unique local": ["fd00::1"],
    "IPv6 link local": ["fe80::1%lo"],
    "translated": ["64:ff9b::7f00:1"],
    "6to4": ["2002:7f00:1::"],
    "one inward among good ones": ["93.184.215.14", "2606:4700::1111", "127.0.0.1"],
    "none": [],
}


@pytest.mark.parametrize("addresses", INWARD.values(), ids=INWARD)
def test_a_name_that_resolves_to_an_internal_address_gets_no_connection(
    addresses: Sequence[str], listener: socket.socket, connects: Connects
) -> None:
    with pytest.raises(AddressRefused) as refused:
        deliver(listener.getsockname()[1], resolve=lambda host, port: addresses, permit=permitted)
    assert judge(refused.value).ended is AttemptEnd.FAILED
    assert connects == []
    assert connections_waiting(listener) == 0


@pytest.mark.parametrize("host", ["localhost", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "127.1", "0", "::1"])
def test_a_host_that_the_system_resolves_to_an_internal_address_gets_no_connection(
    host: str, listener: socket.socket
) -> None:
    with pytest.raises(AddressRefused):
        post(Target(host, listener.getsockname()[1], "/"), BODY, {}, clock=time.monotonic)
    assert connections_waiting(listener) == 0


@pytest.mark.slow
def test_the_listener_would_have_seen_a_connection(listener: socket.socket, connects: Connects) -> None:
    with pytest.raises(WebhookError):
        deliver(listener.getsockname()[1], timeout_s=1.0)
    assert connects == [listener.getsockname()]
    assert connections_waiting(listener) == 1


def test_the_name_is_looked_up_once_and_the_checked_address_called(
    connects: Connects, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter([["127.0.0.1"], ["127.0.0.2"]])
    resolved: list[str] = []
    look_up = socket.getaddrinfo

    def recorded(host: Any, *rest: Any, **options: Any) -> Any:
        resolved.append(host)
        return look_up(host, *rest, **options)

    monkeypatch.setattr(socket, "getaddrinfo", recorded)
    with receiver(answer(200)) as running:
        assert deliver(running.port, resolve=lambda host, port: next(answers)) == 200
    assert list(answers) == [["127.0.0.2"]]
    assert set(resolved) <= {"127.0.0.1"}  # an address that is looked up leads to itself
    assert connects == [("127.0.0.1", running.port)]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_to_an_internal_address_is_not_followed_and_counts_as_a_failure(
    status: int, listener: socket.socket, connects: Connects
) -> None:
    inward = f"Location: https://{HOST}:{listener.getsockname()[1]}/"
    with receiver(answer(status, inward)) as running:
        verdict = judge(deliver(running.port))
    assert verdict.ended is AttemptEnd.FAILED
    assert verdict.reason == f"the receiver answered HTTP {status}; redirects are not followed"
    assert len(connects) == len(running.requests) == 1
    assert connections_waiting(listener) == 0


def test_proxies_that_the_environment_names_are_not_used(
    listener: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "HTTP_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{listener.getsockname()[1]}")
    with receiver(answer(200)) as running:
        assert deliver(running.port) == 200
    assert connections_waiting(listener) == 0


def test_a_name_that_does_not_resolve_is_reported_as_such(connects: Connects) -> None:
    def unknown(host: str, port: int) -> list[str]:
        raise socket.gaierror(socket.EAI_NONAME, "hidden.internal.name")

    with pytest.raises(WebhookError) as caught:
        deliver(443, resolve=unknown)
    assert caught.value.message == "the receiver's host could not be found"
    assert connects == []
