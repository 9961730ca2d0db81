"""What becomes of OpenAlex's works: ids out of URLs, abstracts out of indexes, honest dates, types and people."""

from __future__ import annotations

from typing import Any

import pytest

from functions.providers import openalex
from shared.bibliography.paper import Author, Paper, RetractionStatus, Version
from tests.recorded.every_recording import needs_recordings, replay_recording
from tests.replay import OWN_RECORDINGS, replay

BODIES = OWN_RECORDINGS / "openalex"


def papers_of(body: str) -> dict[str | None, Paper]:
    return {paper.ids.openalex: paper for paper in replay(openalex, BODIES / body).papers}


@pytest.fixture(scope="module")
def real() -> dict[str | None, Paper]:
    return papers_of("search.json")


@pytest.fixture(scope="module")
def odd() -> dict[str | None, Paper]:
    return papers_of("oddities.json")


def paper_of(**fields: Any) -> Paper:
    """What a work with these fields becomes."""
    work = {"id": "https://openalex.org/W9900000099", "title": "A title", "publication_year": 2020, **fields}
    return replay(openalex, work).papers[0]


# OpenAlex id -> the recording that holds it, and the record's own facts.
FACTS: dict[str, tuple[str, dict[str, Any]]] = {
    "W4396723768": ("search-title-preprint-and-published.json", {
        "title": "Augmenting large language models with chemistry tools", "year": 2024, "journal":
        "Nature Machine Intelligence", "volume": "6", "issue": "5", "pages": "525-535", "type": "journal-article",
        "author_count": 6, "citation_count": 236, "publication_date": "2024-05-08", "versions": (),
    }),
    "W4365597205": ("search-title-preprint-and-published.json", {
        "title": "ChemCrow: Augmenting large-language models with chemistry tools", "type": "preprint",
        "year": 2023, "publication_date": "2023", "journal": "arXiv", "author_count": 4, "citation_count": 106,
    }),
    "W4221145823": ("work-title-with-latex.json", {
        "title": "Determination of hyperfine splittings and Landé $g_J$ factors of $5s~^2S_{1/2}$ and "
        "$5p~^2P_{1/2,3/2}$ states of $^{111,113}$Cd$^+$ for a microwave frequency standard",
        "type": "preprint", "publication_date": "2022-01-18", "pages": None, "volume": None,
    }),
    "W4381551417": ("list-cursor-page-null-page.json", {
        "journal": "Physical review. C", "volume": "109", "pages": None, "type": "journal-article",
        "versions": (Version("preprint", arxiv="2306.10277"),), "authors": (Author(family="Werner", given="K."),),
    }),
    "W2600965442": ("list-sample5-no-doi-xquery.json", {"year": 2015, "publication_date": "2015", "pages": "15-27"}),
    "W4387341806": ("work-blog-post-null-source.json", {
        "title": "The rise of the (science) newsletter", "journal": None, "type": "other",
        "publication_date": "2023-10-04", "authors": (Author(family="Fenner", given="Martin"),),
    }),
    "W4381738344": ("work-no-authorships-no-abstract.json", {
        "title": "Convalescent-anti-sars-cov-2-plasma/immune-globulin", "authors": (), "author_count": None,
        "abstract": None, "volume": "1962", "issue": "1", "pages": "145",
    }),
    "W7118621858": ("work-language-iso639-3.json", {"language": "enc", "type": "preprint", "journal": "Zenodo"}),
    "W2030857676": ("work-doi-with-sici.json", {
        "journal": "Ecology", "pages": "2832-2841", "citation_count": 130, "publication_date": "2006-11-01",
        "authors": (Author(family="Fenton", given="Andy"), Author(family="Rands", given="Sean A.")),
    }),
    "W2121398592": ("work-with-data-citation.json", {
        "journal": "eLife", "volume": "3", "pages": "e01567", "author_count": 5, "citation_count": 45,
    }),
}  # fmt: skip
# OpenAlex id -> DOI, PMID, PMCID, arXiv id.
IDENTIFIERS = {
    "W4396723768": ("10.1038/s42256-024-00832-8", "38799228", "PMC11116106", None),
    "W4365597205": ("10.48550/arxiv.2304.05376", None, None, "2304.05376"),
    "W4221145823": ("10.48550/arxiv.2201.06719", None, None, "2201.06719"),
    "W4381551417": ("10.1103/physrevc.109.014910", None, None, None),
    "W2600965442": (None, None, None, None),
    "W4387341806": ("10.53731/ybhah-9jy85", None, None, None),
    "W4381738344": ("10.1007/s40278-023-41815-2", None, None, None),
    "W7118621858": ("10.5281/zenodo.18174923", None, None, None),
    "W2030857676": ("10.1890/0012-9658(2006)87[2832:tiopma]2.0.co;2", "17168027", None, None),
    "W2121398592": ("10.7554/elife.01567", "24520159", "PMC3917233", None),
}


