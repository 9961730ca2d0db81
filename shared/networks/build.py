"""Builds the citation network around some seeds, outwards from these and limited to the requested size.

    1. seeds                   their records
    2. lists of the seeds      the papers that they cite, and those that cite them
    3. at depth 2, more lists  of the EXPANDED papers with the most links
    4. records                 of the papers with the most links, up to `max_nodes`; they also list cited papers

Each step may use an equal share of the remaining time, so that a slow provider does not use up the later steps' time.
When the time of the request is used up, by providers or by merging, the remaining steps are left out with a hint.

Upper bounds: for S seeds and N papers, each provider is queried for the seeds (2 queries, or 4 if it is queried again
by another kind of name), for 2·S lists, at depth 2 for 2·EXPANDED more (if its rate limit allows these within PACE_S),
and for the records N / MAX_IDS times as often as for the seeds. `truncated` counts what was left out, and `providers`
has those that did not answer in time.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from shared.bibliography.paper import MergedPaper, Paper
from shared.canonical_json import chunks_of
from shared.clock import Deadline
from shared.legs.leg import LegAnswer
from shared.networks.hints import network_hints
from shared.networks.roles import Network, NetworkPaper, NodeRoles, roles_of
from shared.networks.view import View
from shared.papers.dependencies import PaperDependencies
from shared.papers.leg_summary import summary_of, with_few_warnings
from shared.papers.links.legs import Head, query_lists
from shared.papers.links.merging import LinkList
from shared.papers.lookup import look_up
from shared.papers.request import MAX_IDS, NetworkRequest
from shared.papers.seeds import no_seed_error, not_found, seed_names, unanswered
from shared.query.question import Relation
from shared.search.integrity import unanswered_trackers, with_integrity, with_unknown_retraction
from shared.search.publishing import publish_results
from shared.search.results import unranked

if TYPE_CHECKING:
    from shared.answers.in_text import InText
    from shared.answers.papers import NotShown
    from shared.answers.search import Hint, LegSummary, Queued, StoredPaper

# The most papers of depth 1 whose own lists are requested, at depth 2; and the longest time, in seconds, that the rate
# limiter of a provider may need for these.
EXPANDED = 10
PACE_S = 5.0
# The least time of a step, in seconds, if so much is left: with less, no provider would be queried.
MIN_STEP_S = 1.0
_RELATIONS: dict[str, tuple[Relation, ...]] = {
    "references": ("references",), "citations": ("citations",), "both": ("references", "citations"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class BuiltNetwork:
    """A network with the roles of its papers, and what its answer says of how it was built."""

    network: Network  # its papers are in full, as `unranked` makes them
    roles: Mapping[str, NodeRoles]
    in_text: Mapping[tuple[str, str], InText]  # by the ends of the edge
    seeds_not_found: list[str]
    seeds_unanswered: list[str]
    truncated: dict[NotShown, int] | None
    legs: LegSummary
    hints: list[Hint]
    kg: Queued
    search_time_ms: int
    request_id: str


def build_network(request: NetworkRequest, dependencies: PaperDependencies) -> BuiltNetwork:
    """Build it. Raises Unprocessable for a seed that is not an id, NotFound if no seed is known, AllProvidersFailed."""
    builder = _Builder(request, dependencies, seed_names(request))
    builder.expand()
    builder.choose()
    return builder.built()


class _Step(Deadline):
    """The deadline of one step: a share of the time that the request has left."""

    def __init__(self, whole: Deadline, steps_left: int) -> None:
        super().__init__(whole.monotonic, whole.timeout_ms)
        seconds = max(MIN_STEP_S, (whole.until - self.started) / steps_left)
        self._until = min(whole.until, self.started + seconds)

    @property
    def until(self) -> float:
        """The end of the step's last leg, on the monotonic clock, in seconds."""
        return self._until


