"""The tools that agents call: thin, typed calls of the HTTPS API. Each call is logged once, without the key.

This folder is also published by itself, as the package `literature_search_client` (client/pyproject.toml). Therefore it
imports nothing but the standard library, httpx and, relatively, itself. The MCP server runs the same functions over its
own `Api`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from .documents import FOUND_FIELDS, GIVE_AN_ID, document, found
from .errors import FieldFault, ToolError, problem_object
from .json_types import ToolAnswer
from .tool_calls import tool
from .transport import call, without_empty


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
    context: Mapping[str, object] | None = None,
    queries: list[str] | None = None,
    open_access: bool | None = None,
    min_citations: int | None = None,
    publication_types: str = "",
    exclude_preprints: bool = False,
    include_retracted: bool = True,
    language: str = "",
    field_of_study: str = "",
    sort: str = "",
    ranking: str = "",
    detail: str = "",
    fields: str = "",
    abstract_chars: int | None = None,
    max_tokens: int | None = None,
    cursor: str = "",
    fresh: bool = False,
    timeout_ms: int = 20_000,
) -> ToolAnswer:
    """Search PubMed, Semantic Scholar, OpenAlex, Crossref, arXiv, Europe PMC and Paperclip at once.

    Returns one merged, ranked record per paper and a report per provider: a provider that did not answer is named,
    so that "nothing found" is never confused with "not asked".
    """
    # True is the API's default. Sent, it would say that a compact answer is to have its abstracts.
    return call("/v1/literature-search", {**locals(), "include_abstract": None if include_abstract else False})


@tool("Search PubMed")
def pubmed_search(query: str, max_results: int = 10) -> ToolAnswer:
    """Search PubMed alone; the same answer as literature_search with providers="pubmed"."""
    return call("/v1/pubmed-search", {"query": query, "max_results": max_results})


@tool("Get papers by id")
def get_papers(
    ids: Sequence[str],
    *,
    detail: str = "full",
    fields: str = "",
    abstract_chars: int | None = None,
    max_tokens: int | None = None,
    fresh: bool = False,
) -> ToolAnswer:
    """Up to 100 known papers by any of their ids, each found, not_found, unanswered or not_asked."""
    return call("/v1/papers", locals())


@tool("Draw a citation network")
def citation_network(
    seeds: Sequence[str],
    *,
    direction: str = "both",
    depth: int = 1,
    max_nodes: int = 50,
    detail: str = "compact",
    max_tokens: int | None = None,
) -> ToolAnswer:
    """The citations around up to 10 papers: nodes and edges, with key, bridge and rising papers marked."""
    return call("/v1/citation-network", locals())


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
) -> ToolAnswer:
    """Whether a reference exists, and which paper it refers to: matched, ambiguous, not_found or unanswered.

    Give its text, or its fields, or up to 50 in references. A made-up reference is not_found, never the nearest paper.
    """
    return call("/v1/resolve", locals())


@tool("Record citations", writes=True)
def cite_in_context(
    context: Mapping[str, object],
    text: str = "",
    papers: Sequence[str] = (),
    by: str = "",
    *,
    idempotency_key: str = "",
) -> ToolAnswer:
    """Record in the knowledge graph which papers a debate, analysis or report cites: those named in text, or papers.

    Repeating a call with the same arguments records nothing twice.
    """
    body = without_empty({"context": context, "text": text, "papers": papers, "by": by})
    digest = hashlib.sha256(json.dumps(body, sort_keys=True).encode("utf-8", "surrogatepass")).hexdigest()
    return call("/v1/citations", body, {"Idempotency-Key": idempotency_key or digest})


@tool("Search for documents")
def search(query: str) -> ToolAnswer:
    """Find papers; returns id, title and url of each. For more fields and filters use literature_search."""
    return dict(found(call("/v1/literature-search", {"query": query, "fields": FOUND_FIELDS})))


@tool("Fetch a document")
def fetch(id: str) -> ToolAnswer:
    """One paper that search found: its abstract as text, and what is known of it as metadata."""
    if not id:
        detail = "id: required: an id that search returned"
        errors: list[FieldFault] = [{"field": "id", "message": "required"}]
        title = "The request is malformed"
        raise ToolError(detail, problem_object(400, "bad_request", detail, title=title, hint=GIVE_AN_ID, errors=errors))
    return dict(document(str(id), call("/v1/papers", {"ids": [id], "detail": "full"})))
