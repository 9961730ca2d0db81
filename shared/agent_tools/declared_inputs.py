"""The inputs of the tools, generated from the API's request models, so that names, defaults and limits agree.

They are kept small: an agent reads all of them before its first call. Generating them imports every model and its
rules, so `infra/uploaded_code.py` does it when the code is uploaded, and `shared/agent_tools/schemas.py` reads the
result.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pydantic import BaseModel

from shared.bibliography.paper import PAPER_TYPES
from shared.client.linked_papers import RELATIONS
from shared.exhaustive_searches.request import MAX_RECORDS
from shared.exports.formats import FORMATS
from shared.field_schema import JsonSchema
from shared.graph.citation_request import CitationRequest
from shared.papers.reference_request import Reference as ReferenceModel
from shared.papers.reference_request import ResolveRequest
from shared.papers.request import LinksRequest, NetworkRequest, PapersRequest
from shared.papers.similar.request import SimilarRequest
from shared.papers.texts.request import FullTextRequest
from shared.reference_checks.request import ReferenceCheckRequest
from shared.search.requests.search_request import SearchRequest

_MODELS: dict[str, tuple[type[BaseModel], ...]] = {
    "literature_search": (SearchRequest,),
    "pubmed_search": (SearchRequest,),
    "get_papers": (PapersRequest,),
    "citation_network": (NetworkRequest, LinksRequest, SimilarRequest),
    "resolve_reference": (ResolveRequest, ReferenceModel, ReferenceCheckRequest),
    "cite_in_context": (CitationRequest,),
    "search": (SearchRequest,),
    "fetch": (ReferenceModel, FullTextRequest),
}
REQUIRED = {
    "literature_search": (), "pubmed_search": ("query",), "get_papers": ("ids",), "search": ("query",),
    "citation_network": ("seeds",), "resolve_reference": (), "cite_in_context": ("context",), "fetch": ("id",),
}  # fmt: skip
_IDS = "DOI, PMID:…, PMC…, arXiv:…, S2 id, CorpusId:…, W…, NCT…, key or URL"
_MEANING = {
    "query": 'words, "phrases", AND OR NOT, ( )',
    "queries": "other wordings of it",
    "providers": "default: these seven; auto: by discipline",
    "date_from": "YYYY[-MM[-DD]], incl.",
    "context": "what cites them",
    "cursor": "next_cursor",
    "fresh": "skip the cache",
    "patience_ms": "without slow sources",
    "ids": _IDS,
    "seeds": "ids",
    "references": "lines or objects",
    "papers": "ids",
    "by": "who cites",
    "id": _IDS,
}
# What means something else here, or is described in full by another tool: an agent reads all of them.
_MEANING_HERE = {
    ("pubmed_search", "query"): None,
    ("resolve_reference", "id"): "as ids of get_papers",
    ("literature_search", "context"): "shown there, not cited",
}
_OWN: dict[str, JsonSchema] = {
    "idempotency_key": {"type": "string"},
    "format": {"type": "string", "enum": ["json", *FORMATS], "default": "json"},
    "relation": {"type": "string", "enum": list(RELATIONS)},
    "language": {"type": "string", "description": "as en"},  # the fifty codes are known
    "max_records": {"type": "integer", "maximum": MAX_RECORDS, "description": "reads all, as a job"},
    "schedule": {
        "type": ["string", "object"],
        "description": "saves: rate(1 day), cron(…), {expression,name,delivery}; off, on, delete, new_secret",
    },
    "passages": {"type": "string", "description": "a question"},
    "saved_search": {"type": "string"},
}
_KEYWORDS = ("type", "enum", "const", "default", "minimum", "maximum", "maxItems", "items", "properties", "required")
# Lists whose items have names of a fixed list, or may be objects as well as strings.
_ITEMS: dict[str, JsonSchema] = {
    "publication_types": {"type": "string", "enum": list(PAPER_TYPES)},
    "references": {"type": ["string", "object"]},
}


def declared_input(tool: str, parameters: Iterable[str]) -> JsonSchema:
    """JSON Schema of a tool's arguments, which are exactly `parameters`, without the names of the providers."""
    known: dict[str, JsonSchema] = {}
    definitions: dict[str, JsonSchema] = {}
    for model in reversed(_MODELS[tool]):
        whole = model.model_json_schema()
        known |= whole["properties"]
        definitions |= whole.get("$defs", {})
    if tool == "literature_search":
        known["detail"] = {**known["detail"], "default": "compact"}  # as the MCP server has it
    return {
        "type": "object",
        "properties": {name: _described(tool, name, known, definitions) for name in parameters},
        **({"required": list(REQUIRED[tool])} if REQUIRED[tool] else {}),
        "additionalProperties": False,
    }


def _described(
    tool: str, name: str, known: Mapping[str, JsonSchema], definitions: Mapping[str, JsonSchema]
) -> JsonSchema:
    if name in _OWN and not (name == "format" and name in known):
        return _OWN[name]
    schema = _small(known[name], definitions)
    if name in _ITEMS:
        schema["items"] = _ITEMS[name]
    meaning = _MEANING_HERE.get((tool, name), _MEANING.get(name))
    return {**schema, "description": meaning} if meaning else schema


def _small(schema: JsonSchema, definitions: Mapping[str, JsonSchema]) -> JsonSchema:
    """Only types and limits: without titles, nulls and references."""
    for option in schema.get("anyOf", ()):
        if option.get("type") != "null":
            schema = {**schema, **option}
    if "$ref" in schema:
        schema = definitions[schema["$ref"].rpartition("/")[2]]
    small = {name: schema[name] for name in _KEYWORDS if name in schema and schema[name] not in (None, [])}
    if "items" in small:
        small["items"] = _small(small["items"], definitions)
    if "properties" in small:
        small["properties"] = {name: _small(part, definitions) for name, part in small["properties"].items()}
    return small
