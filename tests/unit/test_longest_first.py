"""The order of the test files."""

from __future__ import annotations

from pathlib import Path

from tests.longest_first import LONGEST, begins

ROOT = Path(__file__).parents[2]


def test_every_named_file_exists() -> None:
    assert [path for path in LONGEST if not (ROOT / path).is_file()] == []


def test_named_files_begin_first_and_unit_tests_last() -> None:
    tests = [
        "tests/unit/query/test_a.py::test_it",
        "tests/infra/test_b.py::test_it[tests/unit/]",
        f"{LONGEST[1]}::test_it[a::b]",
        f"{LONGEST[0]}::test_it",
    ]
    assert sorted(tests, key=begins) == tests[::-1]


def test_files_of_the_same_rank_stay_in_their_order() -> None:
    tests = ["tests/integration/test_z.py::test_one", "tests/infra/test_a.py::test_one"]
    assert sorted(tests, key=begins) == tests
