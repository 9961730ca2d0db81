"""HTTP headers that all outgoing clients send or read."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from shared.version import VERSION

USER_AGENT = f"literature-search/{VERSION}"


def retry_after_s(value: str | None, now: datetime) -> float | None:
    """`Retry-After` in seconds, given as seconds or as an HTTP date (RFC 9110, 10.2.3)."""
    if not value:
        return None
    if value.strip().isdigit():
        return float(value)
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())
