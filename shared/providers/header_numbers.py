"""The numbers and times that a response states as text, mostly in headers: bounded, and never an exception.

Who sends a header may send anything in it. A value that is not in a form below is None, like an absent header; a value
above the stated most is that most. Work is linear in a length of at most MAX_CHARS.

- number: decimal digits with a fraction, no sign or exponent; also with the unit `s`, as Crossref sends its interval.
  Of a list, which repeated headers become too, the first member counts, without its parameters: `100, 100;w=60`
  (https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-06).
- time: seconds from now (RFC 9110, 10.2.3), epoch seconds, epoch milliseconds, an HTTP date (RFC 9110, 5.6.7: three
  forms) or an ISO 8601 date and time. Without a zone it is UTC.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from shared.clock import bounded_wait_s

MAX_CHARS = 64  # the longest valid value, an HTTP date with the full name of the day, has 33
MAX_REQUESTS = 1_000_000  # a rate limit in one interval
MAX_CONNECTIONS = 1_000
MAX_CREDITS = 1_000_000_000_000
# No delta reaches the first (three years) and no moment lies before it (1973); seconds reach the second in 5138.
_FIRST_EPOCH_S, _FIRST_EPOCH_MS = 1e8, 1e11
_YEAR_S = 366 * 86_400  # no server states a moment that long ago: such a number is a very long delta
_NUMBER = re.compile(r"([0-9]{1,15}(?:\.[0-9]{1,15})?)s?")  # so many digits are exact enough in a float
_DATE_AND_TIME = re.compile(r"[0-9]{4}-?[0-9]{2}-?[0-9]{2}[T ][0-9:]{4,8}.*")


def header_number(headers: Mapping[str, str], name: str, most: float) -> float | None:
    """The number in the header of this name (in lower case), `most` at most."""
    return _number(_bounded(headers.get(name)), most)


def header_count(headers: Mapping[str, str], name: str, most: int) -> int | None:
    """The number in the header of this name, without its fraction."""
    number = header_number(headers, name, most)
    return None if number is None else int(number)


def seconds_until(value: str | None, now: datetime) -> float | None:
    """The seconds until a time, such as a `Retry-After`: 0 if it has passed, MAX_WAIT_S at most. `now` has a zone."""
    text = _bounded(value)
    number = _number(text, math.inf)
    if number is not None and number < _FIRST_EPOCH_S:
        return bounded_wait_s(number)
    if number is not None:
        left = (number if number < _FIRST_EPOCH_MS else number / 1000) - now.timestamp()
        return bounded_wait_s(left if left > -_YEAR_S else number)
    moment = _moment(text)
    return None if moment is None else bounded_wait_s(moment - now.timestamp())


def _bounded(value: str | None) -> str:
    """The value without its outer white space; empty if it is too long, or not ASCII as every valid form is."""
    return value.strip(" \t") if value and len(value) <= MAX_CHARS and value.isascii() else ""


def _number(text: str, most: float) -> float | None:
    found = _NUMBER.fullmatch(text.partition(",")[0].partition(";")[0].rstrip(" \t"))
    return min(float(found[1]), most) if found else None


def _moment(text: str) -> float | None:
    """The epoch seconds of a date and time."""
    try:
        moment = datetime.fromisoformat(text) if _DATE_AND_TIME.fullmatch(text) else parsedate_to_datetime(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError, TypeError, IndexError):  # the e-mail parser raises all of them
        return None
