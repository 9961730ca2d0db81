"""What a failed exchange means for a leg: the errors of httpx, and of statuses, as those of a provider."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

import httpx

from shared.errors import BadResponse, ProviderError, ProviderTimeout, RateLimited, Unavailable
from shared.providers.answer_bodies import Answer
from shared.providers.bounded_transport import Unbounded
from shared.providers.deadline_sockets import Exchange
from shared.providers.header_numbers import seconds_until

CONNECT_TIMEOUT_S = 5.0
_REFUSAL_CHARS = 2_000  # of a body, at its beginning: a longer one is a page for people
_KEY = r"(?:api|access|subscription)[ _-]?key"
_REFUSED = (
    r"(?:invalid|not valid|valid|wrong|unknown|unrecogni[sz]ed|expired|revoked|disabled|missing|rejected|refused)"
)
_KEY_REFUSED = re.compile(
    rf"{_KEY}\b.{{0,40}}\b{_REFUSED}\b|\b{_REFUSED}\b.{{0,40}}\b{_KEY}", re.IGNORECASE | re.DOTALL
)


def names_the_key(body: bytes, key: str | None) -> bool:
    """Whether the body of a refusal says that the key is the reason, in words or by the key itself.

    `{"message": "Forbidden"}` does not: Amazon's API Gateway sends it for a wrong key and for many other reasons.
    """
    text = body[:_REFUSAL_CHARS].decode("utf-8", "replace")
    return bool((key and key in text) or _KEY_REFUSED.search(text))


def passing_error(title: str, answer: Answer, now: datetime) -> ProviderError | None:
    """The error of a status that a later request need not get: too many requests, or an outage; None for any other."""
    status, message = answer.status, f"{title} answered HTTP {answer.status}"
    stated = answer.headers.get("retry-after") or answer.headers.get("x-ratelimit-retry-after")  # CORE's
    retry_after = seconds_until(stated, now)
    if status == 429:
        return RateLimited(f"{message}: too many requests", retry_after_s=retry_after, status=status)
    if status == 408 or status >= 500:
        return Unavailable(message, retry_after_s=retry_after, status=status)
    return None


@contextmanager
def as_provider_errors(title: str, exchange: Exchange, left: float) -> Iterator[None]:
    """Raise every error of httpx as a ProviderError; `left` are the seconds that the exchange had at its start."""
    try:
        yield
    except Unbounded as error:
        raise _endless(BadResponse(f"{title} sent {error}")) from error
    except httpx.ConnectTimeout as error:
        if left < CONNECT_TIMEOUT_S:  # the deadline was too close to know
            raise ProviderTimeout(f"{title} could not be reached in time") from error
        raise Unavailable(f"{title} could not be reached within {CONNECT_TIMEOUT_S:.0f} s") from error
    except httpx.TimeoutException as error:
        if exchange.head_begun:
            raise _endless(ProviderTimeout(f"{title} did not finish its headers in time")) from error
        raise ProviderTimeout(f"{title} did not answer in time") from error
    except httpx.InvalidURL as error:  # of a Location header, which httpx reads whether or not it is followed
        raise BadResponse(f"{title} redirected to an address that cannot be read") from error
    except UnicodeError as error:  # idna's, which httpx does not translate
        raise BadResponse(f"{title} names a host that cannot be read") from error
    except httpx.HTTPError as error:
        raise Unavailable(f"{title} could not be reached ({type(error).__name__})") from error


def _endless(error: ProviderError) -> ProviderError:
    error.endless = True
    return error
