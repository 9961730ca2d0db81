"""HTTP headers that all outgoing clients send."""

from __future__ import annotations

from shared.version import VERSION

USER_AGENT = f"literature-search/{VERSION}"
