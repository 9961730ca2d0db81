"""The graph's writer: ten thousand messages through SQS and the handler, on moto, faults in a tenth of them."""

from __future__ import annotations

import os
import time

from infra.local.machine import machine
from tests.integration.graph import storm as graph_storm
from tests.unit.graph.old_form import facts

MESSAGES = 10_000


def report(count: int = MESSAGES) -> None:
    """Print the injected faults, their effect, and messages a second, moto's time included."""
    os.environ.setdefault("POWERTOOLS_LOG_LEVEL", "ERROR")
    bodies, faults = graph_storm.make(count)
    with machine(sandbox=None) as local:
        started = time.perf_counter()
        storm = graph_storm.run(local, bodies, faults)
        spent = time.perf_counter() - started
        found, expected = map(graph_storm.as_table, (graph_storm.stored(), graph_storm.expected(storm.good)))
        whole = facts(found) == facts(expected)
    aside = sorted(storm.dead) == sorted(storm.poison) and set(storm.reasons) == set(storm.poison)
    injected = ", ".join(f"{kind} {times}" for kind, times in sorted(storm.injected.items()))
    print("\n| messages | faults | invalid | s | messages a second | effects once | only these are dead letters |")
    print("|---|---|---|---|---|---|---|")
    row = f"| {count:,} | {injected} | {len(storm.poison)} | {spent:.0f} | {count / spent:.0f} "
    print(row + f"| {'yes' if whole else 'NO'} | {'yes' if aside and not storm.left else 'NO'} |")


if __name__ == "__main__":
    report()
