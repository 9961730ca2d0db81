"""An argument of a tool is followed, or refused by its own name; none is left out in silence."""

from __future__ import annotations

from typing import Any

import pytest

from infra.local.machine import Machine
from tests.integration.mcp_calls import called, message, resource
from tests.integration.papers_calls import call

SEED = "10.7554/eLife.20391"


def faults(local: Machine, tool: str, **arguments: Any) -> list[str]:
    refused = message(local, tool, arguments)
    assert refused["isError"], refused
    return [it["field"] for it in refused["structuredContent"]["errors"]]


@pytest.mark.parametrize(("arguments", "field"), [
    ({"date_from": "2015"}, "date_from"), ({"date_to": "2015"}, "date_to"), ({"sort": "date"}, "sort"),
    ({"max_results": 5}, "max_results"), ({"cursor": "x"}, "cursor"), ({"unlike": [SEED]}, "unlike"),
    ({"relation": "references", "depth": 2}, "depth"), ({"relation": "citations", "format": "graphml"}, "format"),
    ({"relation": "references", "max_nodes": 10}, "max_nodes"), ({"relation": "citations", "unlike": [SEED]}, "unlike"),
    ({"relation": "similar", "cursor": "x"}, "cursor"), ({"relation": "similar", "sort": "date"}, "sort"),
    ({"relation": "similar", "direction": "references"}, "direction"), ({"relation": "cites"}, "relation"),
])  # fmt: skip
def test_an_argument_that_has_no_effect_is_refused(running: Machine, arguments: dict[str, Any], field: str) -> None:
    assert faults(running, "citation_network", seeds=[SEED], cite_in_kg=False, **arguments) == [field]


@pytest.mark.parametrize("arguments", [
    {"max_results": 20, "sort": "", "unlike": []}, {"relation": "references", "depth": 1, "direction": "both"},
    {"relation": "citations", "date_from": "2010", "sort": "date"}, {"relation": "similar", "format": "json"},
])  # fmt: skip
def test_a_default_that_is_written_out_counts_as_not_given(running: Machine, arguments: dict[str, Any]) -> None:
    assert called(running, "citation_network", seeds=[SEED], cite_in_kg=False, **arguments)["complete"]


def test_a_wrong_question_is_named_as_the_tools_name_it(running: Machine) -> None:
    for tool, asked in (("literature_search", {"query": "TREM2"}), ("get_papers", {"ids": [SEED]})):
        assert faults(running, tool, **asked, passages="?" * 3) == ["passages"]


SEARCHED, BY_ID = ("literature_search", {"query": "TREM2"}), ("get_papers", {"ids": [SEED]})
SCHEDULE = "rate(1 day)"


@pytest.mark.parametrize(("tool", "asked", "arguments"), [
    (*SEARCHED, {"format": "bibtex"}), (*SEARCHED, {"detail": "full"}), (*SEARCHED, {"fields": "title"}),
    (*SEARCHED, {"include_abstract": False}), (*SEARCHED, {"abstract_chars": 50}), (*SEARCHED, {"cursor": "x"}),
    (*SEARCHED, {"schedule": SCHEDULE}), (*SEARCHED, {"saved_search": "0" * 20}), (*BY_ID, {"format": "bibtex"}),
    (*BY_ID, {"detail": "compact"}), (*BY_ID, {"fields": "title"}), (*BY_ID, {"abstract_chars": 50}),
])  # fmt: skip
def test_an_argument_without_effect_on_passages_is_refused_with_the_advice_to_leave_it_out(
    running: Machine, tool: str, asked: dict[str, Any], arguments: dict[str, Any]
) -> None:
    refused = message(running, tool, {**asked, "passages": "What does TREM2 do?", **arguments})["structuredContent"]
    (name,) = arguments
    assert (refused["status"], refused["code"]) == (400, "bad_request"), refused
    assert [it["field"] for it in refused["errors"]] == [name]
    assert refused["hint"] == f"Leave {name} out: it would have no effect. Or leave passages out."


