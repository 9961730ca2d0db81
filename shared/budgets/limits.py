"""What a provider allows: as it declares, as the operator sets it, as an answer's headers tell it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import floor

from shared.provider import ProviderSpec

# Two requests are kept this much further apart than the rule asks (in parts of the window, or of a second where that
# is more), so that one that is sent a little late cannot come too close to the next.
SLACK = 0.05
MOST_REQUESTS = 50  # in one window; a faster rate gets a shorter window
_NUMBER = re.compile(r"\s*(\d+(?:\.\d+)?)\s*s?\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a provider allows: `requests` in any window of `window_s`, `concurrency` at once, `a_day` from midnight UTC.

    `rate_is_set` and `concurrency_is_set`: by the operator, so that the provider's headers can only make it stricter.
    """

    requests: int
    window_s: float
    concurrency: int | None = None
    a_day: int | None = None
    rate_is_set: bool = False
    concurrency_is_set: bool = False

    @property
    def slack_s(self) -> float:
        """How much wider than the provider's window ours is."""
        return SLACK * max(self.window_s, 1.0)

    @property
    def spacing_s(self) -> float:
        """From a turn to the one that is `requests` turns later, at least."""
        return self.window_s + self.slack_s


@dataclass(frozen=True, slots=True, kw_only=True)
class Overrides:
    """What the operator has set in place of a provider's declared limits."""

    requests_per_second: float | None = None
    concurrency: int | None = None
    requests_per_day: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What an answer's headers say of the limits; None where they are silent."""

    requests_per_second: float | None = None
    concurrency: int | None = None
    credits_left: int | None = None
    credits_a_day: int | None = None
    credits_reset_s: float | None = None


ReadLimits = Callable[[Mapping[str, str]], Told]


def limits_of(spec: ProviderSpec, *, has_key: bool, overrides: Overrides | None = None) -> Limits:
    """A provider's declared limits, with the operator's in their place."""
    told = overrides or Overrides()
    declared = (spec.requests_per_second_with_key if has_key else None) or spec.requests_per_second
    requests, window_s = _paced(told.requests_per_second or declared)
    return Limits(
        requests=requests,
        window_s=window_s,
        concurrency=told.concurrency or spec.concurrency,
        a_day=told.requests_per_day or spec.requests_per_day,
        rate_is_set=told.requests_per_second is not None,
        concurrency_is_set=told.concurrency is not None,
    )


def _paced(rate: float) -> tuple[int, float]:
    """A rate as so many requests in a window: 3 a second are 3 in 1 s, a third of one is 1 in 3 s."""
    requests = min(max(floor(rate), 1), MOST_REQUESTS)
    return requests, requests / rate


def as_told(limits: Limits, rate: float | None, concurrency: int | None) -> Limits:
    """The limits with what headers told; what the operator has set is only made stricter."""
    if rate is not None and not (limits.rate_is_set and rate >= limits.requests / limits.window_s):
        requests, window_s = _paced(rate)
        limits = replace(limits, requests=requests, window_s=window_s)
    if concurrency is not None and not (limits.concurrency_is_set and concurrency >= (limits.concurrency or 0)):
        limits = replace(limits, concurrency=concurrency)
    return limits


def rate_headers(rate: str, interval: str | None = None, concurrency: str | None = None) -> ReadLimits:
    """Reads a rate, the seconds that it is for (1 without such a header) and the connections from headers so named."""

    def read(headers: Mapping[str, str]) -> Told:
        requests, at_once = header_number(headers, rate), header_number(headers, concurrency)
        seconds = (header_number(headers, interval) or 1.0) if interval else 1.0
        return Told(requests_per_second=requests / seconds if requests else None, concurrency=int(at_once or 0) or None)

    return read


def header_number(headers: Mapping[str, str], name: str | None) -> float | None:
    """A header's number, also as seconds (`1s`); None when it is absent or says something else."""
    found = _NUMBER.fullmatch(headers.get(name or "", ""))
    return float(found[1]) if found else None
