"""Counting and filtering the papers of a result set."""

from __future__ import annotations

from typing import Any

import pytest

from shared.bibliography.paper import MAX_PLACE_CHARS
from shared.search.filtering.facets import FacetFilters, facets_of, filtered, papers_of, sources_of
from shared.search.result_set_page import FacetRequest
from shared.validation import validated


def paper(key: str, **fields: Any) -> Any:
    """A stored paper of which nothing else is known."""
    unknown: dict[str, Any] = {"year": None, "journal": None, "type": None, "provider_scores": {}, "provenance": {}}
    return {"key": key, **unknown, "open_access": {"is_oa": None}, **fields}


def test_unknown_values_are_counted_apart_and_pass_no_filter() -> None:
    papers = [paper("a"), paper("b", year=2020, type="review")]
    facets = facets_of(papers)
    assert facets["year"] == {"values": [{"value": 2020, "count": 1}], "unknown": 1}
    assert facets["type"] == {"values": [{"value": "review", "count": 1}], "unknown": 1}
    assert (facets["venue"]["unknown"], facets["source"]["unknown"]) == (2, 2)
    assert facets["open_access"] == {"open": 0, "closed": 0, "unknown": 2}
    assert [it["key"] for it in filtered(papers, FacetFilters(year=(2020, 1999)))] == ["b"]
    assert not filtered(papers, FacetFilters(open_access=False))


@pytest.mark.parametrize("spelling", ["NEJM", "N. Engl. J. Med.", "the new england journal of medicine"])
def test_spellings_of_a_journal_are_one_venue(spelling: str) -> None:
    names = ["New England Journal of Medicine", "The New England Journal of Medicine", "N Engl J Med"]
    papers = [*(paper(name, journal=name) for name in [*names, names[0]]), paper("x", journal="Nature")]
    assert facets_of(papers)["venue"]["values"] == [{"value": names[0], "count": 4}, {"value": "Nature", "count": 1}]
    assert len(filtered(papers, FacetFilters(venue=(spelling,)))) == 4


@pytest.mark.parametrize("name", ["中华医学杂志", "A", "(London)", "…"])
def test_any_name_of_a_journal_is_a_venue(name: str) -> None:
    papers = [paper("a", journal=name), paper("b", journal="Nature Communications"), paper("c", journal="Nature")]
    assert len(facets_of(papers)["venue"]["values"]) == 3
    assert [it["key"] for it in filtered(papers, FacetFilters(venue=(name,)))] == ["a"]


def test_the_longest_name_of_a_journal_that_is_counted_can_be_filtered_by() -> None:
    longest = "x" * MAX_PLACE_CHARS
    counted = facets_of([paper("a", journal=longest)])["venue"]["values"][0]["value"]
    assert validated(FacetRequest, {"venue": [counted]}).filters.venue == (longest,)


def test_years_are_the_newest_first_and_others_the_most_frequent_first() -> None:
    papers = [paper(str(number), year=year, type=kind) for number, (year, kind) in enumerate(
        [(1999, "review"), (1999, "review"), (2001, "letter"), (2000, "book")]
    )]  # fmt: skip
    facets = facets_of(papers)
    assert [it["value"] for it in facets["year"]["values"]] == [2001, 2000, 1999]
    assert [it["value"] for it in facets["type"]["values"]] == ["review", "book", "letter"]


def test_sources_are_the_providers_that_have_the_paper() -> None:
    assert sources_of(paper("a", provider_scores={"pubmed": 1.0}, provenance={"title": ["crossref"]})) == [
        "crossref", "pubmed",
    ]  # fmt: skip


def test_entries_of_a_list_of_references_are_their_papers() -> None:
    one = paper("a")
    assert papers_of([{"paper": one, "key": "a"}, {"paper": None, "key": "b"}]) == papers_of([one]) == [one]
