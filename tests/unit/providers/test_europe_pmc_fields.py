"""Europe PMC's fields one by one: titles, names, types and dates, in core and in lite records."""

from __future__ import annotations

import pytest

from functions.providers import europe_pmc
from shared.bibliography.paper import Author, Paper
from tests.recorded.every_recording import needs_recordings, replay_recording
from tests.replay import OWN_RECORDINGS
from tests.unit.providers.test_europe_pmc_records import one, papers

LITE = OWN_RECORDINGS / "europe_pmc" / "lite_records.json"


def recorded(file: str, number: str) -> Paper:
    """One paper of a recording, by Europe PMC's id."""
    return next(p for p in replay_recording(europe_pmc, file).papers if p.ids.europe_pmc == number)


TITLES = [
    pytest.param(
        "search-cancer-page2-100.json",
        "MED/40505930",
        "circADARB1 enhances ZEB1 expression in an m6A-dependent manner to promote the invasion and migration of "
        "nasopharyngeal carcinoma",
        id="escaped-sup",
    ),
    pytest.param(
        "search-cancer-page3-100.json",
        "MED/40500688",
        "Correction: Detecting radiation esophagitis using 18F-FAPI-04 PET/CT in patients with LA-ESCC treated with "
        "concurrent chemoradiotherapy",
        id="escaped-isotope",
    ),
    pytest.param(
        "search-variant-87a898-2hits.json",
        "MED/31433521",
        "MSH2 c.1022T>C, p.Leu341Pro is a founder pathogenic variation and a major cause of Lynch syndrome in the "
        "North of France",
        id="a-greater-sign-survives",
    ),
]


@pytest.mark.parametrize(("file", "number", "title"), TITLES)
def test_a_title_is_plain_and_has_no_final_dot(file: str, number: str, title: str) -> None:
    assert papers("lite_records.json")[number].title == title


@needs_recordings
@pytest.mark.parametrize(("file", "number", "title"), TITLES)
def test_a_recorded_title_is_plain_and_has_no_final_dot(file: str, number: str, title: str) -> None:
    assert recorded(file, number).title == title


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        pytest.param("Where do we go.", "Where do we go", id="final-dot"),
        pytest.param("Where do we go?", "Where do we go?", id="question"),
        pytest.param("And then...", "And then...", id="ellipsis"),
        pytest.param("Electricity usage in FL, U.S.", "Electricity usage in FL, U.S.", id="abbreviation"),
        pytest.param("[Care of the old].", "Care of the old", id="translated"),
        pytest.param("[Care of the old.]", "Care of the old", id="translated-with-a-dot-inside"),
        pytest.param("[Uses of [18F]FDG].", "Uses of [18F]FDG", id="translated-with-brackets-inside"),
        pytest.param("[18F]FDG and [11C].", "[18F]FDG and [11C]", id="two-brackets"),
        pytest.param("[Fe] and [Cu].", "[Fe] and [Cu]", id="brackets-of-its-own"),
        pytest.param("<i>Hox</i> genes &amp; limbs.", "Hox genes & limbs", id="markup"),
    ],
)
def test_the_dot_and_the_brackets_of_medline_are_not_the_titles_own(title: str, expected: str) -> None:
    assert one(title=title).title == expected


def test_a_collective_name_at_the_end_is_a_group() -> None:
    paper = papers("lite_records.json")["MED/22663011"]
    assert paper.authors[0] == Author(family="Flaherty", given="KT")
    assert paper.authors[-1] == Author(name="METRIC Study Group")


@needs_recordings
def test_the_recorded_collective_name_is_a_group() -> None:
    paper = recorded("search-ext-id-22663011.json", "MED/22663011")
    assert (paper.author_count, paper.authors[-1]) == (26, Author(name="METRIC Study Group"))
    assert (paper.title, paper.year) == ("Improved survival with MEK inhibition in BRAF-mutated melanoma", 2012)
    assert (paper.ids.doi, paper.type, paper.citation_count) == (
        "10.1056/nejmoa1203421",
        "randomized-controlled-trial",
        1594,
    )


def test_a_collective_name_in_the_author_list_is_a_group() -> None:
    paper = papers("preprints.json")["MED/32678530"]
    assert paper.authors[:2] == (Author(name="RECOVERY Collaborative Group"), Author(family="Horby", given="Peter"))


def test_a_single_author_may_come_without_list() -> None:
    paper = one(authorList={"author": {"fullName": "Curie M", "lastName": "Curie", "initials": "M"}})
    assert paper.authors == (Author(family="Curie", given="M"),)


@pytest.mark.parametrize("parts", [{}, {"lastName": "Roe", "initials": "AB"}], ids=["one-text", "parts"])
def test_the_suffix_of_a_name_stands_behind_the_family_name(parts: dict[str, str]) -> None:
    paper = one(authorList={"author": [{"fullName": "Roe AB Jr", **parts}, {"fullName": "Ivanov IV"}]})
    assert paper.authors == (Author(family="Roe Jr", given="AB"), Author(family="Ivanov", given="IV"))


