"""Europe PMC's records: the oddities of single papers, on our own bodies and on the recorded ones."""

from __future__ import annotations

from typing import Any

import pytest

from functions.providers import europe_pmc
from shared.bibliography.paper import (
    MAX_AUTHORS,
    Author,
    Location,
    OpenAccess,
    Paper,
    Retraction,
    RetractionStatus,
    Version,
)
from tests.recorded.every_recording import needs_recordings, replay_recording
from tests.replay import OWN_RECORDINGS, replay

OWN = OWN_RECORDINGS / "europe_pmc"
PDF = "https://europepmc.org/articles/PMC12170467?pdf=render"
PAGE = "https://europepmc.org/articles/PMC12170467"


def papers(name: str) -> dict[str, Paper]:
    """The papers of one of our own bodies, by Europe PMC's id."""
    return {paper.ids.europe_pmc or "": paper for paper in replay(europe_pmc, OWN / name).papers}


def one(**fields: Any) -> Paper:
    """The paper that a record with these fields becomes."""
    record = {"id": "1", "source": "MED", "title": "A title.", **fields}
    return replay(europe_pmc, {"hitCount": 1, "resultList": {"result": [record]}}).papers[0]


def link(kind: str, **fields: str) -> dict[str, Any]:
    """A record with one linked notice or version."""
    return {"commentCorrectionList": {"commentCorrection": [{"type": kind, **fields}]}}


def test_a_core_record_is_translated_field_by_field() -> None:
    paper = papers("core_records.json")["MED/40524053"]
    assert (paper.provider, paper.rank) == ("europe_pmc", 5)
    assert paper.title == "Mendelian randomization analysis of modifiable risk factors for breast cancer"
    assert (paper.ids.doi, paper.ids.pmid) == ("10.1007/s12672-025-02412-7", "40524053")
    assert (paper.ids.pmcid, paper.ids.europe_pmc) == ("PMC12170467", "MED/40524053")
    assert paper.authors[0] == Author(family="Ousmane", given="Diabate")
    assert paper.author_count == len(paper.authors) == 6
    assert (paper.year, paper.publication_date, paper.language) == (2025, "2025-06-16", "en")
    assert (paper.journal, paper.volume, paper.issue, paper.pages) == ("Discover oncology", "16", "1", "1123")
    assert (paper.type, paper.citation_count, paper.abstract) == ("review", 0, None)
    assert paper.landing_page == "https://europepmc.org/article/MED/40524053"
    assert (paper.retraction, paper.versions) == (Retraction(RetractionStatus.NONE), ())


def test_a_missing_doi_is_none() -> None:
    assert papers("core_records.json")["MED/39038316"].ids.doi is None


def test_a_missing_author_list_is_an_unknown_number_of_authors() -> None:
    paper = papers("core_records.json")["MED/39709208"]
    assert (paper.title, paper.authors, paper.author_count) == ("Department of Error", (), None)


def test_authors_beyond_the_longest_list_are_counted_and_not_read() -> None:
    authors = [{"fullName": f"Smith {number}"} for number in range(MAX_AUTHORS)]
    paper = one(authorList={"author": [*authors, *[None] * 5_000]})
    assert (len(paper.authors), paper.author_count) == (MAX_AUTHORS, MAX_AUTHORS + 5_000)


def test_headings_and_markup_leave_the_abstract_and_signs_stay() -> None:
    assert papers("core_records.json")["MED/40468710"].abstract == (
        "Objective We asked whether flexible people fare better. Results They did (p < 0.05), with 2 > 1 and H2O."
    )


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        pytest.param("MED/39709209", OpenAccess(), id="N-says-nothing-of-other-copies"),
        pytest.param("MED/40468710", OpenAccess(license="cc-by"), id="a-license-is-no-copy"),
        pytest.param(
            "MED/40524053",
            OpenAccess(
                True,
                PDF,
                "cc-by-nc-nd",
                (Location(PDF, None, "cc-by-nc-nd", "repository"), Location(PAGE, None, "cc-by-nc-nd", "repository")),
            ),
            id="Y-with-the-pdf-first",
        ),
    ],
)
def test_open_access_is_read_from_flags_and_links(number: str, expected: OpenAccess) -> None:
    assert papers("core_records.json")[number].open_access == expected


def test_a_free_copy_outside_the_licensed_subset_counts_as_open() -> None:
    access = papers("core_records.json")["MED/39709208"].open_access
    assert (access.is_oa, access.url) == (True, "https://europepmc.org/articles/PMC12124214?pdf=render")


def test_an_absent_flag_is_unknown() -> None:
    assert one().open_access == OpenAccess()


def test_a_preprint_has_its_server_as_journal() -> None:
    paper = papers("preprints.json")["PPR/PPR1037166"]
    assert (paper.type, paper.journal, paper.ids.doi) == ("preprint", "Research Square", "10.21203/rs.3.rs-6664819/v1")
    assert (paper.ids.pmid, paper.open_access.is_oa) == (None, None)


def test_a_preprint_names_its_article() -> None:
    paper = papers("preprints.json")["PPR/PPR179288"]
    assert paper.versions == (Version("published", doi="10.1056/nejmoa2021436", pmid="32678530"),)
    assert paper.retraction.status is RetractionStatus.UNKNOWN


