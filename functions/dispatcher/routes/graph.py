"""The knowledge graph over HTTP: what a debate cites goes in; papers, contexts, numbers and exports come out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_args
from urllib.parse import unquote

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from functions.dispatcher.request_body import idempotency_key, json_object, request_id
from functions.dispatcher.wiring.graph import STORE, now, once, queue
from functions.dispatcher.wiring.papers import papers_world
from shared.answers.content_trust import UNTRUSTED
from shared.bibliography.paper_ids import EXAMPLES, read_id
from shared.bibliography.reference_text import Mention, read_references
from shared.canonical_json import compact_json
from shared.errors import NotFound, Unprocessable
from shared.graph.citation_request import CitationRequest, graph_id, read_citations
from shared.graph.exports import csv, graph_ml, json_ld
from shared.graph.identity import is_id
from shared.graph.messages import citation_messages
from shared.graph.pages import MAX_LIMIT, Page
from shared.graph.part import Graph, page_of
from shared.papers.papers import named_papers
from shared.search.request import Context
from shared.validation import absent

MAX_BODY_BYTES = 1_000_000
PAGE = 20
EXPORTED = 50
MAX_CONTEXT_CHARS = 256
CONTEXTS = get_args(Context.model_fields["type"].annotation)
EXAMPLE = '{"context": {"type": "debate", "id": "42"}, "text": "… doi:10.7554/eLife.20391 …"}'
# Titles, names and quoted text were written by others: data, no instruction.
TRUST = {"content_trust": UNTRUSTED}
router = APIGatewayRouter()


@router.post("/v1/citations")
def cite() -> dict[str, Any]:
    """Record which papers a context cites, and where in its text; with an Idempotency-Key, once however often sent."""
    asked = json_object(router.current_event, MAX_BODY_BYTES, example=EXAMPLE)
    request, mentions = read_citations(asked)
    key = idempotency_key(router.current_event)
    if key is None:
        answer = _record(request, mentions)
    else:
        caller = router.current_event.request_context.identity.api_key_id or ""
        answer = once(caller, key, asked, lambda: _record(request, mentions), router.lambda_context)
    return {**answer, **TRUST, "request_id": request_id(router.current_event)}


def _record(request: CitationRequest, mentions: Sequence[Mention]) -> dict[str, Any]:
    ids = [graph_id(mention) for mention in mentions]
    known = STORE.known(list(dict.fromkeys(ids)))
    context, at = request.context.model_dump(), now()
    places = [None if request.text is None else mention.start for mention in mentions]
    told = [
        {"id": name, "where": where, "text": mention.text}
        for name, where, mention in zip(ids, places, mentions, strict=True)
    ]
    queue(citation_messages(context, told, request.by, at))
    strangers = [name for name, held in known.items() if held is None]
    resolved = named_papers(strangers, papers_world(request_id(router.current_event)))
    found = [
        {
            "id": name,
            **_known_as(known[name], resolved.get(name)),
            "start": mention.start,
            "end": mention.end,
            "text": mention.text,
        }
        for name, mention in zip(ids, mentions, strict=True)
    ]
    unresolved = [name for name in strangers if name not in resolved]
    return {"context": context, "at": at, "recorded": len(told), "mentions": found, "unresolved": unresolved}


def _known_as(held: Mapping[str, Any] | None, resolved: Mapping[str, Any] | None) -> dict[str, Any]:
    """What a named paper is called: in the graph, or by the providers, which have just told the graph of it."""
    if held:
        return {"key": held["key"], "title": held["paper"]["title"], "status": "in_graph"}
    if resolved:
        return {"key": resolved["key"], "title": resolved["title"], "status": "resolved"}
    return {"key": None, "title": None, "status": "not_in_graph"}


@router.get("/v1/graph/papers/.+")
def paper() -> dict[str, Any]:
    """A paper by any of its ids, with the first page of each of its lists; with `list`, a page of that list alone."""
    asked = unquote(router.current_event.path.partition("/v1/graph/papers/")[2])
    name = _one_id(asked)
    found = STORE.paper(name)
    if found is None:
        raise NotFound(f"{name} is not in the graph", hint="A paper gets in when a search with cite_in_kg finds it.")
    lists: dict[str, Callable[..., Page]] = {
        "cites": STORE.cites, "cited_by": STORE.cited_by, "contexts": STORE.contexts_of,
    }  # fmt: skip
    wanted = _query("list")
    if wanted is None:
        return {**found, **{kind: _listed(read(name, None, _limit())) for kind, read in lists.items()}, **TRUST}
    if wanted not in lists:
        raise Unprocessable.field("list", f"must be one of {', '.join(lists)}")
    return {**_listed(lists[wanted](name, _query("cursor"), _limit())), **TRUST}


@router.get(r"/v1/graph/contexts/<kind>/[\s\S]+")
def context(kind: str) -> dict[str, Any]:
    """What a context cited or was shown, in order of time."""
    if kind not in CONTEXTS:
        raise Unprocessable.field("type", f"must be one of {', '.join(CONTEXTS)}")
    context_id = unquote(router.current_event.path.partition(f"/v1/graph/contexts/{kind}/")[2])
    if len(context_id) > MAX_CONTEXT_CHARS:
        raise Unprocessable.field("id", f"must be at most {MAX_CONTEXT_CHARS} characters")
    page = STORE.context(kind, context_id, _query("cursor"), _limit())
    return {"context": {"type": kind, "id": context_id}, **_listed(page), **TRUST}


@router.get("/v1/graph/stats")
def stats() -> dict[str, Any]:
    """How many papers, edges and contexts there are; `complete` is false where counting had to stop."""
    return STORE.stats()


@router.get("/v1/graph/export")
def export() -> Response[str]:
    """A page of the whole graph as a file; the header `Next-Cursor` leads to the next page until there is none."""
    forms: dict[str, tuple[str, Callable[[Graph], str]]] = {
        "jsonld": ("application/ld+json", lambda graph: compact_json(json_ld(graph))),
        "graphml": ("application/graphml+xml", graph_ml),
        "csv": (
            "text/csv; charset=utf-8",
            lambda graph: csv(graph, "edges" if _query("kind") == "edges" else "papers"),
        ),
    }
    wanted = _query("format") or "jsonld"
    if wanted not in forms:
        raise Unprocessable.field("format", f"must be one of {', '.join(forms)}")
    if _query("kind") not in (None, "papers", "edges"):
        raise Unprocessable.field("kind", "must be one of papers, edges")
    graph, cursor = page_of(STORE, _query("cursor"), _limit(EXPORTED))
    media_type, write = forms[wanted]
    more = {"Next-Cursor": cursor} if cursor else {}
    return Response(200, media_type, write(graph), headers={"Content-Trust": UNTRUSTED, **more})


def _listed(page: Page) -> dict[str, Any]:
    return {"items": page.items, "next_cursor": page.cursor}


def _one_id(text: str) -> str:
    """The one paper that a text names, as the graph writes ids."""
    if name := text if is_id(text) else read_id(text):
        return name
    named = read_references(text)
    if len(named) != 1:
        raise Unprocessable.field("id", f"must be {EXAMPLES}")
    return graph_id(named[0])


def _query(name: str) -> str | None:
    text = router.current_event.get_query_string_value(name)
    return None if absent(text) else text


def _limit(default: int = PAGE) -> int:
    text = _query("limit") or str(default)
    if not re.fullmatch("0*[0-9]{1,3}", text) or not 1 <= int(text) <= MAX_LIMIT:
        raise Unprocessable.field("limit", f"must be a number from 1 to {MAX_LIMIT}")
    return int(text)
