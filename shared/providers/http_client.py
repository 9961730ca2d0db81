"""The HTTP client of one leg: one deadline, a permit for each request, few retries, a named error for every failure.

The transport below ends each exchange at the deadline and bounds its headers and body (`bounded_transport`). Responses
are checked in this order: status, content type, then (in the provider's own module) the envelope's error and the
records. A key is sent in headers or bodies only and is never part of a message.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any
from xml.etree.ElementTree import Element

import httpx
from tenacity import RetryCallState, Retrying, retry_if_exception, stop_after_attempt

from shared.canonical_json import canonical, digest
from shared.errors import (
    KEY_REJECTED,
    REQUEST_REFUSED,
    BadResponse,
    BudgetSpent,
    CircuitOpen,
    CutOff,
    Forbidden,
    KeyRefused,
    ProviderError,
    ProviderTimeout,
    RequestRejected,
)
from shared.json_types import JsonObject
from shared.providers.answer_bodies import Answer, json_body, xml_body
from shared.providers.deadline_sockets import exchange_within
from shared.providers.exchange_errors import CONNECT_TIMEOUT_S, as_provider_errors, names_the_key, passing_error
from shared.providers.granted_permit import GrantedPermit
from shared.providers.header_numbers import seconds_until
from shared.providers.redirects import MAX_REDIRECTS, STATUSES, next_url

ATTEMPTS = 3
DIGEST_CHARS = 8  # tells requests of one minute apart, and says nothing about what they contain
ReadError = Callable[[bytes], ProviderError | None]  # finds an API's own error in a body of any status
# Query parameters or form fields; None is sent as an empty value, a list as one field for each of its values.
Fields = Mapping[str, str | int | list[str] | None]
OpenResponse = Callable[..., AbstractContextManager[httpx.Response]]
OpenPermit = Callable[[], AbstractContextManager[GrantedPermit]]


@dataclass(frozen=True, slots=True)
class RequestId:
    """A request as the rate limiter knows it: its path, and a digest of all that is sent but the headers."""

    path: str
    digest: str


@contextmanager
def unlimited(request: RequestId) -> Iterator[GrantedPermit]:  # noqa: ARG001  of every permit
    """A permit that is always granted."""
    yield GrantedPermit(report_headers=lambda _: None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """The client of one provider for one leg. `time_left` returns the seconds until the leg's deadline."""

    title: str
    base_url: str
    http: httpx.Client
    time_left: Callable[[], float]
    sleep: Callable[[float], None]
    jitter: Callable[[], float]  # in [0, 1)
    now: Callable[[], datetime]
    key: str | None = None
    contact: str | None = None
    permit: Callable[[RequestId], AbstractContextManager[GrantedPermit]] = unlimited  # around each
    optional: Callable[[], AbstractContextManager[None]] = nullcontext  # around requests that the leg can do without

    def get_json(self, path: str, params: Fields | None = None, **headers: str) -> Any:
        """GET and decode JSON; headers are given with `_` for `-`."""
        return self.decode_json(self.request("GET", path, params=params, headers=_named(headers)))

    def post_json(self, path: str, body: JsonObject, **headers: str) -> Any:
        """POST a JSON body and decode the JSON answer."""
        return self.decode_json(self.request("POST", path, json=body, headers=_named(headers)))

    def post_form(self, path: str, form: Fields, read_error: ReadError | None = None) -> Answer:
        """POST form fields: for APIs that would otherwise need a key in the URL."""
        return self.request("POST", path, read_error=read_error, data=dict(form))

    def request(
        self,
        method: str,
        path: str,
        *,
        params: Fields | None = None,
        json: JsonObject | None = None,
        data: Fields | None = None,
        headers: Mapping[str, str] | None = None,
        follow_redirects: bool = False,
        read_error: ReadError | None = None,
    ) -> Answer:
        """Send a request; retry 429, 5xx and broken connections before the deadline. Raises ProviderError.

        `read_error` finds the API's own error in a body; it comes before the status, which may be less specific. If a
        retry gets no permit, or no time to be answered in, the error of the attempt before is raised, which is more
        specific. Redirects are followed on the provider's own host only; each is a request with a permit of its own.
        """
        url = self.base_url + path
        content = canonical([method, path, dict(params or {}), json, dict(data or {})])
        permit = partial(self.permit, RequestId(path, digest(content, DIGEST_CHARS)))
        for _ in range(1 + MAX_REDIRECTS):
            send = partial(self.http.stream, method, url, params=params, json=json, data=data, headers=headers)
            answer = self._retried(partial(self._attempt, send, permit, read_error, follow_redirects))
            if not answer.next_url:
                return answer
            url, params = answer.next_url, None
        raise BadResponse(f"{self.title} redirected more than {MAX_REDIRECTS} times")

    def fetch(self, url: str) -> Answer:
        """GET an address of any host, once, with a permit; its status is the caller's to judge. Raises ProviderError.

        What one host does is not evidence about the others: the permit does not see an error.
        """
        self._check_time()
        with self.permit(RequestId(httpx.URL(url).raw_host.decode("ascii"), digest(url, DIGEST_CHARS))) as permit:
            try:
                return self._send(partial(self.http.stream, "GET", url), permit)
            except ProviderError as failed:
                error = failed
        raise error

    def _retried(self, attempt: Callable[[], Answer]) -> Answer:
        retried: list[ProviderError] = []
        retrying = Retrying(
            retry=retry_if_exception(lambda error: isinstance(error, ProviderError) and error.retryable),
            wait=self._wait,
            stop=lambda state: stop_after_attempt(ATTEMPTS)(state) or state.upcoming_sleep >= self.time_left(),
            before_sleep=lambda state: retried.extend(_errors(state)),
            sleep=self.sleep,
            reraise=True,
        )
        try:
            return retrying(attempt)
        except (BudgetSpent, CircuitOpen, ProviderTimeout) as last:
            if not retried:
                raise
            error = retried[-1]
            error.retry_after_s = error.retry_after_s or last.retry_after_s
            raise error from last

    def _wait(self, state: RetryCallState) -> float:
        """Seconds before a retry: the provider's Retry-After, else 0.5, 1, 2 … s plus as much jitter at most."""
        stated = [error.retry_after_s for error in _errors(state) if error.retry_after_s is not None]
        return stated[0] if stated else 0.5 * 2.0 ** (state.attempt_number - 1) * (1.0 + self.jitter())

    def _attempt(
        self, send: OpenResponse, permit: OpenPermit, read_error: ReadError | None, follow_redirects: bool
    ) -> Answer:
        self._check_time()
        with permit() as granted:  # errors are raised inside, so that the rate limiter sees them
            answer = self._send(send, granted)
            if error := read_error(answer.body) if read_error else None:
                if error.retryable and error.retry_after_s is None:
                    error.retry_after_s = seconds_until(answer.headers.get("retry-after"), self.now())
                raise error
            location = answer.headers.get("location")
            if follow_redirects and answer.status in STATUSES and location:
                return replace(answer, next_url=next_url(self.title, self.base_url, answer.url, location))
            self._check_status(answer)
        return answer

    def _send(self, send: OpenResponse, permit: GrantedPermit) -> Answer:
        left = self._check_time()
        with (
            exchange_within(self.time_left, permit.confirm) as exchange,
            as_provider_errors(self.title, exchange, left),
            send(timeout=httpx.Timeout(left, connect=min(left, CONNECT_TIMEOUT_S))) as response,
        ):
            headers = dict(response.headers)
            permit.report_headers(headers)
            return Answer(response.status_code, headers, self._read(response), url=str(response.url))

    def _check_time(self) -> float:
        """The seconds left. Raises ProviderTimeout if there are none."""
        left = self.time_left()
        if left <= 0:
            raise ProviderTimeout(f"{self.title} was not queried: the deadline has passed")
        return left

    def _read(self, response: httpx.Response) -> bytes:
        """The body. Raises ProviderTimeout, CutOff or BadResponse."""
        body = bytearray()
        try:
            for piece in response.iter_bytes():  # not joined at the end: millions of small pieces need more memory
                body += piece
            return bytes(body)
        except httpx.TimeoutException as error:
            raise ProviderTimeout(f"{self.title} did not finish its answer in time") from error
        except (httpx.RemoteProtocolError, httpx.ReadError) as error:
            raise CutOff(f"{self.title}'s answer was cut off") from error
        except httpx.DecodingError as error:
            raise BadResponse(f"{self.title}'s answer could not be decompressed") from error
        finally:
            body.clear()  # an error's traceback keeps this frame until the next garbage collection

    def _check_status(self, answer: Answer) -> None:
        status = answer.status
        if 200 <= status < 300:
            return
        if error := passing_error(self.title, answer, self.now()):
            raise error
        message = f"{self.title} answered HTTP {status}"
        if status == 401 or (status == 403 and names_the_key(answer.body, self.key)):
            raise KeyRefused(f"{message}: {KEY_REJECTED}", status=status)
        if status == 403:
            raise Forbidden(f"{message}: {REQUEST_REFUSED}", status=status)
        if status >= 400:
            raise RequestRejected(f"{message}: it rejected the request as invalid", status=status)
        raise BadResponse(f"{message}, which is unexpected", status=status)

    def decode_json(self, answer: Answer) -> Any:
        """The JSON body. Raises BadResponse for another content type, an empty or broken body."""
        return json_body(self.title, answer)

    def decode_xml(self, answer: Answer) -> Element:
        """The root of the XML body. Raises BadResponse for another content type, an empty or broken body."""
        return xml_body(self.title, answer)


def _errors(state: RetryCallState) -> list[ProviderError]:
    """The error of this attempt, if any."""
    error = state.outcome.exception() if state.outcome else None
    return [error] if isinstance(error, ProviderError) else []


def _named(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items() if value}
