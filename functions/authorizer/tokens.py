"""Access tokens of one issuer: JSON Web Tokens (RFC 9068) that were issued for this service (RFC 8707)."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from typing import Any

import jwt

from functions.authorizer.issuer_keys import ALGORITHMS, IssuerKeys
from shared.canonical_json import digest

LEEWAY_S = 60  # between the clocks of the issuer and of this service
# RFC 9068 names the second; Cognito and others name none, or the first. Other kinds of token are not access tokens.
TYPES = (None, "jwt", "at+jwt", "application/at+jwt")


class Tokens:
    """Checks tokens of `issuer`. `scope`, if set, is required of each."""

    def __init__(self, issuer: str, scope: str | None, now: Callable[[], float] = time.monotonic) -> None:
        self._issuer, self._scope = issuer, scope
        self._keys = IssuerKeys(issuer, now)

    def tenant(self, token: str, audiences: Collection[str]) -> str | None:
        """The tenant of a valid token; None for any other token.

        A token is for this service if it names one of the `audiences`, or the MCP server below one. A token without an
        audience, as some of Cognito's, must have the scope.

        Raises IssuerUnavailable if it cannot be known at the moment.
        """
        try:
            header = jwt.get_unverified_header(token)
            if header.get("alg") not in ALGORITHMS or _type(header) not in TYPES or not header.get("kid"):
                return None
            key = self._keys.key(header["kid"])
            if key is None:
                return None
            claims = jwt.decode(
                token,
                key,
                algorithms=list(ALGORITHMS),
                issuer=self._issuer,
                leeway=LEEWAY_S,
                options={"require": ["exp", "iss", "sub"], "verify_aud": False, "enforce_minimum_key_length": True},
            )
        except (jwt.PyJWTError, ValueError, TypeError, RecursionError):
            return None
        if not claims["sub"] or not self._is_for(audiences, claims):
            return None
        subject = f"{claims['iss']} {claims['sub']}"
        return f"oauth:{digest(subject, 32)}"

    def _is_for(self, audiences: Collection[str], claims: Mapping[str, Any]) -> bool:
        if claims.get("token_use", "access") != "access":  # Cognito's ID tokens are for the client alone
            return False
        if self._scope is not None and self._scope not in str(claims.get("scope", "")).split():
            return False
        audience = claims.get("aud")
        if audience is None:
            return self._scope is not None
        named = {str(it).rstrip("/") for it in (audience if isinstance(audience, list) else [audience])}
        ours = {it.rstrip("/") for it in audiences}
        return bool(named & (ours | {f"{it}/mcp" for it in ours}))


def _type(header: Mapping[str, Any]) -> object:
    named = header.get("typ")
    return named.lower() if isinstance(named, str) else named
