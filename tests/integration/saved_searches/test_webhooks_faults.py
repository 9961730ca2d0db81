"""Receivers that are not trusted, not ready or not decent: each delivery ends in its time, with a named fault."""

from __future__ import annotations

import itertools
import socket
import threading
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any

import pytest
import trustme

from shared.errors import WebhookError
from tests.integration.saved_searches.webhook_receiver import AUTHORITY, HOST, Answer, answer, deliver, receiver

HEAD = b"HTTP/1.1 200 OK\r\n"
SHORT_S = 0.4
CERTIFICATES = {
    "of another name": lambda: AUTHORITY.issue_cert("other.example"),
    "of its address only": lambda: AUTHORITY.issue_cert("127.0.0.1"),
    "of an unknown authority": lambda: trustme.CA().issue_cert(HOST),
    "expired": lambda: AUTHORITY.issue_cert(HOST, not_after=datetime(2020, 1, 1, tzinfo=UTC)),
}


@pytest.mark.parametrize("certificate", CERTIFICATES.values(), ids=CERTIFICATES)
def test_a_receiver_without_a_valid_certificate_gets_nothing(certificate: Callable[[], trustme.LeafCert]) -> None:
    invalid = pytest.raises(WebhookError, match="certificate is not valid for its host")
    with receiver(answer(200), certificate=certificate()) as running, invalid:
        deliver(running.port)
    assert running.connections == 1
    assert not any(running.requests)


def test_a_certificate_of_the_address_serves_a_url_of_the_address() -> None:
    with receiver(answer(200), certificate=AUTHORITY.issue_cert("127.0.0.1")) as running:
        assert deliver(running.port, host="127.0.0.1") == 200


@pytest.mark.parametrize("host", [HOST, "::1"])
def test_a_certificate_is_checked_against_the_host_over_ipv6_too(host: str) -> None:
    ipv6: dict[str, Any] = {"host": host, "resolve": lambda host, port: ["::1"]}
    with receiver(answer(200), certificate=AUTHORITY.issue_cert(host), address="::1") as running:
        assert deliver(running.port, **ipv6) == 200
    authority = f"[::1]:{running.port}" if host == "::1" else f"{HOST}:{running.port}"
    assert f"\r\nhost: {authority}\r\n".encode() in running.requests[0].lower()
    other = receiver(answer(200), certificate=AUTHORITY.issue_cert("::2", "other.example"), address="::1")
    with other as running, pytest.raises(WebhookError, match="certificate is not valid for its host"):
        deliver(running.port, **ipv6)
    assert not any(running.requests)


def test_an_answer_without_tls_is_no_delivery() -> None:
    with (
        receiver(answer(200), tls=False, hears=False) as running,
        pytest.raises(WebhookError, match="does not speak TLS"),
    ):
        deliver(running.port)


def test_a_receiver_without_tls_gets_no_word_of_the_delivery() -> None:
    with receiver(answer(200), tls=False) as running, pytest.raises(WebhookError, match="did not answer within"):
        deliver(running.port, timeout_s=SHORT_S)
    assert len(running.requests) == 1
    assert b"POST" not in running.requests[0]
    assert b"webhook" not in running.requests[0]


def drip(piece: bytes, start: bytes = b"") -> Answer:
    """Sends a little, again and again, until the test is over."""

    def told(over: threading.Event) -> Iterable[bytes]:
        yield start
        while not over.wait(0.02):
            yield piece

    return told


def silence(over: threading.Event) -> Iterable[bytes]:
    over.wait(60)
    return []


SLOW = {
    "silent": silence,
    "dripping its status": drip(b"0", b"HTTP/1.1 "),
    "dripping its headers": drip(b"X: y\r\n", HEAD),
    "promising again and again": drip(b"HTTP/1.1 100 Continue\r\n\r\n"),
    "dripping an end of its headers": drip(b"\x00", HEAD[:-1]),
}


def test_a_connection_is_ended_with_its_attempt() -> None:
    with receiver(drip(b"X: y\r\n", HEAD)) as running:
        before = set(threading.enumerate())
        with pytest.raises(WebhookError, match="did not answer within"):
            deliver(running.port, timeout_s=SHORT_S)
        for thread in set(threading.enumerate()) - before:
            thread.join(5)
            assert not thread.is_alive()


