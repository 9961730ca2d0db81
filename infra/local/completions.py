"""Completes pending result sets in the background, several at a time, as the queue does in the cloud."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any

from infra.local.background import repeated

EVERY_S = 0.2
AT_ONCE = 8  # each waits for a provider most of its time


@contextmanager
def completing(
    receive: Callable[[], list[dict[str, Any]]], complete: Callable[[Mapping[str, Any]], object]
) -> Iterator[None]:
    """While inside, each message that is received is completed in a thread of its own; at the end, all that were."""

    def feed(pool: ThreadPoolExecutor) -> None:
        for message in receive():
            pool.submit(complete, message)

    with (
        ThreadPoolExecutor(max_workers=AT_ONCE, thread_name_prefix="completion") as pool,
        repeated(partial(feed, pool), every_s=EVERY_S, name="completions"),
    ):
        yield
