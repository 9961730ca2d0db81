"""The address of this service as its callers know it, from an event of API Gateway."""

from __future__ import annotations

import re
from collections.abc import Mapping

METADATA = ".well-known/oauth-protected-resource"  # RFC 9728
_HOST = re.compile(r"[A-Za-z0-9.-]{1,253}(:\d{1,5})?")


def base_address(request_context: Mapping[str, object], headers: Mapping[str, str], path: str) -> str:
    """`https://host`, behind API Gateway with the stage; "" if it is unknown.

    The event's path lacks the stage, which only the request context has.
    """
    named = {name.lower(): value for name, value in headers.items()}
    domain = request_context.get("domainName")
    host = str(domain or named.get("host") or "")
    if not _HOST.fullmatch(host):
        return ""
    scheme = named.get("x-forwarded-proto") or ("https" if domain else "http")
    stage = str(request_context.get("path") or path).removesuffix(path)
    return f"{'http' if scheme == 'http' else 'https'}://{host}{stage}"
