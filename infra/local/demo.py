"""What the demo shows after its search: the papers' citation network, a debate that cites two, and the graph."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from infra.local.gateway import rest_event
from infra.local.machine import Machine
from infra.local.show import console, progress, show_graph, show_network
from shared.graph.part import Graph, joined, page_of
from shared.graph.store import GraphStore
from shared.networks.picture import svg
from shared.networks.roles import Edge, Network, NetworkPaper, roles_of

if TYPE_CHECKING:
    from shared.answers.search import Paper
    from shared.json_types import JsonObject

DEBATE = {"type": "debate", "id": "demo"}
CITED = 2  # papers that the debate cites
SEEDS = 5  # papers that the network starts from


def api_request(path: str, **fields: object) -> dict[str, Any]:
    """Return the API Gateway event of a POST request with these JSON fields."""
    return rest_event("POST", path, body=json.dumps(fields))


def draw_network(running: Machine, results: Sequence[Paper], picture: Path) -> None:
    """Print the citation network of the first papers found, and write it to an SVG file."""
    seeds = [result["key"] for result in results[:SEEDS]]
    if not seeds:
        return
    with progress(f"following the citations of {len(seeds)} papers …"):
        listed, drawn = (
            running.invoke("dispatcher", api_request("/v1/citation-network", seeds=seeds, depth=2, **fields))
            for fields in ({"format": "json"}, {"format": "svg", "cite_in_kg": False})
        )
    answer = json.loads(listed["body"])
    if (listed["statusCode"], drawn["statusCode"]) != (200, 200):
        console().print(f"\nNo network: {answer.get('detail')}", markup=False)
        return
    show_network(answer)
    _write(picture, drawn["body"])


def cite_in_debate(running: Machine, query: str, results: Sequence[JsonObject]) -> int:
    """Search for more papers, and let a debate cite the first two. Return the number of queue messages written."""
    running.invoke("dispatcher", api_request("/v1/literature-search", query=query, max_results=50))
    written = running.drain_queue()
    cited = [result["key"] for result in results if result["doi"] or result["pmid"]][:CITED]
    if cited:
        answer = running.invoke(
            "dispatcher", api_request("/v1/citations", context=DEBATE, papers=cited, by="make demo")
        )
        if answer["statusCode"] != 200:
            console().print(f"\nNo debate: {json.loads(answer['body']).get('detail')}", markup=False)
    return written


def draw_graph(running: Machine, picture: Path, written: int = 0) -> None:
    """Process the queue, print the size of the graph (`written`: earlier messages), and write it to an SVG file."""
    written += running.drain_queue()
    store = running.graph_store()
    graph = _whole(store)
    show_graph(store, graph, written)
    network = network_of(graph)
    _write(picture, svg(network, roles_of(network, datetime.now(UTC).year), seeds="cited in a debate"))


def network_of(graph: Graph) -> Network:
    """Return a graph's papers and citations as a network; its seeds are the papers that a context cites."""
    cited = {str(mention["key"]) for mention in graph.mentions if mention["relation"] == "cited_in"}
    papers: dict[str, Any] = {str(edge[end]): None for edge in graph.cites for end in ("source", "target")}
    papers |= dict.fromkeys(cited)
    papers |= {str(entry["key"]): entry["paper"] for entry in graph.papers}
    return Network(
        tuple(NetworkPaper(key, paper, key in cited, depth=0 if key in cited else 1) for key, paper in papers.items()),
        tuple(Edge(str(edge["source"]), str(edge["target"]), tuple(edge["providers"])) for edge in graph.cites),
    )


def _write(picture: Path, text: str) -> None:
    """Write a picture; if that fails, report it on stderr and continue."""
    try:
        picture.parent.mkdir(parents=True, exist_ok=True)
        picture.write_text(text, encoding="utf-8")
    except OSError as error:
        console(stderr=True).print(f"the picture could not be written: {error}", markup=False)
    else:
        console().print(f"Picture: {picture}", markup=False)


def _whole(store: GraphStore) -> Graph:
    """Read the whole graph, which is small in a local run."""
    graph, cursor = page_of(store, None, 100)
    parts = [graph]
    while cursor:
        graph, cursor = page_of(store, cursor, 100)
        parts.append(graph)
    return joined(parts)
