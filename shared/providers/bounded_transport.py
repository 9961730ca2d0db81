"""The transport under every HTTP client that talks to hosts of others: bounded in time, headers and size.

The deadline is that of `exchange_within`, which must surround each exchange until its body has been read. Cookies are
dropped: no API here needs one, and what one answer sets would be sent with all requests that follow.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

import httpcore
import httpx

from shared.providers.content_codings import TooCompressed, Undecodable, decoded
from shared.providers.deadline_sockets import DeadlineBackend, HeadTooLong, current_exchange

MAX_BODY_BYTES = 32_000_000  # as received, and decompressed
MAX_HEADERS = 200
MAX_HEADER_BYTES = 16 * 1024  # a name and its value
_DROPPED = frozenset({b"set-cookie", b"set-cookie2", b"content-encoding", b"content-length"})


class Unbounded(httpx.TransportError):
    """The answer exceeds what any answer may have; the message continues "… sent"."""


class BoundedTransport(httpx.BaseTransport):
    """A pool of connections. `trust` replaces the public certificate authorities.

    `permit` gets all addresses of a host before a connection to one of them, and raises if none is to be made.
    """

    def __init__(
        self, trust: ssl.SSLContext | None = None, permit: Callable[[Sequence[str]], object] | None = None
    ) -> None:
        self._pool = httpcore.ConnectionPool(
            ssl_context=trust or httpx.create_ssl_context(trust_env=False),
            max_connections=100,
            max_keepalive_connections=20,
            keepalive_expiry=5.0,
            network_backend=DeadlineBackend(permit),
        )

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send the request and return the response once its headers are there; the body is read later.

        Raises httpx.TransportError, of which `Unbounded` is one.
        """
        url = request.url
        sent = httpcore.Request(
            method=request.method,
            url=httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
            headers=request.headers.raw,
            content=request.stream,
            extensions=request.extensions,
        )
        with _as_httpx():
            received = self._pool.handle_request(sent)
        current_exchange().head_read = True
        try:
            headers = _checked(received.headers)
        except Unbounded:
            received.close()
            raise
        coding = b",".join(value for name, value in received.headers if name.lower() == b"content-encoding")
        return httpx.Response(
            received.status,
            headers=headers,
            stream=_Body(received, coding.decode("latin-1")),
            extensions=received.extensions,
        )

    def close(self) -> None:
        """Close all connections."""
        self._pool.close()


class _Body(httpx.SyncByteStream):
    """The decompressed body of a response."""

    def __init__(self, received: httpcore.Response, coding: str) -> None:
        self._received = received
        self._coding = coding

    def __iter__(self) -> Iterator[bytes]:
        try:
            with _as_httpx():
                yield from _limited(decoded(_limited(self._received.iter_stream()), self._coding))
        except Undecodable as error:
            raise httpx.DecodingError(str(error)) from error
        except TooCompressed as error:
            raise Unbounded(str(error)) from error

    def close(self) -> None:
        with _as_httpx():
            self._received.close()


def _limited(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The pieces, up to the largest body and to the deadline: empty ones count for the time."""
    size, exchange = 0, current_exchange()
    for piece in pieces:
        size += len(piece)
        if size > MAX_BODY_BYTES:
            raise Unbounded(f"more than {MAX_BODY_BYTES // 1_000_000} MB")
        if exchange.time_left() <= 0:
            raise httpx.ReadTimeout("the deadline has passed")
        yield piece


def _checked(headers: Sequence[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    if len(headers) > MAX_HEADERS:
        raise Unbounded(f"more than {MAX_HEADERS} headers")
    if any(len(name) + len(value) > MAX_HEADER_BYTES for name, value in headers):
        raise Unbounded(f"a header of more than {MAX_HEADER_BYTES // 1024} kB")
    return [(name, value) for name, value in headers if name.lower() not in _DROPPED]


@contextmanager
def _as_httpx() -> Iterator[None]:
    """Raise httpcore's errors as those of httpx, which have the same names."""
    try:
        yield
    except HeadTooLong as error:
        raise Unbounded(str(error)) from error
    except (httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError, httpcore.ProxyError) as error:
        raise getattr(httpx, type(error).__name__)(str(error)) from error
    except httpcore.UnsupportedProtocol as error:
        raise httpx.UnsupportedProtocol(str(error)) from error
