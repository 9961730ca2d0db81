"""Connections that end at the deadline of the exchange they serve, whatever bytes arrive.

A socket's time-out and each time-out of httpx start again with every byte, so a peer that sends one byte a second can
hold a caller for ever. Here each look-up, connection attempt, handshake, read and write gets the time that is left of
the exchange, and nothing more once it is over. That needs no thread but for the look-up of a name, once a connection.
A kept-alive connection serves one exchange after another, each with its own deadline.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import httpcore

from shared.providers.host_lookup import is_address, look_up, resolved_in_time

# Up to the end of the final response's headers, 1xx responses included, in whole reads. httpcore refuses an unfinished
# head of 100 kB as broken HTTP, which counts as a failed connection.
MAX_HEAD_BYTES = 88 * 1024
# Read at a time until the headers are there: the deadline is looked at between reads, and a flood of 1xx responses, of
# 25 bytes each, takes a slow processor long.
HEAD_READ_BYTES = 4 * 1024
MAX_ADDRESSES = 8  # of one host, that are tried
MAX_REOPENED = 2  # connections of one exchange that the peer closes before the request is sent


@dataclass(slots=True)
class Exchange:
    """One request and its response. `time_left` returns the seconds until its deadline.

    `before_first_byte` is called when the connection is open, once for each that is opened; what it raises ends the
    exchange.
    """

    time_left: Callable[[], float]
    before_first_byte: Callable[[], None]
    begun: bool = False
    reopened: int = 0  # connections that were closed while `before_first_byte` waited
    head_bytes: int = 0  # received before the end of the response's headers
    head_read: bool = False

    @property
    def head_begun(self) -> bool:
        """Whether a part of the status line and headers has arrived, and not all of them."""
        return self.head_bytes > 0 and not self.head_read

    def seconds(self, timeout: float | None) -> float:
        """The time for the next operation, `timeout` at most. Raises TimeoutError if there is none."""
        left = self.time_left() if timeout is None else min(timeout, self.time_left())
        if left <= 0:
            raise TimeoutError("the deadline has passed")
        return left

    def begin(self, is_closed: Callable[[], bool] = lambda: False) -> None:
        """Call `before_first_byte`, unless the request is being sent already.

        Raises httpcore.ConnectionNotAvailable, upon which the pool opens another connection, for one that the peer has
        closed by then: nothing is sent, so the provider has not failed.
        """
        if self.begun:
            return
        self.before_first_byte()
        if self.reopened < MAX_REOPENED and is_closed():
            self.reopened += 1
            raise httpcore.ConnectionNotAvailable
        self.begun = True

    def receive(self, size: int) -> None:
        """Count received bytes. Raises httpcore.RemoteProtocolError if the headers have no end."""
        if not self.head_read:
            self.head_bytes += size
            if self.head_bytes > MAX_HEAD_BYTES:
                raise HeadTooLong(f"more than {MAX_HEAD_BYTES // 1024} kB of headers")


class HeadTooLong(httpcore.RemoteProtocolError):
    """The status line, headers and 1xx responses exceed `MAX_HEAD_BYTES`."""


_exchange: ContextVar[Exchange] = ContextVar("exchange")


@contextmanager
def exchange_within(
    time_left: Callable[[], float], before_first_byte: Callable[[], None] = lambda: None
) -> Iterator[Exchange]:
    """All that this thread sends and receives inside belongs to one exchange with this deadline."""
    exchange = Exchange(time_left, before_first_byte)
    token = _exchange.set(exchange)
    try:
        yield exchange
    finally:
        _exchange.reset(token)


def current_exchange() -> Exchange:
    """The exchange of this thread. Raises LookupError outside of `exchange_within`."""
    return _exchange.get()


class DeadlineStream(httpcore.NetworkStream):
    """A connection whose reads and writes get the time left of the current exchange."""

    def __init__(self, stream: httpcore.NetworkStream) -> None:
        self._stream = stream
        self._socket = stream.get_extra_info("socket")

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """At most so many bytes; none at the end. Raises ReadTimeout or ReadError."""
        exchange = current_exchange()
        try:
            self._socket.settimeout(exchange.seconds(timeout))
            data: bytes = self._socket.recv(max_bytes if exchange.head_read else min(max_bytes, HEAD_READ_BYTES))
        except TimeoutError as error:
            raise httpcore.ReadTimeout(str(error)) from error
        except OSError as error:
            raise httpcore.ReadError(str(error)) from error
        exchange.receive(len(data))
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Send all of it. Raises WriteTimeout or WriteError, and what `before_first_byte` raises."""
        exchange, rest = current_exchange(), memoryview(buffer)
        exchange.begin(self._is_closed)
        try:
            while rest:  # a peer may take in one byte at a time
                self._socket.settimeout(exchange.seconds(timeout))
                rest = rest[self._socket.send(rest) :]
        except TimeoutError as error:
            raise httpcore.WriteTimeout(str(error)) from error
        except OSError as error:
            raise httpcore.WriteError(str(error)) from error

    def _is_closed(self) -> bool:
        """Whether the peer has closed the connection, or sent what nobody asked for.

        The tickets that TLS sends after the handshake are neither (RFC 8446, 4.6.1): to read them gives no data.
        """
        if not self.get_extra_info("is_readable"):
            return False
        try:
            if isinstance(self._socket, ssl.SSLSocket):
                self._socket.settimeout(0.0)
                self._socket.recv(1)
        except ssl.SSLWantReadError:
            return False
        except OSError:
            return True
        return True

    def close(self) -> None:
        """Close the socket."""
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        """The same connection under TLS; a socket's time-out counts for the whole handshake. Raises as `connect_tcp`.

        https://docs.python.org/3/library/ssl.html#ssl.SSLSocket.do_handshake
        """
        try:
            seconds = current_exchange().seconds(timeout)
        except TimeoutError as error:
            self.close()
            raise httpcore.ConnectTimeout(str(error)) from error
        return DeadlineStream(self._stream.start_tls(ssl_context, server_hostname, seconds))

    def get_extra_info(self, info: str) -> Any:
        """What the connection pool asks: the socket, its addresses, whether it is readable."""
        return self._stream.get_extra_info(info)


class DeadlineBackend(httpcore.NetworkBackend):
    """Opens connections within the time left of the current exchange. `permit` raises for addresses of no use."""

    def __init__(self, permit: Callable[[Sequence[str]], object] | None = None) -> None:
        self._backend, self._permit = httpcore.SyncBackend(), permit

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        """Connect to the first address that answers. Raises ConnectTimeout or ConnectError.

        Look-up and attempts share the time, and each address gets an equal part of what is left: one that never
        answers does not take it all.
        """
        try:
            time_left = current_exchange().time_left
            end = time_left() - current_exchange().seconds(timeout)
            addresses = _addresses(host, port, time_left() - end)
        except TimeoutError as error:
            raise httpcore.ConnectTimeout(str(error)) from error
        except (OSError, UnicodeError) as error:
            raise httpcore.ConnectError(str(error)) from error
        if self._permit:
            self._permit(addresses)
        failure: Exception = httpcore.ConnectError("the host has no address")
        for position, address in enumerate(addresses):
            seconds = (time_left() - end) / (len(addresses) - position)
            if seconds <= 0:
                raise httpcore.ConnectTimeout("no address answered in time") from failure
            try:
                opened = self._backend.connect_tcp(address, port, seconds, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
            else:
                return DeadlineStream(opened)
        raise failure


def _addresses(host: str, port: int, seconds: float) -> Sequence[str]:
    return [host] if is_address(host) else resolved_in_time(look_up, host, port, seconds)[:MAX_ADDRESSES]