@pytest.mark.parametrize("told", SLOW.values(), ids=SLOW)
def test_a_receiver_that_takes_its_time_gets_no_more_than_ours(told: Answer) -> None:
    with receiver(told) as running:
        with pytest.raises(WebhookError, match=r"did not answer within 0\.4 s"):
            deliver(running.port, timeout_s=SHORT_S)
        assert not running.over.is_set()  # the receiver would have gone on


def test_a_receiver_that_does_not_read_gets_no_more_than_our_time() -> None:
    with receiver(silence, hears=False) as running:
        with pytest.raises(WebhookError, match="did not answer within"):
            deliver(running.port, bytes(30_000_000), timeout_s=SHORT_S)
        assert not running.over.is_set()


def test_a_handshake_that_never_ends_gets_no_more_than_our_time() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as listening,
        pytest.raises(WebhookError, match="did not answer within"),
    ):
        deliver(listening.getsockname()[1], timeout_s=SHORT_S)


def test_a_connection_that_is_never_made_gets_no_more_than_our_time(monkeypatch: pytest.MonkeyPatch) -> None:
    allowed: list[float] = []

    def lost(address: object, timeout: float, **rest: object) -> None:
        allowed.append(timeout)
        raise TimeoutError("hidden")

    monkeypatch.setattr(socket, "create_connection", lost)
    with pytest.raises(WebhookError, match=r"did not answer within 0\.4 s"):
        deliver(443, timeout_s=SHORT_S)
    assert len(allowed) == 1  # not tried again within an attempt
    assert 0 < allowed[0] <= SHORT_S


def test_nothing_is_sent_when_the_time_is_over_after_the_handshake() -> None:
    with receiver(answer(200)) as running, pytest.raises(WebhookError, match="did not answer within"):
        deliver(running.port, clock=lambda: 100.0 if running.names else 0.0)  # the name comes with the handshake
    assert running.connections == 1
    assert not any(running.requests)


def test_a_look_up_that_never_ends_gets_no_more_than_our_time() -> None:
    over = threading.Event()
    ended: list[str] = []

    def resolve(host: str, port: int) -> list[str]:
        over.wait(60)
        ended.append(host)
        return ["127.0.0.1"]

    try:
        with pytest.raises(WebhookError, match="did not answer within"):
            deliver(443, resolve=resolve, timeout_s=SHORT_S)
        assert ended == []  # the look-up goes on
    finally:
        over.set()


def test_an_endless_body_is_not_heard_out() -> None:
    endless = HEAD + b"Content-Type: text/plain\r\n\r\n"
    with receiver(lambda over: itertools.chain([endless], itertools.repeat(b"x" * 4_096))) as running:
        assert deliver(running.port, timeout_s=30) == 200
    assert running.sent_bytes < 20_000_000  # what fits between the two while the connection is being closed


def test_a_body_that_drips_cannot_take_the_status_back() -> None:
    with receiver(drip(b"x", HEAD + b"Content-Length: 4000\r\n\r\n")) as running:
        assert deliver(running.port, timeout_s=SHORT_S) == 200
        assert not running.over.is_set()


@pytest.mark.parametrize("told", [
    b"", b"hidden\r\n\r\n", HEAD + b"hidden", HEAD + b"hid den: 1\r\n\r\n", HEAD + b"X: " + b"hidden" * 50_000,
    b"HTTP/1.1 2000 hidden\r\n\r\n", b"SSH-2.0-hidden\r\n",
])  # fmt: skip
def test_an_answer_that_is_not_http_is_told_without_a_word_of_it(told: bytes) -> None:
    with receiver(lambda over: [told]) as running, pytest.raises(WebhookError) as fault:
        deliver(running.port)
    assert fault.value.message == "the receiver broke the connection off, or did not answer in HTTP"


def test_a_receiver_that_is_not_there_cannot_be_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    with pytest.raises(WebhookError, match="could not be reached"):
        deliver(port)
