"""What is shown after a search: the network of its papers, a debate that cites two of them, and the graph."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from infra.local.gateway import rest_event
from infra.local.machine import Machine
from infra.local.show import console, progress, show_graph, show_network
from shared.graph.exports import Graph, joined, page_of
from shared.graph.store import GraphStore
from shared.networks.picture import svg
from shared.networks.roles import Edge, Network, Node, roles_of

DEBATE = {"type": "debate", "id": "demo"}
CITED = 2
SEEDS = 5


def posted(path: str, **fields: Any) -> dict[str, Any]:
    """A request as API Gateway hands it on."""
    return rest_event("POST", path, body=json.dumps(fields))


def draw_network(running: Machine, results: Sequence[Mapping[str, Any]], picture: Path) -> None:
    """Who cites whom around the first papers found: told, and drawn into a file."""
    seeds = [result["key"] for result in results[:SEEDS]]
    if not seeds:
        return
    with progress(f"following the citations of {len(seeds)} papers …"):
        told, drawn = (
            running.invoke(
                "dispatcher", posted("/v1/citation-network", seeds=seeds, depth=2, cite_in_kg=False, format=form)
            )
            for form in ("json", "svg")
        )
    answer = json.loads(told["body"])
    if (told["statusCode"], drawn["statusCode"]) != (200, 200):
        console().print(f"\nNo network: {answer.get('detail')}", markup=False)
        return
    show_network(answer)
    _write(picture, drawn["body"])


def cite_in_debate(running: Machine, query: str, results: Sequence[Mapping[str, Any]]) -> int:
    """A debate cites the first two, when its agent has read on in the others; the number of messages written for it."""
    running.invoke("dispatcher", posted("/v1/literature-search", query=query, max_results=50))
    written = running.drain_queue()
    cited = [result["key"] for result in results if result["doi"] or result["pmid"]][:CITED]
    if cited:
        answer = running.invoke("dispatcher", posted("/v1/citations", context=DEBATE, papers=cited, by="make demo"))
        if answer["statusCode"] != 200:
            console().print(f"\nNo debate: {json.loads(answer['body']).get('detail')}", markup=False)
    return written


def draw_graph(running: Machine, picture: Path, written: int = 0) -> None:
    """The messages go to the writer, beside those `written` before; what the graph then holds is told, and drawn."""
    written += running.drain_queue()
    store = running.graph_store()
    graph = _whole(store)
    show_graph(store, graph, written)
    network = network_of(graph)
    _write(picture, svg(network, roles_of(network, datetime.now(UTC).year), seeds="cited in a debate"))


def network_of(graph: Graph) -> Network:
    """The papers of a graph and their citations; those that a context cites are its seeds."""
    cited = {str(mention["key"]) for mention in graph.mentions if mention["relation"] == "cited_in"}
    papers: dict[str, Any] = {str(edge[end]): None for edge in graph.cites for end in ("source", "target")}
    papers |= dict.fromkeys(cited)
    papers |= {str(entry["key"]): entry["paper"] for entry in graph.papers}
    return Network(
        tuple(Node(key, paper, key in cited, depth=0 if key in cited else 1) for key, paper in papers.items()),
        tuple(Edge(str(edge["source"]), str(edge["target"]), tuple(edge["providers"])) for edge in graph.cites),
    )


def _write(picture: Path, text: str) -> None:
    """A picture that cannot be written is reported, and is no failure."""
    try:
        picture.parent.mkdir(parents=True, exist_ok=True)
        picture.write_text(text, encoding="utf-8")
    except OSError as error:
        console(stderr=True).print(f"the picture could not be written: {error}", markup=False)
    else:
        console().print(f"Picture: {picture}", markup=False)


def _whole(store: GraphStore) -> Graph:
    """All of the graph, which on one machine is small."""
    graph, cursor = page_of(store, None, 100)
    parts = [graph]
    while cursor:
        graph, cursor = page_of(store, cursor, 100)
        parts.append(graph)
    return joined(parts)
