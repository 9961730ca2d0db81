"""Semantic Scholar's records: the oddities of single papers, on our own bodies and on the recorded ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from functions.providers import semantic_scholar
from shared.bibliography.paper import Author, OpenAccess, Paper, RetractionStatus, Version
from shared.providers.records.semantic_scholar import read_paper
from tests.recorded.every_recording import folder, needs_recordings, replay_recording
from tests.replay import OWN_RECORDINGS

OWN = OWN_RECORDINGS / "semantic_scholar"


def read(path: Path) -> tuple[Paper, ...]:
    """The papers of a search, a match, a batch, or the one that stands alone."""
    body = json.loads(path.read_text(encoding="utf-8"))
    records = body if isinstance(body, list) else body.get("data", [body])
    return tuple(read_paper(record, rank) for rank, record in enumerate(filter(None, records), start=1))


def papers(name: str) -> tuple[Paper, ...]:
    return read(OWN / name)


def test_a_full_record_is_translated_field_by_field() -> None:
    paper = papers("merged_preprint.json")[0]
    assert (paper.provider, paper.rank) == ("semantic_scholar", 1)
    assert paper.title == "Augmenting large language models with chemistry tools"
    assert paper.ids.paper_id == "354dcdebf3f8b5feeed5c62090e0bc1f0c28db06"
    assert (paper.ids.doi, paper.ids.pmid) == ("10.1038/s42256-024-00832-8", "38799228")
    assert (paper.journal, paper.volume, paper.issue, paper.pages) == (
        "Nature Machine Intelligence",
        "6",
        None,
        "525-535",
    )
    assert (paper.year, paper.publication_date, paper.type) == (2023, "2023-04-11", "journal-article")
    assert (paper.citation_count, paper.influential_citation_count) == (500, 20)
    assert paper.landing_page == f"https://www.semanticscholar.org/paper/{paper.ids.paper_id}"
    assert (paper.language, paper.retraction.status) == (None, RetractionStatus.UNKNOWN)


def test_the_machine_generated_summary_is_separate_from_the_abstract() -> None:
    paper = papers("merged_preprint.json")[0]
    assert paper.tldr == "Tools let a language model do chemistry."
    assert paper.abstract is not None and paper.abstract.startswith("A language model that may call")


def test_a_withheld_abstract_is_none() -> None:
    assert papers("sparse_records.json")[0].abstract is None


def test_a_pmc_number_without_its_letters_becomes_a_pmcid() -> None:
    assert papers("merged_preprint.json")[0].ids.pmcid == "PMC11116106"


def test_an_article_that_holds_an_arxiv_id_names_its_preprint() -> None:
    paper = papers("merged_preprint.json")[0]
    assert paper.ids.arxiv == "2304.05376"
    assert paper.versions == (Version("preprint", arxiv="2304.05376"),)


def test_a_merged_record_is_the_article_although_its_venue_is_still_the_server() -> None:
    paper = papers("merged_preprint.json")[1]
    assert (paper.ids.doi, paper.journal, paper.type) == (
        "10.1016/j.xgen.2025.100814",
        "Cell Genomics",
        "journal-article",
    )


def test_an_arxiv_paper_may_have_no_doi() -> None:
    paper = papers("arxiv_without_doi.json")[0]
    assert (paper.title, paper.ids.doi, paper.ids.arxiv) == ("Attention is All you Need", None, "1706.03762")
    assert (paper.journal, paper.type) == ("Neural Information Processing Systems", "conference-paper")
    assert (paper.pages, paper.volume) == ("5998-6008", None)


def test_the_arxiv_page_in_the_disclaimer_is_the_landing_page() -> None:
    paper = papers("arxiv_without_doi.json")[0]
    assert paper.landing_page == "https://arxiv.org/abs/1706.03762"
    assert (paper.open_access.is_oa, paper.open_access.url) == (False, None)


def test_a_paper_without_authors_has_an_unknown_count() -> None:
    paper = papers("sparse_records.json")[0]
    assert paper.title == "Convalescent-anti-sars-cov-2-plasma/immune-globulin"
    assert (paper.authors, paper.author_count) == ((), None)
    assert (paper.pages, paper.citation_count) == ("145", 0)


def test_an_empty_venue_and_an_empty_journal_name_are_none() -> None:
    paper = papers("sparse_records.json")[1]
    assert paper.ids.doi == "10.3138/9781442621534-019"
    assert (paper.journal, paper.volume, paper.type, paper.pages) == (None, None, None, "405-436")
    assert paper.authors == (Author("Nimijean", "Richard"), Author("Rankin", "L."))


def test_fields_that_are_null_stay_unknown() -> None:
    paper = papers("sparse_records.json")[2]
    assert paper.ids.doi == "10.1257/rct.1355"
    assert (paper.journal, paper.type, paper.tldr, paper.versions) == (None, None, None, ())
    assert (paper.year, paper.publication_date) == (2023, "2023")
    assert paper.open_access == OpenAccess(is_oa=True)


def test_a_record_of_two_fields_is_a_paper() -> None:
    paper = papers("titles_only.json")[0]
    assert paper.title == "Computing Machinery and Intelligence"
    assert (paper.year, paper.publication_date, paper.open_access.is_oa) == (None, None, None)


def test_a_doi_with_capitals_and_a_colon_is_lower_cased() -> None:
    assert papers("doi_with_colon.json")[0].ids.doi == "10.1023/a:1007154515475"


RECORDED = {
    "paper-by-doi-citationstyles.json": {
        "doi": "10.1038/s42256-024-00832-8", "year": 2023, "authors": 6, "last": "Schwaller", "oa": True,
        "journal": "Nature Machine Intelligence", "type": "journal-article", "arxiv": "2304.05376",
    },
    "paper-published-version-of-biorxiv.json": {
        "doi": "10.1016/j.xgen.2025.100814", "year": 2024, "authors": 6, "last": "Findlay", "oa": True,
        "journal": "Cell Genomics", "type": "journal-article", "arxiv": None,
    },
    "paper-by-doi-with-colon.json": {
        "doi": "10.1023/a:1007154515475", "year": 2001, "authors": 4, "last": "Banerjee", "oa": False,
        "journal": "Molecular and Cellular Biochemistry", "type": "journal-article", "arxiv": None,
    },
    "search-match-arxiv-preprint.json": {
        "doi": None, "year": 2017, "authors": 8, "last": "Polosukhin", "oa": False,
        "journal": "Neural Information Processing Systems", "type": "conference-paper", "arxiv": "1706.03762",
    },
    "search-match-wrong-paper-venue-empty.json": {
        "doi": "10.3138/9781442621534-019", "year": 2016, "authors": 2, "last": "Rankin", "oa": False,
        "journal": None, "type": None, "arxiv": None,
    },
    "paper-venue-empty-types-null.json": {
        "doi": "10.1063/1.4938384", "year": 2015, "authors": 2, "last": "Quesnel", "oa": False,
        "journal": "Journal of Applied Physics", "type": None, "arxiv": None,
    },
    "paper-no-authors-no-abstract.json": {
        "doi": "10.1007/s40278-023-41815-2", "year": 2023, "authors": 0, "last": None, "oa": False,
        "journal": "Reactions Weekly", "type": "journal-article", "arxiv": None,
    },
    "batch-with-null-item-full-fields.json": {
        "doi": "10.2139/ssrn.288970", "year": 2001, "authors": 3, "last": "Mullainathan", "oa": True,
        "journal": "Experimental & Empirical Studies eJournal", "type": "preprint", "arxiv": None,
    },
    "search-relevance-full-fields-tldr.json": {
        "doi": None, "year": 2017, "authors": 8, "last": "Polosukhin", "oa": False,
        "journal": None, "type": "preprint", "arxiv": "1706.03762",
    },
}  # fmt: skip


@needs_recordings
@pytest.mark.parametrize("name", sorted(RECORDED))
def test_the_recorded_record_holds_the_same_values(name: str) -> None:
    paper = read(folder("semantic_scholar") / name)[0]
    assert {
        "doi": paper.ids.doi,
        "year": paper.year,
        "authors": len(paper.authors),
        "last": paper.authors[-1].family if paper.authors else None,
        "oa": paper.open_access.is_oa,
        "journal": paper.journal,
        "type": paper.type,
        "arxiv": paper.ids.arxiv,
    } == RECORDED[name]


@needs_recordings
def test_recorded_dois_of_mixed_case_are_lower_cased() -> None:
    dois = [
        paper.ids.doi for paper in replay_recording(semantic_scholar, "search-relevance-full-fields-tldr.json").papers
    ]
    assert "10.1109/tpami.2016.2577031" in dois and "10.1111/j.1540-6261.1997.tb04820.x" in dois
