"""Sends mutated answers of all sources through production, and counts what one odd value breaks.

    python -m tests.benchmarks.mutate --cases 20000 --seed 7
    python -m tests.benchmarks.mutate --seed 7 --replay 1234      one case again, with the traceback of each defect

A case takes the recorded answers of one operation of one source, changes one to three nodes of one answer, and follows
the reply through the provider's own function, the cache, merging, filters, ranking, pages, JSON, the published schema,
all exports, and the graph's messages and their reader. Standard output is a JSON summary; the exit code is 1 if
anything was counted.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median

import httpx

from shared.providers.provider import ProviderReply
from shared.query.query import Query
from tests.benchmarks.mutate_answers import Exchange, Replay, ask, client_of, collect, module_of, replaying
from tests.benchmarks.mutate_bodies import Mutated, mutate
from tests.benchmarks.mutate_path import Production, counting, through_cache

ROOT = Path(__file__).parents[2]
CATEGORIES = (
    "unhandled exception", "leg lost by exception", "page lost", "invalid JSON", "contract violation",
    "graph message refused", "export failure", "slow",
)  # fmt: skip
SLOW_RATIO, SLOW_S = 40, 1.0  # a case is slow at both: times the median of its exchange, and CPU seconds
SHARE_OF_RECORDINGS = 0.4
TWINS_CHANGED = 0.2  # the share of cases in which another source describes the papers in the changed way too


class PageLost(Exception):
    """Records that were not changed are missing in the reply."""


@dataclass(slots=True)
class Findings:
    """Defects by category and place, each with its first case."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    first: dict[tuple[str, str], str] = field(default_factory=dict)
    case: int = 0
    about: str = ""
    verbose: bool = False

    def report(self, category: str, error: BaseException) -> None:
        """Count one defect."""
        if self.verbose:
            print(f"--- {category}\n{''.join(traceback.format_exception(error))}", file=sys.stderr)
        found = category, _place(error)
        self.counts[found] += 1
        self.first.setdefault(found, f"case {self.case}: {self.about}; {type(error).__name__}: {str(error)[:300]}")

    def summary(self) -> dict[str, object]:
        """The number of each category, and all places."""
        totals: Counter[str] = Counter()
        for (category, _), count in self.counts.items():
            totals[category] += count
        places = [
            {"category": category, "place": place, "count": count, "first": self.first[category, place]}
            for (category, place), count in self.counts.most_common()
        ]
        return {"counts": {name: totals[name] for name in CATEGORIES}, "places": places}


def _place(error: BaseException) -> str:
    """The last line of the project's own code in the traceback, else the message."""
    frames = [it for it in traceback.extract_tb(error.__traceback__) if it.filename.startswith(str(ROOT))]
    own = [it for it in frames if f"{ROOT}/tests" not in it.filename]
    if not own:
        return f"{type(error).__name__} {str(error).splitlines()[-1][:120] if str(error) else ''}"
    return f"{Path(own[-1].filename).relative_to(ROOT)}:{own[-1].lineno} {own[-1].name} {type(error).__name__}"


