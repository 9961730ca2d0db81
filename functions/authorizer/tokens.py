"""Access tokens of one issuer: JSON Web Tokens (RFC 9068) that were issued for this service (RFC 8707).

The issuer's keys come from its OpenID configuration. They are read again after an hour, and for an unknown key once a
minute at most, so that invented keys cost no requests.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import httpx
import jwt

from shared.canonical_json import digest

ALGORITHMS = ("RS256", "ES256", "PS256")  # never `none`, never a shared secret
LEEWAY_S = 60
TIMEOUT_S = 3.0
MAX_BYTES = 100_000
KEYS_FOR_S, AGAIN_AFTER_S = 3_600.0, 60.0


class Tokens:
    """Checks tokens of `issuer`; one without an audience, as Cognito's, must have the `scope` of this service."""

    def __init__(self, issuer: str, scope: str | None, now: Callable[[], float] = time.monotonic) -> None:
        self._issuer, self._scope, self._now = issuer, scope, now
        self._keys: dict[str, jwt.PyJWK] = {}
        self._read_at = float("-inf")

    def tenant(self, token: str, resource: str) -> str | None:
        """The tenant of a valid token for the service at the address `resource`; None for any other token."""
        try:
            key = self._key(str(jwt.get_unverified_header(token).get("kid")))
            if key is None:
                return None
            claims = jwt.decode(
                token,
                key,
                algorithms=list(ALGORITHMS),
                issuer=self._issuer,
                leeway=LEEWAY_S,
                options={"require": ["exp", "iss", "sub"], "verify_aud": False},
            )
        except (jwt.PyJWTError, httpx.HTTPError, ValueError, KeyError, TypeError):
            return None
        if not self._is_for(resource, claims):
            return None
        subject = f"{claims['iss']} {claims['sub']}"
        return f"oauth:{digest(subject, 32)}"

    def _is_for(self, resource: str, claims: Mapping[str, Any]) -> bool:
        audience = claims.get("aud")
        if audience is not None:
            named = audience if isinstance(audience, list) else [audience]
            return bool({str(it).rstrip("/") for it in named} & {resource, f"{resource}/mcp"})
        return self._scope is not None and self._scope in str(claims.get("scope", "")).split()

    def _key(self, name: str) -> jwt.PyJWK | None:
        age = self._now() - self._read_at
        if age > KEYS_FOR_S or (name not in self._keys and age > AGAIN_AFTER_S):
            self._read_at = self._now()
            self._keys = self._read_keys()
        return self._keys.get(name)

    def _read_keys(self) -> dict[str, jwt.PyJWK]:
        configuration = _json(f"{self._issuer.rstrip('/')}/.well-known/openid-configuration")
        listed = jwt.PyJWKSet.from_dict(_json(str(configuration["jwks_uri"])))
        return {key.key_id: key for key in listed.keys if key.key_id}


def _json(address: str) -> dict[str, Any]:
    """The JSON object at an address of the issuer. Raises httpx.HTTPError or ValueError."""
    response = httpx.get(address, timeout=TIMEOUT_S, follow_redirects=False).raise_for_status()
    if len(response.content) > MAX_BYTES:
        raise ValueError("longer than any set of keys")
    answer = response.json()
    if not isinstance(answer, dict):
        raise ValueError("not a JSON object")
    return answer
