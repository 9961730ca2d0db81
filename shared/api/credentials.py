"""How a caller says who it is: `x-api-key: <key>`, or `Authorization: Bearer <key or access token>` (RFC 6750)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from shared.api.addresses import METADATA

CREDENTIAL_HINT = "Send an API key in x-api-key, or as Authorization: Bearer."
MAX_CHARS = 8_000
# A key that names its tenant: `alice.<secret>`. Another key of the tenant can replace it, and no owner changes.
_KEY_OF_A_TENANT = re.compile(r"([a-z0-9][a-z0-9-]{0,62})\.[A-Za-z0-9_-]{32,128}", re.ASCII)


def credential(headers: Mapping[str, str]) -> str | None:
    """The key or token of a request; None if it has none, or one that cannot be any. `x-api-key` wins."""
    named = {name.lower(): value for name, value in headers.items()}
    scheme, _, token = named.get("authorization", "").strip().partition(" ")
    given = named.get("x-api-key", "").strip() or (token.strip() if scheme.lower() == "bearer" else "")
    return given if 0 < len(given) <= MAX_CHARS and given.isascii() and given.isprintable() else None


def looks_like_a_token(given: str) -> bool:
    """Whether a credential is a signed token (RFC 7515): three parts. API keys have one dot at most."""
    return given.count(".") == 2


def tenant_of_key(key: str) -> str | None:
    """The tenant that an API key names; None for any other key, whose tenant is its id."""
    named = _KEY_OF_A_TENANT.fullmatch(key)
    return named[1] if named else None


def challenge(base: str | None, scope: str | None) -> str:
    """The header WWW-Authenticate of a 401 (RFC 6750); with `base`, it names the metadata of the MCP server (RFC 9728).

    It is the same on every route, as API Gateway requires; clients that look for an issuer are clients of MCP.
    """
    if base is None:
        return "Bearer"
    wanted = f', scope="{scope}"' if scope else ""
    return f'Bearer resource_metadata="{base}/{METADATA}/mcp"{wanted}'


def tenant_id(request_context: Mapping[str, object]) -> str | None:
    """The tenant of an event of API Gateway: as the authorizer says (by token or key), else the id of the API key."""
    authorizer, identity = request_context.get("authorizer"), request_context.get("identity")
    subject = authorizer.get("tenant") if isinstance(authorizer, Mapping) else None
    key_id = identity.get("apiKeyId") if isinstance(identity, Mapping) else None
    return str(subject or key_id or "") or None
