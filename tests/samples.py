"""Which cases of the large tables `make test` runs: a sample of each; `make test-all` runs every case.

A case through the whole service costs a tenth of a second, and there are thousands; the others cost little, and are
even more. A change that breaks a table breaks most of its cases, so a few of each, spread over the table, show it after
every change.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TypeVar

import pytest

# The cases of one test function in a folder that are not slow ones.
SAMPLE = {"tests/integration/": 2, "tests/ways_of_asking/": 11, "tests/unit/": 12}
Case = TypeVar("Case")


def mark_beyond_sample(items: Iterable[pytest.Item]) -> None:
    """Mark the other cases as slow, but of modules that say `pytestmark = pytest.mark.whole_tables`."""
    tables: defaultdict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if not any(map(item.get_closest_marker, ("slow", "whole_tables"))):
            tables[item.nodeid.partition("[")[0]].append(item)
    for name, cases in tables.items():
        size = next((size for folder, size in SAMPLE.items() if name.startswith(folder)), len(cases))
        for case in beyond_sample(cases, size):
            case.add_marker(pytest.mark.slow)


def beyond_sample(cases: Sequence[Case], size: int) -> list[Case]:
    """All but `size` of them, which are spread evenly and include the first and the last."""
    if len(cases) <= size:
        return []
    sample = {round(number * (len(cases) - 1) / max(1, size - 1)) for number in range(size)}
    return [case for position, case in enumerate(cases) if position not in sample]
