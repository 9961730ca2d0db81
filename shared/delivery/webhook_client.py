"""The HTTP client for webhooks: one POST to a checked address, within one deadline.

The host name is resolved once and the connection goes to the checked address, so a DNS answer that changes between two
look-ups (DNS rebinding) cannot lead to an internal host. TLS is verified against the name. A bare transport has no
redirects, cookies or proxies, and ends at the deadline whatever arrives. Of the response only the status and
Retry-After are used; no error message quotes it.
"""

from __future__ import annotations

import contextlib
import functools
import ssl
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import httpx

from shared.delivery.addresses import permitted
from shared.delivery.errors import WebhookError
from shared.providers.bounded_transport import BoundedTransport
from shared.providers.deadline_sockets import exchange_within
from shared.providers.host_lookup import Resolve, look_up, resolved_in_time
from shared.providers.http_headers import USER_AGENT
from shared.providers.public_addresses import Target

TIMEOUT_S = 10.0
MAX_ANSWER_BYTES = 4_096
Permit = Callable[[Sequence[str]], str]  # all addresses of the host -> the one to connect to; raises AddressRefused


@dataclass(frozen=True, slots=True)
class ReceiverResponse:
    """The receiver's response: its status, and the unparsed Retry-After header."""

    status: int
    retry_after: str | None = None


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
) -> ReceiverResponse:
    """POST the JSON body and return the response, all within `timeout_s` seconds of `clock` (monotonic).

    `trust` replaces the public certificate authorities. Raises WebhookError when no status was received, and
    AddressRefused before connecting.
    """
    deadline = clock() + timeout_s
    with _undelivered(timeout_s), exchange_within(lambda: deadline - clock()) as exchange:
        address = permit(_resolved(target, resolve, deadline - clock()))
        request = _request(target, address, body, headers)
        with BoundedTransport(trust or _public_authorities()) as transport:
            response = transport.handle_request(request)
            exchange.seconds(None)  # a status that came too late does not count
            with contextlib.closing(response), contextlib.suppress(httpx.RequestError):
                # Read a short body to its end, so that the receiver does not see a reset connection.
                received = 0
                for piece in response.iter_raw():
                    received += len(piece)
                    if received > MAX_ANSWER_BYTES:
                        break
            return ReceiverResponse(response.status_code, response.headers.get("retry-after"))


def _resolved(target: Target, resolve: Resolve, seconds: float) -> Sequence[str]:
    try:
        return resolved_in_time(resolve, target.host, target.port, seconds)
    except TimeoutError:
        raise
    except (OSError, UnicodeError) as error:
        raise WebhookError("the receiver's host could not be found") from error


def _request(target: Target, address: str, body: bytes, headers: Mapping[str, str]) -> httpx.Request:
    """A request to the address with the name in Host and TLS, and the path unchanged byte for byte."""
    sent = {
        "host": target.authority,
        "user-agent": USER_AGENT,
        "content-type": "application/json",
        "connection": "close",
        **headers,
    }
    extensions = {"sni_hostname": target.host, "target": target.path.encode("ascii")}
    url = httpx.URL(scheme="https", host=address, port=target.port)
    return httpx.Request("POST", url, headers=sent, content=body, extensions=extensions)


@contextlib.contextmanager
def _undelivered(timeout_s: float) -> Iterator[None]:
    """Convert every network error to WebhookError with our own message: the library's may quote the response."""
    try:
        yield
    except (httpx.TimeoutException, TimeoutError) as error:
        raise WebhookError(f"the receiver did not answer within {timeout_s:g} s") from error
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


@functools.cache
def _public_authorities() -> ssl.SSLContext:
    """Load the certificate authorities once: it takes tens of milliseconds."""
    return httpx.create_ssl_context(trust_env=False)
