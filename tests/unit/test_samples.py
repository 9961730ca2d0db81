"""The sample of a table that `make test` runs."""

from __future__ import annotations

import pytest

from tests.samples import beyond_sample


@pytest.mark.parametrize("size", [1, 2, 3, 11])
@pytest.mark.parametrize("cases", [0, 1, 2, 3, 10, 11, 12, 100])
def test_a_sample_has_its_size_and_the_first_case(cases: int, size: int) -> None:
    left_out = beyond_sample(range(cases), size)
    sample = [case for case in range(cases) if case not in left_out]
    assert len(sample) == min(cases, size)
    assert sample[:1] == list(range(cases))[:1]


def test_a_sample_is_spread_over_the_table() -> None:
    assert beyond_sample("abcdefghi", 3) == ["b", "c", "d", "f", "g", "h"]
