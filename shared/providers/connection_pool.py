"""The connection pool of a process, over the bounded transport."""

from __future__ import annotations

import httpx

from shared.providers.bounded_transport import BoundedTransport
from shared.providers.content_codings import ASKED_FOR
from shared.providers.http_headers import USER_AGENT
from shared.providers.public_addresses import require_public


def new_http(contact: str | None, *, any_host: bool = False) -> httpx.Client:
    """The connection pool of this process; `contact` is the email address that providers want clients to state.

    For requests to `any_host`, which others name, it connects to public addresses only.
    """
    agent = f"{USER_AGENT} (mailto:{contact})" if contact else USER_AGENT
    headers = {"user-agent": agent, "accept-encoding": ASKED_FOR}
    transport = BoundedTransport(permit=require_public if any_host else None)
    return httpx.Client(transport=transport, headers=headers, follow_redirects=False, trust_env=False)
