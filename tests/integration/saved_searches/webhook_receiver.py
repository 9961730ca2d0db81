"""A receiver of webhooks on loopback, over real TLS, which answers as well or as badly as a test wants."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import trustme

from shared.delivery.webhook import new_secret, payload, signed_headers
from shared.delivery.webhook_client import post
from shared.providers.public_addresses import Target

HOST = "receiver.example"
AUTHORITY = trustme.CA()
SECRET = new_secret(bytes(range(32)))
SAVED: Any = {"id": "ss1", "name": "Microglia – täglich", "feed": {"json": "/v1/saved-searches/ss1/new"}}
EVENT: Any = {"id": "ss1-00000001", "at": "2026-11-22T06:00:03Z", "paper": {"title": "Ein Übersichtsartikel"}}
BODY = payload(SAVED, [EVENT])
Answer = Callable[[threading.Event], Iterable[bytes]]  # pieces to send; the event is set when the test is over


def answer(status: int, *headers: str, body: bytes = b"ok") -> Answer:
    """A whole answer of HTTP."""
    head = "\r\n".join([f"HTTP/1.1 {status} Told", f"Content-Length: {len(body)}", *headers])
    return lambda _: [head.encode() + b"\r\n\r\n" + body]


@dataclass(slots=True)
class Receiver:
    """What it received: whole requests, the names requested in TLS, and how many connections were opened."""

    port: int
    requests: list[bytes] = field(default_factory=list)
    names: list[str | None] = field(default_factory=list)
    connections: int = 0
    sent_bytes: int = 0
    over: threading.Event = field(default_factory=threading.Event)


def deliver(port: int, body: bytes = BODY, *, path: str = "/new?token=t", **options: Any) -> int:
    """A delivery to the receiver on loopback, which only a test may permit."""
    trust = ssl.create_default_context()
    AUTHORITY.configure_trust(trust)
    defaults: dict[str, Any] = {
        "clock": time.monotonic, "resolve": lambda host, port: ["127.0.0.1"], "permit": lambda addresses: addresses[0],
        "trust": trust, "timeout_s": 5.0,
    }  # fmt: skip
    headers = signed_headers(SECRET, delivery_id="d-1", at=int(time.time()), body=body)
    return post(Target(options.pop("host", HOST), port, path), body, headers, **{**defaults, **options}).status


def connections_waiting(listener: socket.socket) -> int:
    """How many connections have been opened to a socket that does not accept them."""
    listener.setblocking(False)
    count = 0
    with contextlib.suppress(BlockingIOError):
        while True:
            listener.accept()[0].close()
            count += 1
    return count


@contextlib.contextmanager
def receiver(
    reply: Answer,
    *,
    certificate: trustme.LeafCert | None = None,
    reads: bool = True,
    tls: bool = True,
    address: str = "127.0.0.1",
) -> Iterator[Receiver]:
    """A receiver that answers each request so; without `reads` it reads nothing after the handshake."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    listener = socket.create_server((address, 0), family=family)
    running = Receiver(listener.getsockname()[1])
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    (certificate or AUTHORITY.issue_cert(HOST)).configure_cert(context)
    context.sni_callback = lambda _, name, __: running.names.append(name)

    def serve() -> None:
        with contextlib.suppress(OSError):  # the listener is closed at the end
            while True:
                line, _ = listener.accept()
                running.connections += 1
                line.settimeout(10)
                with contextlib.suppress(OSError), context.wrap_socket(line, server_side=True) if tls else line as safe:
                    _converse(safe, running, reply, reads)
                line.close()

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield running
    finally:
        running.over.set()
        listener.shutdown(socket.SHUT_RDWR)
        thread.join(5)
        listener.close()
    assert not thread.is_alive()


def _converse(line: socket.socket, running: Receiver, reply: Answer, reads: bool) -> None:
    if reads:
        running.requests.append(_request(line))
    for piece in reply(running.over):
        line.sendall(piece)
        running.sent_bytes += len(piece)


def _request(line: socket.socket) -> bytes:
    """One request, head and body; what there is when the client is gone."""
    received = b""
    while b"\r\n\r\n" not in received:
        if not (piece := line.recv(65_536)):
            return received
        received += piece
    head, _, body = received.partition(b"\r\n\r\n")
    lengths = [int(it.split(b":")[1]) for it in head.split(b"\r\n") if it.lower().startswith(b"content-length:")]
    while len(body) < sum(lengths) and (piece := line.recv(65_536)):
        body += piece
    return head + b"\r\n\r\n" + body
