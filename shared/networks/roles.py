"""The citation network of some papers: who cites whom among them, and which papers stand out in it.

- `key`: cited by the most papers of the network; the first five, each cited at least twice in it.
- `bridge`: between parts that would else be far apart, by betweenness: the share of the shortest paths between two
  others that lead through a paper, whichever way they cite. The first five above 0; a paper with one neighbour has 0.
- `rising`: the most citations a year since its own, among papers of the last five years; the first five with at
  least one a year.

A seed is never `key` or `bridge`: the network is built around it, so that it is linked to the others whatever it is.
It may be `rising`, which is no matter of links. A paper may have several roles; of equals the lower name comes first.

Sources: Freeman, "A set of measures of centrality based on betweenness", Sociometry 1977, doi:10.2307/3033543; Brandes,
"A faster algorithm for betweenness centrality", Journal of Mathematical Sociology 2001,
doi:10.1080/0022250X.2001.9990249.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

ROLES = ("key", "bridge", "rising")
MOST_OF_A_ROLE = 5
LEAST_CITED_WITHIN = 2
LEAST_CITATIONS_A_YEAR = 1.0
RISING_YEARS = 5
# Up to so many papers betweenness is exact; in larger networks it is estimated from the paths that begin at so many.
EXACT_BETWEENNESS = 300


@dataclass(frozen=True, slots=True)
class Node:
    """A paper of the network.

    `key`: its name; `paper`: a result as `/v1/papers` tells it, None when only the name is known; `seed`: asked for by
    the caller; `depth`: how many citations away from a seed, which has 0.
    """

    key: str
    paper: Mapping[str, Any] | None
    seed: bool
    depth: int

    def told(self, field: str) -> Any:
        """A field of the paper; None when it is not known."""
        return self.paper.get(field) if self.paper else None


@dataclass(frozen=True, slots=True)
class Edge:
    """`source` cites `target`, as the providers in `asserted_by` say."""

    source: str
    target: str
    asserted_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Network:
    """Papers and the citations between them, in the order of their names, however they were given.

    A citation is there once, with all who assert it; no paper cites itself, and none cites, or is cited from, outside.
    Raises ValueError when two nodes have the same key.
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]

    def __post_init__(self) -> None:
        keys = {node.key for node in self.nodes}
        if len(keys) < len(self.nodes):
            raise ValueError("Two nodes of a network have the same key.")
        said: dict[tuple[str, str], set[str]] = {}
        for edge in self.edges:
            if edge.source != edge.target and {edge.source, edge.target} <= keys:
                said.setdefault((edge.source, edge.target), set()).update(edge.asserted_by)
        edges = tuple(Edge(*ends, tuple(sorted(who))) for ends, who in sorted(said.items()))
        object.__setattr__(self, "nodes", tuple(sorted(self.nodes, key=lambda node: node.key)))
        object.__setattr__(self, "edges", edges)


@dataclass(frozen=True, slots=True)
class NodeRoles:
    """What a paper is in the network.

    `cited_within`: how many of its papers cite it; `betweenness`: 0–1; `citations_a_year`: by all the literature, None
    when its year or its citations are not known; `roles`: some of ROLES, in their order.
    """

    cited_within: int
    betweenness: float
    citations_a_year: float | None
    roles: tuple[str, ...]


def roles_of(network: Network, this_year: int) -> Mapping[str, NodeRoles]:
    """What each paper is in the network, by its key."""
    counts = Counter(edge.target for edge in network.edges)
    cited = {node.key: counts[node.key] for node in network.nodes}
    between = _betweenness(network)
    yearly = {node.key: _citations_a_year(node, this_year) for node in network.nodes}
    around = {node.key for node in network.nodes if not node.seed}
    young = {node.key for node in network.nodes if (node.told("year") or 0) > this_year - RISING_YEARS}
    chosen = {
        "key": _first({key: cited[key] for key in around}, LEAST_CITED_WITHIN),
        "bridge": _first({key: between[key] for key in around if between[key] > 0}),
        "rising": _first({key: rate for key in young if (rate := yearly[key]) is not None}, LEAST_CITATIONS_A_YEAR),
    }
    return {
        key: NodeRoles(cited[key], between[key], yearly[key], tuple(role for role in ROLES if key in chosen[role]))
        for key in cited
    }


def _first(values: Mapping[str, float], least: float = 0) -> set[str]:
    enough = [key for key, value in values.items() if value >= least]
    return set(sorted(enough, key=lambda key: (-values[key], key))[:MOST_OF_A_ROLE])


def _betweenness(network: Network) -> dict[str, float]:
    import networkx

    graph = networkx.Graph()
    graph.add_nodes_from(node.key for node in network.nodes)
    graph.add_edges_from((edge.source, edge.target) for edge in network.edges)
    sample = EXACT_BETWEENNESS if len(graph) > EXACT_BETWEENNESS else None
    values = networkx.betweenness_centrality(graph, k=sample, seed=0)
    return {key: round(float(value), 6) for key, value in values.items()}


def _citations_a_year(node: Node, this_year: int) -> float | None:
    """The years of a paper that is dated ahead are one."""
    citations, year = node.told("citation_count"), node.told("year")
    if citations is None or year is None:
        return None
    return round(int(citations) / max(1, this_year - int(year) + 1), 2)
