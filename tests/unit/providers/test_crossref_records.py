"""Crossref's records: titles, types, journals and versions as publishers deposit them."""

from __future__ import annotations

from typing import Any

import pytest

from functions.providers import crossref
from shared.bibliography.paper import Paper, Version
from tests.recorded.every_recording import needs_recordings, replay_recording
from tests.replay import OWN_RECORDINGS, replay

OWN = OWN_RECORDINGS / "crossref"


def papers(name: str) -> dict[str, Paper]:
    """The papers of one of our own bodies, by DOI."""
    return {paper.ids.doi or "": paper for paper in replay(crossref, OWN / name).papers}


def paper_of(**work: Any) -> Paper:
    """The paper that a work of these elements becomes."""
    message = {"DOI": "10.5555/12345678", "type": "journal-article", "title": ["A title"], **work}
    (paper,) = replay(crossref, {"status": "ok", "message-type": "work", "message": message}).papers
    return paper


TITLES = {
    "10.5012/bkcs.2011.32.2.620": "Dynamic Research of a Potential Carrier for Hydrophobic Compound Model Pyrene Using "
    "Amphiphilic Peptide EYK",
    "10.1007/s00120-007-1345-2": "Penisverletzung durch eine Moulinette",
    "10.1590/1806-9983e710401": "Topologias do axé: a casa, o tempo, o corpo",
    "10.20944/preprints202601.1676.v2": "Update on the Potential Use of Natural Triterpenes for the Treatment of "
    "Metabolic Dysfunction-Associated Steatotic Liver Disease (MASLD) and Metabolic Dysfunction-Associated "
    "Steatohepatitis (MASH)",
    "10.20944/preprints202601.1190.v1": "Hyperbolic EM Symmetry and Metrological Closure",
    "10.1101/2023.07.06.547934": "Exploring G-quadruplex structure in PRCC-TFE3 fusion Oncogene: Plausible use as anti "
    "cancer therapy for translocation Renal cell carcinoma (tRCC)",
}


@pytest.mark.parametrize("doi", TITLES)
def test_a_title_is_the_first_that_is_not_empty_without_markup(doi: str) -> None:
    assert papers("titles.json")[doi].title == TITLES[doi]


def test_line_breaks_around_markup_leave_no_markup_in_a_title() -> None:
    title = papers("titles.json")["10.1073/pnas.1205508109"].title
    assert title.endswith("phosphoinositide 3-kinase p110α ( PIK3CA )")


@pytest.mark.parametrize(
    ("doi", "others"),
    [
        pytest.param(
            "10.1007/s00120-007-1345-2",
            (
                "Penile injury caused by a Moulinette",
                "Penisverletzung durch eine Moulinette: Folge einer autoerotischen Selbstverstümmelung",
            ),
            id="two-languages-and-a-subtitle",
        ),
        pytest.param(
            "10.1590/1806-9983e710401", ("Topologies of axé: the house, the time, the body",), id="original-title"
        ),
        pytest.param("10.5012/bkcs.2011.32.2.620", (), id="one-title"),
    ],
)
def test_further_titles_are_included(doi: str, others: tuple[str, ...]) -> None:
    assert papers("titles.json")[doi].alternative_titles == others


@pytest.mark.parametrize(
    ("doi", "kind", "journal"),
    [
        pytest.param("10.1101/2024.04.01.587366", "preprint", "bioRxiv", id="institution"),
        pytest.param("10.2139/ssrn.5250900", "preprint", "SSRN", id="group-title"),
        pytest.param("10.20944/preprints202303.0344.v1", "preprint", "Preprints.org", id="subject-as-group-title"),
        pytest.param("10.5555/widgets.2008", "other", None, id="blog"),
        pytest.param("10.1016/j.xgen.2025.100814", "journal-article", "Cell Genomics", id="article"),
        pytest.param(
            "10.4242/balisagevol23.renear01",
            "conference-paper",
            "Proceedings of Balisage: The Markup Conference 2019",
            id="series-before-the-book",
        ),
    ],
)
def test_posted_content_is_a_preprint_on_its_server(doi: str, kind: str, journal: str | None) -> None:
    paper = papers("versions.json")[doi]
    assert (paper.type, paper.journal) == (kind, journal)


def test_an_abbreviation_before_the_journals_name_is_passed_over() -> None:
    assert papers("work.json")["10.1007/s00441-010-1037-x"].journal == "Cell and Tissue Research"


def test_a_university_is_no_journal() -> None:
    assert papers("dates.json")["10.14264/uql.2020.791"].journal is None


