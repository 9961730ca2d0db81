"""The tools that agents call: thin, typed calls of the HTTPS API, registered with their category.

`LITERATURE_SEARCH_URL` names the API, `LITERATURE_SEARCH_API_KEY` the caller. Every call is logged once, with what was
asked and how it ended, and never with the key.
"""

from __future__ import annotations

import functools
import inspect
import logging
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx

from shared.errors import LiteratureError
from shared.request import SearchRequest

CATEGORY = "literature_search"
# The API answers within 25 s; what is left is the way there and back.
TIMEOUT_S = 30.0
logger = logging.getLogger("literature_search.tools")
Tool = TypeVar("Tool", bound=Callable[..., dict[str, Any]])


class ToolError(LiteratureError):
    """A tool call that brought no answer; `problem` is the API's problem object where it sent one."""

    code = "tool_error"

    def __init__(self, message: str, problem: Mapping[str, Any] | None = None, *, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.problem = dict(problem or {})
        self.retryable = bool(self.problem.get("retryable", False))
        self.retry_after_s = self.problem.get("retry_after_s")


@dataclass(frozen=True, slots=True)
class Registered:
    """A tool in the registry."""

    name: str
    description: str
    parameters: tuple[str, ...]
    function: Callable[..., dict[str, Any]]


_TOOLS: dict[str, Registered] = {}


def log_tool_call(function: Tool) -> Tool:
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
            told = {name: value for name, value in bound.arguments.items() if name != "context"}
            logger.info(
                "tool call",
                extra={
                    "tool": function.__name__,
                    "arguments": told,
                    "context": bound.arguments.get("context"),
                    "outcome": outcome,
                    "duration_ms": round((time.monotonic() - started) * 1000),
                },
            )

    return logged  # type: ignore[return-value]


def tool(function: Tool) -> Tool:
    """Register a tool under its own name, with its docstring as description."""
    logged = log_tool_call(function)
    parameters = tuple(inspect.signature(function).parameters)
    _TOOLS[function.__name__] = Registered(function.__name__, inspect.getdoc(function) or "", parameters, logged)
    return logged


@tool
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
    so that "nothing found" is never confused with "not asked". `query` takes words, "phrases", AND, OR, NOT and
    parentheses; dates are YYYY, YYYY-MM or YYYY-MM-DD.
    """
    return _call("/v1/literature-search", locals())


@tool
def pubmed_search(query: str, max_results: int = 10) -> dict[str, Any]:
    """Search PubMed alone; the same answer as literature_search with providers="pubmed"."""
    return _call("/v1/pubmed-search", {"query": query, "max_results": max_results})


def _call(path: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """POST the arguments. Raises ToolError with the API's own problem, or with what could not be reached."""
    url = os.environ.get("LITERATURE_SEARCH_URL")
    if not url:
        raise ToolError("LITERATURE_SEARCH_URL is not set", hint="Set it to the API's address, as https://….")
    key = os.environ.get("LITERATURE_SEARCH_API_KEY")
    headers = {"x-api-key": key} if key else {}
    body = {name: value for name, value in arguments.items() if value not in (None, "")}
    try:
        response = httpx.post(url.rstrip("/") + path, json=body, headers=headers, timeout=TIMEOUT_S)
        answer = response.json()
    except httpx.HTTPError as error:
        raise ToolError(f"the literature search cannot be reached ({type(error).__name__})") from None
    except ValueError:
        raise ToolError(f"the literature search answered HTTP {response.status_code} without JSON") from None
    if response.status_code != 200:
        told = answer.get("detail") or answer.get("message") or "no detail"
        raise ToolError(f"HTTP {response.status_code}: {told}", answer, hint=answer.get("hint"))
    return dict(answer)


def registry() -> list[dict[str, Any]]:
    """`[{name, category, description, input_schema}]`, by name."""
    schema = SearchRequest.model_json_schema()
    return [
        {
            "name": entry.name,
            "category": CATEGORY,
            "description": entry.description,
            "input_schema": {
                "type": "object",
                "properties": {name: schema["properties"][name] for name in entry.parameters},
                "required": ["query"],
                "additionalProperties": False,
                **({"$defs": schema["$defs"]} if "context" in entry.parameters else {}),
            },
        }
        for _, entry in sorted(_TOOLS.items())
    ]
