"""A citation network as JSON and GraphML: complete, readable by other programs, and safe with hostile texts."""

from __future__ import annotations

import json
from typing import Any

import networkx
import pytest

from shared.answers.in_text import InText
from shared.answers.search import Paper
from shared.bibliography.paper import RetractionStatus
from shared.networks.exports import graph_ml, network_edges, network_nodes
from shared.networks.roles import Edge, Network, NetworkPaper, roles_of

PAPER: Paper = {
    "title": "First", "authors": ["Ann Lee", "Bo Ek"], "author_count": 2, "year": 2024, "journal": "eLife",
    "citation_count": 12, "retraction": {"status": RetractionStatus.NONE},
}  # fmt: skip
NETWORK = Network(
    (
        NetworkPaper("doi:10.1000/a", PAPER, False, 1),
        NetworkPaper("doi:10.1000/b", {"title": "B"}, True, 0),
        NetworkPaper("s2:c", None, False, 1),
    ),
    (Edge("doi:10.1000/b", "doi:10.1000/a", ("crossref", "openalex")), Edge("s2:c", "doi:10.1000/a", ("s2",))),
)
ROLES = roles_of(NETWORK, 2025)
PAPERS = {node.key: node.paper for node in NETWORK.nodes if node.paper}


def opened(network: Network) -> Any:
    return networkx.parse_graphml(graph_ml(network, roles_of(network, 2025)))


def test_graphml_opens_with_as_many_papers_and_citations() -> None:
    keys = [f"doi:10.1000/{number:03}" for number in range(200)]
    nodes = tuple(NetworkPaper(key, PAPER, False, 1) for key in keys)
    edges = {(keys[number * 7 % 200], keys[(number * number + 3) % 200]) for number in range(1_000)}
    network = Network(nodes, tuple(Edge(*ends, ("s2",)) for ends in edges))
    graph = opened(network)
    assert graph.is_directed()
    assert (graph.number_of_nodes(), graph.number_of_edges()) == (200, len(network.edges))


def test_graphml_has_all_values_of_a_paper_with_their_types() -> None:
    assert opened(NETWORK).nodes["doi:10.1000/a"] == {
        "title": "First", "authors": "Ann Lee; Bo Ek", "year": 2024, "journal": "eLife", "citation_count": 12,
        "depth": 1, "seed": False, "roles": "key; bridge; rising", "cited_within": 2, "betweenness": 1.0,
        "citations_a_year": 6.0,
    }  # fmt: skip


def test_an_unknown_value_has_no_attribute() -> None:
    assert opened(NETWORK).nodes["s2:c"] == {"depth": 1, "seed": False, "cited_within": 0, "betweenness": 0.0}


def test_an_edge_has_the_sentence_that_cites() -> None:
    ends = ("doi:10.1000/b", "doi:10.1000/a")
    stated: InText = {
        "sentences": ["As \x00A <shows>."], "intents": ["method"], "influential": True, "stated_by": ["s2"],
    }  # fmt: skip
    graph = networkx.parse_graphml(graph_ml(NETWORK, ROLES, {ends: stated}))
    edge = graph.edges[ends]
    assert (edge["sentences"], edge["intents"], edge["influential"]) == ("As A <shows>.", "method", "yes")


def test_an_edge_leads_to_the_cited_paper_and_names_the_providers() -> None:
    assert dict(opened(NETWORK).edges) == {
        ("doi:10.1000/b", "doi:10.1000/a"): {"asserted_by": "crossref; openalex"},
        ("s2:c", "doi:10.1000/a"): {"asserted_by": "s2"},
    }


def test_a_citation_without_providers_has_no_attribute() -> None:
    network = Network(NETWORK.nodes, (Edge("s2:c", "doi:10.1000/b", ()),))
    assert dict(opened(network).edges) == {("s2:c", "doi:10.1000/b"): {}}


@pytest.mark.parametrize(
    ("title", "written"),
    [
        ("<b>a</b> & ]]> \"c\" 'd'", "<b>a</b> & ]]> \"c\" 'd'"),
        ("bell\x07 null\x00 escape\x1b", "bell null escape"),
        ("half \ud83e of one \uffff", "half  of one "),
        ("\u05de\u05d7\u05e7\u05e8 \U0001f9e0", "\u05de\u05d7\u05e7\u05e8 \U0001f9e0"),
    ],
    ids=["markup", "control characters", "half a character", "right to left and emoji"],
)
def test_a_title_comes_through_without_what_xml_refuses(title: str, written: str) -> None:
    graph = opened(Network((NetworkPaper("a", {**PAPER, "title": title, "authors": [title]}, False, 1),), ()))
    assert graph.nodes["a"]["title"] == written
    assert graph.nodes["a"]["authors"] == written


def test_an_empty_network_opens_too() -> None:
    assert opened(Network((), ())).number_of_nodes() == 0


def test_the_same_network_is_the_same_text() -> None:
    turned = Network(NETWORK.nodes[::-1], NETWORK.edges[::-1])
    assert graph_ml(turned, ROLES) == graph_ml(NETWORK, ROLES)
    assert json.dumps(network_nodes(turned, ROLES, PAPERS)) == json.dumps(network_nodes(NETWORK, ROLES, PAPERS))
    assert json.dumps(network_edges(turned)) == json.dumps(network_edges(NETWORK))


def test_json_has_each_paper_with_its_roles_and_each_citation() -> None:
    nodes, edges = network_nodes(NETWORK, ROLES, PAPERS), network_edges(NETWORK)
    assert json.loads(json.dumps([nodes, edges])) == [nodes, edges]
    assert nodes[0]["seed"] is True
    assert next(node for node in nodes if node["key"] == "doi:10.1000/a") == {
        "key": "doi:10.1000/a", "seed": False, "depth": 1, "cited_within": 2, "betweenness": 1.0,
        "citations_a_year": 6.0, "roles": ["key", "bridge", "rising"], "paper": PAPER,
    }  # fmt: skip
    assert [node["paper"] for node in nodes].count(None) == 1
    assert edges == [
        {"source": "doi:10.1000/b", "target": "doi:10.1000/a", "asserted_by": ["crossref", "openalex"]},
        {"source": "s2:c", "target": "doi:10.1000/a", "asserted_by": ["s2"]},
    ]