def test_a_record_of_pmc_has_its_id_as_pmcid_and_may_lack_authors() -> None:
    paper = papers("lite_records.json")["PMC/PMC12169353"]
    assert (paper.ids.pmcid, paper.ids.pmid, paper.ids.doi) == ("PMC12169353", None, None)
    assert (paper.authors, paper.author_count) == ((), None)


@needs_recordings
@pytest.mark.parametrize(
    ("file", "number"),
    [
        ("search-cancer-page2-100.json", "PMC/PMC12169353"),
        ("search-cancer-page3-100.json", "MED/40528224"),
        ("search-cancer-lite.json", "MED/39709208"),
    ],
)
def test_recorded_records_without_authors_have_an_unknown_number(file: str, number: str) -> None:
    paper = recorded(file, number)
    assert (paper.authors, paper.author_count) == ((), None)


@needs_recordings
def test_the_recorded_lite_record_of_2010_is_whole() -> None:
    paper = recorded("search-ext-id-20516115.json", "MED/20516115")
    assert paper.title == (
        "Comprehensive analysis of missense variations in the BRCT domain of BRCA1 by structural and functional assays"
    )
    assert (paper.ids.doi, paper.ids.pmcid) == ("10.1158/0008-5472.can-09-4563", "PMC3040717")
    assert (paper.journal, paper.volume, paper.issue, paper.pages) == ("Cancer Res", "70", "12", "4880-4890")
    assert (paper.year, paper.author_count, paper.citation_count) == (2010, 11, 133)
    assert paper.authors[-1] == Author(family="Glover", given="JN")


@needs_recordings
def test_the_recorded_preprint_has_its_server_as_journal() -> None:
    paper = recorded("search-cancer-page1-100.json", "PPR/PPR1036674")
    assert (paper.type, paper.journal, paper.ids.doi) == ("preprint", "medRxiv", "10.1101/2025.06.13.25329599")
    assert (paper.year, paper.publication_date, paper.open_access.is_oa) == (2025, "2025-06-16", True)


def test_the_year_is_the_issues_and_the_date_the_first_publications() -> None:
    paper = papers("lite_records.json")["MED/31433521"]
    assert (paper.year, paper.publication_date) == (2020, "2019-09-03")


def test_a_missing_year_is_that_of_the_first_publication() -> None:
    assert papers("lite_records.json")["PMC/PMC12144614"].year == 2025


def test_a_record_without_any_date_has_none() -> None:
    assert (one().year, one().publication_date) == (None, None)


@pytest.mark.parametrize(
    ("issue", "electronic", "expected"),
    [
        pytest.param("2025 Dec", None, "2025-12", id="month"),
        pytest.param("2025", None, "2025", id="year"),
        pytest.param("2025 Dec 1", None, "2025-12-01", id="day"),
        pytest.param("2025 Dec", "2025-12-01", "2025-12-01", id="published-online-on-that-very-day"),
    ],
)
def test_a_print_issue_date_is_as_exact_as_given(issue: str, electronic: str | None, expected: str) -> None:
    info = {"dateOfPublication": issue, "printPublicationDate": "2025-12-01"}
    dates = {"firstPublicationDate": "2025-12-01", "electronicPublicationDate": electronic}
    assert one(journalInfo=info, **dates).publication_date == expected


@pytest.mark.parametrize(
    ("types", "expected"),
    [
        pytest.param(["Review", "Journal Article"], "review", id="list"),
        pytest.param("Letter", "letter", id="single-string-of-older-versions"),
        pytest.param(["Comment", "Journal Article"], "journal-article", id="comment-and-article"),
        pytest.param(["News"], "other", id="news"),
        pytest.param(["Clinical Trial, Phase II", "Journal Article"], "clinical-trial", id="trial"),
        pytest.param(["Retraction of Publication", "Journal Article"], "retraction-notice", id="notice"),
        pytest.param(["Journal Article", "Network Meta-Analysis"], "meta-analysis", id="network"),
        pytest.param(["Hologram"], None, id="unknown"),
    ],
)
def test_the_most_specific_type_wins(types: list[str] | str, expected: str | None) -> None:
    assert one(pubTypeList={"pubType": types}).type == expected


def test_types_of_a_lite_record_are_parted_by_semicolons() -> None:
    found = papers("lite_records.json")
    assert found["PMC/PMC12144614"].type == "review"
    assert found["MED/40528224"].type == "conference-paper"


@pytest.mark.parametrize(
    ("code", "expected"), [("eng", "en"), ("ger", "de"), ("und", None), ("", None), (None, None), ("syr", "syr")]
)
def test_languages_are_two_letters_where_there_are_two(code: str | None, expected: str | None) -> None:
    assert one(language=code).language == expected
