"""The knowledge graph over HTTP: papers, contexts, counts and exports."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast
from urllib.parse import unquote

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.router import APIGatewayRouter

from functions.dispatcher.file_responses import left_out_header
from functions.dispatcher.wiring.graph import STORE
from functions.dispatcher.wiring.legs import stored_counts
from shared.answers.content_trust import UNTRUSTED
from shared.aws.rest_api.list_parameters import budget_of, limit_of
from shared.aws.rest_api.request_body import query_value, tenant_of
from shared.bibliography.paper_ids import read_id
from shared.bibliography.reference_text import read_references
from shared.canonical_json import compact_json
from shared.contexts import CONTEXT_TYPES, MAX_CONTEXT_CHARS
from shared.cursors import kind_of
from shared.error_texts import one_of
from shared.errors import NotFound, Unprocessable
from shared.exports.file_budget import within_budget
from shared.graph.citation_request import graph_id
from shared.graph.exports import csv, graph_ml, json_ld
from shared.graph.identity import is_id
from shared.graph.pages import GraphPage
from shared.graph.part import Graph, page_of, part_of
from shared.papers.no_id import no_id
from shared.search.sizes.list_budget import fitted

if TYPE_CHECKING:
    from shared.answers.graph import (
        GraphContextAnswer,
        GraphEdge,
        GraphEdges,
        GraphEdgesAnswer,
        GraphPaper,
        GraphPaperAnswer,
        GraphStats,
        PaperMention,
        PaperMentions,
        PaperMentionsAnswer,
    )
    from shared.graph.store import GraphStore

DEFAULT_EXPORT_LIMIT = 50
LISTS = ("cites", "cited_by", "contexts")
KINDS = ("papers", "edges")
router = APIGatewayRouter()


@router.get("/v1/graph/papers/.+")
def paper() -> GraphPaperAnswer | GraphEdgesAnswer | PaperMentionsAnswer:
    """A paper by any of its ids, with the first page of each of its lists; with `list`, a page of that list alone.

    A cursor says by itself of which list it is.
    """
    name = _one_id(unquote(router.current_event.path.partition("/v1/graph/papers/")[2]))
    event = router.current_event
    wanted, cursor, limit, max_tokens = _query("list"), _query("cursor"), limit_of(event), budget_of(event)
    if wanted not in (None, *LISTS):
        raise Unprocessable.field("list", one_of(LISTS, wanted))
    if cursor and not wanted and (wanted := kind_of(cursor)) not in LISTS:
        raise Unprocessable.field("cursor", "pass the `next_cursor` of one of the paper's lists unchanged")
    store = STORE.of_tenant(tenant_of(router.current_event))
    found = store.paper(name)
    if found is None:
        hint = "Papers are added to the graph when a search with cite_in_kg finds them."
        raise NotFound(f"{name} is not in the graph", hint=hint)
    read: Callable[[int], GraphPaperAnswer | GraphEdgesAnswer | PaperMentionsAnswer]
    read = _one_list(store, name, wanted, cursor) if wanted else _whole(store, name, found)
    return fitted(read, limit, max_tokens)


def _whole(store: GraphStore, name: str, found: GraphPaper) -> Callable[[int], GraphPaperAnswer]:
    def read(limit: int) -> GraphPaperAnswer:
        answer = {
            **found,
            "cites": _edges(store.cites(name, None, limit)),
            "cited_by": _edges(store.cited_by(name, None, limit)),
            "contexts": _mentions(store.contexts_of(name, None, limit)),
            "content_trust": UNTRUSTED,
        }
        return cast("GraphPaperAnswer", answer)

    return read


def _one_list(
    store: GraphStore, name: str, wanted: str, cursor: str | None
) -> Callable[[int], GraphEdgesAnswer | PaperMentionsAnswer]:
    def edges(limit: int) -> GraphEdgesAnswer:
        page = (store.cites if wanted == "cites" else store.cited_by)(name, cursor, limit)
        return {"items": page.items, "next_cursor": page.cursor, "content_trust": UNTRUSTED}

    def mentions(limit: int) -> PaperMentionsAnswer:
        page = store.contexts_of(name, cursor, limit)
        return {"items": page.items, "next_cursor": page.cursor, "content_trust": UNTRUSTED}

    return mentions if wanted == "contexts" else edges


def _edges(page: GraphPage[GraphEdge]) -> GraphEdges:
    return {"items": page.items, "next_cursor": page.cursor}


def _mentions(page: GraphPage[PaperMention]) -> PaperMentions:
    return {"items": page.items, "next_cursor": page.cursor}


@router.get(r"/v1/graph/contexts/<kind>/[\s\S]+")
def context(kind: str) -> GraphContextAnswer:
    """The papers that a context of the caller cited or was shown, in order of time."""
    if kind not in CONTEXT_TYPES:
        raise Unprocessable.field("type", one_of(CONTEXT_TYPES, kind))
    context_id = unquote(router.current_event.path.partition(f"/v1/graph/contexts/{kind}/")[2])
    if len(context_id) > MAX_CONTEXT_CHARS:
        raise Unprocessable.field("id", f"must be at most {MAX_CONTEXT_CHARS} characters")
    store, cursor = STORE.of_tenant(tenant_of(router.current_event)), _query("cursor")

    def read(limit: int) -> GraphContextAnswer:
        page = store.context(kind, context_id, cursor, limit)
        return {
            "context": {"type": kind, "id": context_id},
            "items": page.items,
            "next_cursor": page.cursor,
            "content_trust": UNTRUSTED,
        }

    return fitted(read, limit_of(router.current_event), budget_of(router.current_event))


@router.get("/v1/graph/stats")
def stats() -> GraphStats:
    """The numbers of papers, edges and contexts; `complete` is false if counting stopped early."""
    return STORE.stats(stored_counts())


@router.get("/v1/graph/export")
def export() -> Response[str]:
    """A page of all papers, with the contexts of the caller, as a file; `Next-Cursor` has the cursor of the next."""
    formats: dict[str, tuple[str, Callable[[Graph], str]]] = {
        "jsonld": ("application/ld+json", lambda graph: compact_json(json_ld(graph))),
        "graphml": ("application/graphml+xml", graph_ml),
        "csv": (
            "text/csv; charset=utf-8",
            lambda graph: csv(graph, "edges" if _query("kind") == "edges" else "papers"),
        ),
    }
    wanted = _query("format") or "jsonld"
    if wanted not in formats:
        raise Unprocessable.field("format", one_of(formats, wanted))
    if _query("kind") not in (None, *KINDS):
        raise Unprocessable.field("kind", one_of(KINDS, _query("kind")))
    store = STORE.of_tenant(tenant_of(router.current_event))
    event = router.current_event
    start, limit, max_tokens = _query("cursor"), limit_of(event, DEFAULT_EXPORT_LIMIT), budget_of(event)
    graph, cursor = page_of(store, start, limit)
    media_type, write = formats[wanted]
    text, left_out = write(graph), 0
    if max_tokens:
        keys = [paper["key"] for paper in store.papers(start, limit).items]  # in the order of pages, not of the file
        text, left_out = within_budget(lambda count: write(part_of(graph, keys[:count])), len(keys), max_tokens)
        if left_out:
            graph, cursor = page_of(store, start, len(keys) - left_out)
            text = write(graph)
    more = {"Next-Cursor": cursor} if cursor else {}
    return Response(200, media_type, text, headers={"Content-Trust": UNTRUSTED, **more, **left_out_header(left_out)})


def _one_id(text: str) -> str:
    """The id of the one paper that a text names, in the form that the graph stores."""
    if name := text if is_id(text) else read_id(text):
        return name
    mentions = read_references(text)
    if len(mentions) != 1:
        raise no_id("id", text)
    return graph_id(mentions[0])


def _query(name: str) -> str | None:
    return query_value(router.current_event, name)
