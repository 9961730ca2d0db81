"""Every route of the API: its request, responses and errors; a test checks that the dispatcher implements them."""

from __future__ import annotations

from typing import Any

from shared.answers.graph import (
    CitationsAnswer,
    GraphContextAnswer,
    GraphEdgesAnswer,
    GraphPaperAnswer,
    GraphStats,
    PaperMentionsAnswer,
)
from shared.answers.papers import LinksAnswer, NetworkAnswer, PaperAnswer, PapersAnswer, ResolveAnswer
from shared.answers.result_sets import FacetsAnswer, ResultSetAnswer
from shared.answers.search import SearchAnswer
from shared.answers.service import HealthAnswer, ProvidersAnswer, ResourceMetadata, ServiceAnswer, ToolsAnswer
from shared.api.addresses import METADATA
from shared.api.exhaustive_search_operations import EXHAUSTIVE_OPERATIONS
from shared.api.full_text_operation import FULL_TEXT, PAPER_ID, PASSAGES
from shared.api.openapi_types import Parameter
from shared.api.operation import (
    CURSOR,
    IDEMPOTENCY_KEY,
    JSON,
    LEFT_OUT,
    MAX_TOKENS,
    NEXT_CURSOR,
    OF_FILES,
    TEXT,
    XML,
    Operation,
    limit_of,
)  # fmt: skip
from shared.api.reference_check_operations import CHECK_OPERATIONS
from shared.api.request_schemas import ONLY_PUBMED
from shared.api.saved_search_operations import SAVED
from shared.api.similar_operations import SIMILAR
from shared.canonical_json import ID_FORM
from shared.contexts import CONTEXT_TYPES, MAX_CONTEXT_CHARS
from shared.exports.formats import FORMATS
from shared.field_schema import JsonSchema
from shared.graph.citation_request import CitationRequest
from shared.papers.reference_request import ResolveRequest
from shared.papers.request import ExportRequest, LinksRequest, NetworkRequest, PapersRequest
from shared.search.requests.search_request import SearchRequest
from shared.search.result_set_page import FacetRequest, ResultSetRequest

TAGS = {
    "search": "One query to every literature source at once.",
    "papers": "Known papers: by id, their references and citations, citation networks, reference checks.",
    "graph": "The knowledge graph: which papers were cited or shown where.",
    "saved": "Searches and watches that run on a schedule and report what is new: in a feed, to a webhook or a topic.",
    "service": "The service itself.",
}
_RESULT_SET: Parameter = {
    "name": "id", "in": "path", "required": True,
    "description": "`result_set_id` of an answer to a search, or to a request for references or citations.",
    "schema": {"type": "string", "format": "result-set-id", "pattern": f"^{ID_FORM}$"},
}  # fmt: skip
_BY_ID = "No paper: a 404 that names the providers; 502 (`unanswered`) if one that may have it did not answer."


def _graph_id() -> Parameter:
    return {**PAPER_ID, "schema": {**PAPER_ID["schema"], "format": "graph-id"},
            "description": "A DOI, PMID:…, PMC…, arXiv:…, or one of our keys, percent-encoded."}  # fmt: skip


_ASKING = (400, 422, 502, 504)
# A context of another key, and one that exists and is not shared.
_CONTEXT = (404, 409)
FILES: dict[str, JsonSchema] = {
    it.media_type.partition(";")[0]: {"type": "array"} if it.media_type.endswith("json") else TEXT
    for it in FORMATS.values()
}
_GRAPH = (422, 503)
_OWNED = (
    "A context belongs to the API key that wrote to it first, unless it was created with `shared: true`: to other keys "
    "it does not exist (404)."
)


def _search(method: str, path: str, name: str, summary: str, description: str, **own: Any) -> Operation:
    return Operation(
        method=method, path=path, name=name, tag="search", summary=summary, description=description,
        request=SearchRequest, answers={JSON: SearchAnswer, **FILES}, headers=OF_FILES,
        refusals=(*_ASKING, *_CONTEXT, 410, 503), **own,
    )  # fmt: skip


def _links(relation: str, summary: str) -> Operation:
    return Operation(
        method="GET", path=f"/v1/papers/{{id}}/{relation}", name=f"get_{relation}", tag="papers", summary=summary,
        description="Merged from all providers with such lists; each entry names those that list it. " + _BY_ID,
        request=LinksRequest, without=("id",), parameters=(PAPER_ID,), answers={JSON: LinksAnswer},
        refusals=(*_ASKING, *_CONTEXT, 410, 503),
    )  # fmt: skip


