"""The tools that agents call: thin, typed calls of the HTTPS API, registered with their category.

`LITERATURE_SEARCH_URL` names the API, `LITERATURE_SEARCH_API_KEY` the caller. Every call is logged once, with what was
asked and how it ended, and never with the key. The MCP server runs the same tools over its own way to the API.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import json
import logging
import os
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from shared.errors import BadRequest, FieldError, LiteratureError
from shared.tools_problems import ToolError, refusal, unreachable
from shared.tools_registry import TOOLS, WAY, Tool, registry, run_tool
from shared.tools_research import FOUND_FIELDS, document, found

__all__ = [
    "ToolError", "citation_network", "cite_in_context", "fetch", "get_papers", "literature_search", "log_tool_call",
    "over_https", "pubmed_search", "registry", "resolve_reference", "run_tool", "search",
]  # fmt: skip
# The API answers within 25 s; what is left is the way there and back.
TIMEOUT_S = 30.0
SHOWN_CHARS = 500
logger = logging.getLogger("literature_search.tools")
Function = TypeVar("Function", bound=Callable[..., dict[str, Any]])


def log_tool_call(function: Function) -> Function:
    """Log each call: tool, arguments, context, outcome, duration; never a key."""

    @functools.wraps(function)
    def logged(*args: Any, **kwargs: Any) -> dict[str, Any]:
        bound = inspect.signature(function).bind(*args, **kwargs)
        started = time.monotonic()
        outcome = "error"
        try:
            answer = function(*args, **kwargs)
            outcome = "ok" if answer.get("complete", True) else "incomplete"
            return answer
        except LiteratureError as error:
            outcome = error.code
            raise
        finally:
            told = {
                name: value for name, value in bound.arguments.items() if name not in ("context", "idempotency_key")
            }
            logger.info(
                "tool call",
                extra={
                    "tool": function.__name__,
                    "arguments": {name: it[:SHOWN_CHARS] if isinstance(it, str) else it for name, it in told.items()},
                    "context": bound.arguments.get("context"),
                    "outcome": outcome,
                    "duration_ms": round((time.monotonic() - started) * 1000),
                },
            )

    return logged  # type: ignore[return-value]


def tool(title: str, *, writes: bool = False) -> Callable[[Function], Function]:
    """Register a tool under its own name, with its docstring as description."""

    def registered(function: Function) -> Function:
        logged = log_tool_call(function)
        name = function.__name__
        TOOLS[name] = Tool(name, title, inspect.getdoc(function) or "", logged, writes)
        return logged

    return registered


@tool("Search the literature")
def literature_search(
    query: str,
    max_results: int = 10,
    providers: str = "",
    date_from: str = "",
    date_to: str = "",
    journal: str = "",
    author: str = "",
    include_abstract: bool = True,
    cite_in_kg: bool = True,
    *,
    context: Mapping[str, str] | None = None,
    queries: list[str] | None = None,
    open_access: bool | None = None,
    min_citations: int | None = None,
    publication_types: str = "",
    exclude_preprints: bool = False,
    include_retracted: bool = True,
    sort: str = "relevance",
    ranking: str = "balanced",
    detail: str = "standard",
    fields: str = "",
    abstract_chars: int | None = None,
    max_tokens: int | None = None,
    cursor: str = "",
    fresh: bool = False,
    timeout_ms: int = 20_000,
) -> dict[str, Any]:
    """Search PubMed, Semantic Scholar, OpenAlex, Crossref, arXiv, Europe PMC and Paperclip at once.

    Returns one merged, ranked record per paper and a report per provider: a provider that did not answer is named,
    so that "nothing found" is never confused with "not asked".
    """
    return _ask("/v1/literature-search", locals())


@tool("Search PubMed")
def pubmed_search(query: str, max_results: int = 10) -> dict[str, Any]:
    """Search PubMed alone; the same answer as literature_search with providers="pubmed"."""
    return _ask("/v1/pubmed-search", {"query": query, "max_results": max_results})


@tool("Get papers by id")
def get_papers(
    ids: Sequence[str],
    *,
    detail: str = "full",
    fields: str = "",
    abstract_chars: int | None = None,
    max_tokens: int | None = None,
    fresh: bool = False,
) -> dict[str, Any]:
    """Up to 100 known papers by any of their ids, each found, not_found, unanswered or not_asked."""
    return _ask("/v1/papers", locals())


@tool("Draw a citation network")
def citation_network(
    seeds: Sequence[str],
    *,
    direction: str = "both",
    depth: int = 1,
    max_nodes: int = 50,
    detail: str = "compact",
) -> dict[str, Any]:
    """Who cites whom around up to 10 papers: nodes and edges, with key, bridge and rising papers marked."""
    return _ask("/v1/citation-network", locals())


@tool("Check a reference")
def resolve_reference(
    reference: str = "",
    *,
    title: str = "",
    authors: Sequence[str] = (),
    year: int | None = None,
    journal: str = "",
    volume: str = "",
    pages: str = "",
    id: str = "",
    references: Sequence[Any] = (),
    detail: str = "compact",
) -> dict[str, Any]:
    """Whether a reference exists, and which paper it means: matched, ambiguous, not_found or unanswered.

    Give its line, or its fields, or up to 50 in references. A made-up reference is not_found, never the nearest paper.
    """
    return _ask("/v1/resolve", locals())


@tool("Record citations", writes=True)
def cite_in_context(
    context: Mapping[str, str],
    text: str = "",
    papers: Sequence[str] = (),
    by: str = "",
    *,
    idempotency_key: str = "",
) -> dict[str, Any]:
    """Record in the knowledge graph which papers a debate, analysis or report cites: those named in text, or papers.

    Asked again with the same arguments, it records nothing twice.
    """
    body = _without_nothing({"context": context, "text": text, "papers": papers, "by": by})
    digest = hashlib.sha256(json.dumps(body, sort_keys=True).encode("utf-8", "surrogatepass")).hexdigest()
    return _ask("/v1/citations", body, {"Idempotency-Key": idempotency_key or digest})


@tool("Search for documents")
def search(query: str) -> dict[str, Any]:
    """Find papers; returns id, title and url of each. For more fields and filters use literature_search."""
    return found(_ask("/v1/literature-search", {"query": query, "fields": FOUND_FIELDS}))


@tool("Fetch a document")
def fetch(id: str) -> dict[str, Any]:
    """One paper that search found: its abstract as text, and what is known of it as metadata."""
    if not id:
        raise BadRequest("id: required: an id that search returned", [FieldError("id", "required")])
    return document(str(id), _ask("/v1/papers", {"ids": [id], "detail": "full"}))


def _without_nothing(arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in arguments.items() if value not in (None, "", (), [])}


def _ask(path: str, arguments: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> dict[str, Any]:
    """POST the arguments. Raises ToolError with the API's own problem, or with what could not be reached."""
    status, answer = (WAY.get() or over_https)("POST", path, _without_nothing(arguments), headers or {})
    if status != 200:
        raise refusal(status, answer)
    return answer


def over_https(
    method: str, path: str, body: Mapping[str, Any], headers: Mapping[str, str]
) -> tuple[int, dict[str, Any]]:
    """`shared.tools_registry.Api`: the API that the environment names."""
    import httpx  # the dispatcher, which tells of the tools, calls none

    url = os.environ.get("LITERATURE_SEARCH_URL")
    if not url:
        raise ToolError("LITERATURE_SEARCH_URL is not set", hint="Set it to the API's address, as https://….")
    key = os.environ.get("LITERATURE_SEARCH_API_KEY")
    sent = {**headers, "x-api-key": key} if key else dict(headers)
    try:
        response = httpx.request(method, url.rstrip("/") + path, json=body, headers=sent, timeout=TIMEOUT_S)
        answer = response.json()
    except httpx.HTTPError as error:
        status = 504 if isinstance(error, httpx.TimeoutException) else 502
        raise unreachable(status, f"the literature search cannot be reached ({type(error).__name__})") from None
    except ValueError:
        raise unreachable(502, f"the literature search answered HTTP {response.status_code} without JSON") from None
    if not isinstance(answer, dict):
        raise unreachable(502, f"the literature search answered HTTP {response.status_code} without a JSON object")
    return response.status_code, answer
