"""Serves `slow_ways` on loopback, and counts the connections that the other side closed."""

from __future__ import annotations

import select
import socket
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from tests.simulations.slow_ways import WAYS, Way


@dataclass(slots=True)
class SlowServer:
    """A listener for each way, so that no request has to be read to know which one is wanted. Counted by way."""

    over: threading.Event = field(default_factory=threading.Event)
    requests: Counter[str] = field(default_factory=Counter)  # those that were read
    connections: Counter[str] = field(default_factory=Counter)
    open: Counter[str] = field(default_factory=Counter)  # connections that nobody has closed
    changed: threading.Condition = field(default_factory=threading.Condition)
    ports: dict[str, int] = field(default_factory=dict)

    def url(self, way: str) -> str:
        return f"{WAYS[way].scheme}://127.0.0.1:{self.ports[way]}"

    def all_closed(self, way: str, seconds: float = 10.0) -> bool:
        """Whether the other side has closed every connection of this way, or does so within this time."""
        with self.changed:
            return self.changed.wait_for(lambda: not self.open[way], seconds)

    def count(self, counter: Counter[str], way: str, by: int = 1) -> None:
        with self.changed:
            counter[way] += by
            self.changed.notify_all()


@contextmanager
def slow_server(*names: str) -> Iterator[SlowServer]:
    """These ways, or all of them; at the end every connection is closed."""
    server, threads = SlowServer(), []
    listeners = {name: socket.create_server(("127.0.0.1", 0), backlog=256) for name in names or WAYS}
    for name, listener in listeners.items():
        server.ports[name] = listener.getsockname()[1]
        threads.append(threading.Thread(target=_accept, args=(server, name, listener), daemon=True))
        threads[-1].start()
    try:
        yield server
    finally:
        server.over.set()
        for listener in listeners.values():
            with suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)  # ends `accept`, which `close` would not
            listener.close()
        for thread in threads:
            thread.join(5)


def _accept(server: SlowServer, name: str, listener: socket.socket) -> None:
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:
            return
        server.count(server.connections, name)
        server.count(server.open, name)
        threading.Thread(target=_serve, args=(server, name, connection), name="slow source", daemon=True).start()


def _serve(server: SlowServer, name: str, connection: socket.socket) -> None:
    with connection, suppress(OSError):  # reset: the other side has closed it with bytes unread
        connection.settimeout(0.2)
        while _answer(server, name, WAYS[name], connection):
            pass
    server.count(server.open, name, -1)


def _answer(server: SlowServer, name: str, way: Way, connection: socket.socket) -> bool:
    """Answer a request. False when the other side has closed the connection, or the server ends."""
    path = ""
    if way.reads and way.scheme == "http":
        head = _head(server, connection)
        if head is None:
            return False
        server.count(server.requests, name)
        path = head.split(b" ")[1].decode("latin-1")
    for piece in way.respond(path):
        if isinstance(piece, float):
            if _closed_within(server, connection, piece, way):
                return False
        elif not _sent(server, connection, piece):
            return False
    if way.complete:
        return True
    while not _closed_within(server, connection, 0.2, way):
        pass
    return False


def _head(server: SlowServer, connection: socket.socket) -> bytes | None:
    """A request up to the end of its headers; None if the other side, or the server, ended before."""
    head = b""
    while b"\r\n\r\n" not in head:
        if server.over.is_set():
            return None
        with suppress(TimeoutError):
            piece = connection.recv(65_536)
            if not piece:
                return None
            head += piece
    return head


def _sent(server: SlowServer, connection: socket.socket, piece: bytes) -> bool:
    rest = memoryview(piece)
    while rest:
        if server.over.is_set():
            return False
        with suppress(TimeoutError):
            rest = rest[connection.send(rest) :]
    return True


def _closed_within(server: SlowServer, connection: socket.socket, seconds: float, way: Way) -> bool:
    """Whether the other side closes within this time, or the server ends."""
    if not way.reads:  # it is noticed with the socket's own means, and nothing is read
        poll = select.poll()
        poll.register(connection, select.POLLRDHUP)
        return bool(poll.poll(seconds * 1000)) or server.over.is_set()
    readable, _, _ = select.select([connection], [], [], seconds)
    return bool(readable and not connection.recv(65_536)) or server.over.is_set()
