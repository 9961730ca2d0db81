"""The addresses of pages and files that answers contain."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from shared.field_ranges import Token

# Characters that no URL contains unescaped (RFC 3986, appendix A); browsers drop some of them silently.
_FORBIDDEN = re.compile(r"[\x00-\x20\x7f-\xa0\"<>\\\\^`{|}]")


def is_web_address(text: str) -> bool:
    """Whether this is an absolute http or https URL with a host; `javascript:` and `data:` URLs could run as code."""
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and not _FORBIDDEN.search(text)
    except ValueError:  # an invalid IPv6 host or port
        return False


WebAddress = Token("an http or https address", is_web_address, 2_000)