@pytest.mark.parametrize(
    "arguments", [{"detail": "compact"}, {"fields": "title"}, {"abstract_chars": 9}, {"fresh": True}]
)
def test_an_argument_without_effect_on_a_file_of_citations_is_refused(
    running: Machine, arguments: dict[str, Any]
) -> None:
    refused = message(running, "get_papers", {"ids": [SEED], "format": "bibtex", **arguments})["structuredContent"]
    (name,) = arguments
    assert [it["field"] for it in refused["errors"]] == [name]
    assert refused["hint"] == f"Leave {name} out: it would have no effect. Or leave format out."


def test_a_call_with_passages_saves_nothing(running: Machine) -> None:
    message(running, "literature_search", {"query": "TREM2", "schedule": SCHEDULE, "passages": "Why?"}, "key-p")
    assert resource(running, "literature://saved-searches", "key-p")["saved_searches"] == []


@pytest.mark.parametrize(("tool", "arguments"), [
    ("literature_search", {"query": "TREM2", "format": "json", "include_abstract": True, "max_results": 10}),
    ("get_papers", {"ids": [SEED], "detail": "full", "format": "", "cite_in_kg": False}),
])  # fmt: skip
def test_a_default_beside_passages_counts_as_not_given(
    running: Machine, tool: str, arguments: dict[str, Any]
) -> None:  # fmt: skip
    assert called(running, tool, **arguments, passages="What does TREM2 do?")["question"] == "What does TREM2 do?"


def test_more_passages_than_there_can_be_are_refused_by_the_name_of_the_tools_argument(running: Machine) -> None:
    asked = {"query": "TREM2", "passages": "What does TREM2 do?", "max_results": 51}
    refused = message(running, "literature_search", asked)["structuredContent"]
    assert [it["field"] for it in refused["errors"]] == ["max_results"]
    assert refused["detail"].startswith("max_results: ")


def test_a_document_beside_a_reference_is_refused_by_name(running: Machine) -> None:
    assert faults(running, "resolve_reference", document="x", title="y") == ["title"]


@pytest.mark.parametrize(("path", "body", "field"), [
    ("/v1/papers", {"ids": [True]}, "ids.0"), ("/v1/citation-network", {"seeds": [True]}, "seeds.0"),
    ("/v1/resolve", {"references": [{"title": "a", "year": "two"}]}, "references.0.year"),
])  # fmt: skip
def test_a_wrong_item_is_one_error(running: Machine, path: str, body: dict[str, Any], field: str) -> None:
    status, problem = call(running, "POST", path, body)
    assert (status, [it["field"] for it in problem["errors"]]) == (400, [field])


@pytest.mark.parametrize(("tool", "field"), [
    ("citation_network", "seeds"), ("resolve_reference", "id"), ("cite_in_context", "papers"), ("fetch", "id"),
    ("get_papers", "ids"),
])  # fmt: skip
def test_a_number_in_place_of_an_id_has_the_hint_how_a_pmid_is_written(running: Machine, tool: str, field: str) -> None:
    context = {"context": {"type": "debate", "id": "1"}} if tool == "cite_in_context" else {}
    for value in (36107206, [36107206]) if field.endswith("s") else (36107206,):
        answer = message(running, tool, {field: value, **context})["structuredContent"]
        assert "if it is a PMID, write PMID:36107206" in str(answer)


@pytest.mark.parametrize("word", ["pause", "OFF", "daily"])
def test_an_unknown_word_for_a_saved_search_is_named_beside_the_known_ones(running: Machine, word: str) -> None:
    asked = {"saved_search": "0" * 20, "schedule": word}
    refused = message(running, "literature_search", asked)["structuredContent"]
    assert [it["field"] for it in refused["errors"]] == ["schedule"]
    assert refused["detail"] == (
        f"schedule: {word!r} is neither a schedule such as rate(1 day) nor one of off, on, delete, new_secret"
    )


@pytest.mark.parametrize("path", ["/v1/saved-searches", "v1/saved-searches", "saved-searches"])
def test_a_path_of_the_api_is_answered_with_the_address_of_the_resource(running: Machine, path: str) -> None:
    refused = message(running, "fetch", {"id": path})["structuredContent"]
    assert (refused["status"], refused["hint"]) == (404, "Write literature://saved-searches.")
