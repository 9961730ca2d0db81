"""The part of a list of references, citations or similar papers that was published in a range of dates."""

from __future__ import annotations

from collections.abc import Sequence

from shared.papers.links.merging import LinkedItem
from shared.query.query import Query
from shared.search.filtering.filters import CHECKS
from shared.search.requests.date_range import Dated


def of_dates(items: Sequence[LinkedItem], request: Dated) -> tuple[list[LinkedItem], int]:
    """The items in the request's range, by the rule of a search, and how many were left out without a known date."""
    if not (request.date_from or request.date_to):
        return list(items), 0
    query = Query(text="", date_from=request.date_from, date_to=request.date_to)
    verdicts = [CHECKS["date"](item.paper, query) if item.paper else None for item in items]
    return [item for item, verdict in zip(items, verdicts, strict=True) if verdict], verdicts.count(None)
