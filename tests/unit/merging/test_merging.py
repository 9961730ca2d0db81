"""Field by field: which value wins, and which providers state it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from shared.bibliography.paper import (
    Author,
    Location,
    OpenAccess,
    Paper,
    Retraction,
    RetractionStatus,
)
from tests.unit.records import merge_records, merged, record

DOI = "10.1038/nature04533"
TITLE = "A specific amyloid-β protein assembly in the brain impairs memory"


def paper_of(provider: str, **values: Any) -> Paper:
    """One provider's record of one paper."""
    title = values.pop("title", TITLE)
    return replace(record(title, doi=DOI, provider=provider), **values)


CASES: list[tuple[str, list[Any], Any]] = [
    (
        "title",
        [TITLE, TITLE.replace("β", "beta"), "A specific amyloid protein assembly in the brain"],
        TITLE.replace("β", "beta"),
    ),
    ("title", [TITLE.upper(), TITLE], TITLE),
    ("title", [f"[{TITLE}].", TITLE], TITLE),
    ("title", [f"{TITLE}.", TITLE], TITLE),
    ("year", [2006, 2006, 2005], 2006),
    ("year", [2006, 2005], 2005),
    ("journal", ["Nature", "Nature (London)", "Nature"], "Nature"),
    ("journal", ["N Engl J Med", "New England Journal of Medicine"], "New England Journal of Medicine"),
    ("volume", ["440", "440", "44"], "440"),
    ("issue", [None, "7082"], "7082"),
    ("registrations", [("nct:NCT2", "nct:NCT1"), (), ("nct:NCT1", "nct:NCT3")], ("nct:NCT1", "nct:NCT2", "nct:NCT3")),
    ("pages", ["352", "352-357"], "352-357"),
    ("type", ["journal-article", "review"], "review"),
    ("type", ["other", "journal-article"], "journal-article"),
    ("language", ["en", "de", "en"], "en"),
    ("abstract", ["We report a finding that is long but cut…", "We report a finding."], "We report a finding."),
    ("abstract", ["Short.", "Not quite so short."], "Not quite so short."),
    ("tldr", ["A protein.", "A protein impairs memory."], "A protein impairs memory."),
    ("citation_count", [2309, 3100, 2800], 3100),
    ("influential_citation_count", [None, 170], 170),
    ("author_count", [9, None, 11], 11),
]


@pytest.mark.parametrize("field, values, winner", CASES, ids=[f"{name}: {str(best)[:24]}" for name, _, best in CASES])
def test_the_best_value_of_a_field_wins(field: str, values: list[Any], winner: Any) -> None:
    papers = [paper_of(f"p{number}", **({field: value} if value else {})) for number, value in enumerate(values)]
    paper = merged(*papers)
    assert getattr(paper, field) == winner
    assert paper.provenance[field]


def test_provenance_names_all_providers_of_the_winning_value_and_no_other() -> None:
    paper = merged(
        paper_of("pubmed", volume="440"), paper_of("crossref", volume="440"), paper_of("openalex", volume="44")
    )
    assert paper.provenance["volume"] == ("crossref", "pubmed")
    assert paper.provenance["doi"] == ("crossref", "openalex", "pubmed")


def test_a_provider_that_was_queried_twice_has_one_vote() -> None:
    records = [
        *[paper_of("openalex", volume="44")] * 3,
        paper_of("pubmed", volume="440"),
        paper_of("crossref", volume="440"),
    ]
    (paper,) = merge_records(records, answers=[0, 1, 2, 0, 0])
    assert paper.volume == "440"


def test_a_field_without_a_value_has_no_provenance() -> None:
    paper = merged(paper_of("pubmed"))
    assert (paper.abstract, paper.year, paper.citation_count, paper.authors) == (None, None, None, ())
    assert set(paper.provenance) == {"doi", "title"}


LESNE, FULL = Author("Lesné", "S."), Author("Lesné", "Sylvain")
KOH = Author("Koh", "Ming Teng")


@pytest.mark.parametrize(
    "lists, winner",
    [([(FULL,), (LESNE, KOH)], (LESNE, KOH)), ([(LESNE, KOH), (FULL, KOH)], (FULL, KOH)), ([(), (LESNE,)], (LESNE,))],
    ids=["the longest list", "then given names in full", "missing is not shorter"],
)
def test_the_fullest_list_of_authors_wins(lists: list[tuple[Author, ...]], winner: tuple[Author, ...]) -> None:
    assert merged(*(paper_of(f"p{number}", authors=names) for number, names in enumerate(lists))).authors == winner


