"""Work that goes on beside the server, as the cloud does it by itself."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def repeated(work: Callable[[], object], *, every_s: float, name: str) -> Iterator[None]:
    """While inside, do it again and again in a thread of that name; at the end, wait for what it is doing."""
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
