"""Random pairs of requests by two callers, over HTTP: `python -m tests.benchmarks.two_callers --pairs 5000 --seed 1`.

Stops at the first pair in which a caller sees what the other typed, a complete answer is lost, or a cursor continues
another result set; else prints what the pairs were.
"""

from __future__ import annotations

import argparse
import logging
import os

from hypothesis import HealthCheck, given, seed, settings
from hypothesis.database import InMemoryExampleDatabase

from tests.simulations.two_callers import PAIRS, Ask, Callers, two_callers


def main() -> None:
    """Check the pairs, and print how many there were of each kind."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--pairs", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    os.environ["POWERTOOLS_LOG_LEVEL"] = "CRITICAL"
    logging.getLogger("werkzeug").setLevel(logging.ERROR)  # a line for each request
    with two_callers() as callers:
        _checked(callers, chosen.pairs, chosen.seed)
    print(" · ".join(f"{name}: {count}" for name, count in callers.seen.items()))


def _checked(callers: Callers, pairs: int, number: int) -> None:
    @seed(number)
    @settings(
        max_examples=pairs, deadline=None, suppress_health_check=list(HealthCheck), database=InMemoryExampleDatabase()
    )
    @given(pair=PAIRS)
    def check(pair: tuple[Ask, Ask]) -> None:
        callers.check(*pair)

    check()


if __name__ == "__main__":
    main()
