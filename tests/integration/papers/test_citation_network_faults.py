"""The citation network when seeds are unknown, providers are slow or down; its files; and what the graph learns."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import networkx
import pytest
from defusedxml import ElementTree

from infra.local.gateway import rest_event
from infra.local.machine import Machine
from tests.integration.empty_cache import remove_cached_legs
from tests.integration.papers_calls import call, fetch, upstream
from tests.pictures import SVG

pytestmark = pytest.mark.slow  # each source failing in each way

KOBER, CHAPTER = "doi:10.7554/elife.20391", "doi:10.1007/978-981-16-7606-2_7"
UNKNOWN = "10.5555/nobody.holds.this"
PATH = "/v1/citation-network"


def body(*seeds: str, **fields: Any) -> dict[str, Any]:
    return {"seeds": list(seeds), "cite_in_kg": False, **fields}


def test_an_unknown_seed_among_known_ones_is_named(local: Machine) -> None:
    answer = fetch(local, "POST", PATH, body(UNKNOWN, KOBER))
    assert answer["seeds_not_found"] == [f"doi:{UNKNOWN}"]
    assert answer["seeds_unanswered"] == []
    assert len(answer["nodes"]) == 41


@pytest.mark.parametrize("path", [PATH, "/v1/similar"])
def test_a_seed_is_unanswered_as_long_as_a_source_that_would_know_is_silent(local: Machine, path: str) -> None:
    assert local.sandbox is not None
    local.sandbox.faults["crossref"] = {"status": 503}
    answer = fetch(local, "POST", path, body(UNKNOWN, KOBER))
    assert (answer["seeds_not_found"], answer["seeds_unanswered"]) == ([], [f"doi:{UNKNOWN}"])


def test_sources_that_failed_are_named_in_a_hint(local: Machine) -> None:
    assert local.sandbox is not None
    assert fetch(local, "POST", PATH, body(CHAPTER))["hints"] == []
    remove_cached_legs()
    local.sandbox.faults |= {"openalex": {"status": 500}, "semantic_scholar": {"status": 401}}
    answer = fetch(local, "POST", PATH, body(CHAPTER))
    assert answer["complete"] is False
    (message,) = [hint["message"] for hint in answer["hints"] if hint["reason"] == "providers_failed"]
    assert message.startswith("Did not answer: openalex (unavailable); ask again. Rejected the operator's key")
    assert "semantic_scholar" in message


def test_seeds_without_an_answer_are_not_reported_as_unknown(local: Machine) -> None:
    assert local.sandbox is not None
    names = ("crossref", "europe_pmc", "openalex", "semantic_scholar", "unpaywall")
    local.sandbox.faults.update({name: {"status": 500} for name in names})
    status, problem = call(local, "POST", PATH, body(CHAPTER))
    assert status in (502, 503)
    assert {error["field"] for error in problem["errors"]} >= {"providers.crossref", "providers.openalex"}


def test_without_any_known_seed_it_is_not_found(local: Machine) -> None:
    status, problem = call(local, "POST", PATH, body(UNKNOWN, "PMID:99999999"))
    assert status == 404
    assert f"doi:{UNKNOWN}, pmid:99999999 is not held by" in problem["detail"]


def test_a_seed_that_no_provider_can_look_up_is_not_found(local: Machine) -> None:
    status, problem = call(local, "POST", PATH, body("title:" + 20 * "0"))
    assert (status, upstream(local)) == (404, {})
    assert "no provider can be asked" in problem["detail"]


@pytest.mark.parametrize(
    ("given", "field"),
    [
        (body("a title"), "seeds.0"),
        (body(KOBER, "12345"), "seeds.1"),
        (body(KOBER, CHAPTER, UNKNOWN, max_nodes=2), "max_nodes"),
        (body(KOBER, depth=3), "depth"),
        (body(KOBER, max_nodes=201), "max_nodes"),
    ],
)
def test_an_invalid_request_names_its_field_and_sends_no_request(local: Machine, given: Any, field: str) -> None:
    status, problem = call(local, "POST", PATH, given)
    assert (status, [error["field"] for error in problem["errors"]]) == (422, [field])
    assert upstream(local) == {}


def test_a_timeout_is_met_and_late_providers_are_named(local: Machine) -> None:
    assert local.sandbox is not None
    local.sandbox.faults["semantic_scholar"] = {"delay_ms": 20_000}
    answer = fetch(local, "POST", PATH, body(KOBER, timeout_ms=8_000))
    assert not upstream(local).get("semantic_scholar")  # a request is counted when it has ended: it still hangs
    assert not answer["complete"]
    assert answer["providers"]["semantic_scholar"]["outcome"] == "timeout"
    assert KOBER in [node["key"] for node in answer["nodes"]]


@pytest.mark.slow  # it hangs for seconds
def test_a_slow_provider_leaves_the_others_time_for_every_step(local: Machine) -> None:
    assert local.sandbox is not None
    local.sandbox.faults["openalex"] = {"delay_ms": 20_000}
    answer = fetch(local, "POST", PATH, body(KOBER, timeout_ms=10_000))
    assert not upstream(local).get("openalex")  # it still hangs
    assert answer["counts"] == {"nodes": 41, "edges": 40}
    assert all(node["paper"] for node in answer["nodes"])
    late = {name for name, report in answer["providers"].items() if report["outcome"] == "timeout"}
    assert (late, answer["complete"]) == ({"openalex"}, False)


def test_a_failing_provider_is_reported_and_the_others_build_the_network(local: Machine) -> None:
    assert local.sandbox is not None
    local.sandbox.faults["openalex"] = {"body": "truncated"}
    answer = fetch(local, "POST", PATH, body(KOBER))
    assert answer["providers"]["openalex"]["outcome"] == "bad_response"
    assert (answer["complete"], len(answer["edges"])) == (False, 40)


def file(local: Machine, form: str) -> tuple[str, Any]:
    event = rest_event("POST", PATH, body=json.dumps(body(KOBER, CHAPTER, format=form)))
    response = local.invoke("dispatcher", event)
    assert response["statusCode"] == 200
    return str(response["body"]), {**response.get("headers", {}), **response.get("multiValueHeaders", {})}


def test_the_files_are_of_the_same_network_as_the_json(local: Machine) -> None:
    answer = fetch(local, "POST", PATH, body(KOBER, CHAPTER))
    before = upstream(local)
    text, headers = file(local, "graphml")
    graph = networkx.read_graphml(BytesIO(text.encode()))
    assert set(graph.nodes) == {node["key"] for node in answer["nodes"]}
    assert set(graph.edges) == {(edge["source"], edge["target"]) for edge in answer["edges"]}
    assert {key for key, seed in graph.nodes(data="seed") if seed} == {KOBER, CHAPTER}
    assert headers["Complete"] in ("true", ["true"])
    picture, headers = file(local, "svg")
    tooltips = [it.text for it in ElementTree.fromstring(picture.encode()).iter(f"{SVG}title")]
    drawn = {str(text).rpartition(" · ")[2].rpartition("\n")[2] for text in tooltips}
    assert {node["key"] for node in answer["nodes"]} <= drawn
    assert headers["Content-Type"] in ("image/svg+xml", ["image/svg+xml"])
    assert upstream(local) == before


def test_the_graph_receives_the_papers_and_the_sources_of_their_citations(local: Machine) -> None:
    answer = fetch(local, "POST", PATH, body(KOBER, CHAPTER, cite_in_kg=True))
    assert answer["kg"] == {"queued": 44, "skipped": 0}
    assert local.drain_queue() > 0
    citing = local.graph_store().cited_by("doi:10.1074/jbc.m115.677286").items
    sources = {edge["source"]: edge["asserted_by"] for edge in answer["edges"] if "677286" in edge["target"]}
    assert {entry["key"]: sorted(entry["providers"]) for entry in citing} == sources
