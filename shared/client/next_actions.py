"""The calls that an answer offers, for those who use tools: the API names its own operations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .json_types import ToolAnswer

_Arguments = Mapping[str, Any]
# The API's operation -> the tool that does it, and its arguments. All other operations are tools of the same name.
_AS_TOOLS: dict[str, tuple[str, Callable[[_Arguments], dict[str, Any]]]] = {
    "find_passages": ("get_papers", lambda it: {"ids": it["ids"], "passages": it["question"]}),
    "similar": ("citation_network", lambda it: {**it, "relation": "similar"}),
    "resolve_references": ("resolve_reference", dict),
    "literature_search": ("literature_search", lambda it: {"query": "", **it}),  # an author alone
}


def as_tools(answer: ToolAnswer) -> ToolAnswer:
    """The answer of a search, with `next_actions` as calls of tools; any other answer as it is."""
    if not isinstance(actions := answer.get("next_actions"), list):
        return answer
    return {**answer, "next_actions": [_as_tool(it) for it in actions]}


def _as_tool(action: _Arguments) -> dict[str, Any]:
    if action["tool"] not in _AS_TOOLS:
        return dict(action)
    name, arguments = _AS_TOOLS[action["tool"]]
    return {**action, "tool": name, "arguments": arguments(action["arguments"])}
