"""Whether answers to the same question are the same."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

# The fields that distinguish one call of a search from another.
OF_THE_CALL = ("request_id", "search_time_ms", "cache")


def the_same(answers: Iterable[Mapping[str, Any]]) -> bool:
    """Whether they differ in nothing but what belongs to the call, and in where their legs came from."""
    reported = set()
    for answer in answers:
        shown = dict(answer)
        for name in OF_THE_CALL:
            del shown[name]
        reports = {name: {**report, "source": "", "elapsed_ms": 0} for name, report in answer["providers"].items()}
        reported.add(json.dumps({**shown, "providers": reports}, sort_keys=True))
    return len(reported) == 1
