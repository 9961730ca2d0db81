"""A citation network as a JSON answer and as GraphML. Equal networks have equal files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from shared.answers.content_trust import marks
from shared.bibliography.text import xml_text
from shared.networks.build import BuiltNetwork
from shared.networks.roles import Network, Node, NodeRoles
from shared.search.request import Sized
from shared.search.sizes import sized, within_budget

if TYPE_CHECKING:
    from shared.answers.papers import NetworkAnswer, NetworkEdge, NetworkNode, NotShown, Role
    from shared.answers.search import Paper

Attribute = str | int | float | bool


def network_answer(built: BuiltNetwork, request: Sized) -> NetworkAnswer:
    """The network as JSON, with its papers in the requested size."""
    network, roles = built.network, built.roles
    papers, left_out = _fit(network, roles, request)
    nodes, edges = network_nodes(network, roles, papers), network_edges(network)
    truncated: dict[NotShown, int] = {**(built.truncated or {})}
    if left_out:
        truncated["papers"] = left_out
    return {
        "nodes": nodes,
        "edges": edges,
        "counts": {"nodes": len(nodes), "edges": len(edges)},
        "roles": {
            "key": _with_role("key", roles),
            "bridge": _with_role("bridge", roles),
            "rising": _with_role("rising", roles),
        },
        "seeds_not_found": built.seeds_not_found,
        "seeds_unanswered": built.seeds_unanswered,
        "truncated": truncated or None,
        **built.legs,
        "hints": built.hints,
        "search_time_ms": built.search_time_ms,
        "kg": built.kg,
        **marks(built.request_id),
    }


def _fit(network: Network, roles: Mapping[str, NodeRoles], request: Sized) -> tuple[dict[str, Paper], int]:
    """The papers by key in the requested size, and how many did not fit into the token budget, the least linked."""
    order = sorted(network.nodes, key=lambda node: (not node.seed, -roles[node.key].cited_within, node.depth, node.key))
    found = [(node.key, node.paper) for node in order if node.paper]
    shown, _ = within_budget([sized(paper, request) for _, paper in found], request.max_tokens)
    keys = [key for key, _ in found]
    return dict(zip(keys, shown, strict=False)), len(found) - len(shown)


def _with_role(role: Role, roles: Mapping[str, NodeRoles]) -> list[str]:
    return sorted(key for key, node_roles in roles.items() if role in node_roles.roles)


def network_nodes(network: Network, roles: Mapping[str, NodeRoles], papers: Mapping[str, Paper]) -> list[NetworkNode]:
    """The nodes in the order of their keys, each with its paper in `papers`, if any."""
    return [
        {
            "key": node.key,
            "seed": node.seed,
            "depth": node.depth,
            "cited_within": roles[node.key].cited_within,
            "betweenness": roles[node.key].betweenness,
            "citations_a_year": roles[node.key].citations_a_year,
            "roles": list(roles[node.key].roles),
            "paper": papers.get(node.key),
        }
        for node in network.nodes
    ]


def network_edges(network: Network) -> list[NetworkEdge]:
    """The citations in the order of their keys."""
    return [
        {"source": edge.source, "target": edge.target, "asserted_by": list(edge.asserted_by)} for edge in network.edges
    ]


def graph_ml(network: Network, roles: Mapping[str, NodeRoles]) -> str:
    """The network as a directed graph in GraphML; edges lead to the cited paper, unknown values have no attribute."""
    import networkx

    graph = networkx.DiGraph()
    for node in network.nodes:
        graph.add_node(xml_text(node.key), **_attributes(node, roles[node.key]))
    for edge in network.edges:
        attributes = _without_unknown({"asserted_by": _joined(edge.asserted_by)})
        graph.add_edge(xml_text(edge.source), xml_text(edge.target), **attributes)
    return "\n".join(networkx.generate_graphml(graph, named_key_ids=True))


def _attributes(node: Node, role: NodeRoles) -> dict[str, Attribute]:
    return _without_unknown({
        "seed": node.seed,
        "depth": node.depth,
        "cited_within": role.cited_within,
        "betweenness": role.betweenness,
        "citations_a_year": role.citations_a_year,
        "title": None if node.title is None else xml_text(node.title),
        "year": node.year,
        "journal": None if node.journal is None else xml_text(node.journal),
        "citation_count": node.citation_count,
        "authors": _joined(node.authors),
        "roles": _joined(role.roles),
    })  # fmt: skip


def _without_unknown(attributes: Mapping[str, Attribute | None]) -> dict[str, Attribute]:
    return {name: value for name, value in attributes.items() if value is not None}


def _joined(texts: Iterable[str]) -> str | None:
    return xml_text("; ".join(text for text in texts if text)) or None
