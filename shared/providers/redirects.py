"""Redirects: followed on the provider's own host only, so that an answer cannot send the leg, or its key, elsewhere."""

from __future__ import annotations

import httpx

from shared.errors import BadResponse

MAX_REDIRECTS = 3
STATUSES = frozenset({301, 302, 303, 307, 308})  # RFC 9110, 15.4
_HOST_CHARS = 100


def next_url(title: str, base_url: str, redirected: str, location: str) -> str:
    """The address to which the one at `redirected` redirects by its Location header. Raises BadResponse for others.

    Scheme, host and port must be those of `base_url`: https does not become http.
    """
    try:
        url = httpx.URL(redirected).join(location)
        own = _origin(url) == _origin(httpx.URL(base_url))
    except (httpx.InvalidURL, ValueError) as error:
        raise BadResponse(f"{title} redirected to an address that cannot be read") from error
    if not own:
        to = f"{url.scheme}://{url.host}"[:_HOST_CHARS]
        raise BadResponse(f"{title} redirected to another host ({to}), which is not followed")
    return str(url.copy_with(fragment=None))


def _origin(url: httpx.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port or {"https": 443, "http": 80}.get(url.scheme)
