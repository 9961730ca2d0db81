"""Hints of the HTTP API in the words of MCP: tools, arguments and resources in place of routes and headers."""

from __future__ import annotations

import re

from shared.client.resources import SCHEME
from shared.json_types import JsonObject

_TOOLS = {
    "literature-search": "literature_search",
    "pubmed-search": "pubmed_search",
    "papers": "get_papers",
    "exports": "get_papers with format",
    "citation-network": "citation_network",
    "similar": "citation_network with relation",
    "resolve": "resolve_reference",
    "reference-checks": "resolve_reference with document",
    "citations": "cite_in_context",
    "passages": "literature_search with passages",
    "exhaustive-searches": "literature_search with max_records",
}
# What is a resource when it is read.
_POSTS = {
    "saved-searches": "literature_search with schedule",
    "saved-searches/{id}/webhook-secret": "literature_search with schedule",
}
_METHOD = "(?:GET|POST|PATCH|DELETE)"
# `GET, POST /v1/…` is one route with two methods.
_ROUTE = re.compile(rf"(?:\b(?P<methods>{_METHOD}(?:, {_METHOD})*) )?/v1/(?P<path>[A-Za-z0-9_{{}}/-]+)")
_OTHER_WORDS = {
    "/openapi.json": "the list of tools",
    "Idempotency-Key": "idempotency_key",
    "PATCH it with": "Call literature_search with its saved_search, and as schedule",
}


def in_words_of_mcp(hint: str) -> str:
    """The hint without routes: `POST /v1/resolve` is the tool resolve_reference, `GET /v1/graph/…` a resource."""
    for ours, theirs in _OTHER_WORDS.items():
        hint = hint.replace(ours, theirs)
    return _ROUTE.sub(_named, hint)


def _named(route: re.Match[str]) -> str:
    """The tool of a route; the resource where there is none."""
    path = route["path"]
    by_post = _POSTS.get(path) if route["methods"] == "POST" else None
    return by_post or _TOOLS.get(path, SCHEME + path)


def hints_in_words_of_mcp(answer: JsonObject) -> JsonObject:
    """The part of an answer or problem that replaces its `hints` or its `hint`; only what this service wrote."""
    hint, hints = answer.get("hint"), answer.get("hints")
    if isinstance(hint, str):
        return {"hint": in_words_of_mcp(hint)}
    if isinstance(hints, list):
        return {"hints": [{**it, "message": in_words_of_mcp(str(it.get("message")))} for it in hints]}
    return {}
