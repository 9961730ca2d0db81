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

from shared.delivery.errors import WebhookError
from tests.integration.saved_searches.webhook_receiver import AUTHORITY, HOST, Answer, answer, deliver, receiver

pytestmark = pytest.mark.slow  # receivers that are slow or without end

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
        receiver(answer(200), tls=False, reads=False) as running,
        pytest.raises(WebhookError, match="does not speak TLS"),
    ):
        deliver(running.port)


def test_a_receiver_without_tls_gets_no_part_of_the_delivery() -> None:
    with receiver(answer(200), tls=False) as running, pytest.raises(WebhookError, match="did not answer within"):
        deliver(running.port, timeout_s=SHORT_S)
    assert len(running.requests) == 1
    assert b"POST" not in running.requests[0]
    assert b"webhook" not in running.requests[0]


def slow_answer(piece: bytes, start: bytes = b"") -> Answer:
    """Sends a little, again and again, until the test is over."""

    def reply(over: threading.Event) -> Iterable[bytes]:
        yield start
        while not over.wait(0.02):
            yield piece

    return reply


def silence(over: threading.Event) -> Iterable[bytes]:
    over.wait(60)
    return []


SLOW = {
    "silent": silence,
    "slow status": slow_answer(b"0", b"HTTP/1.1 "),
    "slow headers": slow_answer(b"X: y\r\n", HEAD),
    "endless interim responses": slow_answer(b"HTTP/1.1 100 Continue\r\n\r\n"),
    "slow end of its headers": slow_answer(b"\x00", HEAD[:-1]),
}


def test_a_connection_is_ended_with_its_attempt() -> None:
    with receiver(slow_answer(b"X: y\r\n", HEAD)) as running:
        before = set(threading.enumerate())
        with pytest.raises(WebhookError, match="did not answer within"):
            deliver(running.port, timeout_s=SHORT_S)
        for thread in set(threading.enumerate()) - before:
            thread.join(5)
            assert not thread.is_alive()


@pytest.mark.parametrize("reply", SLOW.values(), ids=SLOW)
def test_a_slow_receiver_is_cut_off_at_the_timeout(reply: Answer) -> None:
    with receiver(reply) as running:
        with pytest.raises(WebhookError, match=r"did not answer within 0\.4 s"):
            deliver(running.port, timeout_s=SHORT_S)
        assert not running.over.is_set()  # the receiver would have gone on


def test_sending_to_a_receiver_that_does_not_read_ends_at_the_timeout() -> None:
    with receiver(silence, reads=False) as running:
        with pytest.raises(WebhookError, match="did not answer within"):
            deliver(running.port, bytes(30_000_000), timeout_s=SHORT_S)
        assert not running.over.is_set()


def test_an_endless_handshake_ends_at_the_timeout() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as listening,
        pytest.raises(WebhookError, match="did not answer within"),
    ):
        deliver(listening.getsockname()[1], timeout_s=SHORT_S)


def test_connecting_ends_at_the_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    allowed: list[float] = []

    def time_out(address: object, timeout: float, **rest: object) -> None:
        allowed.append(timeout)
        raise TimeoutError("hidden")

    monkeypatch.setattr(socket, "create_connection", time_out)
    with pytest.raises(WebhookError, match=r"did not answer within 0\.4 s"):
        deliver(443, timeout_s=SHORT_S)
    assert len(allowed) == 1  # not tried again within an attempt
    assert 0 < allowed[0] <= SHORT_S


def test_no_request_is_sent_when_the_time_is_over_after_the_handshake() -> None:
    with receiver(answer(200)) as running, pytest.raises(WebhookError, match="did not answer within"):
        deliver(running.port, clock=lambda: 100.0 if running.names else 0.0)  # the name comes with the handshake
    assert running.connections == 1
    assert not any(running.requests)


def test_an_endless_name_lookup_ends_at_the_timeout() -> None:
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


def test_an_endless_body_is_not_read_to_its_end() -> None:
    endless = HEAD + b"Content-Type: text/plain\r\n\r\n"
    with receiver(lambda over: itertools.chain([endless], itertools.repeat(b"x" * 4_096))) as running:
        assert deliver(running.port, timeout_s=30) == 200
    assert running.sent_bytes < 20_000_000  # what fits between the two while the connection is being closed


def test_a_slow_body_does_not_change_the_status() -> None:
    with receiver(slow_answer(b"x", HEAD + b"Content-Length: 4000\r\n\r\n")) as running:
        assert deliver(running.port, timeout_s=SHORT_S) == 200
        assert not running.over.is_set()


@pytest.mark.parametrize("content", [
    b"", b"hidden\r\n\r\n", HEAD + b"hidden", HEAD + b"hid den: 1\r\n\r\n", HEAD + b"X: " + b"hidden" * 50_000,
    b"HTTP/1.1 2000 hidden\r\n\r\n", b"SSH-2.0-hidden\r\n",
])  # fmt: skip
def test_an_answer_that_is_not_http_is_reported_without_its_text(content: bytes) -> None:
    with receiver(lambda over: [content]) as running, pytest.raises(WebhookError) as fault:
        deliver(running.port)
    assert fault.value.message == "the receiver broke the connection off, or did not answer in HTTP"


def test_a_receiver_that_is_not_there_cannot_be_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
    with pytest.raises(WebhookError, match="could not be reached"):
        deliver(port)
