"""DataCite's records as papers: titles, people, dates, types, rights and relations, in repositories' own forms."""

from __future__ import annotations

from typing import Any

import pytest

from functions.providers import datacite
from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Author, Paper, Version
from shared.providers.provider import ProviderReply
from shared.providers.records.datacite import FIELDS
from tests.replay import OWN_RECORDINGS, replay

OWN = OWN_RECORDINGS / "datacite"
LISTED: dict[str, Any] = {"meta": {"total": 1}, "links": {}}


@pytest.fixture(scope="module")
def reply() -> ProviderReply:
    return replay(datacite, OWN / "odd_records.json")


@pytest.fixture(scope="module")
def papers(reply: ProviderReply) -> dict[str | None, Paper]:
    return {paper.ids.doi: paper for paper in reply.papers}


def read(**attributes: Any) -> Paper:
    """The paper of one record with these attributes."""
    record = {"id": "10.5072/a", "type": "dois", "attributes": {"doi": "10.5072/a", "titles": [{"title": "A"}]}}
    record["attributes"] |= attributes  # type: ignore[operator]
    (paper,) = replay(datacite, {"data": [record], **LISTED}).papers
    return paper


def test_a_record_without_a_title_costs_itself_alone(reply: ProviderReply) -> None:
    assert [paper.rank for paper in reply.papers] == [1, 2, 3, 4, 5, 7, 8]
    assert reply.warnings == ("record 6 skipped: DataCite's 10.5072/odd.5 has no title",)


def test_the_main_title_has_no_markup_and_the_others_are_alternatives(papers: dict[str, Paper]) -> None:
    paper = papers["10.5072/odd.1"]
    assert paper.title == "Counts of Drosophila eggs & larvae"
    assert paper.alternative_titles == (
        "Taufliegen im Obstgarten",
        "Counts of Drosophila eggs & larvae: Two summers in one orchard",
    )


def test_groups_and_several_people_in_one_name_are_no_person(papers: dict[str, Paper]) -> None:
    assert papers["10.5072/odd.1"].authors == (
        Author(name="Orchard Survey Group"),
        Author(family="Moreau", given="Élise"),
        Author(name="Enos, A (North College); Fowler, B (South College)"),
    )


def test_the_date_is_the_most_exact_one_of_the_stated_year(papers: dict[str, Paper]) -> None:
    assert papers["10.5072/odd.1"].publication_date == "2021-06-03"
    assert papers["10.48550/arxiv.2103.00001"].publication_date == "2021-03-01"
    assert (
        read(publicationYear="2020", dates=[{"date": "2019-12-30", "dateType": "Submitted"}]).publication_date == "2020"
    )


@pytest.mark.parametrize("doi", ["10.5072/odd.2", "10.5072/odd.3"])
def test_a_missing_year_and_one_of_another_calendar_are_unknown(papers: dict[str, Paper], doi: str) -> None:
    assert (papers[doi].year, papers[doi].publication_date) == (None, None)


def test_types_are_those_of_papers(papers: dict[str, Paper]) -> None:
    assert {doi: paper.type for doi, paper in papers.items()} == {
        "10.5072/odd.1": "dataset", "10.5072/odd.2": "dataset", "10.5072/odd.3": "dissertation",
        "10.48550/arxiv.2103.00001": "preprint", "10.5072/odd.4": "other", "10.5072/odd.6": "journal-article",
        "10.5072/odd.7": None,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("types", "expected"),
    [
        ({}, None), ({"resourceTypeGeneral": "Preprint", "resourceType": ""}, "preprint"),
        ({"resourceTypeGeneral": "Text", "resourceType": "Conference paper"}, "conference-paper"),
        ({"resourceTypeGeneral": "Text", "resourceType": "(:unav)"}, None),
        ({"resourceTypeGeneral": "Text"}, None), ({"resourceTypeGeneral": "InteractiveResource"}, "other"),
        ({"resourceTypeGeneral": "DataPaper"}, "journal-article"), ({"resourceType": "Article"}, None),
    ],
)  # fmt: skip
def test_the_general_type_decides_unless_it_is_text(types: dict[str, str], expected: str | None) -> None:
    assert read(types=types).type == expected


def test_arxivs_doi_is_an_arxiv_id_and_what_it_is_a_version_of_is_published(papers: dict[str, Paper]) -> None:
    paper = papers["10.48550/arxiv.2103.00001"]
    assert paper.ids == Identifiers(doi="10.48550/arxiv.2103.00001", arxiv="2103.00001")
    assert paper.versions == (Version("published", doi="10.9999/zebras"),)
    assert (paper.journal, paper.open_access.is_oa, paper.open_access.license) == ("arXiv", None, "arxiv-nonexclusive")


def test_versions_and_citations_are_relations_but_supplements_and_parts_are_neither(papers: dict[str, Paper]) -> None:
    paper = papers["10.5072/odd.1"]
    assert paper.versions == (Version("version", doi="10.5072/odd"),)
    assert paper.references == ("doi:10.9999/orchard", "doi:10.48550/arxiv.2103.00001")
    assert paper.citation_count == 3


def test_rights_give_the_licence_and_the_access(papers: dict[str, Paper]) -> None:
    free, restricted = papers["10.5072/odd.1"].open_access, papers["10.5072/odd.2"].open_access
    assert (free.is_oa, free.license, free.url) == (
        True, "cc-by-nc-4.0", "https://archive.example.org/10.5072/odd.1",
    )  # fmt: skip
    assert (restricted.is_oa, restricted.license, restricted.locations) == (False, "cc-by-4.0", ())
    assert papers["10.5072/odd.3"].open_access.is_oa is None


def test_the_abstract_is_in_the_records_language_and_no_other_description(papers: dict[str, Paper]) -> None:
    assert (papers["10.5072/odd.1"].abstract, papers["10.5072/odd.1"].language) == ("Eggs were counted.", "en")
    assert read(descriptions=[{"description": "rows.csv", "descriptionType": "Other"}]).abstract is None


def test_the_place_is_the_journal_or_the_repository_but_no_publishing_house(papers: dict[str, Paper]) -> None:
    article, thesis = papers["10.5072/odd.6"], papers["10.5072/odd.3"]
    assert (article.journal, article.volume, article.issue, article.pages) == ("Journal of Orchards", "7", "2", "11-19")
    assert papers["10.5072/odd.1"].journal == "Example Archive"
    assert thesis.journal is None


def test_a_publisher_may_be_a_text_or_an_object() -> None:
    types = {"resourceTypeGeneral": "Dataset"}
    assert {read(types=types, publisher=it).journal for it in ("Dryad", {"name": "Dryad"})} == {"Dryad"}


@pytest.mark.parametrize("value", [None, [], "", {}])
def test_empty_values_of_every_attribute_are_missing(value: Any) -> None:
    names = set(FIELDS) - {"doi", "titles"}
    paper = read(**dict.fromkeys(names, value))
    assert (paper.authors, paper.year, paper.abstract, paper.landing_page) == ((), None, None, None)


@pytest.mark.parametrize(
    ("code", "is_open"), [("c_abf2", True), ("c_f1cf", False), ("c_16ec", False), ("c_14cb", False)]
)
def test_access_is_open_only_if_no_statement_of_coar_denies_it(code: str, is_open: bool) -> None:
    rights = [{"rightsIdentifier": "cc-by-4.0"}, {"rightsUri": f"http://purl.org/coar/access_right/{code}"}]
    assert read(rightsList=rights, url="https://example.org/a").open_access.is_oa is is_open
