"""The order in which the test files begin: those that take longest first, so that no process works on after the others.

A process runs a file whole, since its tests share fixtures (`--dist loadfile`). The files of `tests/unit` are short and
come last.
"""

from __future__ import annotations

import pytest

# Of `make test-all`, by the time of a file: from more than a minute to half a minute.
LONGEST = (
    "tests/integration/saved_searches/test_year.py",
    "tests/integration/http/test_schemathesis.py",
    "tests/integration/saved_searches/test_scheduled_load.py",
    "tests/integration/sources/test_mutated_answers.py",
    "tests/integration/references/test_largest_reference_check.py",
    "tests/ways_of_asking/test_known_items.py",
    "tests/integration/papers/test_similar_papers.py",
    "tests/integration/references/test_long_reference_checks.py",
    "tests/infra/test_code_asset.py",
    "tests/test_patterns.py",
    "tests/integration/result_sets/test_two_callers.py",
)


def begins(nodeid: str) -> tuple[int, bool]:
    """Sorts test ids by when their file begins; files of the same rank stay in their order."""
    path = nodeid.partition("::")[0]
    return LONGEST.index(path) if path in LONGEST else len(LONGEST), path.startswith("tests/unit/")


def sort_longest_first(items: list[pytest.Item]) -> None:
    """Put the tests into this order, in place; the tests of a file stay together."""
    items.sort(key=lambda item: begins(item.nodeid))
