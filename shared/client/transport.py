"""How a tool reaches the API: over HTTPS, or over another `Api` that its caller provides.

`LITERATURE_SEARCH_URL` is the address of the API, `LITERATURE_SEARCH_API_KEY` the caller's key (optional).
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from contextvars import ContextVar
from typing import TYPE_CHECKING, Protocol, TypedDict

from .errors import bad_request, rejected, unreachable, wrongly_set
from .json_types import JsonObject, ToolAnswer

if TYPE_CHECKING:
    import httpx

# The API answers within 25 s; the rest is for the network.
TIMEOUT_S = 30.0
DONE, MADE, ACCEPTED, NO_CONTENT = 200, 201, 202, 204


class Api(Protocol):
    """One way to send a request to the API."""

    def __call__(self, method: str, path: str, body: JsonObject, headers: Mapping[str, str]) -> tuple[int, ToolAnswer]:
        """The status and the object of the answer, as `read_answer` reads it; for GET, `body` has the parameters.

        Raises ToolError when there is no answer.
        """


# The Api of the running tool; over HTTPS when None.
CURRENT_API: ContextVar[Api | None] = ContextVar("current_api", default=None)


def without_empty(arguments: JsonObject) -> JsonObject:
    """The arguments that have a value: an empty one means the API's default."""
    return {name: value for name, value in arguments.items() if value not in (None, "", (), [])}


class File(TypedDict):
    """An answer in another format than JSON: BibTeX, RIS, CSV …

    `complete` is false when a provider did not answer; `not_found` is how many of the papers were not found,
    `left_out` how many did not fit into `max_tokens`.
    """

    media_type: str
    text: str
    complete: bool
    not_found: int
    left_out: int
    next_cursor: str | None


def read_answer(status: int, text: str, headers: Mapping[str, str]) -> ToolAnswer:
    """The JSON object of an answer, or the File. Raises ValueError if it is neither.

    All files of the API are marked as content of third parties by the header Content-Trust; its JSON has a field.
    """
    if status == NO_CONTENT:
        return {}
    named = {name.lower(): value for name, value in headers.items()}
    if "content-trust" in named:
        file: File = {
            "media_type": named.get("content-type", "text/plain"),
            "text": text,
            "complete": named.get("complete", "true") != "false",
            "not_found": int(named.get("not-found", "0")),
            "left_out": int(named.get("left-out", "0")),
            "next_cursor": named.get("next-cursor"),
        }
        return dict(file)
    answer = json.loads(text)
    if not isinstance(answer, dict):
        raise ValueError("not a JSON object")
    return answer


def call(path: str, arguments: JsonObject, headers: Mapping[str, str] | None = None) -> ToolAnswer:
    """POST the arguments and return the answer. Raises ToolError for every status but 2xx."""
    return send_for_answer("POST", path, without_empty(arguments), headers or {})


def read(path: str, parameters: JsonObject) -> ToolAnswer:
    """GET with these parameters. Raises ToolError for every status but 2xx."""
    return send_for_answer("GET", path, without_empty(parameters), {})


def send_for_answer(
    method: str, path: str, arguments: JsonObject, headers: Mapping[str, str] | None = None
) -> ToolAnswer:
    """The answer to any method. Raises ToolError for every status but 2xx."""
    status, answer = (CURRENT_API.get() or over_https)(method, path, arguments, headers or {})
    refuse_failed(status, answer)
    return answer


def idempotent(body: JsonObject, key: str = "") -> Mapping[str, str]:
    """The header by which a repeated call has no further effect: the caller's key, or one that is the body's.

    Raises ToolError for a key that is no text.
    """
    if key and not isinstance(key, str):  # an agent may send anything
        raise bad_request("idempotency_key", f"must be a text, not {str(key)[:100]!r}")
    digest = hashlib.sha256(json.dumps(body, sort_keys=True).encode("utf-8", "surrogatepass")).hexdigest()
    return {"Idempotency-Key": key or digest}


