"""A list sent as one reference is not looked for: the one paper that matches would stand for all of them."""

from __future__ import annotations

from infra.local.machine import Machine
from tests.integration.mcp_calls import message
from tests.integration.papers_calls import call

LIST = (
    "1. Guerreiro R, Wojtas A. TREM2 variants in Alzheimer's disease. N Engl J Med. 2013;368:117-127.\n"
    "2. Smith J, Doe A. TREM2 gates the lysosomal clock of microglia. Nature 2021;590:1-9."
)


def test_a_list_alone_is_refused_with_its_place(running: Machine) -> None:
    status, problem = call(running, "POST", "/v1/resolve", {"references": ["", LIST]})
    assert (status, [it["field"] for it in problem["errors"]]) == (422, ["references.1"])
    assert "has 2 references" in problem["errors"][0]["message"]
    assert "POST /v1/reference-checks" in problem["hint"]


def test_a_list_beside_others_is_ambiguous_and_they_are_resolved(running: Machine) -> None:
    status, answer = call(running, "POST", "/v1/resolve", {"references": ["", LIST, "10.1056/nejmoa1211851"]})
    entries = [(it["index"], it["status"]) for it in answer["references"]]
    assert (status, entries) == (200, [(1, "ambiguous"), (2, "matched")])
    assert answer["references"][0]["reason"] == "has 2 references: divide it, or send it as a document"
    assert (answer["ambiguous"], answer["references"][0]["candidates"]) == (1, [])


def test_the_refusal_of_a_tool_names_its_own_arguments(running: Machine) -> None:
    problem = message(running, "resolve_reference", {"reference": LIST})["structuredContent"]
    assert [it["field"] for it in problem["errors"]] == ["reference"]
    assert "resolve_reference with document" in problem["hint"]