class _Builder:
    def __init__(self, request: NetworkRequest, dependencies: PaperDependencies, names: Sequence[str]) -> None:
        """Look up the seeds, which is the first step."""
        self._request, self._dependencies = request, dependencies
        self._deadline = Deadline(dependencies.monotonic, request.timeout_ms)
        self._steps_left = 1 + request.depth + math.ceil(request.max_nodes / MAX_IDS)
        found = look_up(names, dependencies, self._step(), fresh=request.fresh)
        self._answers: list[LegAnswer] = list(found.answers)
        self._missing = [seed for seed in found.requests if seed.paper is None]
        self._heads = {seed.paper.key: Head(seed.paper.key, seed.names) for seed in found.requests if seed.paper}
        if not self._heads:
            raise no_seed_error(self._missing)
        self._papers: dict[str, MergedPaper] = {seed.paper.key: seed.paper for seed in found.requests if seed.paper}
        self._records: list[Paper] = [record for paper in self._papers.values() for record in paper.records]
        self._listings: list[LinkList] = []
        self._depths = dict.fromkeys(self._heads, 0)  # of each paper whose lists were requested
        self._not_expanded = 0
        self._too_slow: list[str] = []
        self._chosen: list[str] = []
        self._is_cut = False  # steps were left out because the time was used up
        self._view = self._new_view()

    def _step(self) -> Deadline:
        step = _Step(self._deadline, self._steps_left)
        self._steps_left -= 1
        return step

    def _new_view(self) -> View:
        """All that was found, merged, which takes seconds for tens of thousands of records."""
        view = View(self._listings, self._records, self._papers)
        self._seeds = {view.key_of(key) or key for key in self._heads}
        return view

    def _has_time(self) -> bool:
        """Whether a further step may begin."""
        self._is_cut = self._is_cut or self._deadline.over
        return not self._is_cut

    def expand(self) -> None:
        """Request the lists of the seeds and, at depth 2, of the papers with the most links."""
        self._query_lists(list(self._heads.values()), self._dependencies)
        if self._request.depth == 1:
            return
        ranked = [key for key in self._ranked() if key not in self._seeds]
        heads = [Head(key, self._view.names[key]) for key in ranked[: EXPANDED if self._has_time() else 0]]
        self._not_expanded = len(ranked) - len(heads)
        self._depths |= dict.fromkeys((head.key for head in heads), 1)
        capabilities = self._dependencies.capabilities
        quick = {name: it for name, it in capabilities.items() if self._is_quick(name, len(heads))}
        relations = set(_RELATIONS[self._request.direction])
        self._too_slow = sorted(
            name for name, it in capabilities.items() if relations & set(it.operations) and name not in quick
        )
        self._query_lists(heads, replace(self._dependencies, capabilities=quick))

    def _is_quick(self, provider: str, heads: int) -> bool:
        """Whether the provider's rate limit allows the lists of so many papers within PACE_S."""
        capability = self._dependencies.capabilities[provider]
        lists = heads * sum(relation in capability.operations for relation in _RELATIONS[self._request.direction])
        return lists <= PACE_S * capability.requests_per_second

    def _query_lists(self, heads: Sequence[Head], dependencies: PaperDependencies) -> None:
        if not self._has_time():
            return
        relations = _RELATIONS[self._request.direction]
        listings, answers = query_lists(relations, heads, dependencies, self._step(), fresh=self._request.fresh)
        self._listings += listings
        self._answers += answers
        if self._has_time():
            self._view = self._new_view()

    def choose(self) -> None:
        """Choose the papers of the network, and look up their records, which list the papers that they cite."""
        chosen = self._ranked()[: self._request.max_nodes]
        wanted = [key for key in chosen if key not in self._seeds]
        for names in chunks_of(wanted, MAX_IDS):
            if not self._has_time():
                break
            found = look_up(names, self._dependencies, self._step(), fresh=self._request.fresh)
            self._answers += found.answers
            self._records += [record for it in found.requests if it.paper for record in it.paper.records]
        if self._has_time():
            self._view = self._new_view()
        keys = (self._view.key_of(key) for key in chosen)
        self._chosen = list(dict.fromkeys(key for key in keys if key))

    def _ranked(self) -> list[str]:
        """All keys: seeds first, then papers linked to the most heads, the nearest, the most cited."""
        view = self._view

        def order(key: str) -> tuple[bool, int, int, int, str]:
            paper = view.papers[key]
            cited = (paper.citation_count if paper else None) or 0
            return key not in self._seeds, -len(view.heads[key]), self._depth(key), -cited, key

        return sorted(view.names, key=order)

    def _depth(self, key: str) -> int:
        return 0 if key in self._seeds else 1 + min(self._depths[head] for head in self._view.heads[key])

    def built(self) -> BuiltNetwork:
        """The network of the chosen papers with its roles, published to the graph."""
        failed_trackers = unanswered_trackers((answer.reply for answer in self._answers), self._dependencies.tracking)
        found = {key: paper for key in self._chosen if (paper := self._view.papers[key])}
        papers = {key: unranked(with_integrity(paper, failed_trackers)) for key, paper in found.items()}
        nodes = tuple(NetworkPaper(key, papers.get(key), key in self._seeds, self._depth(key)) for key in self._chosen)
        network, in_text = Network(nodes, tuple(self._view.edges())), self._view.in_text()
        legs = summary_of(self._answers, is_cut=self._is_cut)
        return BuiltNetwork(
            network=network,
            roles=roles_of(network, int(self._dependencies.now()[:4])),
            in_text=in_text,
            seeds_not_found=not_found(self._missing),
            seeds_unanswered=unanswered(self._missing),
            truncated=self._truncated(),
            legs=with_few_warnings(legs),
            hints=network_hints(legs["providers"], self._too_slow, is_cut=self._is_cut),
            kg=self._published(network, papers, in_text),
            search_time_ms=self._deadline.elapsed_ms(),
            request_id=self._dependencies.request_id,
        )

    def _published(
        self, network: Network, papers: Mapping[str, StoredPaper], in_text: Mapping[tuple[str, str], InText]
    ) -> Queued:
        """Publish the papers to the graph, each with the papers that it cites according to each provider, and how."""
        cited: dict[str, dict[str, list[str]]] = {node.key: {} for node in network.nodes}
        how: dict[str, dict[str, InText]] = {node.key: {} for node in network.nodes}
        for edge in network.edges:
            for provider in edge.asserted_by:
                cited[edge.source].setdefault(provider, []).append(edge.target)
            if it := in_text.get((edge.source, edge.target)):
                how[edge.source][edge.target] = it
        results: list[StoredPaper] = [
            {**papers[key], "references": cited[key], "in_text": how[key]} for key in cited if key in papers
        ]
        return publish_results(with_unknown_retraction(results), self._request, self._dependencies.publish)

    def _truncated(self) -> dict[NotShown, int] | None:
        counts: dict[NotShown, int] = {
            "nodes": len(self._view.names) - len(self._chosen),
            "not_expanded": self._not_expanded,
            "only_text": self._view.only_text,
        }
        return counts if any(counts.values()) else None
