"""Publication dates as databases write them."""

from __future__ import annotations

import re
from datetime import date

FIRST_YEAR, LAST_YEAR = 1000, 2100
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_PARTIAL = re.compile(r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?")
_FIRST_OF_JANUARY = "-01-01"


def is_first_of_january(day: str) -> bool:
    """Whether an ISO date is a first of January, which most databases write where they know only the year."""
    return day.endswith(_FIRST_OF_JANUARY)


def is_partial_date(text: str) -> bool:
    """Whether this is YYYY, YYYY-MM or YYYY-MM-DD, and such a day exists in the years that papers are dated with."""
    if not (parts := _PARTIAL.fullmatch(text)):
        return False
    year, month, day = (int(part or 1) for part in parts.groups())
    try:
        date(year, month, day)
    except ValueError:
        return False
    return FIRST_YEAR <= year <= LAST_YEAR


def known_date(day: str | None, year: int | None = None) -> str | None:
    """A publication date as far as it is known: `2020-01-01` -> `2020`.

    `year` is the database's own field for the year; it wins over the year of a first of January and stands for a date
    that is missing.
    """
    if day and not is_first_of_january(day):
        return day
    return str(year) if year else day.removesuffix(_FIRST_OF_JANUARY) if day else None
