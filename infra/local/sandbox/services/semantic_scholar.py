"""Semantic Scholar's Academic Graph and Recommendations APIs: their paths, parameters, and refusals.

https://api.semanticscholar.org/api-docs/graph. The engine of the searches is in `engine`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from werkzeug import Request, Response

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.json_responses import json_response
from infra.local.sandbox.semantic_scholar import authors as authors
from infra.local.sandbox.semantic_scholar import links as links
from infra.local.sandbox.semantic_scholar import search as searches
from infra.local.sandbox.semantic_scholar.fields import RefusedError, unacceptable
from infra.local.sandbox.semantic_scholar.filters import FILTERS

REVOKED_KEY = "revoked"  # a key that the gateway does not know any more
MAX_BYTES = 10_000_000  # of an answer
_PAGE = ("limit", "offset")
_GRAPH, _RECOMMENDATIONS = "/graph/v1/", "/recommendations/v1/papers"

# Every path with its parameters besides `fields`; a POST has its JSON body as one more argument.
_GET: tuple[tuple[str, Callable[..., Any], tuple[str, ...]], ...] = (
    (f"{_GRAPH}paper/search", searches.relevance, ("query", *_PAGE, *FILTERS)),
    (f"{_GRAPH}paper/search/bulk", searches.bulk, ("query", "token", "sort", *_PAGE, *FILTERS)),
    (f"{_GRAPH}paper/search/match", searches.match, ("query", *_PAGE, *FILTERS)),
    (f"{_GRAPH}paper/autocomplete", searches.completions, ("query",)),
    (
        f"{_GRAPH}snippet/search",
        searches.snippets,
        ("query", "limit", "paperIds", "authors", "insertedBefore", *FILTERS),
    ),
    (f"{_GRAPH}author/search", authors.search, ("query", *_PAGE)),
    (f"{_GRAPH}author/([^/]+)/papers", authors.papers, (*_PAGE, "publicationDateOrYear")),
    (f"{_GRAPH}author/([^/]+)", authors.one, ()),
    (f"{_GRAPH}paper/(.+)/(references|citations)", links.links, (*_PAGE, "publicationDateOrYear")),
    (f"{_GRAPH}paper/(.+)/authors", authors.of_paper, _PAGE),
    (f"{_GRAPH}paper/(.+)", links.paper, ()),
    (f"{_RECOMMENDATIONS}/forpaper/(.+)", links.recommended, ("limit", "from")),
)
_POST: tuple[tuple[str, Callable[..., Any], tuple[str, ...]], ...] = (
    (f"{_GRAPH}paper/batch", links.batch, ()),
    (f"{_GRAPH}author/batch", authors.batch, ()),
    (f"{_RECOMMENDATIONS}/?", links.recommended_for, ("limit",)),
)


def answer(request: Request, corpus: Corpus) -> Response:
    """Answer one request."""
    if request.headers.get("x-api-key") == REVOKED_KEY:
        response = json_response({"message": "Forbidden"}, 403)
        response.headers["x-amzn-errortype"] = "ForbiddenException"
        return response
    for pattern, operation, parameters in _POST if request.method == "POST" else _GET:
        if found := re.fullmatch(pattern, request.path):
            try:
                _check(request, parameters)
                extra = (_body(request),) if request.method == "POST" else found.groups()
                return _bounded(json_response(operation(request.args, corpus, *extra)))
            except RefusedError as error:
                return json_response({"error": str(error)}, error.status)
    return json_response({"message": "Not Found"}, 404)


def error_envelope() -> Response:
    """Return the gateway's 429: `message`, the code as a text, and no Retry-After."""
    return json_response({"message": "Too Many Requests. Please wait and try again.", "code": "429"}, 429)


def _check(request: Request, parameters: tuple[str, ...]) -> None:
    for name, value in request.args.items():
        if name not in ("fields", *parameters):
            raise unacceptable(name, value)


def _body(request: Request) -> dict[str, Any]:
    body = request.get_json(silent=True)
    return body if isinstance(body, dict) else {}


def _bounded(response: Response) -> Response:
    """Refuse an answer that is too large, as the API does; the caller must ask for less at a time."""
    if len(response.get_data()) <= MAX_BYTES:
        return response
    return json_response(
        {"error": "Response would exceed maximum size. Use limit and offset, or request fewer fields."}, 400
    )
