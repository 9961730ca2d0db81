"""The tools under the name by which callers import them from this repository; `shared/client` defines them."""

from __future__ import annotations

from shared.agent_tools.registry import registry, run_tool
from shared.client.errors import ToolError
from shared.client.tool_calls import log_tool_call
from shared.client.tools import (
    citation_network,
    cite_in_context,
    fetch,
    get_papers,
    literature_search,
    pubmed_search,
    resolve_reference,
    search,
)
from shared.client.transport import over_https

__all__ = [
    "ToolError", "citation_network", "cite_in_context", "fetch", "get_papers", "literature_search", "log_tool_call",
    "over_https", "pubmed_search", "registry", "resolve_reference", "run_tool", "search",
]  # fmt: skip
