"""The HTTP client of one leg: one deadline, a permit for each request, few retries, a named error for every failure.

Responses are checked in the order of the product contract: status, content type, then (in the provider's own module)
the envelope's error and the records. A key is sent in headers or bodies only and is never part of a message.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from xml.etree.ElementTree import Element, ParseError

import httpx
from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring
from tenacity import RetryCallState, Retrying, retry_if_exception, stop_after_attempt

from shared.errors import (
    BadResponse,
    BudgetSpent,
    CircuitOpen,
    CutOff,
    KeyRefused,
    ProviderError,
    ProviderTimeout,
    RateLimited,
    RequestRejected,
    Unavailable,
)
from shared.json_types import JsonObject, NestedTooDeeply, read_json
from shared.providers.http_headers import USER_AGENT, retry_after_s

ATTEMPTS = 3
MAX_BODY_BYTES = 32_000_000
ReadError = Callable[[bytes], ProviderError | None]  # finds an API's own error in a body of any status
ReportHeaders = Callable[[Mapping[str, str]], None]
Fields = Mapping[str, str | int | None]  # query parameters or form fields; None is sent as an empty value
OpenResponse = Callable[[httpx.Timeout], AbstractContextManager[httpx.Response]]
CONNECT_TIMEOUT_S = 5.0


def new_http(contact: str | None) -> httpx.Client:
    """The connection pool of this process; `contact` is the email address that providers want clients to state."""
    agent = f"{USER_AGENT} (mailto:{contact})" if contact else USER_AGENT
    return httpx.Client(headers={"user-agent": agent}, follow_redirects=False, trust_env=False)


@contextmanager
def unlimited() -> Iterator[ReportHeaders]:
    """A permit that is always granted."""
    yield lambda _: None


@dataclass(frozen=True, slots=True)
class Answer:
    """A complete HTTP response; header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


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
    permit: Callable[[], AbstractContextManager[ReportHeaders]] = unlimited  # around each request; gets its headers

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
        retry gets no permit, the error of the attempt before is raised, which is more specific.
        """

        def open_response(timeout: httpx.Timeout) -> AbstractContextManager[httpx.Response]:
            return self.http.stream(
                method, self.base_url + path, params=params, json=json, data=data, headers=headers,
                follow_redirects=follow_redirects, timeout=timeout,
            )  # fmt: skip

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
            return retrying(self._attempt, open_response, read_error)
        except (BudgetSpent, CircuitOpen) as refusal:
            if not retried:
                raise
            error = retried[-1]
            error.retry_after_s = error.retry_after_s or refusal.retry_after_s
            raise error from refusal

    def _wait(self, state: RetryCallState) -> float:
        """Seconds before a retry: the provider's Retry-After, else 0.5, 1, 2 … s plus as much jitter at most."""
        stated = [error.retry_after_s for error in _errors(state) if error.retry_after_s is not None]
        return stated[0] if stated else 0.5 * 2.0 ** (state.attempt_number - 1) * (1.0 + self.jitter())

    def _attempt(self, open_response: OpenResponse, read_error: ReadError | None) -> Answer:
        self._check_time()
        with self.permit() as report_headers:  # errors are raised inside, so that the rate limiter sees them
            answer = self._send(open_response, report_headers)
            if error := read_error(answer.body) if read_error else None:
                if error.retryable and error.retry_after_s is None:
                    error.retry_after_s = retry_after_s(answer.headers.get("retry-after"), self.now())
                raise error
            self._check_status(answer)
        return answer

    def _send(self, open_response: OpenResponse, report_headers: ReportHeaders) -> Answer:
        left = self._check_time()
        timeout = httpx.Timeout(left, connect=min(left, CONNECT_TIMEOUT_S))
        try:
            with open_response(timeout) as response:
                headers = dict(response.headers)
                report_headers(headers)
                return Answer(response.status_code, headers, self._read(response))
        except httpx.ConnectTimeout as error:
            if left < CONNECT_TIMEOUT_S:  # the deadline was too close to know
                raise ProviderTimeout(f"{self.title} could not be reached in time") from error
            raise Unavailable(f"{self.title} could not be reached within {CONNECT_TIMEOUT_S:.0f} s") from error
        except httpx.TimeoutException as error:
            raise ProviderTimeout(f"{self.title} did not answer in time") from error
        except httpx.HTTPError as error:
            raise Unavailable(f"{self.title} could not be reached ({type(error).__name__})") from error

    def _check_time(self) -> float:
        """The seconds left. Raises ProviderTimeout if there are none."""
        left = self.time_left()
        if left <= 0:
            raise ProviderTimeout(f"{self.title} was not queried: the deadline has passed")
        return left

    def _read(self, response: httpx.Response) -> bytes:
        """The body, read in chunks so that a slow response cannot exceed the deadline."""
        body = bytearray()
        try:
            for chunk in response.iter_bytes():
                body += chunk
                if self.time_left() <= 0:
                    raise ProviderTimeout(f"{self.title} did not finish its answer in time")
                if len(body) > MAX_BODY_BYTES:
                    raise BadResponse(f"{self.title} sent more than {MAX_BODY_BYTES // 1_000_000} MB")
        except (httpx.RemoteProtocolError, httpx.ReadError) as error:
            raise CutOff(f"{self.title}'s answer was cut off") from error
        except httpx.DecodingError as error:
            raise BadResponse(f"{self.title}'s answer could not be decompressed") from error
        return bytes(body)

    def _check_status(self, answer: Answer) -> None:
        status = answer.status
        if 200 <= status < 300:
            return
        message = f"{self.title} answered HTTP {status}"
        retry_after = retry_after_s(answer.headers.get("retry-after"), self.now())
        if status == 429:
            raise RateLimited(f"{message}: too many requests", retry_after_s=retry_after, status=status)
        if status in (401, 403):
            raise KeyRefused(f"{message}: it rejected the key or this address", status=status)
        if status == 408 or status >= 500:
            raise Unavailable(message, retry_after_s=retry_after, status=status)
        if status >= 400:
            raise RequestRejected(f"{message}: it rejected the request as invalid", status=status)
        raise BadResponse(f"{message}, which is unexpected", status=status)

    def decode_json(self, answer: Answer) -> Any:
        """The JSON body, read by `read_json`. Raises BadResponse for another content type, an empty or broken body."""
        self._check_type(answer, "json")
        try:
            return read_json(answer.body)
        except NestedTooDeeply as error:
            raise BadResponse(f"{self.title} sent JSON that is nested too deeply") from error
        except ValueError as error:
            raise BadResponse(f"{self.title} sent JSON that cannot be read") from error

    def decode_xml(self, answer: Answer) -> Element:
        """The root of the XML body. A DOCTYPE is ignored; declared entities raise BadResponse."""
        self._check_type(answer, "xml")
        try:
            return fromstring(answer.body, forbid_dtd=False, forbid_entities=True, forbid_external=True)
        except DefusedXmlException as error:
            raise BadResponse(f"{self.title} sent XML that declares entities, which is refused") from error
        except LookupError as error:
            raise BadResponse(f"{self.title} sent XML in an unknown encoding") from error
        except (ParseError, ValueError) as error:
            raise BadResponse(f"{self.title} sent XML that cannot be read") from error

    def _check_type(self, answer: Answer, wanted: str) -> None:
        kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind and wanted not in kind:
            raise BadResponse(f"{self.title} sent {kind} instead of {wanted}")
        if not answer.body.strip():
            raise BadResponse(f"{self.title} sent an empty body")


def _errors(state: RetryCallState) -> list[ProviderError]:
    """The error of this attempt, if any."""
    error = state.outcome.exception() if state.outcome else None
    return [error] if isinstance(error, ProviderError) else []


def _named(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items() if value}
