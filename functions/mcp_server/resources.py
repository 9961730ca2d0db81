"""MCP's resources: what the caller may read of the graph, of lists and of saved searches, each a GET of the API."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import anyio
import mcp_types as types
from mcp.shared.exceptions import MCPError

from shared.agent_tools.hints import hints_in_words_of_mcp
from shared.answers.content_trust import UNTRUSTED
from shared.canonical_json import compact_json
from shared.client.errors import ToolError
from shared.client.resources import SCHEME, read_resource
from shared.client.tool_calls import log_tool_call
from shared.client.transport import CURRENT_API, Api

if TYPE_CHECKING:
    from shared.client.errors import Problem
    from shared.json_types import JsonObject

JSON = "application/json"
_read_resource = log_tool_call(read_resource)  # as one of a tool
_BUDGETED = "cursor,limit,max_tokens"
# Path -> what can be read there.
RESOURCES = {
    "saved-searches": "Your saved searches",
    "graph/stats": "The size of the knowledge graph",
    "providers": "What each provider supports, and its current state",
}
TEMPLATES = {
    "graph/contexts/{type}/{+id}{?"
    + _BUDGETED
    + "}": "The papers that a debate, analysis or report cited or was shown",
    "graph/papers/{+id}{?list,"
    + _BUDGETED
    + "}": "A paper in the graph: what it cites, what cites it, in which contexts",
    "graph/export{?format,kind," + _BUDGETED + "}": "The papers of the graph, in pages: jsonld, graphml or csv",
    "saved-searches{?" + _BUDGETED + "}": "Your saved searches, in pages",
    "saved-searches/{id}": "One of your saved searches, with its last run",
    "saved-searches/{id}/new{?after,types,format," + _BUDGETED + "}": "What is new in a saved search, newest first",
    "papers/{+id}": "One paper",
    "papers/{+id}/fulltext{?format,outline,section,start,max_tokens}": "The open full text of a paper, by sections",
    "papers/{+id}/similar{?date_from,date_to,max_results,detail}": "Papers like a paper",
    "papers/{+id}/references{?sort,date_from,date_to,max_results,cursor,detail}": "What a paper cites",
    "papers/{+id}/citations{?sort,date_from,date_to,max_results,cursor,detail}": "Who cites a paper",
    "result-sets/{id}{?year,venue,type,source,open_access,max_results,cursor,detail}": "Papers of a stored search",
    "result-sets/{id}/facets{?year,venue,type,source,open_access}": "Counts per year, venue, type, source, open access",
    "reference-checks/{id}{?status,max_results,cursor,detail}": "A checked document: progress, and its references",
    "reference-checks/{id}/document": "The document, corrected",
    "exhaustive-searches/{id}{?max_results,cursor,detail}": "An exhaustive search: progress, record, papers",
    "exhaustive-searches/{id}/report{?format}": "Its report, or its flow diagram",
    "exhaustive-searches/{id}/papers{?format,max_results,cursor}": "Its papers as files",
    "exports{?result_set_id,ids,format}": "A stored list, or papers by id: markdown, bibtex, ris, csl-json or csv",
}


def listed() -> types.ListResourcesResult:
    """Every resource with an address of its own."""
    return types.ListResourcesResult(
        resources=[
            types.Resource(name=path, title=title, uri=SCHEME + path, mime_type=JSON)
            for path, title in RESOURCES.items()
        ]
    )


def templates() -> types.ListResourceTemplatesResult:
    """The templates (RFC 6570) of all other addresses."""
    return types.ListResourceTemplatesResult(
        resource_templates=[
            types.ResourceTemplate(name=template.partition("{?")[0], title=title, uri_template=SCHEME + template)
            for template, title in TEMPLATES.items()
        ]
    )


async def read(uri: str, api: Api, request_id: str | None) -> types.ReadResourceResult:
    """A resource for the caller of `api`. Raises MCPError with the problem object as its data."""
    try:
        content = await anyio.to_thread.run_sync(partial(_content, uri, api))
    except ToolError as error:
        problem = {**with_request_id(error.problem, request_id), **hints_in_words_of_mcp(error.problem)}
        raise MCPError(types.INVALID_PARAMS, error.message, data=problem) from None
    return types.ReadResourceResult(contents=[content], cache_scope="private")


def with_request_id(problem: Problem, request_id: str | None) -> JsonObject:
    """The problem object; with this id if it was made before any request reached the API, which has one of its own."""
    return {**problem, "request_id": problem.get("request_id") or request_id}


def _content(uri: str, api: Api) -> types.TextResourceContents:
    token = CURRENT_API.set(api)
    try:
        answer = _read_resource(uri)
    finally:
        CURRENT_API.reset(token)
    if "media_type" in answer:
        meta = {"content_trust": UNTRUSTED, "next_cursor": answer["next_cursor"]}
        return types.TextResourceContents(uri=uri, mime_type=answer["media_type"], text=answer["text"], _meta=meta)
    marked = {**answer, **hints_in_words_of_mcp(answer), "content_trust": UNTRUSTED}
    return types.TextResourceContents(uri=uri, mime_type=JSON, text=compact_json(marked))
