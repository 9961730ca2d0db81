"""The part of a list of references, citations or similar papers that was published in a range of dates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from shared.papers.links.merging import LinkedItem
from shared.query.query import Query
from shared.search.filtering.filters import CHECKS
from shared.search.requests.date_range import Dated


class OfDates(NamedTuple):
    """The items in a range of dates, and how many were left out: without a known date, and with one outside it."""

    items: list[LinkedItem]
    undated: int = 0
    outside: int = 0


def of_dates(items: Sequence[LinkedItem], request: Dated) -> OfDates:
    """The items in the request's range, by the rule of a search."""
    if not (request.date_from or request.date_to):
        return OfDates(list(items))
    query = Query(text="", date_from=request.date_from, date_to=request.date_to)
    verdicts = [CHECKS["date"](item.paper, query) if item.paper else None for item in items]
    within = [item for item, verdict in zip(items, verdicts, strict=True) if verdict]
    return OfDates(within, verdicts.count(None), verdicts.count(False))
