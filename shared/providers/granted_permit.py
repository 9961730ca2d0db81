"""A permit while its request is sent: what the HTTP client tells the rate limiter about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

ReportHeaders = Callable[[Mapping[str, str]], None]


def always_valid() -> None:
    """The confirmation of a permit that does not expire."""


@dataclass(frozen=True, slots=True)
class GrantedPermit:
    """The permission to send one request.

    `confirm` is called when the connection is open, right before the first byte: it waits for the permit's moment, and
    for another permit if this one has expired by then. It raises ProviderError if there is none in time.
    `report_headers` gets the response's.
    """

    report_headers: ReportHeaders
    confirm: Callable[[], None] = always_valid
