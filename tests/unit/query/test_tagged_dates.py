"""Dates in terms with a field tag."""

from __future__ import annotations

import pytest

from shared.query.tagged_dates import read_date_range


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("2019", "2019-01-01 2019-12-31"),
        ("2015:2020", "2015-01-01 2020-12-31"),
        ("2015/03:2020/02", "2015-03-01 2020-02-29"),
        ("2015/01/02:3000", "2015-01-02 3000-12-31"),
        ("2015 TO 2020-06-30", "2015-01-01 2020-06-30"),
        ("202001310000 TO 202012312359", "2020-01-31 2020-12-31"),
        ("20200131", "2020-01-31 2020-01-31"),
    ],
)
def test_a_range_is_its_first_and_last_day(text: str, days: str) -> None:
    assert " ".join(map(str, read_date_range(text) or ())) == days


@pytest.mark.parametrize("text", ["", "last year", "2020/13", "2021-02-30", "20"])
def test_no_date_of_the_calendar_is_none(text: str) -> None:
    assert read_date_range(text) is None
