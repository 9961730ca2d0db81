"""The one door to receivers of webhooks: a single POST to a checked address, and how it was answered.

The name is looked up once, and the connection goes to the very address that was checked: an answer that changes
between two look-ups cannot lead inward. TLS is verified against the name. Redirects, cookies and proxies do not exist
here. Of an answer only its status and its Retry-After are used; nothing of it gets into a message.
"""

from __future__ import annotations

import contextlib
import functools
import socket
import ssl
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass

import httpcore

from shared.errors import Undelivered
from shared.http_headers import USER_AGENT
from shared.saved.addresses import Target, permitted

TIMEOUT_S = 10.0
MAX_ANSWER_BYTES = 4_096
_TLS_RECORD_BYTES = 16_384
Resolve = Callable[[str, int], Sequence[str]]  # host, port -> IP addresses; raises OSError
Permit = Callable[[Sequence[str]], str]  # all addresses -> the one to call; raises AddressRefused


@dataclass(frozen=True, slots=True)
class Answer:
    """What a receiver answered: its status, and its Retry-After as it stands."""

    status: int
    retry_after: str | None = None


def look_up(host: str, port: int) -> list[str]:
    """The host's IP addresses in the system's order of preference. Raises OSError when there is none."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def post(
    target: Target,
    body: bytes,
    headers: Mapping[str, str],
    *,
    clock: Callable[[], float],
    resolve: Resolve = look_up,
    permit: Permit = permitted,
    trust: ssl.SSLContext | None = None,
    timeout_s: float = TIMEOUT_S,
) -> Answer:
    """POST the JSON body and return how it was answered, all within `timeout_s` seconds of `clock` (monotonic).

    `trust` holds other certificate authorities than the public ones. Raises Undelivered where there is no status, and
    AddressRefused before anything is connected.
    """
    deadline = clock() + timeout_s

    def left() -> float:
        seconds = deadline - clock()
        if seconds <= 0:
            raise _late(timeout_s)
        return seconds

    address = permit(_resolved(target, resolve, left, timeout_s))
    with _faults_named(timeout_s):
        return _answer(target, body, headers, _Line(address, left), trust or _public_authorities())


def _resolved(target: Target, resolve: Resolve, left: Callable[[], float], timeout_s: float) -> Sequence[str]:
    """The one look-up; in a thread of its own, for the system's cannot be told to hurry."""
    found: Future[Sequence[str]] = Future()

    def look() -> None:
        try:
            found.set_result(resolve(target.host, target.port))
        except Exception as error:  # handed over to the waiting thread, which names it
            found.set_exception(error)

    threading.Thread(target=look, daemon=True).start()
    try:
        return found.result(timeout=left())
    except TimeoutError as error:
        raise _late(timeout_s) from error
    except (OSError, UnicodeError) as error:
        raise Undelivered("the receiver's host could not be found") from error


def _answer(target: Target, body: bytes, headers: Mapping[str, str], line: _Line, trust: ssl.SSLContext) -> Answer:
    sent = {
        "host": target.authority,
        "user-agent": USER_AGENT,
        "content-type": "application/json",
        "connection": "close",
        **headers,
    }
    url = httpcore.URL(
        scheme=b"https", host=target.host.encode("ascii"), port=target.port, target=target.path.encode("ascii")
    )
    with (
        httpcore.ConnectionPool(ssl_context=trust, network_backend=line) as pool,
        pool.stream(b"POST", url, headers=list(sent.items()), content=body) as answer,
    ):
        # A short body is heard out, so that the receiver does not see its answer break off.
        with contextlib.suppress(httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException, Undelivered):
            heard = 0
            for piece in answer.iter_stream():
                heard += len(piece)
                if heard > MAX_ANSWER_BYTES:
                    break
        asked = next((value for name, value in answer.headers if name.lower() == b"retry-after"), None)
        return Answer(answer.status, asked.decode("ascii", "replace") if asked else None)


@contextlib.contextmanager
def _faults_named(timeout_s: float) -> Iterator[None]:
    """Every fault of the line as Undelivered, in our words: a library's own may quote the answer."""
    try:
        yield
    except httpcore.TimeoutException as error:
        raise _late(timeout_s) from error
    except httpcore.ConnectError as error:
        raise Undelivered("the receiver could not be reached") from error
    except (httpcore.NetworkError, httpcore.RemoteProtocolError) as error:
        raise Undelivered("the receiver broke the connection off, or did not answer in HTTP") from error


def _late(timeout_s: float) -> Undelivered:
    return Undelivered(f"the receiver did not answer within {timeout_s:g} s")


@functools.cache
def _public_authorities() -> ssl.SSLContext:
    """Made once: it takes tens of milliseconds."""
    return httpcore.default_ssl_context()


class _Line(httpcore.NetworkBackend):
    """Connections to one address, whatever the URL's host; every wait ends with the time that is left."""

    def __init__(self, address: str, left: Callable[[], float]) -> None:
        self._address = address
        self._left = left
        self._sockets = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,  # noqa: ARG002 - looked up and checked before
        port: int,
        timeout: float | None = None,  # noqa: ARG002
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        stream = self._sockets.connect_tcp(self._address, port, self._left(), local_address, socket_options)
        return _Stream(stream, self._left)


class _Stream(httpcore.NetworkStream):
    """A connection whose every step has the time that is left, so that drops do not add up to hours."""

    def __init__(self, stream: httpcore.NetworkStream, left: Callable[[], float]) -> None:
        self._stream = stream
        self._left = left

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002
        return self._stream.read(max_bytes, self._left())

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002
        for start in range(0, len(buffer), _TLS_RECORD_BYTES):  # a longer one would have its time for each record
            self._stream.write(buffer[start : start + _TLS_RECORD_BYTES], self._left())

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002
    ) -> httpcore.NetworkStream:
        try:
            return _Stream(self._stream.start_tls(ssl_context, server_hostname, self._left()), self._left)
        except httpcore.ConnectError as error:
            if isinstance(error.__cause__, ssl.SSLCertVerificationError):
                raise Undelivered("the receiver's certificate is not valid for its host") from error
            raise Undelivered("the receiver does not speak TLS as it should") from error

    def get_extra_info(self, info: str) -> object:
        return self._stream.get_extra_info(info)
