"""Counts the papers of a result set by year, venue, type, source and open access, and filters them by the same values.

The count of a value is the number of papers that a filter with it leaves. Topics are not a facet: no record of
a provider that is stored states one. Venues are compared by `shared.bibliography.journal_names`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from shared.bibliography.journal_names import bare_words, journal_names

if TYPE_CHECKING:
    from shared.answers.result_sets import Facets, TextCount, TextFacet, YearFacet
    from shared.answers.search import StoredPaper


@dataclass(frozen=True, slots=True, kw_only=True)
class FacetFilters:
    """What papers must have: of each filter that is given, one of its values. An unknown value passes none."""

    year: Sequence[int] = ()
    venue: Sequence[str] = ()
    type: Sequence[str] = ()
    source: Sequence[str] = ()
    open_access: bool | None = None


def papers_of(results: Iterable[Any]) -> list[StoredPaper]:
    """The papers of a result set; an entry of a list of references has its paper, if it is known, in `paper`."""
    papers = (entry.get("paper") if "paper" in entry else entry for entry in results)
    return [paper for paper in papers if paper]


def filtered(papers: Sequence[StoredPaper], filters: FacetFilters) -> list[StoredPaper]:
    """The papers that pass all filters, in their order."""
    venues = {venue_key(name) for name in filters.venue}
    return [
        paper
        for paper in papers
        if (not filters.year or paper["year"] in filters.year)
        and (not venues or (paper["journal"] and venue_key(paper["journal"]) in venues))
        and (not filters.type or paper["type"] in filters.type)
        and (not filters.source or not set(filters.source).isdisjoint(sources_of(paper)))
        and (filters.open_access is None or paper["open_access"]["is_oa"] is filters.open_access)
    ]


def facets_of(papers: Sequence[StoredPaper]) -> Facets:
    """The counts. Values of one count are in the order of their names."""
    is_open = Counter(paper["open_access"]["is_oa"] for paper in papers)
    return {
        "year": _years(papers),
        "venue": _venues(papers),
        "type": _texts([paper["type"]] if paper["type"] else [] for paper in papers),
        "source": _texts(sources_of(paper) for paper in papers),
        "open_access": {"open": is_open[True], "closed": is_open[False], "unknown": is_open[None]},
    }


def sources_of(paper: StoredPaper) -> list[str]:
    """The providers that have the paper; outside a search, those that one of its fields comes from."""
    return sorted({*paper["provider_scores"], *(name for names in paper["provenance"].values() for name in names)})


def venue_key(name: str) -> str:
    """Equal for the spellings of one journal: in full, abbreviated, with or without its place."""
    return " ".join(bare_words(journal_names(name).full)) or name.casefold()


def _years(papers: Sequence[StoredPaper]) -> YearFacet:
    counts = Counter(year for paper in papers if (year := paper["year"]) is not None)
    return {
        "values": [{"value": year, "count": counts[year]} for year in sorted(counts, reverse=True)],
        "unknown": len(papers) - counts.total(),
    }


def _venues(papers: Sequence[StoredPaper]) -> TextFacet:
    spellings: dict[str, Counter[str]] = {}
    for paper in papers:
        if paper["journal"]:
            spellings.setdefault(venue_key(paper["journal"]), Counter())[paper["journal"]] += 1
    counts = Counter({_first(each)["value"]: each.total() for each in spellings.values()})
    return {"values": _sorted(counts), "unknown": len(papers) - counts.total()}


def _texts(values: Iterable[Sequence[str]]) -> TextFacet:
    every = list(values)
    return {"values": _sorted(Counter(it for each in every for it in each)), "unknown": sum(not it for it in every)}


def _sorted(counts: Counter[str]) -> list[TextCount]:
    return [{"value": name, "count": counts[name]} for name in sorted(counts, key=lambda name: (-counts[name], name))]


def _first(counts: Counter[str]) -> TextCount:
    return _sorted(counts)[0]
