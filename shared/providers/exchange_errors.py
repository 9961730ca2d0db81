"""What a failed exchange means for a leg: the errors of httpx as those of a provider."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import httpx

from shared.errors import BadResponse, ProviderError, ProviderTimeout, Unavailable
from shared.providers.bounded_transport import Unbounded
from shared.providers.deadline_sockets import Exchange

CONNECT_TIMEOUT_S = 5.0


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
    except httpx.HTTPError as error:
        raise Unavailable(f"{title} could not be reached ({type(error).__name__})") from error


def _endless(error: ProviderError) -> ProviderError:
    error.endless = True
    return error
