"""Slow and endless sources: `python -m tests.benchmarks.slow_sources [--seconds 1] [--searches 200]`, some ten minutes.

Every way of `tests.simulations.slow_ways`, of every operation of every provider, over loopback: the leg must end within
its deadline and `GRACE_S`. Then the circuits, and searches in a row. Table and progress go to stderr, the summary goes
to stdout as JSON; the exit code is 1 if anything fails. On a machine with other work a leg may be late for want of a
processor: the summary holds the load, and a late leg is repeated alone before it counts.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import time
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from infra.functions import provider_names
from shared.aws.runtime.observability import logger
from tests.simulations.slow_legs import (
    Ended,
    Leg,
    addressed_by_thread,
    circuit_opens,
    every_leg,
    is_expected,
    opens_circuit,
    run_leg,
)
from tests.simulations.slow_searches import Row, searches_in_a_row
from tests.simulations.slow_server import SlowServer, slow_server
from tests.simulations.slow_ways import WAYS

GRACE_S = 0.3
MANY_HOSTS = ("open_copy_text",)  # what one host of copies does says nothing of the others
MAX_GROWTH_MB = 256
AT_ONCE = 4  # legs; those that flood take a processor and up to 36 MB each
EVIDENCE_S = 5.2  # a leg's time from which a time-out is evidence of an outage (`circuit_breaker.MIN_TIMEOUT_S`)


@dataclass(slots=True)
class Found:
    """What was measured; `failures` in words."""

    legs: list[Ended] = field(default_factory=list)
    repeated: int = 0
    failures: list[str] = field(default_factory=list)
    circuits: Counter[str] = field(default_factory=Counter)
    row: Row | None = None


def main(arguments: list[str] | None = None) -> int:
    """Run all of it; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0, help="the deadline of a leg")
    parser.add_argument("--searches", type=int, default=200, help="in a row, for the threads")
    parser.add_argument("--provider", action="append", choices=provider_names(), help="only these")
    parser.add_argument("--way", action="append", choices=list(WAYS), help="only these")
    chosen = parser.parse_args(arguments)
    providers, ways = chosen.provider or list(provider_names()), chosen.way or list(WAYS)
    os.environ |= {"POWERTOOLS_METRICS_DISABLED": "true", "POWERTOOLS_LOG_LEVEL": "CRITICAL"}
    logger.setLevel("CRITICAL")
    found, before_mb, began = Found(), peak_mb(), time.monotonic()
    with slow_server(*ways) as server, addressed_by_thread():
        legs(found, server, every_leg(providers, ways), chosen.seconds)
        circuits(found, server, providers, ways, chosen.seconds)
    growth_mb = peak_mb() - before_mb  # of up to AT_ONCE legs at a time
    if growth_mb > MAX_GROWTH_MB:
        found.failures.append(f"memory grew by {growth_mb} MB")
    if chosen.searches:
        say(f"{chosen.searches} searches in a row …")
        found.row = searches_in_a_row(ways, chosen.searches, chosen.seconds, say)
        found.failures += found.row.failures
    say(table(found.legs, ways))
    print(json.dumps(summary(found, chosen.seconds, growth_mb, time.monotonic() - began), indent=2))
    return 1 if found.failures else 0


def legs(found: Found, server: SlowServer, todo: Iterable[Leg], seconds: float) -> None:
    """Every leg once; one that is late, or ends otherwise than expected, once more alone."""
    todo = list(todo)
    say(f"{len(todo)} legs of {seconds:g} s, {AT_ONCE} at a time …")
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for number, ended in enumerate(pool.map(lambda leg: run_leg(server, leg, seconds), todo), start=1):
            found.legs.append(ended)
            if number % 100 == 0:
                say(f"  {number} legs, {peak_mb()} MB at most")
    for position, first in enumerate(found.legs):
        if first.late(seconds + GRACE_S) or not is_expected(first):
            found.repeated += 1
            ended = found.legs[position] = run_leg(server, first.leg, seconds)
            if ended.late(seconds + GRACE_S):
                found.failures.append(f"{ended.leg} ended after {ended.seconds:.2f} s")
            if not is_expected(ended):
                found.failures.append(f"{ended.leg} ended as {ended.outcome}: {ended.warning}")
    found.failures += [
        f"{way}: a connection was left open"
        for way in server.ports
        if not WAYS[way].complete and not server.all_closed(way)
    ]


def circuits(found: Found, server: SlowServer, providers: list[str], ways: list[str], seconds: float) -> None:
    """Each way against one provider, the providers in turn: after five legs at the same time none is sent."""
    pairs = [(providers[number % len(providers)], way) for number, way in enumerate(ways)]
    say(f"{len(pairs)} circuits …")

    def one(pair: tuple[str, str]) -> tuple[str, str, bool]:
        provider, way = pair
        unfinished = WAYS[way].evidence and WAYS[way].outcome == "timeout"
        enough = seconds if unfinished else max(seconds, EVIDENCE_S)
        return provider, way, circuit_opens(server, provider, way, enough)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        for provider, way, opened in pool.map(one, pairs):
            found.circuits["opened" if opened else "stayed closed"] += 1
            if opened is not (opens_circuit(way) and provider not in MANY_HOSTS):
                found.failures.append(f"{provider}, {way}: the circuit {'opened' if opened else 'stayed closed'}")


def table(ended: list[Ended], ways: list[str]) -> str:
    """A line for each way: how its legs ended, and the longest."""
    lines = ["| way | legs | outcomes | longest s |", "|---|---|---|---|"]
    for way in ways:
        of = [it for it in ended if it.leg.way == way]
        outcomes = ", ".join(f"{name} {count}" for name, count in Counter(it.outcome for it in of).most_common())
        lines.append(f"| {way} | {len(of)} | {outcomes} | {max((it.seconds for it in of), default=0):.2f} |")
    return "\n".join(lines) + "\n"


def summary(found: Found, seconds: float, growth_mb: int, took_s: float) -> dict[str, object]:
    """The figures, JSON-ready."""
    return {
        "ok": not found.failures,
        "deadline_s": seconds,
        "legs": len(found.legs),
        "longest_leg_s": round(max((it.seconds for it in found.legs), default=0.0), 2),
        "repeated_alone": found.repeated,
        "memory_growth_mb": growth_mb,
        "circuits": dict(found.circuits),
        "searches": found.row.figures() if found.row else None,
        "load_average": os.getloadavg()[0],
        "took_s": round(took_s),
        "failures": found.failures,
    }


def peak_mb() -> int:
    """The most memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def say(text: str) -> None:
    """Progress."""
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
