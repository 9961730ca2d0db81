"""Parts of a graph to export, and readers of what comes out."""

from __future__ import annotations

import csv as standard_csv
import io
import json
from collections.abc import Mapping
from typing import Any

import networkx
from pyld import jsonld

from shared.answers.in_text import InText
from shared.graph.exports import graph_ml, json_ld
from shared.graph.part import Graph
from tests.unit.graph.examples import DEBATE, NOON, result

CITO = "http://purl.org/spar/cito/"
SCHEMA = "https://schema.org/"
OWN = "urn:x-literature-search:vocabulary:"


def paper(key: str, **changes: Any) -> Any:
    """A paper as the store returns it."""
    scheme, _, value = key.partition(":")
    state = result(**{"doi": None, scheme: value}, **changes)
    return {"key": key, "keys": [key], "ids": [key], "paper": state, "first_seen": NOON}


def edge(source: str, target: str, *providers: str, **changes: Any) -> Any:
    return {"source": source, "target": target, "providers": list(providers or ("openalex",)), **changes}


def mention(key: str, relation: str = "cited_in", **changes: Any) -> Any:
    return {"key": key, "relation": relation, "context": DEBATE, "at": NOON, "by": None, "where": None, **changes}


IN_TEXT: InText = {
    "sentences": ["As A shows, it holds."],
    "intents": ["method"],
    "influential": True,
    "stated_by": ["semantic_scholar"],
}
A, B, C = "doi:10.1000/a", "doi:10.1000/b", "pmid:3"
GRAPH = Graph(
    papers=[paper(A, title="First"), paper(B, title="Second", citation_uri="https://doi.org/10.1000/b")],
    cites=[edge(A, B, "openalex", "crossref"), edge(B, C)],
    mentions=[mention(A, by="Ann", where=12), mention(B, "shown_in")],
)


def no_network(url: str, options: Any) -> Any:
    raise AssertionError(f"{url} was to be loaded")


def expanded(graph: Graph) -> list[dict[str, Any]]:
    """The nodes as a JSON-LD processor sees them, sent through JSON first."""
    document = json.loads(json.dumps(json_ld(graph)))
    return list(jsonld.expand(document, {"documentLoader": no_network}))


def node(graph: Graph, name: str) -> dict[str, Any]:
    (found,) = [it for it in expanded(graph) if it["@id"] == name]
    return found


def nodes_of(graph: Graph, kind: str) -> list[dict[str, Any]]:
    return [it for it in expanded(graph) if kind in it["@type"]]


def values(node: Mapping[str, Any], name: str) -> list[Any]:
    return [it.get("@id", it.get("@value")) for it in node.get(name, [])]


def rows(text: str) -> list[dict[str, str]]:
    return list(standard_csv.DictReader(io.StringIO(text, newline="")))


def network(graph: Graph) -> Any:
    return networkx.parse_graphml(graph_ml(graph), force_multigraph=True)
