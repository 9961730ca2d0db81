"""Papers like some and unlike others: the lists of all sources and of the knowledge graph, merged and ranked.

    1. seeds      their records
    2. sources    one leg for each provider that knows a seed by an id of its kind
    3. graph      papers cited together with the seeds, and papers that cite the same (`graph_neighbours`)
    4. records    of papers that are named by id alone

The order is that of the sources' votes (`shared.search.ranking.rank_votes`): both lists of the graph have one vote
each, and providers of one family one together. Each step may use a share of the remaining time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

from shared.bibliography.paper import Pointer
from shared.bibliography.paper_ids import identifiers_of
from shared.clock import Deadline
from shared.errors import Unprocessable
from shared.legs.coalescing import answer_legs
from shared.legs.leg import Leg, LegAnswer
from shared.legs.reports import raise_if_all_failed
from shared.papers.dependencies import PaperDependencies
from shared.papers.graph_neighbours import GraphNeighbours, graph_neighbours
from shared.papers.links.dates import of_dates
from shared.papers.links.legs import with_records
from shared.papers.links.merging import LinkList
from shared.papers.lookup import look_up
from shared.papers.paper_request import PaperRequest
from shared.papers.seeds import no_seed_error, read_names
from shared.papers.similar.answer import FoundSimilar, similar_answer
from shared.papers.similar.items import Seeds, SimilarList, order_of, without_own
from shared.papers.similar.request import SimilarRequest
from shared.query.question import Similar
from shared.validation import refusal

if TYPE_CHECKING:
    from shared.answers.similar import SimilarAnswer

OPERATION = "similar"
LIMIT = 100  # papers of one source
GRAPH_PAPERS = 30  # of each of the graph's lists
# The shares of the remaining time for finding the seeds, for the sources, and for the graph.
SEEDS_SHARE, SOURCES_SHARE, GRAPH_SHARE = 0.35, 0.6, 0.3


@dataclass(slots=True)
class _Collected:
    """The seeds, and what the sources say about them."""

    like: list[PaperRequest]
    unlike: list[PaperRequest]
    missing: list[PaperRequest]
    answers: list[LegAnswer]
    listings: list[LinkList] = field(default_factory=list)
    sources: dict[str, SimilarList] = field(default_factory=dict)
    source_answers: list[LegAnswer] = field(default_factory=list)
    graph: GraphNeighbours = field(default_factory=lambda: GraphNeighbours({}, "empty"))


def get_similar(request: SimilarRequest, dependencies: PaperDependencies) -> SimilarAnswer:
    """The papers like the seeds. Raises Unprocessable for what is not an id, NotFound and AllProvidersFailed."""
    deadline = Deadline(dependencies.monotonic, request.timeout_ms)
    collected = _seeds(request, dependencies, deadline)
    _query_sources(collected, request, dependencies, deadline)
    _read_graph(collected, dependencies, deadline)
    if collected.source_answers and not any(listing.papers or listing.pointers for listing in collected.listings):
        raise_if_all_failed([answer.reply for answer in collected.source_answers])
    of_seeds = [*collected.like, *collected.unlike]
    known = [record for seed in of_seeds if seed.paper for record in seed.paper.records]
    merged = with_records(
        collected.listings, dependencies, deadline, partial(order_of, sources=collected.sources), known
    )
    others, left_out = without_own(merged.items, Seeds.of(of_seeds))
    items, undated, outside = of_dates(others, request)
    found = FoundSimilar(
        like=collected.like,
        unlike=collected.unlike,
        missing=collected.missing,
        items=items,
        sources=collected.sources,
        graph=collected.graph.state,
        left_out=left_out,
        undated=undated,
        outside=outside,
        source_answers=collected.source_answers,
        record_answers=[*collected.answers, *merged.answers],
        is_cut=merged.is_cut or collected.graph.state == "timeout",
    )
    return similar_answer(found, request, dependencies, deadline)


def _seeds(request: SimilarRequest, dependencies: PaperDependencies, deadline: Deadline) -> _Collected:
    names, errors = read_names("seeds", request.seeds)
    unlike, more_errors = read_names("unlike", request.unlike)
    if errors or more_errors:
        raise refusal(Unprocessable, [*errors, *more_errors])
    found = look_up([*names, *unlike], dependencies, deadline, fresh=request.fresh, part=SEEDS_SHARE)
    of_name = {it.name: it for it in found.requests}
    like, against = ([of_name[name] for name in group] for group in (names, unlike))
    if not any(it.paper for it in like):
        raise no_seed_error(like)
    if both := {it.paper.key for it in like if it.paper} & {it.paper.key for it in against if it.paper}:
        raise Unprocessable.field("unlike", f"{min(both)} is also one of `seeds`")
    return _Collected(
        like=[it for it in like if it.paper],
        unlike=[it for it in against if it.paper],
        missing=[it for it in found.requests if it.paper is None],
        answers=list(found.answers),
    )


def _query_sources(
    collected: _Collected, request: SimilarRequest, dependencies: PaperDependencies, deadline: Deadline
) -> None:
    """Query each provider that knows a seed once for all of them."""
    legs = [
        Leg(provider, Similar(like, _names_in(collected.unlike, schemes), LIMIT))
        for provider, schemes in dependencies.providers_supporting(OPERATION).items()
        if (like := _names_in(collected.like, schemes))
    ]
    answers = answer_legs(legs, dependencies.legs, until=deadline.share(SOURCES_SHARE), fresh=request.fresh)
    dependencies.observe(answers)
    collected.source_answers = answers
    for leg, answer in zip(legs, answers, strict=True):
        reply = answer.reply
        collected.listings.append(LinkList("", OPERATION, leg.provider, reply.papers, reply.pointers))
        collected.sources[leg.provider] = SimilarList(reply.family, reply.scores)


def _names_in(papers: Sequence[PaperRequest], schemes: Sequence[str]) -> tuple[str, ...]:
    """A name of each paper that has one of these kinds, sorted: equal questions share their answer."""
    return tuple(sorted({name for paper in papers if (name := paper.name_in(schemes))}))


def _read_graph(collected: _Collected, dependencies: PaperDependencies, deadline: Deadline) -> None:
    until = deadline.share(GRAPH_SHARE)
    like, unlike = (sorted({it.paper.key for it in group if it.paper}) for group in (collected.like, collected.unlike))
    collected.graph = graph_neighbours(like, unlike, dependencies.graph_edges, lambda: deadline.monotonic() >= until)
    for relation, neighbours in collected.graph.found.items():
        ranks = _shared_ranks([count for _, count in neighbours[:GRAPH_PAPERS]])
        named = zip(ranks, neighbours, strict=False)
        pointers = [Pointer(rank, identifiers_of([key])) for rank, (key, _) in named]
        collected.listings.append(LinkList("", OPERATION, relation, [], pointers))
        collected.sources[relation] = SimilarList(relation, _scores_by_rank(ranks, [count for _, count in neighbours]))


def _shared_ranks(counts: Sequence[int]) -> list[int]:
    """The place of each of these counts, which fall; equal ones share a place."""
    ranks = [1] * min(1, len(counts))
    for place, (before, count) in enumerate(pairwise(counts), start=2):
        ranks.append(ranks[-1] if count == before else place)
    return ranks


def _scores_by_rank(ranks: Sequence[int], counts: Sequence[int]) -> list[float]:
    by_rank = dict(zip(ranks, counts, strict=False))
    return [float(by_rank.get(rank, 0)) for rank in range(1, max(ranks, default=0) + 1)]
