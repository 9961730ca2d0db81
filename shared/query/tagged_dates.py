"""The dates in a term with a field tag, in any of the three tag languages."""

from __future__ import annotations

import re
from datetime import date

from shared.errors import Unprocessable
from shared.query.query import first_day, last_day
from shared.query.syntax import Node, Tagged, leaves

_DATE = re.compile(r"(?<!\d)([123]\d{3})(?:[-/]?([01]?\d)(?:[-/]?([0-3]?\d))?)?(?:\d{4})?(?!\d)")


def read_date_range(text: str) -> tuple[date, date] | None:
    """The first and last day of `2015:2020`, `2015/01/01:2020`, `2015 TO 2020`, `202001010000 TO 202012312359`, `2019`.

    None if there is no date, or one that the calendar lacks.
    """
    found = ["-".join(f"{int(part):02}" for part in parts if part) for parts in _DATE.findall(text)]
    try:
        return (first_day(found[0]), last_day(found[-1])) if found else None
    except ValueError:
        return None


def check_ranges(node: Node) -> None:
    """Raises Unprocessable for a range of dates that ends before it begins, which sources read in different ways."""
    for leaf in (*leaves(node), *leaves(node, excluded=True)):
        if isinstance(leaf, Tagged) and leaf.field == "date":
            days = read_date_range(leaf.text)
            if days and days[0] > days[1]:
                message = f"the dates {leaf.text[:40]} end before they begin: write the earlier one first"
                raise Unprocessable.field("query", message)