_FROM_PUBMED: Parameter = {"name": "providers", "in": "query", "description": "PubMed alone.", "schema": ONLY_PUBMED}
_PUBMED_TEXT = "The same answer, from PubMed."
_EXPORT_TEXT = "Give either `ids` or the `result_set_id` of a search or a list, which is exported whole."
_SEARCH_TEXT = (
    "Queries all providers at once, merges their records into one per paper, ranks them, and reports in `providers` "
    "how each answered. If some fail, the result is 200 with `complete: false`; if all fail, 502 or 504. One of "
    "`query`, `queries` and `cursor` is required."
)
OPERATIONS = (
    _search("GET", "/v1/literature-search", "search_by_get", "Search", _SEARCH_TEXT),
    _search("POST", "/v1/literature-search", "literature_search", "Search", _SEARCH_TEXT),
    _search("GET", "/v1/pubmed-search", "pubmed_search_by_get", "Search PubMed alone", _PUBMED_TEXT,
            without=("providers",), parameters=(_FROM_PUBMED,)),
    _search("POST", "/v1/pubmed-search", "pubmed_search", "Search PubMed alone", _PUBMED_TEXT,
            body="PubmedSearchRequest"),
    Operation(
        method="GET", path="/v1/result-sets/{id}", name="get_result_set", tag="search",
        summary="A stored result set, filtered", description="The papers of an earlier answer that pass the filters, "
        "in its order and in pages. No provider is queried. It is stored for a day.", request=ResultSetRequest,
        parameters=(_RESULT_SET,), answers={JSON: ResultSetAnswer}, refusals=(404, 410, 422, 503),
    ),
    Operation(
        method="GET", path="/v1/result-sets/{id}/facets", name="get_facets", tag="search",
        summary="A stored result set by year, venue, type, source and open access",
        description="How many papers of an earlier answer have each value; with filters, of those that pass them. "
        "No provider is queried. Topics are not counted, because no record states them.", request=FacetRequest,
        parameters=(_RESULT_SET,), answers={JSON: FacetsAnswer}, refusals=(404, 410, 422, 503),
    ),
    *(Operation(
        method=method, path="/v1/exports", name=name, tag="papers", summary="Papers as a file of citations",
        description=_EXPORT_TEXT, request=ExportRequest, answers=FILES, headers=OF_FILES,
        refusals=(*_ASKING, 404, 410),
    ) for method, name in (("GET", "export_by_get"), ("POST", "export"))),
    Operation(
        method="POST", path="/v1/papers", name="get_papers", tag="papers", summary="Papers by id",
        description="An entry for each id, in the order of the request: found, not_found, unanswered or not_asked.",
        request=PapersRequest, answers={JSON: PapersAnswer}, refusals=(*_ASKING, *_CONTEXT, 503),
    ),
    Operation(
        method="GET", path="/v1/papers/{id}", name="get_paper", tag="papers", summary="One paper by id",
        description=_BY_ID, request=PapersRequest, without=("ids",), parameters=(PAPER_ID,),
        answers={JSON: PaperAnswer}, refusals=(*_ASKING, *_CONTEXT, 503),
    ),
    _links("references", "What a paper cites"),
    _links("citations", "Who cites a paper"),
    *SIMILAR,
    FULL_TEXT,
    PASSAGES,
    Operation(
        method="POST", path="/v1/citation-network", name="citation_network", tag="papers",
        summary="Who cites whom around some papers",
        description="As JSON, GraphML or SVG. " + _BY_ID, request=NetworkRequest,
        answers={JSON: NetworkAnswer, "application/graphml+xml": XML, "image/svg+xml": XML},
        headers={"Complete": "Whether every provider that was asked has answered: true or false.", **LEFT_OUT},
        refusals=(*_ASKING, *_CONTEXT, 503),
    ),
    Operation(
        method="POST", path="/v1/resolve", name="resolve_references", tag="papers",
        summary="Which papers references refer to",
        description="matched, mismatched (its id names another paper), ambiguous, not_found or unanswered. An invented "
        "reference is not_found, never the most similar paper. One reference alone may be given by its own fields, in "
        "place of `references`.",
        request=ResolveRequest, answers={JSON: ResolveAnswer}, refusals=(*_ASKING, *_CONTEXT, 503),
    ),
    Operation(
        method="POST", path="/v1/citations", name="cite_in_context", tag="graph",
        summary="Record which papers a context cites",
        description="Finds the papers that a text names, and records each with its position. Repeating it within "
        "a day, with the same Idempotency-Key or none, has no further effect. " + _OWNED,
        request=CitationRequest, answers={JSON: CitationsAnswer}, refusals=(400, *_CONTEXT, *_GRAPH),
        parameters=(IDEMPOTENCY_KEY,),
    ),
    Operation(
        method="GET", path="/v1/graph/papers/{id}", name="get_graph_paper", tag="graph",
        summary="A paper in the graph: what it cites, what cites it, and in which contexts",
        description="With `list`, one page of that list only. Lists the contexts that you may read.",
        parameters=(_graph_id(), {
            "name": "list", "in": "query", "description": "Only this list, in pages.",
            "schema": {"enum": ["cites", "cited_by", "contexts"]},
        }, CURSOR, limit_of(20), MAX_TOKENS),
        answers={JSON: (GraphPaperAnswer, GraphEdgesAnswer, PaperMentionsAnswer)}, refusals=(404, *_GRAPH),
    ),
    Operation(
        method="GET", path="/v1/graph/contexts/{type}/{id}", name="get_graph_context", tag="graph",
        summary="The papers that a context cited or was shown", description=_OWNED,
        parameters=(
            {"name": "type", "in": "path", "required": True, "description": "debate, analysis or report.",
             "schema": {"enum": [*CONTEXT_TYPES]}},
            {"name": "id", "in": "path", "required": True, "description": "Your identifier of the context.",
             "schema": {"type": "string", "minLength": 1, "maxLength": MAX_CONTEXT_CHARS}},
            CURSOR, limit_of(20), MAX_TOKENS,
        ),
        answers={JSON: GraphContextAnswer}, refusals=(404, *_GRAPH),
    ),
    Operation(
        method="GET", path="/v1/graph/stats", name="get_graph_stats", tag="graph", summary="The size of the graph",
        answers={JSON: GraphStats}, refusals=(503,),
    ),
    Operation(
        method="GET", path="/v1/graph/export", name="export_graph", tag="graph", summary="Its papers, in pages",
        description="All papers and the citations between them, and the contexts that you may read. Mentions of "
        "ids of which no paper is in the graph are left out: `/v1/graph/contexts/{type}/{id}` has them.",
        parameters=(
            {"name": "format", "in": "query", "description": "The file format.", "schema": {
                "enum": ["jsonld", "graphml", "csv"], "default": "jsonld"}},
            {"name": "kind", "in": "query", "description": "For CSV: the table of papers or of edges.",
             "schema": {"enum": ["papers", "edges"], "default": "papers"}},
            CURSOR, limit_of(50), MAX_TOKENS,
        ),
        answers={"application/ld+json": {"type": "object"}, "application/graphml+xml": XML, "text/csv": TEXT},
        headers={**NEXT_CURSOR, **LEFT_OUT},
        refusals=_GRAPH,
    ),
    *CHECK_OPERATIONS,
    *EXHAUSTIVE_OPERATIONS,
    *SAVED,
    Operation(
        method="GET", path="/v1/providers", name="list_providers", tag="service",
        summary="What each provider supports, and its current state", answers={JSON: ProvidersAnswer},
    ),
    Operation(
        method="GET", path="/v1/tools", name="list_tools", tag="service", summary="The tools for agents",
        answers={JSON: ToolsAnswer},
    ),
    Operation(
        method="GET", path="/", name="service", tag="service", summary="What this service is, and where to go on",
        answers={JSON: ServiceAnswer}, open_to_all=True,
    ),
    Operation(
        method="GET", path="/health", name="health", tag="service", summary="Whether the API is up",
        description="Queries no provider.", answers={JSON: HealthAnswer}, open_to_all=True,
    ),
    *(Operation(
        method="GET", path=f"/{METADATA}{suffix}", name=name, tag="service",
        summary="Who issues access tokens for this service", description="RFC 9728; 404 where no issuer is set.",
        answers={JSON: ResourceMetadata}, refusals=(404,), open_to_all=True,
    ) for suffix, name in (("", "protected_resource"), ("/mcp", "protected_mcp_server"))),
    Operation(
        method="GET", path="/openapi.json", name="openapi", tag="service", summary="The OpenAPI document",
        answers={JSON: {"type": "object", "required": ["openapi", "info", "paths"]}}, open_to_all=True,
    ),
    Operation(
        method="GET", path="/docs", name="docs", tag="service", summary="The documentation",
        answers={"text/html": TEXT}, open_to_all=True,
    ),
    Operation(
        method="GET", path="/llms.txt", name="llms_text", tag="service", summary="A short guide for language models",
        answers={"text/markdown": TEXT}, open_to_all=True,
    ),
)  # fmt: skip