def as_parameters(arguments: JsonObject) -> dict[str, list[str]]:
    """Arguments as the texts of a URL's query: a list repeats its name, flags are `true` and `false`."""
    return {
        name: [_as_text(it) for it in (value if isinstance(value, list | tuple) else (value,))]
        for name, value in arguments.items()
    }


def _as_text(value: object) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return text.encode("utf-8", "replace").decode()


def _as_json(body: JsonObject) -> bytes:
    """JSON in UTF-8, also of what that cannot have: half of a surrogate pair as its escape, and NaN.

    The API refuses both, and names the field.
    """
    return json.dumps(body, ensure_ascii=False).encode("utf-8", "backslashreplace")


def over_https(method: str, path: str, body: JsonObject, headers: Mapping[str, str]) -> tuple[int, ToolAnswer]:
    """`Api` for the address in the environment."""
    response = send(method, path, body, headers)
    return response.status_code, answer_of(response)


def answer_of(response: httpx.Response) -> ToolAnswer:
    """The object of a raw answer, as `read_answer` reads it. Raises ToolError for what the API does not answer."""
    if response.next_request:
        to = response.next_request.url
        message = f"LITERATURE_SEARCH_URL redirects to {to.scheme}://{to.netloc.decode()}"
        raise wrongly_set(message, "Set it to the address of the API itself.")
    try:
        return read_answer(response.status_code, response.text, response.headers)
    except ValueError:
        detail = f"the literature search answered HTTP {response.status_code} without a JSON object"
        raise unreachable(502, detail) from None


def refuse_failed(status: int, answer: ToolAnswer) -> None:
    """Raises ToolError for every status but 2xx."""
    if status not in (DONE, MADE, ACCEPTED, NO_CONTENT):
        raise rejected(status, answer)


def send(method: str, path: str, body: JsonObject, headers: Mapping[str, str]) -> httpx.Response:
    """The raw answer, whatever its status and media type. Raises ToolError when the API cannot be reached."""
    import httpx  # the dispatcher lists the tools without calling any: it need not load an HTTP client

    url = os.environ.get("LITERATURE_SEARCH_URL")
    if not url:
        raise wrongly_set("LITERATURE_SEARCH_URL is not set", "Set it to the API's address, as https://….")
    if not url.startswith(("http://", "https://")):
        raise wrongly_set(f"LITERATURE_SEARCH_URL is {_shown(url)}", "Set it to an address that begins with https://.")
    key = os.environ.get("LITERATURE_SEARCH_API_KEY")
    if key and not (key.isascii() and key.isprintable() and key == key.strip()):
        hint = "Set it to the key as you were given it, or unset it."
        raise wrongly_set("LITERATURE_SEARCH_API_KEY has characters that no key has", hint)
    sent = {**headers, "x-api-key": key} if key else dict(headers)
    address = _address(url, path)
    try:
        if method == "GET":
            return httpx.get(address, params=as_parameters(body), headers=sent, timeout=TIMEOUT_S)
        sent |= {"content-type": "application/json"}
        return httpx.request(method, address, content=_as_json(body), headers=sent, timeout=TIMEOUT_S)
    except (UnicodeEncodeError, httpx.LocalProtocolError):  # body and parameters can be sent whatever is in them
        raise bad_request(", ".join(headers), "has characters that no header can have") from None
    except httpx.HTTPError as error:
        status = 504 if isinstance(error, httpx.TimeoutException) else 502
        where = address.netloc.decode()  # without a user's name and password
        detail = f"the literature search at {where} cannot be reached ({type(error).__name__})"
        raise unreachable(status, detail) from None


def _address(url: str, path: str) -> httpx.URL:
    """Where a request goes. Raises ToolError if the address of the API is none."""
    import httpx

    try:
        address = httpx.URL(url.rstrip("/") + path)
        if address.host:
            return address
    except (httpx.InvalidURL, UnicodeEncodeError):
        pass
    raise wrongly_set(f"LITERATURE_SEARCH_URL is {_shown(url)}", "Set it to an address that can be read.")


def _shown(url: str) -> str:
    """An address as an error has it: without a user's name and password."""
    return repr(f"…@{url.rpartition('@')[2]}" if "@" in url else url)
