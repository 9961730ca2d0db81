"""The public keys of an issuer, from its OpenID configuration.

They are read again after an hour, and for an unknown key once a minute at most: invented keys cost no requests.
While the issuer does not answer, its last keys hold for a day.
https://openid.net/specs/openid-connect-discovery-1_0.html
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import httpx
import jwt

from shared.providers.bounded_transport import BoundedTransport
from shared.providers.deadline_sockets import exchange_within

ALGORITHMS = ("RS256", "ES256", "PS256")  # never `none`, never a shared secret
FRESH_S, USABLE_S = 3_600.0, 86_400.0
AGAIN_AFTER_S, AGAIN_WITHOUT_KEYS_S = 60.0, 5.0
DEADLINE_S = 4.0  # of both requests; API Gateway waits for the authorizer no longer than TIMEOUTS_S
MAX_BYTES = 100_000


class IssuerUnavailable(Exception):
    """The issuer's keys are not known and cannot be read at the moment."""


class IssuerKeys:
    """The keys of `issuer`; `now` returns monotonic seconds."""

    def __init__(self, issuer: str, now: Callable[[], float] = time.monotonic) -> None:
        self._issuer, self._now = issuer, now
        self._client = httpx.Client(transport=BoundedTransport(), trust_env=False)
        self._keys: dict[str, jwt.PyJWK] = {}
        self._read_at = self._tried_at = float("-inf")

    def key(self, name: str) -> jwt.PyJWK | None:
        """The key of this name (`kid`); None if the issuer has none. Raises IssuerUnavailable."""
        now = self._now()
        wait_s = AGAIN_AFTER_S if self._usable(now) else AGAIN_WITHOUT_KEYS_S
        if (name not in self._keys or now - self._read_at > FRESH_S) and now - self._tried_at > wait_s:
            self._tried_at = now
            try:
                self._keys, self._read_at = self._read(), now
            except (httpx.HTTPError, httpx.InvalidURL, jwt.PyJWTError, ValueError, RecursionError) as error:
                if not self._usable(now):
                    raise IssuerUnavailable(type(error).__name__) from error
        if not self._usable(now):
            raise IssuerUnavailable("it did not answer a moment ago")
        return self._keys.get(name)

    def _usable(self, now: float) -> bool:
        return now - self._read_at <= USABLE_S

    def _read(self) -> dict[str, jwt.PyJWK]:
        end = time.monotonic() + DEADLINE_S
        with exchange_within(lambda: end - time.monotonic()):
            configuration = self._json(f"{self._issuer.rstrip('/')}/.well-known/openid-configuration")
        if configuration.get("issuer") != self._issuer:
            raise ValueError("the configuration is of another issuer")
        address = str(configuration.get("jwks_uri"))
        if address.partition(":")[0] != self._issuer.partition(":")[0]:
            raise ValueError("the keys are not at an address with TLS")
        with exchange_within(lambda: end - time.monotonic()):
            listed = jwt.PyJWKSet.from_dict(self._json(address)).keys
        signing = [it for it in listed if it.algorithm_name in ALGORITHMS and it.public_key_use in (None, "sig")]
        return {it.key_id: it for it in signing if isinstance(it.key_id, str)}

    def _json(self, address: str) -> dict[str, Any]:
        body = b""
        with self._client.stream("GET", address, follow_redirects=False) as response:
            response.raise_for_status()
            for piece in response.iter_bytes():
                body += piece
                if len(body) > MAX_BYTES:
                    raise ValueError("longer than any set of keys")
        answer = json.loads(body)
        if not isinstance(answer, dict):
            raise ValueError("not a JSON object")
        return answer
