"""The size of a search's answer over MCP where the agent names none: compact, with the first words of the abstracts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from shared.search.sizes import ABSTRACT_CHARS

if TYPE_CHECKING:
    from shared.client.json_types import ToolAnswer
    from shared.client.transport import Api
    from shared.json_types import JsonObject

_SEARCHES = ("/v1/literature-search", "/v1/pubmed-search")
_SIZES = ("detail", "fields")
# A hundred words of English prose, with their blanks.
FIRST_WORDS_CHARS = 640


def in_agents_size(api: Api) -> Api:
    """The same Api, whose searches are of this size unless their body names one."""

    def send(method: str, path: str, body: JsonObject, headers: Mapping[str, str]) -> tuple[int, ToolAnswer]:
        if path in _SEARCHES and not body.keys() & _SIZES:
            body = {"abstract_chars": FIRST_WORDS_CHARS, **body, "detail": "compact"}
        return api(method, path, body, headers)

    return send


def with_named_abstracts(arguments: JsonObject) -> JsonObject:
    """The arguments of a tool, where compact papers with abstracts are asked for by how much of these is wanted.

    The tool's function cannot tell a given `include_abstract: true` from its default.
    """
    named = arguments.get("include_abstract") in (True, "true") and not arguments.get("abstract_chars")
    if named and arguments.get("detail") == "compact":
        return {**arguments, "abstract_chars": ABSTRACT_CHARS}
    return arguments
