"""The citation network around some papers: built outwards from the seeds, cut to the size asked for, and told so.

    1. seeds               their records
    2. lists               who the seeds cite, who cites them
    3. depth 2: more lists the same of the EXPANDED papers that are linked most
    4. records             of the papers that are linked most, as many as asked for; they also name what they cite

Each step has an even part of the time that is left, so that a slow provider does not use up the others' turn.

What it costs at most: for S seeds and N papers, each provider is asked for the seeds (2 questions, by other names 4),
for 2·S lists, at depth 2 for 2·EXPANDED more (if it can bring so many in PACE_S), and for the records N / MAX_IDS times
that of the seeds. What does not fit is counted in `truncated`; who did not answer in time is in `providers`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from shared.answers.envelope import envelope, in_order
from shared.bibliography.paper import MergedPaper, Paper
from shared.bibliography.paper_ids import EXAMPLES, read_id
from shared.clock import Deadline
from shared.errors import AllProvidersFailed, FieldError, Unprocessable
from shared.legs.leg import LegAnswer
from shared.legs.reports import Reports, cache_state, complete, reports_of
from shared.networks.roles import Network, Node, NodeRoles, roles_of
from shared.networks.view import View
from shared.papers.dependencies import PapersWorld
from shared.papers.link_legs import Head, ask_links
from shared.papers.linked import Listing
from shared.papers.lookup import Sought, look_up
from shared.papers.papers import not_found
from shared.papers.request import MAX_IDS, NetworkRequest
from shared.query.question import Relation
from shared.search.integrity import uncertain, unheard, with_integrity
from shared.search.page import unranked
from shared.search.publishing import publish_results

# Papers of depth 1 whose own lists are asked for, at depth 2; and for how long a provider's rate may make them wait.
EXPANDED = 10
PACE_S = 5.0
# A step has at least so much time, if there is so much left: with less nobody would be asked.
LEAST_STEP_S = 1.0
WARNINGS_SHOWN = 3
REPORT = (
    "seeds_not_found", "seeds_unanswered", "truncated", "complete", "providers", "cache", "hints", "search_time_ms",
    "kg", "request_id", "content_trust",
)  # fmt: skip
_RELATIONS: dict[str, tuple[Relation, ...]] = {
    "references": ("references",), "citations": ("citations",), "both": ("references", "citations"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Built:
    """A network with the roles of its papers (each in full, as `unranked`), and what is to be told of its making."""

    network: Network
    roles: Mapping[str, NodeRoles]
    report: Mapping[str, Any]


def build_network(request: NetworkRequest, world: PapersWorld) -> Built:
    """Raises Unprocessable for what is no id, NotFound when no seed is known, AllProvidersFailed."""
    building = _Building(request, world, _names(request))
    building.expand()
    building.choose()
    return building.built()


def _names(request: NetworkRequest) -> list[str]:
    names = [read_id(text) for text in request.seeds]
    faults = [
        FieldError(f"seeds.{number}", f"{text[:100]!r} is no id; write {EXAMPLES}")
        for number, (text, name) in enumerate(zip(request.seeds, names, strict=True))
        if not name
    ]
    if request.max_nodes < len(names):
        faults.append(FieldError("max_nodes", f"must be at least {len(names)}, the number of seeds"))
    if faults:
        raise Unprocessable("; ".join(f"{fault.field}: {fault.message}" for fault in faults), faults)
    return list(dict.fromkeys(name for name in names if name))


class _Step(Deadline):
    """The part of a request's time that one step may use."""

    def __init__(self, whole: Deadline, steps_left: int) -> None:
        super().__init__(whole.monotonic, whole.timeout_ms)
        seconds = max(LEAST_STEP_S, (whole.until - self.started) / steps_left)
        self._until = min(whole.until, self.started + seconds)

    @property
    def until(self) -> float:
        """The moment of the monotonic clock at which the step's last leg ends."""
        return self._until


