"""One rule for dates known to the year only, on the cases where its former copies disagreed."""

from __future__ import annotations

import pytest

from shared.bibliography.dates import is_first_of_january, known_date

# date, year, former answers of OpenAlex's, Unpaywall's and Paperclip's readers, what is right, why
DATES = [
    ("2020-01-01", 2020, "2020", "2020", "2020", "2020", "a day that is not known"),
    ("2020-01-01", 2019, "2019", "2019", "2020", "2019", "the field for the year is not made up"),
    ("2020-01-01", None, "None", None, "2020", "2020", "Unpaywall's reader lost the year"),
    (None, 2020, "2020", "2020", None, "2020", "a year alone"),
    ("", None, "None", None, None, None, "nothing is known, and `None` is not a date"),
    ("2020-01", None, "2020-01", "2020-01", "2020-01", "2020-01", "a month"),
    ("2020-01-02", 2020, "2020-01-02", "2020-01-02", "2020-01-02", "2020-01-02", "another day"),
    ("2020-11-01", 2020, "2020-11-01", "2020-11-01", "2020-11-01", "2020-11-01", "another first"),
]


@pytest.mark.parametrize(("day", "year", "right", "why"), [(case[0], case[1], case[-2], case[-1]) for case in DATES])
def test_a_first_of_january_is_a_year(day: str | None, year: int | None, right: str | None, why: str) -> None:
    assert known_date(day, year) == right, why


def test_a_year_alone_is_no_first_of_january() -> None:
    assert is_first_of_january("2020-01-01")
    assert not is_first_of_january("2020")
