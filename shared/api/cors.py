"""Which web pages of other hosts may call the API: those of a named list of origins (https://fetch.spec.whatwg.org)."""

from __future__ import annotations

from collections.abc import Collection, Mapping

METHODS = ("GET", "POST", "PATCH", "DELETE")
REQUEST_HEADERS = (
    "Authorization", "Content-Type", "x-api-key", "Idempotency-Key", "If-None-Match", "X-Correlation-Id",
    "MCP-Protocol-Version", "Mcp-Session-Id", "Mcp-Method", "Mcp-Name",
)  # fmt: skip
# Those that the document of the API names, and those of refusals.
RESPONSE_HEADERS = (
    "Retry-After", "WWW-Authenticate", "Allow", "Complete", "Not-Found", "Not-Found-Ids", "Unanswered-Ids",
    "Malformed-Ids", "Repeated-Ids", "Left-Out", "Next-Cursor", "ETag", "Location", "Content-Disposition",
    "Content-Trust", "Text-Status",
)  # fmt: skip
MAX_AGE_S = 3_600


def read_origins(text: str | None) -> tuple[str, ...]:
    """The origins of the setting `CORS_ORIGINS`, a list with commas; none if it is not set."""
    return tuple(origin for part in (text or "").split(",") if (origin := part.strip()))


def cors_headers(headers: Mapping[str, str], origins: Collection[str]) -> dict[str, str]:
    """The headers by which the page that sent the request may read the answer; none for other pages."""
    if not origins:
        return {}
    origin = next((value for name, value in headers.items() if name.lower() == "origin"), None)
    if origin not in origins:
        return {"Vary": "Origin"}
    return {
        "Vary": "Origin",
        "Access-Control-Allow-Origin": str(origin),
        "Access-Control-Expose-Headers": ", ".join(RESPONSE_HEADERS),
    }


def add_cors_headers(added: dict[str, list[str]], headers: Mapping[str, str], origins: Collection[str]) -> None:
    """Add them to the `multiValueHeaders` of an answer, beside what it may vary by already."""
    for name, value in cors_headers(headers, origins).items():
        added[name] = [", ".join([*added.get(name, []), value])]


def preflight_headers(headers: Mapping[str, str], origins: Collection[str]) -> dict[str, str]:
    """The answer to the request with which a browser finds out what a page may send."""
    allowed = cors_headers(headers, origins)
    if "Access-Control-Allow-Origin" not in allowed:
        return allowed
    return {
        **allowed,
        "Access-Control-Allow-Methods": ", ".join(METHODS),
        "Access-Control-Allow-Headers": ", ".join(REQUEST_HEADERS),
        "Access-Control-Max-Age": str(MAX_AGE_S),
    }
