"""A citation network as a JSON answer and as GraphML. Equal networks have equal files."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from shared.answers.content_trust import marks
from shared.bibliography.text import xml_text
from shared.graph.in_text import in_text_cells
from shared.networks.build import BuiltNetwork
from shared.networks.roles import Network, NetworkPaper, NodeRoles
from shared.papers.links.in_text import sized_in_text
from shared.search.requests.search_request import Sized
from shared.search.sizes.details import page_sized
from shared.search.sizes.report_sizes import sized_reports
from shared.search.sizes.token_budget import (
    RESERVED,
    Cuts,
    kept_within,
    least_paper,
    lightened,
    tokens,
    tokens_in_list,
    truncated_by,
    whole_size,
)

if TYPE_CHECKING:
    from shared.answers.in_text import InText
    from shared.answers.papers import NetworkAnswer, NetworkEdge, NetworkNode, NotShown, Role
    from shared.answers.search import Hint, Paper, StoredPaper

Attribute = str | int | float | bool
EdgesInText = Mapping[tuple[str, str], "InText"]  # by the keys of the citing and the cited paper


def network_answer(built: BuiltNetwork, request: Sized) -> NetworkAnswer:
    """The network as JSON, with its papers in the requested size, and as much of it as fits into the budget."""
    network, roles = built.network, built.roles
    found = [node for node in network.nodes if node.paper]
    papers = page_sized([cast("StoredPaper", node.paper) for node in found], request)
    nodes = network_nodes(network, roles, {node.key: paper for node, paper in zip(found, papers, strict=True)})
    between = _edges(built, request)
    # A network has no next page: the reports are shortened before a node is left out.
    around = _around(built, request)
    whole = 0.0 if request.max_tokens is None else tokens([nodes, between])
    enough = None if request.max_tokens is None else whole_size(around, [*nodes, *between, *_named_in_roles(nodes)])
    draft, shortened = lightened(around, request.max_tokens, whole)
    shown, edges = _within(nodes, between, request.max_tokens, tokens(draft) + RESERVED)
    if not shown:
        shown, shortened = [_least(nodes[0])], [*shortened, "nodes"]
    keys = {node["key"] for node in shown}
    left_out: dict[NotShown, int] = {**(built.truncated or {})}
    if more := nodes[len(shown) :]:
        left_out["nodes"] = left_out.get("nodes", 0) + len(more)
        left_out["papers"] = sum(node["paper"] is not None for node in more)
    answer: NetworkAnswer = {
        **draft,
        "nodes": shown,
        "edges": edges,
        "counts": {"nodes": len(shown), "edges": len(edges)},
        "roles": {
            "key": _with_role("key", roles, keys),
            "bridge": _with_role("bridge", roles, keys),
            "rising": _with_role("rising", roles, keys),
        },
        "truncated": left_out or None,
        "hints": [*draft["hints"], *_budget_hint(request, len(more), Cuts(shortened, enough))],
    }
    return kept_within(answer, request.max_tokens)


def _around(built: BuiltNetwork, request: Sized) -> NetworkAnswer:
    """The answer without its nodes and edges."""
    return {
        "nodes": [],
        "edges": [],
        "counts": {"nodes": 0, "edges": 0},
        "roles": {"key": [], "bridge": [], "rising": []},
        "seeds_not_found": built.seeds_not_found,
        "seeds_unanswered": built.seeds_unanswered,
        "truncated": None,
        **built.legs,
        "providers": sized_reports(built.legs["providers"], request.detail),
        "hints": built.hints,
        "search_time_ms": built.search_time_ms,
        "kg": built.kg,
        **marks(built.request_id),
    }


def _named_in_roles(nodes: Iterable[NetworkNode]) -> list[str]:
    """The keys that the answer repeats in its lists of roles."""
    return [node["key"] for node in nodes for _ in node["roles"]]


def _budget_hint(request: Sized, left_out: int, cuts: Cuts) -> list[Hint]:
    """What the budget has cost, and the one that shows all: the counts of `truncated` cannot say it."""
    cut = truncated_by(left_out, {}, request.max_tokens, cuts)
    return [{"reason": "small_budget", "message": f"{cut['reason']}."}] if cut else []


def _least(node: NetworkNode) -> NetworkNode:
    return {**node, "paper": least_paper(node["paper"]) if node["paper"] else None}


def _within(
    nodes: Sequence[NetworkNode], edges: Sequence[NetworkEdge], max_tokens: int | None, envelope: float
) -> tuple[list[NetworkNode], list[NetworkEdge]]:
    """As many of the most important nodes as fit into the budget, with the citations between them."""
    if max_tokens is None:
        return list(nodes), list(edges)
    used, shown = envelope, set[str]()
    for node in nodes:
        ends = shown | {node["key"]}
        own = [
            it for it in edges if node["key"] in (it["source"], it["target"]) and {it["source"], it["target"]} <= ends
        ]
        used += tokens_in_list([node, *own, *_named_in_roles([node])])
        if used > max_tokens:
            break
        shown = ends
    between = [edge for edge in edges if {edge["source"], edge["target"]} <= shown]
    return list(nodes[: len(shown)]), between


def _with_role(role: Role, roles: Mapping[str, NodeRoles], keys: Collection[str]) -> list[str]:
    return sorted(key for key in keys if role in roles[key].roles)


def network_nodes(network: Network, roles: Mapping[str, NodeRoles], papers: Mapping[str, Paper]) -> list[NetworkNode]:
    """The nodes with their papers in `papers`, if any, the most important first."""
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
        for node in by_importance(network, roles)
    ]


def by_importance(network: Network, roles: Mapping[str, NodeRoles]) -> tuple[NetworkPaper, ...]:
    """The nodes: seeds, then those with a role, the most cited within the network, the nearest, the most cited."""

    def rank(node: NetworkPaper) -> tuple[bool, bool, int, int, int, str]:
        own = roles[node.key]
        return not node.seed, not own.roles, -own.cited_within, node.depth, -(node.citation_count or 0), node.key

    return tuple(sorted(network.nodes, key=rank))


def network_edges(network: Network) -> list[NetworkEdge]:
    """The citations in the order of their keys."""
    return [
        {"source": edge.source, "target": edge.target, "asserted_by": list(edge.asserted_by)} for edge in network.edges
    ]


def _edges(built: BuiltNetwork, request: Sized) -> list[NetworkEdge]:
    """The citations; in full size, with the first sentence in which one paper cites the other, if a source has it."""
    edges = network_edges(built.network)
    for edge in edges if request.detail == "full" else ():
        if in_text := sized_in_text(built.in_text.get((edge["source"], edge["target"])), "compact"):
            edge["in_text"] = in_text
    return edges


def graph_ml(network: Network, roles: Mapping[str, NodeRoles], in_text: EdgesInText | None = None) -> str:
    """The network as a directed graph in GraphML; edges lead to the cited paper, unknown values have no attribute."""
    import networkx

    graph = networkx.DiGraph()
    for node in network.nodes:
        graph.add_node(xml_text(node.key), **_attributes(node, roles[node.key]))
    for edge in network.edges:
        stated = sized_in_text((in_text or {}).get((edge.source, edge.target)), "compact")
        cells = in_text_cells(stated) if stated else {}
        texts = {name: xml_text(text) for name, text in cells.items()}
        attributes = _without_unknown({"asserted_by": _joined(edge.asserted_by), **texts})
        graph.add_edge(xml_text(edge.source), xml_text(edge.target), **attributes)
    return "\n".join(networkx.generate_graphml(graph, named_key_ids=True))


def _attributes(node: NetworkPaper, role: NodeRoles) -> dict[str, Attribute]:
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
