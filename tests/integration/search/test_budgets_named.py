"""Where a budget leaves something out, the answer names the budget that leaves nothing out."""

from __future__ import annotations

import re
from typing import Any

import pytest

from infra.local.machine import Machine
from shared.search.sizes.token_budget import tokens
from tests.integration.mcp_calls import called, message
from tests.integration.papers_calls import call

IDS = ["10.1084/jem.20212479", "PMID:29618526", "arXiv:1706.03762"]
QUESTION = "What does TREM2 do in microglia?"
CALLS: list[tuple[str, str, dict[str, Any]]] = [
    *(
        ("literature_search", "/v1/literature-search", {"query": QUESTION, "detail": it, "cite_in_kg": False})
        for it in ("compact", "standard", "full")
    ),
    ("get_papers", "/v1/papers", {"ids": IDS, "cite_in_kg": False}),
    ("", "/v1/similar", {"seeds": IDS[:1], "cite_in_kg": False}),
    ("", "/v1/passages", {"question": QUESTION, "query": "TREM2"}),
]


@pytest.mark.parametrize(("tool", "path", "asked"), CALLS)
@pytest.mark.parametrize("most", [740, 760, 1_800])
def test_the_budget_that_is_named_shows_all(
    running: Machine, tool: str, path: str, asked: dict[str, Any], most: int
) -> None:
    def by_http(given: dict[str, Any]) -> Any:
        return call(running, "POST", path, given)[1]

    def by_mcp(given: dict[str, Any]) -> Any:
        return called(running, tool, **given)

    for door in (by_http, by_mcp) if tool else (by_http,):
        small = door({**asked, "max_tokens": most})
        if small["truncated"] is None or not small["truncated"]["results"]:
            continue
        named = re.search(r"max_tokens=(\d+) shows all", small["truncated"]["reason"])
        assert named
        whole = door({**asked, "max_tokens": int(named[1])})
        assert tokens(whole) <= int(named[1])
        assert whole["truncated"] is None or "max_tokens" not in whole["truncated"]["reason"]


@pytest.mark.parametrize("form", ["bibtex", "ris", "csl-json", "csv", "markdown"])
@pytest.mark.parametrize("most", [400, 500, 800])
def test_a_file_keeps_within_its_budget_with_what_a_tool_returns_around_it(
    running: Machine, form: str, most: int
) -> None:
    for tool, asked in (("literature_search", {"query": "TREM2"}), ("get_papers", {"ids": [*IDS, "10.9999/none"]})):
        answer = message(running, tool, {**asked, "format": form, "max_tokens": most})
        if not answer.get("isError"):
            assert tokens(answer["structuredContent"]) <= most