class Mutator:
    """Runs cases; each depends on the seed and its number alone."""

    def __init__(self, seed: int, findings: Findings, *, recordings: bool = True) -> None:
        self.seed, self.findings = seed, findings
        self.exchanges = collect(recordings=recordings)
        self._sandbox = sorted({(it.provider, it.question.operation) for it in self.exchanges if not _is_recorded(it)})
        self._recorded = [it for it in self.exchanges if _is_recorded(it)]
        self._replay: tuple[Replay, httpx.Client] = replaying()

    def run(self, number: int) -> tuple[str, float]:
        """Run one case; returns its exchange and its CPU time in seconds."""
        chance = random.Random(f"{self.seed}:{number}")
        exchange = self._choose(chance)
        place = chance.randrange(len(exchange.answers))
        mutated = mutate(exchange.answers[place].body, chance)
        self.findings.case = number
        self.findings.about = f"{exchange.provider} {exchange.name} [{place}] {'; '.join(mutated.changes)}"[:300]
        started = time.process_time()
        self._follow(exchange, place, mutated, chance)
        return f"{exchange.provider} {exchange.name}", time.process_time() - started

    def _choose(self, chance: random.Random) -> Exchange:
        if self._recorded and chance.random() < SHARE_OF_RECORDINGS:
            return chance.choice(self._recorded)
        wanted = chance.choice(self._sandbox)
        of_operation = [
            it
            for it in self.exchanges
            if (it.provider, it.question.operation) == wanted and not _is_recorded(it)
        ]  # fmt: skip
        return chance.choice(of_operation)

    def _follow(self, exchange: Exchange, place: int, mutated: Mutated, chance: random.Random) -> None:
        reply = None
        with counting(self.findings.report, "leg lost by exception"):
            reply = self._reply(exchange, place, mutated.body)
        if reply is None:
            return
        with counting(self.findings.report, "page lost"):
            raise_for_lost(exchange.clean, reply, mutated.touched)
        stored = None
        with counting(self.findings.report, "invalid JSON"):
            stored = through_cache(reply)
        if stored is None:
            return
        # What is listed takes the same way as what is searched for.
        operation = exchange.question.operation.replace("listing", "search")
        replies = {(exchange.provider, operation): stored}
        twins = stored if chance.random() < TWINS_CHANGED and stored.papers else exchange.clean
        for other in self._others(exchange, twins, chance):
            replies.setdefault((other.provider, operation), other)
        Production(replies, chance, self.findings.report, exchange.head).run(exchange)

    def _reply(self, exchange: Exchange, place: int, body: bytes) -> ProviderReply:
        transport, http = self._replay
        transport.answers = list(exchange.answers)
        transport.answers[place] = transport.answers[place]._replace(body=body)
        module = module_of(exchange.provider)
        return ask(module, exchange.question, client_of(module, http))

    def _others(self, exchange: Exchange, twins: ProviderReply, chance: random.Random) -> list[ProviderReply]:
        """Replies of other sources: one with the same papers, and one of the sandbox to the same question."""
        operation = exchange.question.operation
        able = sorted(
            {it.provider for it in self.exchanges if it.question.operation == operation} - {exchange.provider}
        )
        others = []
        if able:
            twin = chance.choice(able)
            papers = tuple(replace(paper, provider=twin) for paper in twins.papers)
            others.append(replace(twins, provider=twin, family=module_of(twin).SPEC.family, papers=papers))
        if isinstance(exchange.question, Query):
            same = [it.clean for it in self.exchanges if it.name == exchange.name and it.provider != exchange.provider]
            others += [chance.choice(same)] if same else []
        return others


def _is_recorded(exchange: Exchange) -> bool:
    return exchange.name.startswith("recorded")


def raise_for_lost(clean: ProviderReply, reply: ProviderReply, touched: frozenset[int] | None) -> None:
    """Raises PageLost if more records are missing than were changed, where only records were changed."""
    if touched is None:
        return
    missing = _marks(clean) - _marks(reply)
    if len(missing) > len(touched):
        raise PageLost(f"{len(missing)} of {len(_marks(clean))} missing: {reply.outcome} {reply.warnings[:2]}"[:300])


def _marks(reply: ProviderReply) -> set[str]:
    """What tells a record from the others of its list; an answer that is repeated for a second page counts once."""
    marks = {f"{paper.title} {paper.ids.doi} {paper.ids.pmid}" for paper in reply.papers}
    return marks | {f"{pointer.ids} {pointer.text}" for pointer in reply.pointers}


def slow_cases(times: Sequence[tuple[str, float]]) -> dict[int, str]:
    """The cases that took far longer than the others of their exchange."""
    by_name: dict[str, list[float]] = {}
    for name, spent in times:
        by_name.setdefault(name, []).append(spent)
    return {
        number: f"{name}: {spent:.1f} s of CPU, median {median(by_name[name]):.3f} s"
        for number, (name, spent) in enumerate(times)
        if spent > max(SLOW_S, SLOW_RATIO * median(by_name[name]))
    }


def run(cases: int, seed: int, *, recordings: bool = True) -> dict[str, object]:
    """Run the cases; returns the summary."""
    findings = Findings()
    mutator = Mutator(seed, findings, recordings=recordings)
    started = time.monotonic()
    times = []
    for number in range(cases):
        times.append(mutator.run(number))
        if number % 500 == 499:
            found = findings.counts.total()
            print(
                f"{number + 1} cases, {found} defects, {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True
            )
    for number, reported in slow_cases(times).items():
        findings.case, findings.about = number, reported
        findings.report("slow", TimeoutError(reported))
    spent = [seconds for _, seconds in times] or [0.0]
    return {
        "cases": cases, "seed": seed, "exchanges": len(mutator.exchanges),
        "cpu_ms_a_case": {"median": round(median(spent) * 1000, 1), "most": round(max(spent) * 1000, 1)},
        **findings.summary(),
    }  # fmt: skip


def main() -> int:
    """Run the cases, or repeat one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--replay", type=int, metavar="CASE", help="repeat this case alone")
    chosen = parser.parse_args()
    if chosen.replay is not None:
        findings = Findings(verbose=True)
        Mutator(chosen.seed, findings).run(chosen.replay)
        print(findings.about, file=sys.stderr)
        print(json.dumps(findings.summary(), indent=2))
        return int(bool(findings.counts))
    summary = run(chosen.cases, chosen.seed)
    print(json.dumps(summary, indent=2))
    return int(bool(summary["places"]))


if __name__ == "__main__":
    sys.exit(main())
