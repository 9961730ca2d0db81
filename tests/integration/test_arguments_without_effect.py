"""An argument of a tool is followed, or refused by its own name; none is left out in silence."""

from __future__ import annotations

from typing import Any

import pytest

from infra.local.machine import Machine
from tests.integration.mcp_calls import called, message
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


def test_a_document_beside_a_reference_is_refused_by_name(running: Machine) -> None:
    assert faults(running, "resolve_reference", document="x", title="y") == ["title"]


@pytest.mark.parametrize(("path", "body", "field"), [
    ("/v1/papers", {"ids": [5]}, "ids.0"), ("/v1/citation-network", {"seeds": [5]}, "seeds.0"),
    ("/v1/resolve", {"references": [{"title": "a", "year": "two"}]}, "references.0.year"),
])  # fmt: skip
def test_a_wrong_item_is_one_error(running: Machine, path: str, body: dict[str, Any], field: str) -> None:
    status, problem = call(running, "POST", path, body)
    assert (status, [it["field"] for it in problem["errors"]]) == (400, [field])
