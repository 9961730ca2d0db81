"""The tools that agents call: thin, typed calls of the HTTPS API. Each call is logged once, without the key.

This folder is also published by itself, as the package `literature_search_client` (client/pyproject.toml). Therefore it
imports nothing but the standard library, httpx and, relatively, itself. The MCP server runs the same functions over its
own `Api`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .document_size import within
from .documents import FOUND_FIELDS, GIVE_AN_ID, document, found, resource_document
from .errors import ToolError, bad_request, renamed
from .full_texts import with_full_text
from .json_types import JsonObject, ToolAnswer
from .linked_papers import linked_papers, refuse_not_taken
from .next_actions import as_tools
from .passages import NOT_TAKEN, passages_of_papers, passages_of_search
from .references import checked
from .resources import SCHEME, read_resource
from .saved_searches import save_search
from .tool_calls import refuse_beside, tool, whole_number, without_defaults
from .transport import call, idempotent, read, without_empty

# Clients for deep research call `search` and `fetch` without consent: these add nothing to the graph.
READ_ONLY = {"cite_in_kg": False}


@tool("Search the literature", writes=True, deletes=True)
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
    patience_ms: int | None = None,
    format: str = "json",
    max_records: int | None = None,
    schedule: str | Mapping[str, object] = "",
    saved_search: str = "",
    passages: str = "",
) -> ToolAnswer:
    """Search PubMed, Semantic Scholar, OpenAlex, Crossref, arXiv, Europe PMC and Paperclip at once; others if named.

    One merged, ranked record per paper and a report per provider. Papers join the knowledge graph that all share,
    unless cite_in_kg is false. With schedule, the search is only saved; a context alone is watched for
    retractions. With passages: the sentences that bear on it.
    """
    return _search(locals())


def _search(arguments: Mapping[str, Any]) -> ToolAnswer:
    """The papers that `literature_search` finds, their passages, a saved or an exhaustive search. Raises ToolError."""
    given = without_defaults(literature_search, arguments)
    if arguments["passages"]:
        refuse_beside("passages", NOT_TAKEN, given)
        return passages_of_search(arguments["passages"], _searched(arguments))
    if arguments["schedule"] or arguments["saved_search"]:
        refuse_beside("schedule", ("max_records", "format", "cursor"), given)
        search = {name: value for name, value in given.items() if name not in _NOT_SENT}
        return save_search(search, arguments["schedule"], arguments["saved_search"])
    if arguments["max_records"] is not None:
        refuse_beside("max_records", NOT_EXHAUSTIVE, given)
        begun = call("/v1/exhaustive-searches", {name: it for name, it in given.items() if name not in SHAPES})
        page = {name: it for name, it in given.items() if name in _OF_PAGE}
        return read(f"/v1/exhaustive-searches/{begun['search_id']}", page) if page else begun
    return as_tools(call("/v1/literature-search", _searched(arguments)))


# What shapes a page of papers: an exhaustive search is begun without it, and its answer read with it.
_OF_PAGE = ("detail", "include_abstract", "abstract_chars", "max_tokens", "max_results")
SHAPES = (*_OF_PAGE, "timeout_ms", "cite_in_kg")
NOT_EXHAUSTIVE = ("cursor", "fields", "format", "context", "patience_ms", "ranking")
_NOT_SENT = ("schedule", "saved_search", "passages", "max_records")


def _searched(arguments: JsonObject) -> JsonObject:
    """The arguments of a search, as they are sent."""
    searched = {name: value for name, value in arguments.items() if name not in _NOT_SENT}
    # True is the API's default. Sent, it would say that a compact answer is to have its abstracts.
    return {**searched, "include_abstract": None if arguments["include_abstract"] else False}


@tool("Search PubMed", writes=True)
def pubmed_search(query: str, max_results: int = 10, *, max_tokens: int | None = None) -> ToolAnswer:
    """literature_search of pubmed alone.

    Papers join the knowledge graph.
    """
    return as_tools(call("/v1/pubmed-search", {"query": query, "max_results": max_results, "max_tokens": max_tokens}))


@tool("Get papers by id", writes=True)
def get_papers(
    ids: Sequence[str],
    *,
    detail: str = "full",
    fields: str = "",
    abstract_chars: int | None = None,
    max_tokens: int | None = None,
    fresh: bool = False,
    cite_in_kg: bool = True,
    format: str = "json",
    passages: str = "",
) -> ToolAnswer:
    """Up to 100 papers by any of their ids: each found, not_found, unanswered or not_asked.

    Join the knowledge graph unless cite_in_kg is false. With passages: sentences that bear on it, of 20 papers.
    """
    given = without_defaults(get_papers, arguments := {**locals()})
    if passages:
        refuse_beside("passages", NOT_TAKEN, given)
        return passages_of_papers(passages, ids, max_tokens, fresh=fresh)
    if format not in ("", "json"):
        refuse_beside("format", ("detail", "fields", "abstract_chars", "fresh"), given)
        return call("/v1/exports", {"ids": ids, "format": format, "max_tokens": max_tokens, "cite_in_kg": cite_in_kg})
    return call("/v1/papers", {name: value for name, value in arguments.items() if name not in ("format", "passages")})


@tool("Follow citations", writes=True)
def citation_network(
    seeds: Sequence[str],
    *,
    direction: str = "both",
    depth: int = 1,
    max_nodes: int = 50,
    detail: str = "compact",
    cite_in_kg: bool = True,
    relation: str = "",
    unlike: Sequence[str] = (),
    max_results: int = 20,
    sort: str = "",
    date_from: str = "",
    date_to: str = "",
    cursor: str = "",
    format: str = "json",
    max_tokens: int | None = None,
) -> ToolAnswer:
    """Who cites whom around up to 10 papers; key, bridge and rising ones marked.

    With relation: a paper's references or citations with citing sentences, or similar papers.
    Join the knowledge graph unless cite_in_kg is false.
    """
    refuse_not_taken(relation, without_defaults(citation_network, locals()))
    dated = {"max_results": max_results, "date_from": date_from, "date_to": date_to}
    shown = {"detail": detail, "max_tokens": max_tokens, "cite_in_kg": cite_in_kg}
    if relation == "similar":
        return call("/v1/similar", {"seeds": seeds, "unlike": unlike, **dated, **shown})
    if relation:
        return linked_papers(seeds, relation, {**dated, "sort": sort, "cursor": cursor, **shown})
    network = {"seeds": seeds, "direction": direction, "depth": depth, "max_nodes": max_nodes}
    return call("/v1/citation-network", {**network, **shown, "format": format})


@tool("Check a reference", writes=True)
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
    document: str = "",
    document_base64: str = "",
    detail: str = "compact",
    max_tokens: int | None = None,
    cite_in_kg: bool = True,
) -> ToolAnswer:
    """Whether references exist and are right: matched, mismatched (wrong id), ambiguous, not_found, unanswered.

    Give a text, fields, 50 references, or a document. An invented one is not_found, with the nearest.
    Matches join the knowledge graph unless cite_in_kg is false.
    """
    return checked({**locals()})


@tool("Record citations", writes=True)
def cite_in_context(
    context: Mapping[str, object],
    text: str = "",
    papers: Sequence[str] = (),
    by: str = "",
    *,
    idempotency_key: str = "",
    max_tokens: int | None = None,
) -> ToolAnswer:
    """Record in the knowledge graph which papers a debate, analysis or report cites: those in text, or papers.

    Idempotent.
    """
    body = without_empty({"context": context, "text": text, "papers": papers, "by": by})
    headers = idempotent(body, idempotency_key)
    return call("/v1/citations", {**body, **without_empty({"max_tokens": max_tokens})}, headers)


@tool("Search for documents")
def search(query: str, max_results: int = 10) -> ToolAnswer:
    """Find papers: ids, titles, urls. literature_search has filters."""
    body = {"query": query, "max_results": max_results, "fields": FOUND_FIELDS, **READ_ONLY}
    return dict(found(call("/v1/literature-search", body)))


@tool("Fetch a document")
def fetch(id: str, section: str = "", max_tokens: int | None = None) -> ToolAnswer:
    """A paper's open text by sections, else its abstract.

    Or a resource: literature://graph/contexts/debate/42.
    """
    most = whole_number("max_tokens", max_tokens)
    if not id:
        raise bad_request("id", "required", GIVE_AN_ID)
    if str(id).startswith(SCHEME):
        if section:
            raise bad_request("section", "is of a paper's text, not of a resource", "Leave it out.")
        return dict(within(resource_document(str(id), read_resource(str(id), most)), most))
    try:
        answer = call("/v1/papers", {"ids": [id], "detail": "full", **READ_ONLY})
    except ToolError as error:
        raise renamed(error, "ids.0", "id") from None
    paper = document(str(id), answer)
    return dict(with_full_text(paper, section, most))
