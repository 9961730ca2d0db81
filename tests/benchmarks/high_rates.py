"""Limits above 30 requests a second under load: `python -m tests.benchmarks.high_rates` (some minutes).

Virtual time; DynamoDB answers in 5 ms and a partition takes 1,000 write units and 3,000 read units a second.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import astuple

from tests.simulations.high_rates import HighRates, Load, Measured, measured, plus_limits

SECONDS = 30.0
ARRIVALS = (45.0, 75.0, 140.0, 160.0, 200.0)
LIMITS = {
    "150/s, 50 at once": plus_limits(),
    "150/s": plus_limits(concurrency=400),
    "50/s": plus_limits(requests_per_second=50.0, concurrency=400),
}
TAKES_S = {"0.2-0.4": (0.2, 0.4), "0.2-0.6": (0.2, 0.6)}


def measure(limits: str, takes: str, arrivals: float, seconds: float) -> Measured:
    """One run."""
    return measured(
        HighRates(Load(arrivals=arrivals, seconds=seconds, takes_s=TAKES_S[takes], limits=LIMITS[limits])).run()
    )


def main() -> None:
    """One line for each limit, latency and load; the argument is the length of a run in seconds."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS
    print("| limit | latency s | arrivals/s | sent/s | refused | p95 wait s | most in 1 s | most under way ", end="")
    print("| write units/s | read units/s | throttled |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    runs = [(limits, takes, arrivals, seconds) for limits in LIMITS for takes in TAKES_S for arrivals in ARRIVALS]
    with ProcessPoolExecutor(max_workers=2) as processes:
        for (limits, takes, arrivals, _), found in zip(
            runs, processes.map(measure, *zip(*runs, strict=True)), strict=True
        ):
            sent, refused, p95, most, under_way, writes, reads, throttled = astuple(found)
            print(
                f"| {limits} | {takes} | {arrivals:g} | {sent:.1f} | {refused:.0%} | {p95:.2f} | {most} | {under_way} "
                f"| {writes:.0f} | {reads:.0f} | {throttled} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
