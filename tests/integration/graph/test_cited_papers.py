"""What the answer to recorded citations says of each paper, and of citations that name no id."""

from __future__ import annotations

import json
from typing import Any

import pytest

from infra.functions import provider_names
from infra.local.gateway import rest_event
from infra.local.machine import Machine
from tests.integration.graph.test_routes import call, cite, get, waiting
from tests.integration.mcp_calls import called

RETRACTED, HELD = "10.1038/nature04533", "10.7554/eLife.20391"


def by_mcp(local: Machine, text: str) -> Any:
    context = {"type": "debate", "id": "over MCP"}
    return called(local, "cite_in_context", context=context, text=text)


@pytest.mark.slow
def test_the_same_text_is_recorded_once_without_a_key(local: Machine) -> None:
    first, again = (cite(local, text=f"see {HELD}") for _ in range(2))
    assert {**first, "request_id": ""} == {**again, "request_id": ""}
    local.drain_queue()
    assert len(get(local, "/v1/graph/contexts/debate/on-microglia/7")["items"]) == 1
    for other in ({"text": f"see {HELD}", "by": "another"}, {"text": f"see also {HELD}"}):
        cite(local, **other)
    cite(local, text=f"see {HELD}", key="said again on purpose")
    assert waiting(local) == 3


def test_a_retracted_paper_is_flagged_whether_the_graph_has_it_or_not(local: Machine) -> None:
    text = f"see {RETRACTED} and {HELD} and 10.9999/fake.123"
    for answer in (cite(local, text=text), by_mcp(local, text)):
        said = [(it["status"], it["retraction"]) for it in answer["mentions"]]
        assert said[0] == ("resolved", "retracted")
        assert said[1][0] == "resolved" and said[1][1] in ("none", "unknown")
        assert said[2] == ("not_found", None)
    local.drain_queue()
    (mention,) = cite(local, text=f"again {RETRACTED}")["mentions"]
    assert (mention["status"], mention["retraction"]) == ("in_graph", "retracted")


def test_a_paper_is_not_reported_as_not_found_when_no_provider_answers(local: Machine) -> None:
    assert local.sandbox is not None
    local.sandbox.faults.update({name: {"status": 503} for name in provider_names()})
    (mention,) = cite(local, text=f"see {HELD}")["mentions"]
    assert (mention["status"], mention["key"]) == ("not_in_graph", None)


@pytest.mark.parametrize(("text", "count"), [
    ("as shown (Guerreiro et al., NEJM 2013) and by Jonsson (2013)", 2), ("Sims and Hill, 2017, disagree.", 1),
    (f"Jay et al. (2015) ({HELD})", 0), ("In June 2013 nothing of the kind was known.", 1),
])  # fmt: skip
def test_citations_without_ids_are_hinted_at(local: Machine, text: str, count: int) -> None:
    for answer, route in ((cite(local, text=text), "POST /v1/resolve"), (by_mcp(local, text), "resolve_reference")):
        hints = [it["message"] for it in answer["hints"] if it["reason"] == "without_ids"]
        assert len(hints) == bool(count)
        assert all(f"cite {count} papers" in hint and route in hint for hint in hints)


def test_a_text_without_any_id_is_answered_with_the_route_that_finds_ids(local: Machine) -> None:
    text = "The paper on microglia says otherwise."
    for answer, route in ((cite(local, text=text), "POST /v1/resolve"), (by_mcp(local, text), "resolve_reference")):
        assert answer["recorded"] == 0
        ((reason, message),) = [(it["reason"], it["message"]) for it in answer["hints"]]
        assert reason == "without_ids"
        assert message.startswith("No id of a paper was found in the text") and route in message


@pytest.mark.parametrize("blank", ["", "  ", None, {}])
def test_a_blank_line_costs_no_reference(running: Machine, blank: object) -> None:
    lines = ["Attention is all you need", blank, {"id": HELD}]
    answer = json.loads(
        running.invoke("dispatcher", rest_event("POST", "/v1/resolve", body=json.dumps({"references": lines})))["body"]
    )
    assert [it["status"] for it in answer["references"]] == ["matched", "matched"]
    over_mcp = called(running, "resolve_reference", references=lines)
    assert [it["status"] for it in over_mcp["references"]] == ["matched", "matched"]
    status, problem = call(running, "POST", "/v1/resolve", {"references": [blank]})
    assert (status, problem["errors"][0]["field"]) == (422, "references")
