"""How the work of a function grows with its input: compared with itself, so that no machine is too slow for a test."""

from __future__ import annotations

import time
from collections.abc import Callable

FACTOR = 8
# Of linear work, eight times the input takes eight times as long; of quadratic work, 64 times.
MOST = 3 * FACTOR
RUNS = 2
LEAST_S = 0.0005  # less than this is the clock's noise


def growth(work: Callable[[int], object], size: int) -> float:
    """How many times as much CPU time this thread needs for `size` as for an eighth of it, of the quickest runs."""
    small, large = (min(_cpu_s(work, it) for _ in range(RUNS)) for it in (size // FACTOR, size))
    return large / max(small, LEAST_S)


def _cpu_s(work: Callable[[int], object], size: int) -> float:
    began = time.thread_time()
    work(size)
    return time.thread_time() - began
