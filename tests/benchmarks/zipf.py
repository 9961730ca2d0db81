"""The whole day of tests/simulations/zipf_workload.py, as a table: `python -m tests.benchmarks.zipf`, some minutes.

Nearly all of the time is moto's: a few milliseconds for each of the requests to DynamoDB.
"""

from __future__ import annotations

import time

from infra.local.machine import machine
from tests.simulations.simulated_providers import LIMITS, most_at_once, most_in_any
from tests.simulations.zipf_workload import Day, arrivals, table

SEARCHES, DISTINCT = 10_000, 1_000


def main() -> None:
    """The table of the day, then each provider's limits beside the most that reached it."""
    began = time.monotonic()
    with machine(sandbox=None):
        seen = Day().run(arrivals(SEARCHES, DISTINCT))
    print(table(seen))
    print("\n| provider | allowed | most in a window | allowed at once | most at once |\n|---|---|---|---|---|")
    for name, limits in LIMITS.items():
        requests = [it for it in seen.requests if it.provider == name]
        most = most_in_any([it.started for it in requests], limits.window_s)
        allowed = f"{limits.requests} in {limits.window_s:g} s"
        print(f"| {name} | {allowed} | {most} | {limits.concurrency or 'any'} | {most_at_once(requests)} |")
    print(f"\n{time.monotonic() - began:.0f} s of real time")


if __name__ == "__main__":
    main()
