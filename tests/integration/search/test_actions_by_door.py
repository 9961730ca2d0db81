"""Every call that an answer offers can be made through the door by which the answer came."""

from __future__ import annotations

from typing import Any

import pytest

from infra.local.machine import Machine
from tests.integration.actions import made_over_http, made_over_mcp
from tests.integration.mcp_calls import called
from tests.integration.papers_calls import fetch

SEARCH = "/v1/literature-search"
QUESTION = "What does TREM2 do in microglia?"
REFERENCE = "Jumper J, et al. Highly accurate protein structure prediction with AlphaFold. Nature 2021;596:583-589"
ASKED: list[dict[str, Any]] = [
    {"query": "TREM2 microglia"},
    {"query": "TREM2 microglia", "detail": "compact", "max_tokens": 900},
    {"query": "TREM2 microglia", "detail": "full", "max_results": 3, "providers": "pubmed,crossref"},
    {"query": QUESTION},
    {"query": QUESTION, "detail": "compact", "fields": "key,title"},
    {"queries": ["TREM2", QUESTION], "date_from": "2015", "journal": "Nature"},
    {"query": "10.1056/NEJMoa1211851"},
    {"query": "10.1056/NEJMoa1211851 36107206"},
    {"query": REFERENCE},
    {"query": "vaswani 2017"},
    {"query": "M. Colonna TREM2"},
    {"query": "find me recent reviews on TREM2"},
    {"query": "open access RCTs of metformin since 2015"},
    {"query": "alzheimers diseas microglia"},
    {"query": "TREM2 AND zzyzx"},
    {"query": "TREM2", "author": "Nobody-of-that-Name", "min_citations": 5},
    {"query": "quuxology zzyzx fnord plugh xyzy"},
    {"query": "зззиззкс", "providers": "pubmed"},
    {"author": "Colonna", "max_results": 2},
    {"query": "TREM2", "date_from": "2030", "language": "German"},
    {"query": "TREM2", "sort": "citations", "ranking": "impact", "open_access": True, "abstract_chars": 50},
]


@pytest.mark.parametrize("asked", ASKED, ids=lambda it: str(it)[:60])
def test_over_http_every_action_is_an_operation_and_its_body(running: Machine, asked: dict[str, Any]) -> None:
    page = fetch(running, "POST", SEARCH, {"cite_in_kg": False, **asked})
    for action in page["next_actions"]:
        status, answer = made_over_http(running, action)
        assert status == 200, (action, answer)


@pytest.mark.parametrize("asked", ASKED, ids=lambda it: str(it)[:60])
def test_over_mcp_every_action_is_a_tool_and_its_arguments(running: Machine, asked: dict[str, Any]) -> None:
    page = called(running, "literature_search", **{"cite_in_kg": False, "abstract_chars": 200, **asked})
    for action in page["next_actions"]:
        made_over_mcp(running, action)


def test_each_door_names_the_passages_of_a_question_in_its_own_words(running: Machine) -> None:
    by_http = fetch(running, "POST", SEARCH, {"query": QUESTION, "cite_in_kg": False})
    keys = [paper["key"] for paper in by_http["results"]][:5]
    offered = {it["tool"]: it["arguments"] for it in by_http["next_actions"]}
    assert offered["find_passages"] == {"question": QUESTION, "ids": keys}
    by_mcp = called(running, "literature_search", query=QUESTION, cite_in_kg=False, detail="standard")
    assert {"ids": keys, "passages": QUESTION} in [it["arguments"] for it in by_mcp["next_actions"]]
    assert by_mcp["next_actions"] != by_http["next_actions"]


def test_the_alias_of_pubmed_offers_calls_of_tools_too(running: Machine) -> None:
    page = called(running, "pubmed_search", query=QUESTION)
    assert [made_over_mcp(running, action) for action in page["next_actions"]]
