"""The stages of a search that no cache answers, and the CPU time of each.

A stage is a function of the path. What it calls of another stage, and what the caller counts as spent elsewhere, is not
its own. Times are of the thread that runs the function: legs are received in threads of their own.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from typing import Any
from unittest.mock import patch

# Where the function of a stage is looked up when it is called: `module:name`, of a class `module:Class.name`.
STAGES = {
    "shared.search.run:answer_legs_of_search": "read the cache, start the legs",
    "shared.legs.coalescing:_Search._lead": "lease, call and store the legs",
    "shared.aws.lambda_functions.provider_fan_out:read_encoded": "decode the replies",
    "shared.search.ranked_set:merged_of": "merge",
    "shared.search.ranked_set:_chosen": "filter",
    "shared.search.ranking.formula:rank": "rank",
    "shared.search.ranked_set:summary_of": "report and hints",
    "shared.search.ranked_set:result_set_of": "make the result set",
    "shared.search.run:stored": "encode and store it",
    "shared.search.run:page_of": "make the page",
    "shared.search.run:publish_results": "hand to the graph",
}
REST = "the rest: request, claim, answer"


class StageTimes:
    """Own CPU seconds by stage, of all threads."""

    def __init__(self, elsewhere: Callable[[int], float]) -> None:
        """`elsewhere`: the CPU seconds of a thread, by its id, that are not a stage's own."""
        self._elsewhere = elsewhere
        self._open = threading.local()
        self._lock = threading.Lock()
        self.seconds: Counter[str] = Counter()

    @contextmanager
    def measured(self) -> Iterator[StageTimes]:
        """While inside, the functions of the stages are timed."""
        with ExitStack() as stack:
            for place, stage in STAGES.items():
                module, _, name = place.partition(":")
                owner: Any = import_module(module)
                *classes, attribute = name.split(".")
                for each in classes:
                    owner = getattr(owner, each)
                stack.enter_context(patch.object(owner, attribute, self._timed(stage, getattr(owner, attribute))))
            yield self

    def _now(self) -> float:
        return time.thread_time() - self._elsewhere(threading.get_ident())

    def _timed(self, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*arguments: Any, **named: Any) -> Any:
            outer = getattr(self._open, "inner", 0.0)
            self._open.inner, started = 0.0, self._now()
            try:
                return function(*arguments, **named)
            finally:
                spent = self._now() - started
                with self._lock:
                    self.seconds[stage] += spent - self._open.inner
                self._open.inner = outer + spent

        return timed
