"""A citation network: papers, the citations between them, and the roles of the papers that stand out.

- `key`: cited by the most papers of the network; the first five, each cited at least twice in it.
- `bridge`: connects parts that are otherwise far apart, by betweenness: the share of the shortest paths between two
  other papers that lead through it, in either direction. The first five above 0; a paper with one neighbour has 0.
- `rising`: the most citations per year since publication, among papers of the last five years; the first five with at
  least one per year.

A seed is never `key` or `bridge`: the network is built around it, so that its links prove nothing. It may be `rising`,
which does not depend on links. A paper may have several roles; ties are broken by key.

Sources: Freeman, "A set of measures of centrality based on betweenness", Sociometry 1977, doi:10.2307/3033543; Brandes,
"A faster algorithm for betweenness centrality", Journal of Mathematical Sociology 2001,
doi:10.1080/0022250X.2001.9990249.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shared.answers.papers import Role
    from shared.answers.search import Paper

ROLES: tuple[Role, ...] = ("key", "bridge", "rising")
MAX_PER_ROLE = 5
MIN_CITED_WITHIN = 2
MIN_CITATIONS_A_YEAR = 1.0
RISING_YEARS = 5
# The most papers for which betweenness is exact; in larger networks it is estimated from the paths that begin at a
# sample of this size.
EXACT_BETWEENNESS = 300


@dataclass(frozen=True, slots=True)
class NetworkPaper:
    """A paper of the network."""

    key: str
    paper: Paper | None  # None if only the key is known
    seed: bool  # whether the request names it
    depth: int  # distance in citations from the nearest seed

    @property
    def title(self) -> str | None:
        """The title; None if unknown, as for the properties below."""
        return self.paper.get("title") if self.paper else None

    @property
    def year(self) -> int | None:
        """The year of publication."""
        return self.paper.get("year") if self.paper else None

    @property
    def journal(self) -> str | None:
        """The journal's name."""
        return self.paper.get("journal") if self.paper else None

    @property
    def citation_count(self) -> int | None:
        """How many papers cite it, in the network or not."""
        return self.paper.get("citation_count") if self.paper else None

    @property
    def authors(self) -> Sequence[str]:
        """The authors' names; empty if unknown."""
        return (self.paper.get("authors") if self.paper else None) or ()

    @property
    def is_retracted(self) -> bool:
        """Whether a provider reports it as retracted."""
        retraction = self.paper.get("retraction") if self.paper else None
        return retraction is not None and retraction.get("status") == "retracted"


@dataclass(frozen=True, slots=True)
class Edge:
    """A citation: `source` cites `target`, according to the providers in `asserted_by`."""

    source: str
    target: str
    asserted_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Network:
    """Papers and the citations between them, each sorted by key.

    Equal citations are joined, with all providers that assert them; citations of a paper by itself, and those from or
    to papers outside the network, are left out. Raises ValueError if two nodes have the same key.
    """

    nodes: tuple[NetworkPaper, ...]
    edges: tuple[Edge, ...]

    def __post_init__(self) -> None:
        keys = {node.key for node in self.nodes}
        if len(keys) < len(self.nodes):
            raise ValueError("Two nodes of a network have the same key.")
        asserted_by: dict[tuple[str, str], set[str]] = {}
        for edge in self.edges:
            if edge.source != edge.target and {edge.source, edge.target} <= keys:
                asserted_by.setdefault((edge.source, edge.target), set()).update(edge.asserted_by)
        edges = tuple(Edge(*ends, tuple(sorted(providers))) for ends, providers in sorted(asserted_by.items()))
        object.__setattr__(self, "nodes", tuple(sorted(self.nodes, key=lambda node: node.key)))
        object.__setattr__(self, "edges", edges)


@dataclass(frozen=True, slots=True)
class NodeRoles:
    """The measures and roles of a paper in the network."""

    cited_within: int  # how many papers of the network cite it
    betweenness: float  # in [0, 1]
    citations_a_year: float | None  # by all papers; None if the year or the number of citations is unknown
    roles: tuple[Role, ...]  # in the order of ROLES


def roles_of(network: Network, this_year: int) -> Mapping[str, NodeRoles]:
    """The measures and roles of each paper, by key."""
    counts = Counter(edge.target for edge in network.edges)
    cited = {node.key: counts[node.key] for node in network.nodes}
    between = _betweenness(network)
    yearly = {node.key: _citations_a_year(node, this_year) for node in network.nodes}
    around = {node.key for node in network.nodes if not node.seed}
    young = {node.key for node in network.nodes if (node.year or 0) > this_year - RISING_YEARS}
    chosen: dict[Role, set[str]] = {
        "key": _first({key: cited[key] for key in around}, MIN_CITED_WITHIN),
        "bridge": _first({key: between[key] for key in around if between[key] > 0}),
        "rising": _first({key: rate for key in young if (rate := yearly[key]) is not None}, MIN_CITATIONS_A_YEAR),
    }
    return {
        key: NodeRoles(cited[key], between[key], yearly[key], tuple(role for role in ROLES if key in chosen[role]))
        for key in cited
    }


def _first(values: Mapping[str, float], least: float = 0) -> set[str]:
    enough = [key for key, value in values.items() if value >= least]
    return set(sorted(enough, key=lambda key: (-values[key], key))[:MAX_PER_ROLE])


def _betweenness(network: Network) -> dict[str, float]:
    import networkx

    graph = networkx.Graph()
    graph.add_nodes_from(node.key for node in network.nodes)
    graph.add_edges_from((edge.source, edge.target) for edge in network.edges)
    sample = EXACT_BETWEENNESS if len(graph) > EXACT_BETWEENNESS else None
    values = networkx.betweenness_centrality(graph, k=sample, seed=0)
    return {key: round(float(value), 6) for key, value in values.items()}


def _citations_a_year(node: NetworkPaper, this_year: int) -> float | None:
    """Citations per year, the first year included; a paper with a later year than this counts as one year old."""
    citations, year = node.citation_count, node.year
    if citations is None or year is None:
        return None
    return round(int(citations) / max(1, this_year - int(year) + 1), 2)
