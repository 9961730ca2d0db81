"""How the whole answers, through HTTP, with the sandbox as every source: `python -m tests.benchmarks.corpus_items`.

For known papers the rank of the right one, for topics recall and precision of the first ten, by kind of query; and what
a search costs in requests, with the share of legs that sent a second, wider one and the share of requests that this is.
Beside them stand the figures of a commit before (`ways_before.json`), measured by this program with that commit's code.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from infra.local.sandbox.corpus import default_corpus
from infra.local.sandbox.server import RecordedRequest
from tests.benchmarks.corpus_queries import Item, ids_of, items, queries, topic_queries
from tests.benchmarks.known_items import SEED
from tests.ways_of_asking.capture import Service, ids_of_result, service

DEPTH = 10
BEFORE = Path(__file__).with_name("ways_before.json")
PROGRESS_EVERY = 100  # searches
TOPIC = "topic: "
# What fetches records or spelling for a search, and searches for nothing itself.
NO_SEARCHES = ("efetch.fcgi", "espell.fcgi")
SECOND, SECOND_FAILED = "; then, wider:", "a wider search for more papers failed"
# kind of query: the share of papers that must come first
TARGETS = {
    "exact title": 0.98, "DOI": 0.98, "PMID": 0.98, "arXiv id": 0.98, "title without subtitle": 0.95,
    "title with a typo": 0.95, "title in brackets": 0.95, "title in quotation marks": 0.95, "question": 0.90,
    "three rarest words": 0.0,
}  # fmt: skip


@dataclass(slots=True)
class Measured:
    """What the searches of one kind came to; `missed` has what was typed and the rank, where it is not the first.

    `second_legs` sent a second request, which are `second_requests` of all `requests`; of `second_failed` it failed.
    """

    ranks: list[int | None] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    precision: list[float] = field(default_factory=list)
    recall: list[float] = field(default_factory=list)
    requests: int = 0
    searches: int = 0
    legs: int = 0
    second_legs: int = 0
    second_requests: int = 0
    second_failed: int = 0


@dataclass(frozen=True, slots=True)
class Figures:
    """One line of a table. Shares are from 0 to 1; None: not measured for this kind."""

    requests: float
    searches: int | None = None
    first: float | None = None
    in_ten: float | None = None
    precision: float | None = None
    recall: float | None = None
    second_legs: float = 0.0
    second_requests: float = 0.0
    second_failed: float = 0.0


def figures(it: Measured) -> Figures:
    """The means and shares of what was measured."""
    in_ten = sum(rank is not None for rank in it.ranks) / max(1, len(it.ranks))
    return Figures(
        searches=it.searches,
        first=round(share_first(it), 3) if it.ranks else None,
        in_ten=round(in_ten, 3) if it.ranks else None,
        precision=_mean(it.precision),
        recall=_mean(it.recall),
        requests=round(it.requests / max(1, it.searches), 1),
        second_legs=round(it.second_legs / max(1, it.legs), 2),
        second_requests=round(it.second_requests / max(1, it.requests), 2),
        second_failed=round(it.second_failed / max(1, it.second_legs + it.second_failed), 2),
    )


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
    for name, report in reports.items():
        if SECOND in (report.get("effective_query") or ""):
            measured.second_legs += 1
            measured.second_requests += second_requests([it for it in requests if it.provider == name])
        measured.second_failed += any(SECOND_FAILED in warning for warning in report.get("warnings", ()))
    if measured.searches % PROGRESS_EVERY == 0:
        print(f"{measured.searches} searches of a kind", file=sys.stderr, flush=True)
    return [ids_of_result(result) for result in answer.get("results", ())]


def second_requests(of_a_leg: Sequence[RecordedRequest]) -> int:
    """How many requests of a leg with a second search belong to that: the last search and all that follows it."""
    searches = [place for place, it in enumerate(of_a_leg) if not it.path.endswith(NO_SEARCHES)]
    return len(of_a_leg) - searches[-1] if len(searches) > 1 else 0


def share_first(measured: Measured) -> float:
    """The share of searches whose first paper is the right one."""
    return sum(rank == 1 for rank in measured.ranks) / max(1, len(measured.ranks))


def measure(every: int) -> tuple[dict[str, Measured], dict[str, Measured]]:
    """Known papers (one of so many) and topics, by kind of query; each with a service of its own."""
    with service() as running:
        known = known_items(running, items()[::every])
    with service() as running:
        return known, topics(running)


def report(*, every: int = 1, missed: bool = False, save: Path | None = None) -> None:
    """Print the tables; `missed`: also what did not come first; `save`: write the figures as JSON."""
    known, by_topic = measure(every)
    now = {kind: figures(it) for kind, it in _all_kinds(known, by_topic).items()}
    if save:
        save.write_text(json.dumps({kind: asdict(it) for kind, it in now.items()}, indent=1) + "\n", encoding="utf-8")
    recorded = json.loads(BEFORE.read_text(encoding="utf-8"))
    before = {kind: Figures(**it) for kind, it in recorded["figures"].items()}
    print(f"\nBefore: commit {recorded['commit']}, {recorded['papers']} papers. Now: one of {every}.")
    _print_known({kind: (before.get(kind), now[kind]) for kind in known})
    _print_topics({kind: (before.get(f"{TOPIC}{kind}"), now[f"{TOPIC}{kind}"]) for kind in by_topic})
    everything = _all_kinds(known, by_topic).values()
    second, sent = (sum(getattr(it, name) for it in everything) for name in ("second_requests", "requests"))
    share = second / max(1, sent)
    print(f"\nOf {sent} requests, {second} ({share:.0%}) were second searches, which the same budgets pay for.")
    if missed:
        for kind, it in known.items():
            print("".join(f"\n{kind}: {line}" for line in it.missed))


def _all_kinds(known: Mapping[str, Measured], by_topic: Mapping[str, Measured]) -> dict[str, Measured]:
    """Both by name; the kinds of topics have a prefix, since some are called alike."""
    return {**known, **{f"{TOPIC}{kind}": it for kind, it in by_topic.items()}}


Pairs = Mapping[str, tuple[Figures | None, Figures]]
COSTS = "requests, before | now | legs with a second search | requests of second searches | of these failed |"


def _print_known(pairs: Pairs) -> None:
    print(f"\n| query for a known paper | searches | first, before | now | in the first 10, before | now | {COSTS}")
    print("|---" * 11 + "|")
    for kind, (before, now) in pairs.items():
        first, in_ten = (_pair(before, now, name, 3) for name in ("first", "in_ten"))
        print(f"| {kind} | {now.searches} | {first} | {in_ten} | {_costs(before, now)} |", flush=True)


def _print_topics(pairs: Pairs) -> None:
    print(f"\n| query for a topic | searches | precision at 10, before | now | recall at 10, before | now | {COSTS}")
    print("|---" * 11 + "|")
    for kind, (before, now) in pairs.items():
        precision, recall = (_pair(before, now, name, 2) for name in ("precision", "recall"))
        print(f"| {kind} | {now.searches} | {precision} | {recall} | {_costs(before, now)} |", flush=True)


def _costs(before: Figures | None, now: Figures) -> str:
    shares = f"{now.second_legs:.2f} | {now.second_requests:.2f} | {now.second_failed:.2f}"
    return f"{_pair(before, now, 'requests', 1)} | {shares}"


def _pair(before: Figures | None, now: Figures, name: str, digits: int) -> str:
    values = (getattr(before, name, None), getattr(now, name))
    return " | ".join("–" if value is None else f"{value:.{digits}f}" for value in values)


def _mean(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), 3) if values else None


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Known papers and topics of the corpus, through HTTP.")
    parser.add_argument("every", nargs="?", type=int, default=1, help="search for one of so many papers")
    parser.add_argument("--save", type=Path, help="write the figures to this file, as JSON")
    arguments = parser.parse_args()
    os.environ.setdefault("POWERTOOLS_LOG_LEVEL", "CRITICAL")
    report(every=arguments.every, missed=True, save=arguments.save)


if __name__ == "__main__":
    main()
