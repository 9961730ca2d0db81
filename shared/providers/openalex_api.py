"""OpenAlex's requests: with the key in a header, and with words for a spent allowance.

Manual: https://developers.openalex.org/guides/authentication
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from shared.clock import A_MOMENT_S
from shared.errors import RateLimited, RequestRejected
from shared.providers.openalex_answers import read_works
from shared.providers.openalex_names import path_of

if TYPE_CHECKING:
    from shared.providers.http_client import Client


def get(path: str, params: Mapping[str, str], client: Client, *, follow_redirects: bool = False) -> Any:
    """GET and decode JSON. Raises ProviderError, with words for a spent allowance."""
    headers = {"authorization": f"Bearer {client.key}"} if client.key else {}
    try:
        answer = client.request("GET", path, params=params, headers=headers, follow_redirects=follow_redirects)
        return client.decode_json(answer)
    except RateLimited as error:
        spent = (error.retry_after_s or 0) > A_MOMENT_S
        reason = "OpenAlex's allowance for the day is spent; it is renewed at midnight UTC" if spent else error.message
        raise RateLimited(reason, retry_after_s=error.retry_after_s, status=error.status) from error


def work_named(name: str, select: str, client: Client) -> list[Any]:
    """A single work, for a merged one its successor; empty if OpenAlex does not know it."""
    try:
        return read_works(get(path_of(name), {"select": select}, client, follow_redirects=True))[0]
    except RequestRejected as error:
        if error.status == 404:
            return []
        raise
