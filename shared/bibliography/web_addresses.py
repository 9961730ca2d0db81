"""The addresses of pages and files that answers contain."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from shared.field_ranges import Token

# Blanks, controls, quotation marks and backslashes end or change an address where it is shown. RFC 3986 (appendix A)
# forbids angle brackets too, but the addresses of SICI DOIs contain them, and browsers escape them.
_FORBIDDEN = re.compile(r"[\x00-\x20\x7f-\xa0\"\\`]")


def is_web_address(text: str) -> bool:
    """Whether this is an absolute http or https URL with a host; `javascript:` and `data:` URLs could run as code."""
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and not _FORBIDDEN.search(text)
    except ValueError:  # an invalid IPv6 host or port
        return False


WebAddress = Token("an http or https address", is_web_address, 2_000)
