"""Texts state how many sources a search queries, where no code knows the list that it follows from."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from functions.mcp_server.server import INSTRUCTIONS
from infra.functions import provider_spec, providers_for, searched_by_default
from shared.agent_tools.registry import TOOLS

IN_WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
PAGE = (Path(__file__).parents[2] / "functions/public_pages/web/src/texts.ts").read_text(encoding="utf-8")
TOOL = str(TOOLS["literature_search"].input_schema["properties"]["providers"]["description"])
TEXTS = {
    "the instructions of the MCP server": (INSTRUCTIONS, r"literature from (\w+) sources"),
    "a tool's argument": (TOOL, r"default: these (\w+);"),
    "the page": (PAGE, r"One question to (\w+) sources"),
}


@pytest.mark.parametrize("where", TEXTS)
def test_a_text_states_how_many_sources_a_search_queries(where: str) -> None:
    text, stated = TEXTS[where]
    found = re.findall(stated, text)
    assert found == [IN_WORDS[len(searched_by_default())]], f"write the number of sources anew into {where}"


def test_the_page_leaves_out_the_sources_that_a_search_leaves_out() -> None:
    (left_out,) = re.findall(r"optionalSources: [^=]+= \[([^\]]*)\]", PAGE)
    optional = {name for name in providers_for("search") if provider_spec(name).optional}
    assert set(re.findall(r'"(\w+)"', left_out)) == optional, "write `optionalSources` in src/texts.ts anew"
