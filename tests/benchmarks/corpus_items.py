"""How the whole answers, through HTTP, with the sandbox as every source: `python -m tests.benchmarks.corpus_items`.

For known papers the rank of the right one, for topics recall and precision of the first ten, by kind of query; and what
a search costs in requests, with the share of legs that sent a second, wider one.
"""

from __future__ import annotations

import os
import random
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from infra.local.sandbox.corpus import default_corpus
from tests.benchmarks.corpus_queries import Item, ids_of, items, queries, topic_queries
from tests.benchmarks.known_items import SEED
from tests.ways_of_asking.capture import Service, ids_of_result, service

DEPTH = 10
# kind of query: the share of papers that must come first
TARGETS = {
    "exact title": 0.98, "DOI": 0.98, "PMID": 0.98, "arXiv id": 0.98, "title without subtitle": 0.95,
    "title with a typo": 0.95, "title in brackets": 0.95, "title in quotation marks": 0.95, "question": 0.90,
    "three rarest words": 0.0,
}  # fmt: skip


@dataclass(slots=True)
class Measured:
    """What the searches of one kind came to; `missed` has what was typed and the rank, where it is not the first."""

    ranks: list[int | None] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    precision: list[float] = field(default_factory=list)
    recall: list[float] = field(default_factory=list)
    requests: int = 0
    searches: int = 0
    legs: int = 0
    wider: int = 0


def known_items(running: Service, sample: Sequence[Item]) -> dict[str, Measured]:
    """The rank of the right paper for every kind of query."""
    found = {kind: Measured() for kind in TARGETS}
    chance = random.Random(SEED)
    for item in sample:
        for kind, query in queries(item, chance):
            results = _search(running, query, found[kind])
            rank = next((place for place, names in enumerate(results, 1) if names & item.ids), None)
            found[kind].ranks.append(rank)
            if rank != 1:
                found[kind].missed.append(f"{rank}: {query}")
    return found


def topics(running: Service) -> dict[str, Measured]:
    """Precision and recall of the first ten papers for every kind of query."""
    found: defaultdict[str, Measured] = defaultdict(Measured)
    for kind, topic, query in topic_queries():
        relevant = [ids_of(fact) for fact in default_corpus().facts if topic in fact.topics]
        results = _search(running, query, found[kind])
        hits = sum(any(names & ids for ids in relevant) for names in results)
        found[kind].precision.append(hits / len(results) if results else 0.0)
        found[kind].recall.append(hits / min(DEPTH, len(relevant)))
    return found


def _search(running: Service, query: str, measured: Measured) -> list[set[str]]:
    """The ids of the first ten papers; counts requests and legs."""
    response, requests = running.post(
        {"query": query, "max_results": DEPTH, "detail": "full", "include_abstract": False}
    )
    answer = response.json()
    measured.searches += 1
    measured.requests += len(requests)
    reports: Mapping[str, Any] = answer.get("providers", {})
    measured.legs += len(reports)
    measured.wider += sum("; then, wider:" in (report.get("effective_query") or "") for report in reports.values())
    return [ids_of_result(result) for result in answer.get("results", ())]


def share_first(measured: Measured) -> float:
    """The share of searches whose first paper is the right one."""
    return sum(rank == 1 for rank in measured.ranks) / max(1, len(measured.ranks))


def report(*, every: int = 1, missed: bool = False) -> None:
    """Print the tables; `every`: one of so many papers; `missed`: also what did not come first."""
    with service() as running:
        found = known_items(running, items()[::every])
    print("\n| query for a known paper | searches | first | in the first 10 | requests a search | wider legs |")
    print("|---|---|---|---|---|---|")
    for kind, it in found.items():
        in_ten = sum(rank is not None for rank in it.ranks) / max(1, len(it.ranks))
        print(f"| {kind} | {it.searches} | {share_first(it):.3f} | {in_ten:.3f} | {_costs(it)} |", flush=True)
    with service() as running:
        by_kind = topics(running)
    print("\n| query for a topic | searches | precision at 10 | recall at 10 | requests a search | wider legs |")
    print("|---|---|---|---|---|---|")
    for kind, it in by_kind.items():
        print(f"| {kind} | {it.searches} | {_mean(it.precision):.2f} | {_mean(it.recall):.2f} | {_costs(it)} |")
    if missed:
        for kind, it in found.items():
            print("".join(f"\n{kind}: {line}" for line in it.missed))


def _costs(it: Measured) -> str:
    return f"{it.requests / max(1, it.searches):.1f} | {it.wider / max(1, it.legs):.2f}"


def _mean(values: Sequence[float]) -> float:
    return sum(values) / max(1, len(values))


if __name__ == "__main__":
    os.environ.setdefault("POWERTOOLS_LOG_LEVEL", "CRITICAL")
    report(every=int(next(iter(sys.argv[1:]), "1")), missed=True)
