"""What can be read over MCP besides tools: each address is that of a GET of the API.

`literature://graph/contexts/debate/42?limit=5` is `GET /v1/graph/contexts/debate/42?limit=5`, for the same caller.
"""

from __future__ import annotations

import json
import re
from math import ceil
from urllib.parse import parse_qs, quote

from .errors import FieldFault, ToolError, of_budget, problem_object
from .json_types import ToolAnswer
from .transport import read

SCHEME = "literature://"
# The beginnings of the paths that can be read. Other GETs of the API are tools.
READABLE = (
    "papers", "reference-checks", "exhaustive-searches", "result-sets", "graph", "saved-searches", "providers",
    "exports",
)  # fmt: skip
EXAMPLES = "literature://saved-searches, literature://graph/contexts/debate/42"
MAX_CHARS = 4_000
_PATH = re.compile(r"^(?:https?://[^/\s]+)?/?(?:v\d/)?")  # what a path of the API has before that of a resource
# The paths that take `max_tokens`.
SIZED = re.compile(
    r"papers/.+|graph/(?:papers/.+|contexts/.+|export)|(?:result-sets|reference-checks|exhaustive-searches)/[^/]+|exports"
    r"|saved-searches(?:/[^/]+/new)?"
)
# A full text is recorded nowhere; an address of Elsevier's journals ends like one and is a paper.
_FULL_TEXT = re.compile(r"papers/(?!.*/article/PII[^/]+/fulltext$).+/fulltext")
_FILES = re.compile(r"(?:graph/export|exports)")  # whole, unless a budget is given: half a file is of no use
TEXT_TOKENS = 6_000  # of a text that is read whole, where no budget is given
LEAST_BUDGET = 200  # of the API
SHARE_OF_TEXT = 0.75  # of a budget, for JSON as a text inside JSON: quotation marks take two bytes there


def read_resource(uri: str, max_tokens: int | None = None) -> ToolAnswer:
    """The answer of the GET that the address names; it fits into a text of `max_tokens` where the API can cut it.

    Without a budget it is that of a full text, and a file is whole. Raises ToolError as tools do.
    """
    path, _, query = uri.removeprefix(SCHEME).partition("?")
    if not uri.startswith(SCHEME) or path.partition("/")[0] not in READABLE or len(uri) > MAX_CHARS:
        raise _unknown(uri)
    parameters: dict[str, object] = {name: _one_or_all(values) for name, values in parse_qs(query).items()}
    is_own_budget = "max_tokens" in parameters
    if (path.startswith("papers/") and not _FULL_TEXT.fullmatch(path)) or path == "exports":
        parameters.setdefault("cite_in_kg", "false")  # reading changes nothing
    if SIZED.fullmatch(path) and not (max_tokens is None and _FILES.fullmatch(path)):
        most = TEXT_TOKENS if max_tokens is None else max_tokens
        parameters.setdefault("max_tokens", max(LEAST_BUDGET, int(most * SHARE_OF_TEXT)))
    try:
        return read("/v1/" + quote(path, safe="/%:", errors="replace"), parameters)
    except ToolError as error:
        raise error if is_own_budget else of_budget(error, lambda least: ceil(least / SHARE_OF_TEXT)) from None


def resource_named(text: str) -> str | None:
    """The address of the resource that a path of the API is, `/v1/saved-searches`; None for any other text."""
    path = _PATH.sub("", text)
    return f"{SCHEME}{path}" if re.split(r"[/?]", path, maxsplit=1)[0] in READABLE and len(text) <= MAX_CHARS else None


def _one_or_all(values: list[str]) -> str | list[str]:
    """A repeated parameter as a list: names of journals contain commas."""
    return values[0] if len(values) == 1 else values


def text_of(answer: ToolAnswer) -> str:
    """The answer as text: that of a file, else JSON."""
    return str(answer["text"]) if "media_type" in answer else json.dumps(answer, ensure_ascii=False)


def _unknown(uri: str) -> ToolError:
    detail = f"there is no resource {uri[:100]!r}"
    errors: list[FieldFault] = [{"field": "uri", "message": f"must begin as in {EXAMPLES}"}]
    hint = "List the resources and the templates of their addresses."
    return ToolError(detail, problem_object(404, "not_found", detail, title="Not found", hint=hint, errors=errors))
