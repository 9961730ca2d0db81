"""A client for the literature search service.

Set `LITERATURE_SEARCH_URL` to the address of the service and, where it needs one, `LITERATURE_SEARCH_API_KEY`.
"""

from .errors import ToolError
from .tool_calls import log_tool_call
from .tools import (
    citation_network,
    cite_in_context,
    fetch,
    get_papers,
    literature_search,
    pubmed_search,
    resolve_reference,
    search,
)

__all__ = [
    "ToolError",
    "citation_network",
    "cite_in_context",
    "fetch",
    "get_papers",
    "literature_search",
    "log_tool_call",
    "pubmed_search",
    "resolve_reference",
    "search",
]
