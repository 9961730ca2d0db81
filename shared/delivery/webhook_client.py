"""The HTTP client for webhooks: one POST to a checked address, within one deadline.

The host name is resolved once and the connection goes to the checked address, so a DNS answer that changes between two
look-ups (DNS rebinding) cannot lead to an internal host. TLS is verified against the name. A bare transport has no
redirects, cookies or proxies. Of the response only the status and Retry-After are used; no error message quotes it.
"""

from __future__ import annotations

import contextlib
import functools
import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

import httpx

from shared.delivery.addresses import Target, permitted
from shared.errors import WebhookError
from shared.providers.http_headers import USER_AGENT

TIMEOUT_S = 10.0
MAX_ANSWER_BYTES = 4_096
Resolve = Callable[[str, int], Sequence[str]]  # host, port -> IP addresses; raises OSError
Permit = Callable[[Sequence[str]], str]  # all addresses of the host -> the one to connect to; raises AddressRefused


@dataclass(frozen=True, slots=True)
class Answer:
    """The receiver's response: its status, and the unparsed Retry-After header."""

    status: int
    retry_after: str | None = None


def look_up(host: str, port: int) -> list[str]:
    """Resolve the host to IP addresses, in the system's order of preference. Raises OSError when there is none."""
    records = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in records))


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
    """POST the JSON body and return the response, all within `timeout_s` seconds of `clock` (monotonic).

    `trust` replaces the public certificate authorities. Raises WebhookError when no status was received, and
    AddressRefused before connecting.
    """
    deadline = clock() + timeout_s
    answered: Future[Answer] = Future()
    connections: list[Any] = []

    def left() -> float:
        if (seconds := deadline - clock()) <= 0:
            raise _late(timeout_s)
        return seconds

    def trace(event: str, details: Mapping[str, Any]) -> None:
        if event == "connection.start_tls.complete":
            connections.append(details["return_value"])
        elif event == "http11.send_request_headers.started":
            left()  # nothing is sent after the deadline

    def attempt() -> None:
        try:
            address = permit(_resolved(target, resolve))
            with _undelivered(timeout_s):
                request = _request(target, address, body, headers, left(), trace)
                _exchange(request, trust or _public_authorities(), answered)
        except Exception as error:  # re-raised by `answered.result()` in the calling thread
            if not answered.done():
                answered.set_exception(error)

    if not _answered_in_time(attempt, answered, connections, timeout_s):
        raise _late(timeout_s)
    return answered.result()


def _answered_in_time(
    attempt: Callable[[], None], answered: Future[Answer], connections: Sequence[Any], timeout_s: float
) -> bool:
    """Run the attempt for `timeout_s` seconds at most, then shut down the connections that it opened.

    False without a response or error by then; the error that the shutdown causes does not count.
    """
    # In a thread, because a look-up has no timeout, and each timeout of httpx counts from the last byte only.
    worker = threading.Thread(target=attempt, daemon=True)
    worker.start()
    worker.join(timeout_s)
    in_time = answered.done()
    if worker.is_alive():
        for connection in connections:
            with contextlib.suppress(OSError):  # wakes the worker; closing the socket under it would not
                connection.get_extra_info("socket").shutdown(socket.SHUT_RDWR)
    return in_time


def _resolved(target: Target, resolve: Resolve) -> Sequence[str]:
    try:
        return resolve(target.host, target.port)
    except (OSError, UnicodeError) as error:
        raise WebhookError("the receiver's host could not be found") from error


def _request(
    target: Target, address: str, body: bytes, headers: Mapping[str, str], timeout_s: float, trace: Callable[..., None]
) -> httpx.Request:
    """A request to the address with the name in Host and TLS, and the path unchanged byte for byte."""
    sent = {
        "host": target.authority,
        "user-agent": USER_AGENT,
        "content-type": "application/json",
        "connection": "close",
        **headers,
    }
    extensions = {
        "sni_hostname": target.host,
        "target": target.path.encode("ascii"),
        "timeout": httpx.Timeout(timeout_s).as_dict(),
        "trace": trace,
    }
    url = httpx.URL(scheme="https", host=address, port=target.port)
    return httpx.Request("POST", url, headers=sent, content=body, extensions=extensions)


def _exchange(request: httpx.Request, trust: ssl.SSLContext, answered: Future[Answer]) -> None:
    """Send the request and set the response as soon as its headers have arrived."""
    with httpx.HTTPTransport(verify=trust, trust_env=False) as transport:
        response = transport.handle_request(request)
        with contextlib.closing(response):
            answered.set_result(Answer(response.status_code, response.headers.get("retry-after")))
            # Read a short body to its end, so that the receiver does not see a reset connection.
            with contextlib.suppress(httpx.TransportError):
                received = 0
                for chunk in response.iter_raw():
                    received += len(chunk)
                    if received > MAX_ANSWER_BYTES:
                        break


@contextlib.contextmanager
def _undelivered(timeout_s: float) -> Iterator[None]:
    """Convert every network error to WebhookError with our own message: the library's may quote the response."""
    try:
        yield
    except httpx.TimeoutException as error:
        raise _late(timeout_s) from error
    except httpx.ConnectError as error:
        raise WebhookError(_connect_failure(error)) from error
    except httpx.TransportError as error:
        raise WebhookError("the receiver broke the connection off, or did not answer in HTTP") from error


def _connect_failure(error: BaseException) -> str:
    """Describe a connection failure by the operating system's or TLS error at the start of the exception chain."""
    while not isinstance(error, OSError) and error.__context__:
        error = error.__context__
    if isinstance(error, ssl.SSLCertVerificationError):
        return "the receiver's certificate is not valid for its host"
    if isinstance(error, (ssl.SSLError, ConnectionResetError, BrokenPipeError)):
        return "the receiver does not speak TLS as it should"
    return "the receiver could not be reached"


def _late(timeout_s: float) -> WebhookError:
    return WebhookError(f"the receiver did not answer within {timeout_s:g} s")


@functools.cache
def _public_authorities() -> ssl.SSLContext:
    """Load the certificate authorities once: it takes tens of milliseconds."""
    return httpx.create_ssl_context(trust_env=False)
