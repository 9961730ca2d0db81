"""How papers cite others in their texts, from the lists and networks over queue and writer to the graph's answers."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest

from infra.local.gateway import rest_event
from infra.local.machine import Machine, machine
from infra.local.sandbox.server import Sandbox
from shared.graph.in_text import SENTENCE_BYTES, joined_in_text
from tests.integration.graph.storm import stored
from tests.integration.graph.test_graph import sqs_event
from tests.integration.graph.test_routes import call, get
from tests.integration.texts.test_kept_texts import CONTACTS, FOLDING, SENTENCE, TEXTS, read, with_references
from tests.published_schemas import validate
from tests.unit.graph.examples import papers_body, result

TREM2 = "10.7554/eLife.20391"


def edges(local: Machine, name: str, direction: str) -> dict[str, Any]:
    """How the edges of a paper are stated in the texts, by the key of the other end; every edge is in the answer."""
    path = f"/v1/graph/papers/{quote(name, safe='')}"
    answer = get(local, path, list=direction, limit="100")
    validate("/v1/graph/papers/{id}", "GET", 200, get(local, path))
    return {it["key"]: it.get("in_text") for it in answer["items"]}


def listed(local: Machine, name: str, relation: str, **query: str) -> dict[str, Any]:
    path = f"/v1/papers/{quote(name, safe='')}/{relation}"
    answer = get(local, path, max_results="100", detail="full", include_abstract="false", **query)
    local.drain_queue()
    return {it["key"]: it["in_text"] for it in answer["results"] if it["paper"]}


def test_references_bring_their_sentences_intents_and_influence_into_the_graph(local: Machine) -> None:
    of_list = listed(local, TREM2, "references")
    of_graph = edges(local, TREM2, "cites")
    stated = {key: it for key, it in of_graph.items() if it}
    assert stated == {key: joined_in_text([it]) for key, it in of_list.items() if it and key in of_graph}
    assert {it["influential"] for it in stated.values()} == {True, False}
    assert {intent for it in stated.values() for intent in it["intents"]} == {"background", "method", "result"}
    assert any(it["sentences"] for it in stated.values()) and len(stated) < len(of_graph)
    key, it = next(iter(stated.items()))
    assert edges(local, key, "cited_by")[f"doi:{TREM2.lower()}"] == it
    before = stored()
    listed(local, TREM2, "references", fresh="true")
    assert {key: it["in_text"] for key, it in stored().items() if "in_text" in it} == {
        key: it["in_text"] for key, it in before.items() if "in_text" in it
    }


def test_citations_bring_them_as_well(local: Machine) -> None:
    entries = get(local, f"/v1/papers/{TREM2}/references", max_results="100", cite_in_kg="false")["results"]
    cited = next(it["key"] for it in entries if it["in_text"] and it["external_ids"].get("paper_id"))
    of_list = listed(local, cited, "citations")
    stated = {key: joined_in_text([it]) for key, it in of_list.items() if it}
    found = edges(local, cited, "cited_by")
    assert {key: it for key, it in found.items() if it} == {key: it for key, it in stated.items() if key in found}
    assert found[f"doi:{TREM2.lower()}"]


def test_a_network_brings_them_as_well(local: Machine) -> None:
    status, answer = call(local, "POST", "/v1/citation-network", {"seeds": [TREM2], "detail": "full"})
    assert status == 200
    local.drain_queue()
    seed = f"doi:{TREM2.lower()}"
    of_network = {it["target"]: it["in_text"] for it in answer["edges"] if it["source"] == seed and "in_text" in it}
    found = edges(local, TREM2, "cites")
    assert of_network and {key for key, it in found.items() if it} >= of_network.keys() & found.keys()


def test_the_sentences_of_a_full_text_that_was_read_come_into_the_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONTACT_EMAIL", "dev@university.example")
    with machine(sandbox=Sandbox(with_references(), faults={})) as local:
        read(local, FOLDING)
        listed(local, FOLDING, "references")
        it = edges(local, FOLDING, "cites")[f"doi:{CONTACTS}"]
        assert any(text.startswith(SENTENCE) for text in it["sentences"])
        assert set(it["stated_by"]) & set(TEXTS)


def test_exports_have_the_sentences(local: Machine) -> None:
    listed(local, TREM2, "references")
    stated = (it["sentences"][0] for it in edges(local, TREM2, "cites").values() if it and it["sentences"])
    text = next(it for it in stated if "<" not in it)
    for query in ({"format": "csv", "kind": "edges"}, {"format": "graphml"}, {"format": "jsonld"}):
        event = rest_event("GET", "/v1/graph/export", query={name: [value] for name, value in query.items()})
        assert text in local.invoke("dispatcher", event)["body"], query


def test_hostile_contexts_cost_no_paper_and_none_of_their_characters_is_stored(local: Machine) -> None:
    message = json.loads(papers_body(result(doi="10.1/a", references={"openalex": ["doi:10.1/b", "doi:10.1/c"]})))
    odd = {"sentences": ["A\ud800 sen\x00tence.", "word " * 200_000], "intents": ["method"], "influential": True,
           "stated_by": ["semantic_scholar"]}  # fmt: skip
    message["papers"][0]["in_text"] = {"doi:10.1/b": odd, "doi:10.1/c": {**odd, "influential": "yes"}}
    others = papers_body(result(doi="10.1/b"), result(doi="10.1/c"))
    answer = local.invoke("citation_writer", sqs_event(json.dumps(message), others))
    assert answer == {"batchItemFailures": []}
    found = edges(local, "doi:10.1/a", "cites")
    cut, short = found["doi:10.1/b"]["sentences"]
    assert short == "A sentence." and len(cut.encode()) <= SENTENCE_BYTES
    assert found["doi:10.1/c"] is None
