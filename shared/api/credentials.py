"""How a caller says who it is: `x-api-key: <key>`, or `Authorization: Bearer <key or access token>` (RFC 6750)."""

from __future__ import annotations

from collections.abc import Mapping

from shared.api.addresses import METADATA

MAX_CHARS = 8_000


def credential(headers: Mapping[str, str]) -> str | None:
    """The key or token of a request; None if it has none, or one that cannot be any. `x-api-key` wins."""
    named = {name.lower(): value for name, value in headers.items()}
    scheme, _, token = named.get("authorization", "").strip().partition(" ")
    given = named.get("x-api-key", "").strip() or (token.strip() if scheme.lower() == "bearer" else "")
    return given if 0 < len(given) <= MAX_CHARS and given.isascii() and given.isprintable() else None


def looks_like_a_token(given: str) -> bool:
    """Whether a credential is a signed token (RFC 7515): three parts. API keys have no dots."""
    return given.count(".") == 2


def challenge(base: str | None, scope: str | None) -> str:
    """The header WWW-Authenticate of a 401 (RFC 6750); with `base`, it names the metadata of the MCP server (RFC 9728).

    It is the same on every route, as API Gateway requires; clients that look for an issuer are clients of MCP.
    """
    if base is None:
        return "Bearer"
    wanted = f', scope="{scope}"' if scope else ""
    return f'Bearer resource_metadata="{base}/{METADATA}/mcp"{wanted}'


def tenant_id(request_context: Mapping[str, object]) -> str | None:
    """The tenant of an event of API Gateway: the subject of an access token, else the id of the API key."""
    authorizer, identity = request_context.get("authorizer"), request_context.get("identity")
    subject = authorizer.get("tenant") if isinstance(authorizer, Mapping) else None
    key_id = identity.get("apiKeyId") if isinstance(identity, Mapping) else None
    return str(subject or key_id or "") or None
