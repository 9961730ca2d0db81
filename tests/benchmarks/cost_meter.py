"""A meter of what a function uses: processor time of its own threads, calls that AWS would bill, bytes of log."""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Used:
    """What was used while inside: processor time in ms by function, calls and units by name, bytes."""

    cpu_ms: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    counts: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))


class Meter:
    """Processor time of the dispatcher's threads, of the providers and the writer; moto's own is not counted."""

    def __init__(self) -> None:
        self.used = Used()
        self._depth: dict[int, float] = {}

    def note(self, name: str, number: float) -> None:
        """Something was used."""
        self.used.counts[name] += number

    def timed(self, name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        """`work`, whose processor time counts for this function and not for its caller."""

        def run(*args: Any, **kwargs: Any) -> Any:
            began, before = time.thread_time(), self._aside()
            try:
                return work(*args, **kwargs)
            finally:
                spent, aside = time.thread_time() - began, self._aside() - before
                self.used.cpu_ms[name] += (spent - aside) * 1000
                self.used.counts[f"{name} invocations"] += 1
                self._set_aside(before + spent)

        return run

    def _aside(self) -> float:
        return self._depth.get(threading.get_ident(), 0.0)

    def _set_aside(self, seconds: float) -> None:
        self._depth[threading.get_ident()] = seconds


def measured(meter: Meter, work: Callable[[], Any]) -> tuple[Used, Any]:
    """What one piece of work uses, with the bytes of its log."""
    meter.used = Used()
    with tempfile.TemporaryFile() as log:
        with _into(log.fileno()):
            answer = work()
        meter.used.counts["log bytes"] = log.seek(0, os.SEEK_END)
    return meter.used, answer


@contextmanager
def _into(file: int) -> Iterator[None]:
    sys.stdout.flush()
    saved = {number: os.dup(number) for number in (1, 2)}
    for number in saved:
        os.dup2(file, number)
    try:
        yield
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        for number, copy in saved.items():
            os.dup2(copy, number)
            os.close(copy)