def holds_the_facts(paper: Paper) -> None:
    name = paper.ids.openalex or ""
    assert (paper.ids.doi, paper.ids.pmid, paper.ids.pmcid, paper.ids.arxiv) == IDENTIFIERS[name]
    facts = FACTS[name][1]
    assert {field: getattr(paper, field) for field in facts} == facts


@pytest.mark.parametrize("name", FACTS)
def test_the_facts_of_a_work(name: str, real: dict[str, Paper]) -> None:
    holds_the_facts(real[name])


@needs_recordings
@pytest.mark.parametrize("name", FACTS)
def test_the_facts_of_a_recorded_work(name: str) -> None:
    found = [paper for paper in replay_recording(openalex, FACTS[name][0]).papers if paper.ids.openalex == name]
    assert len(found) == 1
    holds_the_facts(found[0])


def test_an_inverted_abstract_is_reordered_without_its_heading(real: dict[str, Paper]) -> None:
    assert real["W4396723768"].abstract == "A chemist's tools tools are planned."  # one position twice, some skipped


def test_an_abstract_that_begins_with_abstract_things_keeps_its_first_word(odd: dict[str, Paper]) -> None:
    assert odd["W9900000001"].abstract == "Abstract interpretation is explained."


@needs_recordings
@pytest.mark.parametrize("name", ["work-preprint-biorxiv.json", "work-language-iso639-3.json"])
def test_a_recorded_abstract_begins_after_its_heading(name: str) -> None:
    abstract = replay_recording(openalex, name).papers[0].abstract
    assert abstract is not None
    assert abstract.split()[0] in ("This", "(1)")


@needs_recordings
def test_a_recorded_work_without_an_index_has_no_abstract() -> None:
    assert replay_recording(openalex, "work-by-doi-no-abstract.json").papers[0].abstract is None


def test_markup_leaves_a_title(odd: dict[str, Paper]) -> None:
    assert odd["W9900000001"].title == "A paper of Testus & others"


def test_people_groups_and_an_affiliation_taken_for_an_author(odd: dict[str, Paper]) -> None:
    assert odd["W9900000001"].authors == (
        Author(family="van der Test", given="Jan"),
        Author(name="The Test Collaboration"),
        Author(name="Plato"),
    )
    assert odd["W9900000001"].author_count == 3


def test_a_raw_name_with_a_comma_begins_with_the_family(real: dict[str, Paper]) -> None:
    assert real["W4221145823"].authors[2] == Author(family="Qin", given="H. R.")


@needs_recordings
def test_recorded_authors_without_a_profile_keep_their_raw_names() -> None:
    authors = replay_recording(openalex, "work-title-with-latex.json").papers[0].authors
    assert len(authors) == 9
    assert [authors[n].display for n in (2, 5, 7)] == ["H. R. Qin", "S. N. Miao", "J. W. Zhang"]


@pytest.mark.parametrize(("sent", "count"), [(99, 99), (100, None), (0, None)])
def test_a_list_of_a_hundred_authors_may_be_cut(sent: int, count: int | None) -> None:
    authorships = [{"author": {"display_name": f"Given{n} Family{n}"}} for n in range(sent)]
    assert paper_of(authorships=authorships).author_count == count


@pytest.mark.parametrize(
    ("year", "day", "expected"),
    [
        pytest.param(2020, "2020-05-04", (2020, "2020-05-04"), id="as given"),
        pytest.param(2020, "2020-01-01", (2020, "2020"), id="first of January: only the year is known"),
        pytest.param(2027, "2027-03-01", (2027, "2027-03-01"), id="next year, as print editions are"),
        pytest.param(2087, "2087-03-01", (None, None), id="invented"),
        pytest.param(2020, None, (2020, "2020"), id="no day"),
        pytest.param(None, "2020-05-04", (2020, "2020-05-04"), id="no year"),
        pytest.param(None, None, (None, None), id="neither"),
        pytest.param(0, "", (None, None), id="zero and blank"),
    ],
)
def test_dates_are_as_exact_as_they_are_known(
    year: int | None, day: str | None, expected: tuple[int | None, str | None]
) -> None:
    paper = paper_of(publication_year=year, publication_date=day)
    assert (paper.year, paper.publication_date) == expected