def test_there_are_never_fewer_authors_than_names_shown() -> None:
    paper = merged(paper_of("a", authors=(LESNE, KOH)), paper_of("b", author_count=1))
    assert (paper.author_count, paper.provenance["author_count"]) == (2, ("a",))


def test_the_date_is_the_most_exact_of_the_year_that_won() -> None:
    papers = (
        paper_of("a", year=2006, publication_date="2006"),
        paper_of("b", year=2006, publication_date="2006-03-16"),
    )
    later = paper_of("c", year=2007, publication_date="2007-01-01")
    paper = merged(*papers, later)
    assert (paper.year, paper.publication_date, paper.provenance["publication_date"]) == (2006, "2006-03-16", ("b",))


def test_citation_counts_stand_side_by_side_and_are_never_averaged() -> None:
    counts = (
        paper_of("openalex", citation_count=10),
        paper_of("openalex", citation_count=12),
        paper_of("crossref", citation_count=0),
    )
    paper = merged(*counts)
    assert paper.citation_counts == {"openalex": 12, "crossref": 0}
    assert (paper.citation_count, paper.provenance["citation_count"]) == (12, ("openalex",))


def test_an_unknown_count_is_none_and_not_zero() -> None:
    paper = merged(paper_of("openalex"), paper_of("crossref"))
    assert (paper.citation_count, paper.citation_counts) == (None, {})


def test_open_access_is_open_if_one_source_reports_it_and_the_publishers_copy_is_first() -> None:
    green = Location("https://repository.example/1", "acceptedVersion", None, "repository")
    gold = Location("https://publisher.example/1", "publishedVersion", "cc-by", "publisher")
    closed, bare = OpenAccess(is_oa=False), OpenAccess(True, None, None, (green,))
    paper = merged(paper_of("a", open_access=closed), paper_of("b", open_access=bare),
                   paper_of("c", open_access=OpenAccess(True, gold.url, "cc-by", (gold,))))  # fmt: skip
    assert paper.open_access == OpenAccess(True, gold.url, "cc-by", (gold, green))
    assert paper.provenance["open_access"] == ("b", "c")


def test_unreported_open_access_is_unknown_and_not_closed() -> None:
    assert merged(paper_of("a")).open_access.is_oa is None


def status(name: str, notice: str | None = None) -> Retraction:
    return Retraction(RetractionStatus(name), notice, None)


@pytest.mark.parametrize(
    "statuses, winner",
    [(["none", "retracted"], "retracted"), (["unknown", "none"], "none"), (["corrected", "concern"], "concern"),
     (["corrected", "none", "unknown"], "corrected"), (["unknown", "unknown"], "unknown")],
)  # fmt: skip
def test_the_gravest_standing_wins(statuses: list[str], winner: str) -> None:
    papers = [paper_of(f"p{number}", retraction=status(name)) for number, name in enumerate(statuses)]
    assert merged(*papers).retraction.status == winner


def test_sources_that_disagree_about_a_retraction_are_in_the_provenance() -> None:
    notice = "10.1038/s41586-024-07691-8"
    paper = merged(
        paper_of("openalex", retraction=status("none")),
        paper_of("pubmed", retraction=status("retracted", notice)),
        paper_of("arxiv", retraction=status("unknown")),
    )
    assert paper.retraction.notice_doi == notice
    assert paper.provenance["retraction"] == ("pubmed",)
    assert paper.provenance["retraction.none"] == ("openalex",)


def test_near_duplicates_name_each_other_with_the_reason() -> None:
    first = record("Cancer statistics in the alpine regions", "Siegel, R.", 2012, doi="10.1000/a")
    second = record("Cancer statistics in the alpine regions", "Siegel, R.", 2016, doi="10.1000/b")
    papers = merge_records([first, second])
    assert [[(link.key, link.reason) for link in paper.possible_duplicates] for paper in papers] == [
        [("doi:10.1000/b", "years more than one apart")],
        [("doi:10.1000/a", "years more than one apart")],
    ]


def test_key_and_citation_uri_follow_from_the_ids() -> None:
    paper = merged(record(TITLE, pmid="16541076", doi=DOI))
    assert (paper.key, paper.citation_uri) == (f"doi:{DOI}", f"https://doi.org/{DOI}")


def test_a_paper_without_ids_is_cited_by_its_landing_page() -> None:
    paper = merged(record(TITLE, landing_page="https://example.org/1"))
    assert paper.key.startswith("title:")
    assert paper.citation_uri == "https://example.org/1"
