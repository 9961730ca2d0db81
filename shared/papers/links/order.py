"""The orders in which a list of references or citations can be sorted."""

from __future__ import annotations

from collections.abc import Callable

from shared.papers.links.merging import LinkedItem

# The providers whose lists have the order of the printed bibliography, the most faithful first. The first of these
# that lists an item decides its position. The ranking compares providers with each other (the publisher's own list at
# Crossref comes before lists that were parsed from full texts), so no provider can declare its rank in its own file.
# A provider that is missing here is used all the same; only the items that it alone lists come last.
BIBLIOGRAPHY_PROVIDERS = ("crossref", "pubmed", "europe_pmc", "semantic_scholar", "openalex", "opencitations")

SortKey = tuple[int, ...]


def _by_bibliography(item: LinkedItem) -> SortKey:
    positions = [
        (BIBLIOGRAPHY_PROVIDERS.index(assertion.provider), assertion.position)
        for assertion in item.assertions
        if assertion.provider in BIBLIOGRAPHY_PROVIDERS
    ]
    return min(positions, default=(len(BIBLIOGRAPHY_PROVIDERS), 0))


def _by_citations(item: LinkedItem) -> SortKey:
    """The most cited first, then the newest."""
    count = item.paper.citation_count if item.paper else None
    return (count is None, -(count or 0), *_by_date(item))


def _by_date(item: LinkedItem) -> SortKey:
    """The newest first; a date without a month or day counts as the start of its year or month."""
    date = (item.paper.publication_date or str(item.paper.year or "")) if item.paper else ""
    return (not date, *(-int(part) for part in f"{date}-00-00".split("-")[:3] if date))


# The values of the parameter `sort`, with the sort key of each.
ORDERS: dict[str, Callable[[LinkedItem], SortKey]] = {
    "bibliography": _by_bibliography, "citations": _by_citations, "date": _by_date,
}  # fmt: skip
