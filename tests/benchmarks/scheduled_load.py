"""5,000 saved searches a day beside people who search: `python -m tests.benchmarks.scheduled_load`, some 15 minutes.

Three times the same two days: people alone, with the searches spread over the day, with all of them at seven o'clock.
"""

from __future__ import annotations

import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat

from shared.rate_limits.budget import DAY_S
from tests.simulations.scheduled_arrivals import DAILY, MIDNIGHT_S, MORNING, Load
from tests.simulations.scheduled_load import Observations, ScheduledLoad, ended, never_answered, quantile
from tests.simulations.simulated_providers import LIMITS, most_at_once, most_in_any

SAVED, DAYS = 5_000, 2.0
SCHEDULES = {"people alone": None, DAILY: DAILY, MORNING: MORNING}


def simulate(expression: str | None, low: float, peak: float) -> Observations:
    """The days with this schedule; None: without saved searches."""
    saved = SAVED if expression else 0
    return ScheduledLoad(Load(saved=saved, expression=expression or DAILY, days=DAYS, low=low, peak=peak)).run()


def report(low: float = 0.05, peak: float = 0.2) -> None:
    """What people waited, when runs began, and how the legs of each provider ended."""
    began = time.monotonic()
    with ProcessPoolExecutor(max_workers=2) as processes:
        found = list(processes.map(simulate, SCHEDULES.values(), repeat(low), repeat(peak)))
    days = dict(zip(SCHEDULES, found, strict=True))
    print(f"\nFrom {low:g} to {peak:g} searches of people a second, {DAYS:g} days.\n")
    _waits(days)
    for name, seen in days.items():
        if seen.runs:
            _legs(name, seen, days["people alone"])
    print(f"\n{time.monotonic() - began:.0f} s of real time")


def _waits(days: dict[str, Observations]) -> None:
    print("| | people | p50 s | p95 s | ratio | p95 from 7 to 8 | ratio | runs | largest hour / mean |")
    print("|---|---|---|---|---|---|---|---|---|")
    alone = _p95s(days["people alone"])
    for name, seen in days.items():
        waits = [it.seconds for it in seen.people]
        p95, at_seven = _p95s(seen)
        hours = Counter(int((it.at - MIDNIGHT_S) // 3600) for it in seen.runs)
        fullest = max(hours.values(), default=0) / max(len(seen.runs) / (24 * DAYS), 1)
        print(
            f"| {name} | {len(waits):,} | {quantile(waits, 0.5):.2f} | {p95:.2f} | {p95 / alone[0]:.3f} "
            f"| {at_seven:.2f} | {at_seven / alone[1]:.3f} | {len(seen.runs):,} | {fullest:.2f} |"
        )


def _p95s(seen: Observations) -> tuple[float, float]:
    """Of all, and of those who came from seven to eight."""
    at_seven = [it.seconds for it in seen.people if 7 <= (it.at - MIDNIGHT_S) % DAY_S / 3600 < 8]
    return quantile([it.seconds for it in seen.people], 0.95), quantile(at_seven, 0.95)


def _legs(name: str, seen: Observations, alone: Observations) -> None:
    print(f"\n**{name}**; legs: answered / skipped for the budget / failed\n")
    print(
        "| provider | window | at once | people alone | people | runs | searches without an answer after each round |"
    )
    print("|---|---|---|---|---|---|---|")
    for provider, limits in LIMITS.items():
        requests = [it for it in seen.requests if it.provider == provider]
        most = most_in_any([it.started for it in requests], limits.window_s)
        legs = [
            " / ".join(f"{number:,}" for number in ended(*of, provider))
            for of in ((alone, "person"), (seen, "person"), (seen, "run"))
        ]
        waiting = ", ".join(f"{number:,}" for number in never_answered(seen, provider))
        at_once = f"{most_at_once(requests)}/{limits.concurrency or 'any'}"
        print(f"| {provider} | {most}/{limits.requests} | {at_once} | {' | '.join(legs)} | {waiting} |", flush=True)
    print(f"\nRefused by a provider whose credits were spent: {seen.out_of_credits}; alone {alone.out_of_credits}.")


if __name__ == "__main__":
    report()