def test_a_link_to_a_preprint_without_its_doi_is_ignored() -> None:
    assert papers("preprints.json")["MED/32678530"].versions == ()


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        pytest.param(
            link("Preprint in", source="PPR", id="PPR1", reference="medRxiv. doi: 10.1101/2020.06.22.20137273."),
            (Version("preprint", doi="10.1101/2020.06.22.20137273"),),
            id="preprint-with-its-doi",
        ),
        pytest.param(
            link("Update of", source="MED", id="37292896", reference="bioRxiv. 2023 May 24. doi: 10.1101/2023.05.23.1"),
            (Version("preprint", doi="10.1101/2023.05.23.1", pmid="37292896"),),
            id="preprint-in-pubmed",
        ),
        pytest.param(
            link("Update of", source="MED", id="1", reference="Cochrane Database Syst Rev. 2019;(4):CD001. "),
            (),
            id="an-updated-review-is-another-paper",
        ),
        pytest.param(link("Comment in", source="MED", id="2", reference="medRxiv"), (), id="comment"),
    ],
)
def test_other_versions_come_from_links(fields: dict[str, Any], expected: tuple[Version, ...]) -> None:
    assert one(**fields).versions == expected


def test_a_retracted_paper_names_its_notice() -> None:
    paper = papers("retractions.json")["MED/9500320"]
    assert paper.retraction == Retraction(
        RetractionStatus.RETRACTED, "10.1016/s0140-6736(10)60175-4", notice_pmid="20137807"
    )
    assert (paper.type, paper.publication_date) == ("journal-article", "1998-02")


def test_a_retraction_notice_is_not_retracted() -> None:
    paper = papers("retractions.json")["MED/40517245"]
    assert (paper.type, paper.retraction.status) == ("retraction-notice", RetractionStatus.NONE)


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        pytest.param({"pubTypeList": {"pubType": "Retracted Publication"}}, RetractionStatus.RETRACTED, id="type"),
        pytest.param(link("Retraction in", source="MED"), RetractionStatus.RETRACTED, id="link-without-id"),
        pytest.param(link("Expression of concern in", id="3"), RetractionStatus.CONCERN, id="concern"),
        pytest.param(link("Erratum in", id="3"), RetractionStatus.CORRECTED, id="corrected"),
        pytest.param(link("Retracted and republished in", id="3"), RetractionStatus.RETRACTED, id="republished"),
        pytest.param(link("Partial retraction in", id="3"), RetractionStatus.CORRECTED, id="in-part"),
        pytest.param(
            {"pubTypeList": {"pubType": ["Published Erratum"]}, **link("Erratum for", id="3")},
            RetractionStatus.NONE,
            id="the-correction-itself",
        ),
        pytest.param(
            {"pubTypeList": {"pubType": ["Retracted Publication"]}, **link("Erratum in", id="3")},
            RetractionStatus.RETRACTED,
            id="an-erratum-does-not-hide-a-retraction",
        ),
        pytest.param({"pubTypeList": {"pubType": ["Preprint"]}, "source": "PPR"}, RetractionStatus.UNKNOWN, id="PPR"),
        pytest.param({"pubType": "journal article"}, RetractionStatus.UNKNOWN, id="lite"),
    ],
)
def test_the_standing_comes_from_types_and_links(fields: dict[str, Any], status: RetractionStatus) -> None:
    assert one(**fields).retraction.status is status


def test_the_best_known_of_several_notices_is_returned() -> None:
    notices = [
        {"type": "Erratum in", "source": "MED", "id": "11"},
        {"type": "Erratum in", "source": "MED", "id": "12", "reference": "J. 2020;1:1. doi: 10.9999/notice."},
        {"type": "Erratum in", "source": "PMC", "id": "PMC13"},
    ]
    retraction = one(commentCorrectionList={"commentCorrection": notices}).retraction
    assert retraction == Retraction(RetractionStatus.CORRECTED, "10.9999/notice", notice_pmid="12")


@needs_recordings
def test_the_recorded_correction_is_an_erratum_of_good_standing() -> None:
    paper = {p.ids.pmid: p for p in replay_recording(europe_pmc, "search-cancer-core.json").papers}["39709208"]
    assert (paper.type, paper.retraction.status, paper.ids.pmcid) == ("erratum", RetractionStatus.NONE, "PMC12124214")
    assert (paper.journal, paper.volume, paper.issue, paper.pages) == (
        "Lancet (London, England)",
        "404",
        "10471",
        "2542",
    )


@needs_recordings
def test_the_recorded_core_records_have_the_fields_of_the_api() -> None:
    found = {p.ids.pmid: p for p in replay_recording(europe_pmc, "search-cancer-core.json").papers}
    assert found["39038316"].ids.doi is None
    assert (found["40468710"].abstract or "").startswith("Objective This study")
    assert [author.display for author in found["39709209"].authors] == [
        "Jonathan D Schoenfeld",
        "Daphne A Haas-Kogan",
        "Allison F O'Neill",
    ]
    assert found["40437959"].publication_date == "2025-07"  # in print only
    assert found["40245290"].publication_date == "2025-07-01"  # online on that very day


@needs_recordings
def test_the_recorded_pages_hold_all_three_sources() -> None:
    pages = [replay_recording(europe_pmc, f"search-cancer-page{n}-100.json").papers for n in (1, 2, 3)]
    sources = [(paper.ids.europe_pmc or "").partition("/")[0] for page in pages for paper in page]
    assert {source: sources.count(source) for source in sources} == {"MED": 274, "PMC": 20, "PPR": 6}
