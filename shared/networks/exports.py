"""A citation network for other programs: as JSON and as GraphML. The same network is the same text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shared.bibliography.text import xml_text
from shared.networks.roles import Network, Node, NodeRoles


def network_json(network: Network, roles: Mapping[str, NodeRoles]) -> dict[str, Any]:
    """`{nodes: [{key, seed, depth, roles, …, paper}], edges: [{source, target, asserted_by}]}`, ready for JSON."""
    return {
        "nodes": [
            {**_place(node, roles[node.key]), "roles": list(roles[node.key].roles), "paper": node.paper}
            for node in network.nodes
        ],
        "edges": [
            {"source": edge.source, "target": edge.target, "asserted_by": list(edge.asserted_by)}
            for edge in network.edges
        ],
    }


def _place(node: Node, role: NodeRoles) -> dict[str, Any]:
    return {
        "key": node.key,
        "seed": node.seed,
        "depth": node.depth,
        "cited_within": role.cited_within,
        "betweenness": role.betweenness,
        "citations_a_year": role.citations_a_year,
    }


def graph_ml(network: Network, roles: Mapping[str, NodeRoles]) -> str:
    """GraphML of a directed graph, an edge leading to what is cited; what is not known has no attribute."""
    import networkx

    graph = networkx.DiGraph()
    for node in network.nodes:
        graph.add_node(xml_text(node.key), **_attributes(node, roles[node.key]))
    for edge in network.edges:
        told = _known({"asserted_by": _listed(edge.asserted_by)})
        graph.add_edge(xml_text(edge.source), xml_text(edge.target), **told)
    return "\n".join(networkx.generate_graphml(graph, named_key_ids=True))


def _attributes(node: Node, role: NodeRoles) -> dict[str, Any]:
    paper = {name: node.told(name) for name in ("title", "year", "journal", "citation_count")}
    told = {
        **_place(node, role),
        **{name: xml_text(value) if isinstance(value, str) else value for name, value in paper.items()},
        "authors": _listed(node.told("authors") or ()),
        "roles": _listed(role.roles),
    }
    del told["key"]
    return _known(told)


def _known(told: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in told.items() if value is not None}


def _listed(texts: Any) -> str | None:
    return xml_text("; ".join(text for text in texts if text)) or None