@needs_recordings
def test_the_recorded_date_that_was_in_the_future_elsewhere_is_unchanged() -> None:
    paper = replay_recording(openalex, "work-date-in-future.json").papers[0]
    assert (paper.ids.openalex, paper.year, paper.publication_date) == ("W1989154056", 2015, "2015-04-06")


@pytest.mark.parametrize(
    ("code", "expected"),
    [("en", "en"), ("ger", "de"), ("eng", "en"), ("zh-cn", "zh"), ("enc", "enc"), ("", None), (None, None)],
)
def test_languages_have_two_letters_where_there_are_two(code: str | None, expected: str | None) -> None:
    assert paper_of(language=code).language == expected


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"type": "article"}, "journal-article"),
        ({"type": "conference-paper"}, "conference-paper"),
        ({"type": "retraction"}, "retraction-notice"),
        ({"type": "peer-review"}, "other"),
        ({"type": "erratum"}, "erratum"),
        ({"type": "data-paper"}, None),
        ({"type": None}, None),
        ({"type": "article", "is_paratext": True}, "other"),
        ({"type": "article", "doi": "https://doi.org/10.48550/arxiv.2201.06719"}, "preprint"),
    ],
)
def test_types_are_of_our_vocabulary_or_unknown(fields: dict[str, Any], expected: str | None) -> None:
    assert paper_of(**fields).type == expected


@pytest.mark.parametrize(
    ("flag", "status"),
    [(True, RetractionStatus.RETRACTED), (False, RetractionStatus.NONE), (None, RetractionStatus.UNKNOWN)],
)
def test_the_retraction_flag_is_passed_on(flag: bool | None, status: RetractionStatus) -> None:
    assert paper_of(is_retracted=flag).retraction.status is status


def test_an_arxiv_paper_under_a_foreign_prefix_is_known_by_its_page(odd: dict[str, Paper]) -> None:
    paper = odd["W9900000008"]
    assert (paper.ids.arxiv, paper.type, paper.versions) == ("0000.00001", "preprint", ())


def test_blank_and_missing_values_are_none(odd: dict[str, Paper]) -> None:
    blank, missing = odd["W9900000004"], odd["W9900000003"]
    assert (blank.volume, blank.issue, blank.pages, blank.language) == (None, None, "12", None)
    assert (missing.citation_count, missing.open_access.is_oa, missing.year) == (None, None, None)


@pytest.mark.parametrize(
    ("place", "journal"),
    [
        (None, None),
        ({}, None),
        ({"source": None}, None),
        (
            {"source": None, "raw_type": "proceedings-article", "raw_source_name": "Proceedings of X"},
            "Proceedings of X",
        ),
        ({"source": None, "raw_type": "posted-content", "raw_source_name": "A Publisher"}, None),
        ({"source": None, "raw_type": "info:eu-repo/semantics/article", "raw_source_name": "instacron:X"}, None),
    ],
)
def test_the_journal_of_a_work_without_source_is_the_one_that_crossref_names(
    place: dict[str, Any] | None, journal: str | None
) -> None:
    assert paper_of(primary_location=place).journal == journal


def test_open_copies_have_licence_version_and_host(real: dict[str, Paper]) -> None:
    access = real["W4396723768"].open_access
    assert (access.is_oa, access.license) == (True, "cc-by")
    assert access.url == "https://www.nature.com/articles/s42256-024-00832-8.pdf"
    assert [(place.version, place.host) for place in access.locations] == [
        ("publishedVersion", "publisher"),
        ("publishedVersion", "repository"),
    ]


def test_works_without_title_and_items_that_are_not_works_are_skipped_with_a_warning() -> None:
    warnings = replay(openalex, BODIES / "oddities.json").warnings
    assert [warning.split(":")[0] for warning in warnings] == ["record 6 skipped", "record 7 skipped"]
