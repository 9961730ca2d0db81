"""Background threads for the work that AWS does by itself: delivering queue messages, firing schedules."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def repeated(work: Callable[[], object], *, every_s: float, name: str) -> Iterator[None]:
    """Call `work` every `every_s` seconds in a thread until the context ends; then wait for the current call."""
    stop = threading.Event()

    def loop() -> None:
        while not stop.wait(every_s):
            work()

    thread = threading.Thread(target=loop, name=name, daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
