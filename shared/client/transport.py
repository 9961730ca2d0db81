"""How a tool reaches the API: over HTTPS, or over another `Api` that its caller provides.

`LITERATURE_SEARCH_URL` is the address of the API, `LITERATURE_SEARCH_API_KEY` the caller's key (optional).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextvars import ContextVar
from typing import TYPE_CHECKING, Protocol

from .errors import ToolError, rejected, unreachable
from .json_types import JsonObject, ToolAnswer

if TYPE_CHECKING:
    import httpx

# The API answers within 25 s; the rest is for the network.
TIMEOUT_S = 30.0


class Api(Protocol):
    """One way to send a request to the API."""

    def __call__(self, method: str, path: str, body: JsonObject, headers: Mapping[str, str]) -> tuple[int, ToolAnswer]:
        """The status and the JSON object of the answer. Raises ToolError when there is none."""


# The Api of the running tool; over HTTPS when None.
CURRENT_API: ContextVar[Api | None] = ContextVar("current_api", default=None)


def without_empty(arguments: JsonObject) -> JsonObject:
    """The arguments that have a value: an empty one means the API's default."""
    return {name: value for name, value in arguments.items() if value not in (None, "", (), [])}


def call(path: str, arguments: JsonObject, headers: Mapping[str, str] | None = None) -> ToolAnswer:
    """POST the arguments and return the answer. Raises ToolError for every status but 200."""
    status, answer = (CURRENT_API.get() or over_https)("POST", path, without_empty(arguments), headers or {})
    if status != 200:
        raise rejected(status, answer)
    return answer


def over_https(method: str, path: str, body: JsonObject, headers: Mapping[str, str]) -> tuple[int, ToolAnswer]:
    """`Api` for the address in the environment."""
    response = send(method, path, body, headers)
    try:
        answer = response.json()
    except ValueError:
        raise unreachable(502, f"the literature search answered HTTP {response.status_code} without JSON") from None
    if not isinstance(answer, dict):
        raise unreachable(502, f"the literature search answered HTTP {response.status_code} without a JSON object")
    return response.status_code, answer


def send(method: str, path: str, body: JsonObject, headers: Mapping[str, str]) -> httpx.Response:
    """The raw answer, whatever its status and media type. Raises ToolError when the API cannot be reached."""
    import httpx  # the dispatcher lists the tools without calling any: it need not load an HTTP client

    url = os.environ.get("LITERATURE_SEARCH_URL")
    if not url:
        raise ToolError("LITERATURE_SEARCH_URL is not set", hint="Set it to the API's address, as https://….")
    if not url.startswith(("http://", "https://")):
        raise ToolError(f"LITERATURE_SEARCH_URL is {url!r}", hint="Set it to an address that begins with https://.")
    key = os.environ.get("LITERATURE_SEARCH_API_KEY")
    if key and not (key.isascii() and key.isprintable()):
        hint = "Set it to the key as you were given it, or unset it."
        raise ToolError("LITERATURE_SEARCH_API_KEY has characters that no key has", hint=hint)
    sent = {**headers, "x-api-key": key} if key else dict(headers)
    try:
        return httpx.request(method, url.rstrip("/") + path, json=body, headers=sent, timeout=TIMEOUT_S)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        status = 504 if isinstance(error, httpx.TimeoutException) else 502
        raise unreachable(status, f"the literature search cannot be reached ({type(error).__name__})") from None
