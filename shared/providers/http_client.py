"""How a provider is asked: one deadline, a turn for each request, few retries, and a named error for every fault.

The order of the checks is the product's rule: status, then content type, then (in the provider's own file) the
envelope's error, then the records. A key travels in headers or bodies only and is never part of a message.
"""

from __future__ import annotations

import json
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
from shared.providers.http_headers import USER_AGENT, retry_after_s

ATTEMPTS = 3
MAX_BODY_BYTES = 32_000_000
ReadFault = Callable[[bytes], ProviderError | None]  # an API's own error inside a body, under whatever status
TellHeaders = Callable[[Mapping[str, str]], None]
CONNECT_TIMEOUT_S = 5.0


def new_http(contact: str | None) -> httpx.Client:
    """The process's one connection pool; `contact` is an address that services ask clients to state."""
    agent = f"{USER_AGENT} (mailto:{contact})" if contact else USER_AGENT
    return httpx.Client(headers={"user-agent": agent}, follow_redirects=False, trust_env=False)


@contextmanager
def unlimited() -> Iterator[TellHeaders]:
    """A turn that is always free, where no limits are kept."""
    yield lambda _: None


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole HTTP answer; header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """One provider's line for one leg. `time_left` gives seconds until the leg must be over."""

    title: str
    base_url: str
    http: httpx.Client
    time_left: Callable[[], float]
    sleep: Callable[[float], None]
    jitter: Callable[[], float]  # in [0, 1)
    now: Callable[[], datetime]
    key: str | None = None
    contact: str | None = None
    turn: Callable[[], AbstractContextManager[TellHeaders]] = unlimited  # around each request; is told its headers

    def get_json(self, path: str, params: Mapping[str, Any] | None = None, **headers: str) -> Any:
        """GET and decode JSON; headers are given with `_` for `-`."""
        return self.decode_json(self.request("GET", path, params=params, headers=_named(headers)))

    def post_json(self, path: str, body: Any, **headers: str) -> Any:
        """POST a JSON body and decode the JSON answer."""
        return self.decode_json(self.request("POST", path, json=body, headers=_named(headers)))

    def post_form(self, path: str, form: Mapping[str, Any], read_fault: ReadFault | None = None) -> Answer:
        """POST form fields: for services that would otherwise have a key in their URL."""
        return self.request("POST", path, read_fault=read_fault, data=dict(form))

    def request(self, method: str, path: str, *, read_fault: ReadFault | None = None, **options: Any) -> Answer:
        """Ask, retrying 429, 5xx and broken connections inside the deadline. Raises ProviderError.

        `read_fault` finds the API's own error in a body; it is asked before the status, which may tell less. A
        repetition that gets no turn leaves the fault before it standing, for that one tells more.
        """
        repeated: list[ProviderError] = []
        retrying = Retrying(
            retry=retry_if_exception(lambda error: isinstance(error, ProviderError) and error.retryable),
            wait=self._wait,
            stop=lambda state: stop_after_attempt(ATTEMPTS)(state) or state.upcoming_sleep >= self.time_left(),
            before_sleep=lambda state: repeated.extend(_faults(state)),
            sleep=self.sleep,
            reraise=True,
        )
        try:
            return retrying(self._once, method, path, options, read_fault)
        except (BudgetSpent, CircuitOpen) as refusal:
            if not repeated:
                raise
            fault = repeated[-1]
            fault.retry_after_s = fault.retry_after_s or refusal.retry_after_s
            raise fault from refusal

    def _wait(self, state: RetryCallState) -> float:
        """The provider's own Retry-After, or 0.5, 1, 2 … s and up to as much of jitter."""
        told = [fault.retry_after_s for fault in _faults(state) if fault.retry_after_s is not None]
        return told[0] if told else 0.5 * 2.0 ** (state.attempt_number - 1) * (1.0 + self.jitter())

    def _once(self, method: str, path: str, options: Mapping[str, Any], read_fault: ReadFault | None) -> Answer:
        self._in_time()
        with self.turn() as tell:  # whatever the answer is worth is known inside, so that the turn is told of it
            answer = self._ask(method, path, options, tell)
            if fault := read_fault(answer.body) if read_fault else None:
                if fault.retryable and fault.retry_after_s is None:
                    fault.retry_after_s = retry_after_s(answer.headers.get("retry-after"), self.now())
                raise fault
            self._check_status(answer)
        return answer

    def _ask(self, method: str, path: str, options: Mapping[str, Any], tell: TellHeaders) -> Answer:
        left = self._in_time()
        timeout = httpx.Timeout(left, connect=min(left, CONNECT_TIMEOUT_S))
        try:
            with self.http.stream(method, self.base_url + path, timeout=timeout, **options) as response:
                headers = dict(response.headers)
                tell(headers)
                return Answer(response.status_code, headers, self._read(response))
        except httpx.ConnectTimeout as error:
            if left < CONNECT_TIMEOUT_S:  # the caller's time was too short to tell
                raise ProviderTimeout(f"{self.title} could not be reached in time") from error
            raise Unavailable(f"{self.title} could not be reached within {CONNECT_TIMEOUT_S:.0f} s") from error
        except httpx.TimeoutException as error:
            raise ProviderTimeout(f"{self.title} did not answer in time") from error
        except httpx.HTTPError as error:
            raise Unavailable(f"{self.title} could not be reached ({type(error).__name__})") from error

    def _in_time(self) -> float:
        left = self.time_left()
        if left <= 0:
            raise ProviderTimeout(f"{self.title} was not asked in time")
        return left

    def _read(self, response: httpx.Response) -> bytes:
        """The body, piece by piece, so that a dripping answer cannot outlast the deadline."""
        body = bytearray()
        try:
            for piece in response.iter_bytes():
                body += piece
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
        told = f"{self.title} answered HTTP {status}"
        retry_after = retry_after_s(answer.headers.get("retry-after"), self.now())
        if status == 429:
            raise RateLimited(f"{told}: too many requests", retry_after_s=retry_after, status=status)
        if status in (401, 403):
            raise KeyRefused(f"{told}: it refuses the key or this address", status=status)
        if status == 408 or status >= 500:
            raise Unavailable(told, retry_after_s=retry_after, status=status)
        if status >= 400:
            raise RequestRejected(f"{told}: it calls the request invalid", status=status)
        raise BadResponse(f"{told}, which is no answer", status=status)

    def decode_json(self, answer: Answer) -> Any:
        """The JSON body. Raises BadResponse for another content type, an empty or a broken body."""
        self._check_type(answer, "json")
        try:
            return json.loads(answer.body)
        except ValueError as error:
            raise BadResponse(f"{self.title} sent JSON that cannot be read") from error

    def decode_xml(self, answer: Answer) -> Element:
        """The XML body's root; a DOCTYPE is passed over, declared entities are refused."""
        self._check_type(answer, "xml")
        try:
            return fromstring(answer.body, forbid_dtd=False, forbid_entities=True, forbid_external=True)
        except DefusedXmlException as error:
            raise BadResponse(f"{self.title} sent XML that declares entities, which is refused") from error
        except (ParseError, ValueError) as error:
            raise BadResponse(f"{self.title} sent XML that cannot be read") from error

    def _check_type(self, answer: Answer, wanted: str) -> None:
        kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind and wanted not in kind:
            raise BadResponse(f"{self.title} sent {kind} where {wanted} was promised")
        if not answer.body.strip():
            raise BadResponse(f"{self.title} sent an empty body")


def _faults(state: RetryCallState) -> list[ProviderError]:
    """What went wrong in this attempt: one fault, or none."""
    error = state.outcome.exception() if state.outcome else None
    return [error] if isinstance(error, ProviderError) else []


def _named(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items() if value}
