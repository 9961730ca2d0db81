"""The limits of a provider: as declared, as set by the operator, and as stated by the headers of its responses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from enum import Enum, auto
from math import floor
from typing import Any, cast

from shared.clock import MAX_WAIT_S
from shared.json_types import JsonObject
from shared.providers.header_numbers import (
    MAX_CONNECTIONS,
    MAX_REQUESTS,
    header_count,
    header_number,
)
from shared.providers.provider import ProviderSpec

# The limiter widens the provider's window by this fraction (of the window, or of one second if that is longer), so
# that a request sent slightly late is never too close to the next one.
SLACK = 0.05
MAX_WINDOW_REQUESTS = 50  # in one window; a faster rate gets a shorter window
# Why a request is not sent; the provider's name stands before it.
NO_PERMIT = "its rate limit allows no request in time"
NO_CONNECTION = "its limit of concurrent requests is reached"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """At most `requests` in any `window_s` seconds, `concurrency` in flight, `a_day` per day (UTC).

    `light_requests`: so many light requests count as one in a window; `is_light`: as the limits of a light request.
    `rate_is_set` and `concurrency_is_set`: the operator set the value, so headers can only make it stricter.
    """

    requests: int
    window_s: float
    concurrency: int | None = None
    a_day: int | None = None
    light_requests: int = 1
    is_light: bool = False
    rate_is_set: bool = False
    concurrency_is_set: bool = False

    @property
    def slack_s(self) -> float:
        """Seconds by which the limiter's window is longer than the provider's."""
        return SLACK * max(self.window_s, 1.0)

    @property
    def spacing_s(self) -> float:
        """The minimum of seconds between a permit and the one `requests` permits later."""
        return self.window_s + self.slack_s

    @property
    def parts(self) -> int:
        """The parts of each request of a window; a light request takes one. Fewer where a window has many requests."""
        return max(1, min(self.light_requests, MAX_WINDOW_REQUESTS // self.requests))

    @property
    def parts_taken(self) -> int:
        """The parts of a window that this request takes."""
        return 1 if self.is_light else self.parts


def limits_to_json(limits: Limits) -> JsonObject:
    """The limits as a provider's declaration has them.

    `light_requests` is a member of its own beside `limits`: a dispatcher of an earlier version passes all members of
    `limits` to its `Limits`, which did not have this one.
    """
    data = asdict(limits)
    light_requests = data.pop("light_requests")
    del data["is_light"]
    return {"limits": data, **({"light_requests": light_requests} if light_requests > 1 else {})}


def limits_from_json(declaration: JsonObject) -> Limits:
    """The inverse, of our own function's declaration."""
    limits = cast("Mapping[str, Any]", declaration["limits"])
    return Limits(**{"light_requests": declaration.get("light_requests", 1), **limits})


class Charge(Enum):
    """Whether a provider takes a request from the allowance that it gives for a day."""

    UNKNOWN = auto()  # it makes no difference between requests
    CHARGED = auto()
    FREE = auto()


def charge_of(spec: ProviderSpec, path: str) -> Charge:
    """The charge of a request to this path, as the provider declares it."""
    if not spec.free_paths:
        return Charge.UNKNOWN
    return Charge.FREE if path.startswith(spec.free_paths) else Charge.CHARGED


def is_light(spec: ProviderSpec, path: str) -> bool:
    """Whether the provider allows more requests to this path than to others."""
    return path.startswith(spec.light_paths)


def limits_for(spec: ProviderSpec, limits: Limits, path: str) -> Limits:
    """A provider's limits as they are for a request to this path."""
    return replace(limits, is_light=True) if is_light(spec, path) else limits


@dataclass(frozen=True, slots=True, kw_only=True)
class Overrides:
    """Limits that the operator sets in place of a provider's declared ones; None keeps the declared one."""

    requests_per_second: float | None = None
    concurrency: int | None = None
    requests_per_day: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimitHeaders:
    """The limits stated by the headers of one response; None where a header is absent or no number."""

    requests_per_second: float | None = None
    concurrency: int | None = None
    credits_left: int | None = None
    credits_a_day: int | None = None
    credits_reset_s: float | None = None


ReadLimits = Callable[[Mapping[str, str], datetime], RateLimitHeaders]  # of a response, and when it was received


def no_limits(headers: Mapping[str, str], now: datetime) -> RateLimitHeaders:  # noqa: ARG001  of every reader
    """The reader for a provider whose headers state no limits."""
    return RateLimitHeaders()


def limits_of(spec: ProviderSpec, *, has_key: bool, overrides: Overrides | None = None) -> Limits:
    """The declared limits of a provider, replaced by the operator's where those are set.

    At another rate than the declared one, each request counts as one: what is set or stated is a limit of all.
    """
    override = overrides or Overrides()
    declared = (spec.requests_per_second_with_key if has_key else None) or spec.requests_per_second
    rate = override.requests_per_second or declared
    requests, window_s = _window(rate)
    return Limits(
        requests=requests,
        window_s=window_s,
        concurrency=override.concurrency or spec.concurrency,
        a_day=override.requests_per_day or spec.requests_per_day,
        light_requests=spec.light_requests if rate == declared else 1,
        rate_is_set=override.requests_per_second is not None,
        concurrency_is_set=override.concurrency is not None,
    )


def _window(requests_per_second: float) -> tuple[int, float]:
    """A rate as requests per window: 3 a second are 3 in 1 s, 1/3 a second is 1 in 3 s."""
    requests = min(max(floor(requests_per_second), 1), MAX_WINDOW_REQUESTS)
    return requests, requests / requests_per_second


def with_header_limits(limits: Limits, requests_per_second: float | None, concurrency: int | None) -> Limits:
    """The limits replaced by those from response headers; a limit set by the operator only gets stricter.

    At another rate, light requests count like any other: headers do not say of which kind of requests they speak.
    """
    rate = requests_per_second
    if rate is not None and not (limits.rate_is_set and rate >= limits.requests / limits.window_s):
        requests, window_s = _window(rate)
        if (requests, window_s) != (limits.requests, limits.window_s):
            limits = replace(limits, requests=requests, window_s=window_s, light_requests=1)
    if concurrency is not None and not (limits.concurrency_is_set and concurrency >= (limits.concurrency or 0)):
        limits = replace(limits, concurrency=concurrency)
    return limits


def rate_headers(rate: str, interval: str | None = None, concurrency: str | None = None) -> ReadLimits:
    """A reader of the named headers: the rate, its interval in seconds (default 1) and the connections.

    A limit of 0 would allow nothing for ever, so it counts as absent.
    """

    def read(headers: Mapping[str, str], now: datetime) -> RateLimitHeaders:  # noqa: ARG001  of every reader
        requests = header_number(headers, rate, MAX_REQUESTS)
        seconds = header_number(headers, interval, MAX_WAIT_S) if interval else None
        connections = header_count(headers, concurrency, MAX_CONNECTIONS) if concurrency else None
        return RateLimitHeaders(
            requests_per_second=bounded_rate(requests / (seconds or 1.0)) if requests else None,
            concurrency=connections or None,
        )

    return read


def bounded_rate(requests_per_second: float) -> float:
    """A stated rate: at least one request in MAX_WAIT_S, at most MAX_REQUESTS a second."""
    return min(max(requests_per_second, 1.0 / MAX_WAIT_S), float(MAX_REQUESTS))