class _Building:
    def __init__(self, request: NetworkRequest, world: PapersWorld, names: Sequence[str]) -> None:
        """The first step: the seeds."""
        self._request, self._world = request, world
        self._deadline = Deadline(world.monotonic, request.timeout_ms)
        self._steps_left = 1 + request.depth + math.ceil(request.max_nodes / MAX_IDS)
        looked = look_up(names, world, self._step(), fresh=request.fresh)
        self._answers: list[LegAnswer] = list(looked.answers)
        self._lacking = [it for it in looked.sought if it.paper is None]
        self._heads = {it.paper.key: Head(it.paper.key, it.names) for it in looked.sought if it.paper}
        if not self._heads:
            raise _no_seed(self._lacking)
        self._papers: dict[str, MergedPaper] = {it.paper.key: it.paper for it in looked.sought if it.paper}
        self._records: list[Paper] = [record for paper in self._papers.values() for record in paper.records]
        self._listings: list[Listing] = []
        self._depths = dict.fromkeys(self._heads, 0)  # of each paper whose lists were asked for
        self._not_expanded = 0
        self._too_slow: list[str] = []
        self._chosen: list[str] = []
        self._look()

    def _step(self) -> Deadline:
        step = _Step(self._deadline, self._steps_left)
        self._steps_left -= 1
        return step

    def _look(self) -> None:
        self._view = View(self._listings, self._records, self._papers)
        self._seeds = {self._view.key_of(key) or key for key in self._heads}

    def expand(self) -> None:
        """Ask for the lists of the seeds and, at depth 2, of those that are linked most."""
        self._ask(list(self._heads.values()), self._world)
        if self._request.depth == 1:
            return
        ranked = [key for key in self._ranked() if key not in self._seeds]
        heads = [Head(key, self._view.names[key]) for key in ranked[:EXPANDED]]
        self._not_expanded = len(ranked) - len(heads)
        self._depths |= dict.fromkeys((head.key for head in heads), 1)
        quick = {name: it for name, it in self._world.abilities.items() if self._is_quick(name, len(heads))}
        relations = set(_RELATIONS[self._request.direction])
        self._too_slow = sorted(
            name for name, it in self._world.abilities.items() if relations & set(it.operations) and name not in quick
        )
        self._ask(heads, replace(self._world, abilities=quick))

    def _is_quick(self, provider: str, heads: int) -> bool:
        """Whether the provider can bring the lists of so many papers without holding up all its other callers."""
        ability = self._world.abilities[provider]
        lists = heads * sum(relation in ability.operations for relation in _RELATIONS[self._request.direction])
        return lists <= PACE_S * ability.requests_per_second

    def _ask(self, heads: Sequence[Head], world: PapersWorld) -> None:
        relations = _RELATIONS[self._request.direction]
        listings, answers = ask_links(relations, heads, world, self._step(), fresh=self._request.fresh)
        self._listings += listings
        self._answers += answers
        self._look()

    def choose(self) -> None:
        """The papers of the network, and their records, which tell what each of them cites."""
        chosen = self._ranked()[: self._request.max_nodes]
        wanted = [key for key in chosen if key not in self._seeds]
        for start in range(0, len(wanted), MAX_IDS):
            looked = look_up(wanted[start : start + MAX_IDS], self._world, self._step(), fresh=self._request.fresh)
            self._answers += looked.answers
            self._records += [record for it in looked.sought if it.paper for record in it.paper.records]
        self._look()
        keys = (self._view.key_of(key) for key in chosen)
        self._chosen = list(dict.fromkeys(key for key in keys if key))

    def _ranked(self) -> list[str]:
        """Seeds, then who is linked to the most heads, the nearest, the most cited."""
        view = self._view

        def order(key: str) -> tuple[Any, ...]:
            paper = view.papers[key]
            cited = (paper.citation_count if paper else None) or 0
            return key not in self._seeds, -len(view.heads[key]), self._depth(key), -cited, key

        return sorted(view.names, key=order)

    def _depth(self, key: str) -> int:
        return 0 if key in self._seeds else 1 + min(self._depths[head] for head in self._view.heads[key])

    def built(self) -> Built:
        """The network of the chosen, its roles, and the report."""
        silent = unheard((answer.reply for answer in self._answers), self._world.tracking)
        found = {key: paper for key in self._chosen if (paper := self._view.papers[key])}
        papers = {key: unranked(with_integrity(paper, silent)) for key, paper in found.items()}
        nodes = tuple(Node(key, papers.get(key), key in self._seeds, self._depth(key)) for key in self._chosen)
        network = Network(nodes, tuple(self._view.edges()))
        roles = roles_of(network, int(self._world.now()[:4]))
        return Built(network, roles, self._report(self._published(network)))

    def _published(self, network: Network) -> dict[str, int]:
        """The graph learns the papers, and who says that one cites another."""
        cited: dict[str, dict[str, list[str]]] = {node.key: {} for node in network.nodes}
        for edge in network.edges:
            for provider in edge.asserted_by:
                cited[edge.source].setdefault(provider, []).append(edge.target)
        results = [{**node.paper, "references": cited[node.key]} for node in network.nodes if node.paper]
        return publish_results(uncertain(results), self._request, self._world.publish)

    def _report(self, kg: Mapping[str, int]) -> dict[str, Any]:
        answers = self._answers
        reports = reports_of([answer.reply for answer in answers])
        about = {"complete": complete(reports, ()), "providers": _shortened(reports), "cache": cache_state(answers)}
        left = {
            "nodes": len(self._view.names) - len(self._chosen),
            "not_expanded": self._not_expanded,
            "only_text": self._view.only_text,
        }
        own = {
            "seeds_not_found": [it.name for it in self._lacking if it.answered_by or not it.outcomes],
            "seeds_unanswered": [it.name for it in self._lacking if it.outcomes and not it.answered_by],
            "truncated": left if any(left.values()) else None,
            "hints": self._hints(),
        }
        elapsed_ms, request_id = self._deadline.elapsed_ms(), self._world.request_id
        return in_order(REPORT, own, envelope(about, kg=kg, search_time_ms=elapsed_ms, request_id=request_id))

    def _hints(self) -> list[dict[str, str]]:
        told = f"Asked about the seeds only, for their rate is too low for more: {', '.join(self._too_slow)}."
        return [{"reason": "asked_about_seeds_only", "message": told}] if self._too_slow else []


def _no_seed(lacking: Sequence[Sought]) -> Exception:
    """That no seed is held by those who answered; or that nobody did."""
    names = ", ".join(it.name for it in lacking)
    failed = {name: how for it in lacking for name, how in it.failed.items()}
    answered_by = sorted({name for it in lacking for name in it.answered_by})
    if failed and not answered_by:
        faults = [FieldError(f"providers.{name}", how) for name, how in sorted(failed.items())]
        return AllProvidersFailed(f"nobody who might know {names} answered", faults, timed_out=False)
    status = "not_found" if answered_by else "not_asked"
    reason = "no provider can be asked for this kind of id"
    return not_found({"id": names, "name": names, "status": status, "reason": reason,
                      "answered_by": answered_by, "unanswered": failed})  # fmt: skip


def _shortened(reports: Reports) -> Reports:
    """The reports without the many warnings of many lists."""
    return {name: {**report, "warnings": _first(report["warnings"])} for name, report in reports.items()}


def _first(warnings: Sequence[str]) -> list[str]:
    more = len(warnings) - WARNINGS_SHOWN
    return [*warnings[:WARNINGS_SHOWN], *([f"and {more} more warnings of other lists"] if more > 0 else [])]