@pytest.mark.parametrize(
    ("doi", "versions"),
    [
        pytest.param(
            "10.1101/2024.04.01.587366", (Version("published", doi="10.1016/j.xgen.2025.100814"),), id="preprint"
        ),
        pytest.param("10.1016/j.xgen.2025.100814", (), id="the-article-does-not-link-back"),
        pytest.param(
            "10.20944/preprints202303.0344.v1",
            (
                Version("published", doi="10.3390/microorganisms11051308"),
                Version("version", doi="10.20944/preprints202303.0344.v2"),
            ),
            id="version-named-twice",
        ),
        pytest.param("10.18653/v1/n19-1357", (Version("preprint", arxiv="1902.10186"),), id="arxiv-preprint"),
    ],
)
def test_versions_are_linked_where_the_record_names_them(doi: str, versions: tuple[Version, ...]) -> None:
    assert papers("versions.json")[doi].versions == versions


def test_a_paper_is_no_version_of_itself() -> None:
    relation = {"is-version-of": [{"id-type": "doi", "id": "https://doi.org/10.5555/12345678"}], "cites": []}
    assert paper_of(relation=relation).versions == ()


def test_dois_are_lower_case() -> None:
    assert paper_of(DOI="10.1002/JCP.1041640124").ids.crossref == "10.1002/jcp.1041640124"


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        pytest.param("reference-entry", "book-chapter", id="reference-entry"),
        pytest.param("monograph", "book", id="monograph"),
        pytest.param("dissertation", "dissertation", id="dissertation"),
        pytest.param("dataset", "dataset", id="dataset"),
        pytest.param("standard", "other", id="standard"),
        pytest.param("hologram", None, id="unknown"),
    ],
)
def test_types_are_ours_or_unknown(theirs: str, ours: str | None) -> None:
    assert paper_of(type=theirs).type == ours


@needs_recordings
@pytest.mark.parametrize(
    ("name", "body"),
    [
        pytest.param("work-title-list-first-item-empty.json", "titles.json", id="first-title-empty"),
        pytest.param("work-two-titles-german.json", "titles.json", id="two-languages"),
        pytest.param("work-scielo-journal-multilingual.json", "titles.json", id="original-title"),
        pytest.param("work-title-html-greek-newline.json", "titles.json", id="line-breaks"),
        pytest.param("work-title-encoded-html-attribute.json", "titles.json", id="escaped-markup"),
        pytest.param("work-author-family-only-html-title.json", "titles.json", id="glued-markup"),
        pytest.param("work-dissertation-null-issued.json", "dates.json", id="no-date"),
        pytest.param("work-proceedings-year-only.json", "dates.json", id="year-only"),
        pytest.param("work-no-author.json", "authors.json", id="no-author"),
        pytest.param("work-article-number-no-page.json", "abstracts.json", id="article-number"),
        pytest.param("work-103-references.json", "abstracts.json", id="references"),
        pytest.param("work-preprint-of.json", "versions.json", id="preprint-of"),
        pytest.param("work-published-version-of-643.json", "versions.json", id="published-version"),
        pytest.param("work-preprint-relations.json", "versions.json", id="versions"),
        pytest.param("work-greek-in-title-old-format.json", "work.json", id="old-format"),
    ],
)
def test_a_recorded_work_gives_what_our_own_body_gives(name: str, body: str) -> None:
    (recorded,) = replay_recording(crossref, name).papers
    own = papers(body)[recorded.ids.doi or ""]
    for field in ("title", "publication_date", "journal", "volume", "issue", "pages", "type", "versions"):
        assert getattr(recorded, field) == getattr(own, field), field
    assert recorded.authors[:1] == own.authors[:1]
    assert set(own.alternative_titles) == set(recorded.alternative_titles)


def test_numbers_at_clinicaltrials_gov_are_registrations_and_others_are_not() -> None:
    numbers = [
        {"clinical-trial-number": "nct00000419", "registry": "10.18810/clinical-trials-gov", "type": "results"},
        {"clinical-trial-number": "isrctn04646389", "registry": "10.18810/isrctn"},
        {"registry": "10.18810/isrctn"}, None, {"clinical-trial-number": "NCT00000419"},
    ]  # fmt: skip
    assert paper_of(**{"clinical-trial-number": numbers}).registrations == ("nct:NCT00000419",)
    # Also as publishers write them; what is not a number of that registry, or one digit off its form, is none.
    written = [
        "ClinicalTrials.gov Identifier: NCT00000419.",
        "NCT 00000420; nct00000421",
        "clinicaltrials.gov/NCT00000422",
    ]
    written += ["2004-000446-20", "+49 30 12345678", "NCT0000041", "NCT000004190", "NCT00000000", "XNCT00000423", ""]
    found = paper_of(**{"clinical-trial-number": [{"clinical-trial-number": it} for it in written]}).registrations
    assert found == tuple(f"nct:NCT000004{it}" for it in (19, 20, 21, 22))
    assert paper_of().registrations == ()
