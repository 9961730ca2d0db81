"""Semantic Scholar's fields one by one: tables of what they hold and what it becomes."""

from __future__ import annotations

from typing import Any

import pytest

from functions.providers import semantic_scholar
from shared.bibliography.paper import Author, Location, OpenAccess, Paper
from tests.replay import replay


def one(**fields: Any) -> Paper:
    """The paper that a record with these fields becomes."""
    record = {"paperId": "0" * 40, "title": "A title", **fields}
    return replay(semantic_scholar, {"total": 1, "offset": 0, "data": [record]}).papers[0]


@pytest.mark.parametrize(
    ("flag", "pdf", "expected"),
    [
        pytest.param(False, None, OpenAccess(is_oa=False), id="null"),
        pytest.param(
            True,
            {"url": "https://x.org/a.pdf", "status": "GREEN"},
            OpenAccess(True, "https://x.org/a.pdf", None, (Location("https://x.org/a.pdf", host="repository"),)),
            id="url-and-status",
        ),
        pytest.param(
            True,
            {"url": "https://x.org/a.pdf", "status": "GOLD", "license": "CCBY"},
            OpenAccess(
                True,
                "https://x.org/a.pdf",
                "CCBY",
                (Location("https://x.org/a.pdf", license="CCBY", host="publisher"),),
            ),
            id="license",
        ),
        pytest.param(
            True,
            {"url": "https://x.org/a.pdf", "status": None, "license": None, "disclaimer": "Notice: ask."},
            OpenAccess(True, "https://x.org/a.pdf", None, (Location("https://x.org/a.pdf"),)),
            id="disclaimer",
        ),
        pytest.param(
            False, {"url": "", "status": "CLOSED", "license": None}, OpenAccess(is_oa=False), id="empty-url-closed"
        ),
        pytest.param(False, {"url": "", "status": None, "license": None}, OpenAccess(is_oa=False), id="empty-url-null"),
        pytest.param(None, {"url": "", "status": "CLOSED"}, OpenAccess(is_oa=False), id="closed-without-flag"),
        pytest.param(None, {"url": "", "status": None}, OpenAccess(is_oa=None), id="empty-url-without-flag"),
        pytest.param(
            None,
            {"url": "http://arxiv.org/pdf/2301.10035", "status": "CLOSED"},
            OpenAccess(True, "http://arxiv.org/pdf/2301.10035", None, (Location("http://arxiv.org/pdf/2301.10035"),)),
            id="closed-with-a-copy",
        ),
    ],
)
def test_each_shape_of_the_open_access_pdf_is_read(
    flag: bool | None, pdf: dict[str, Any] | None, expected: OpenAccess
) -> None:
    assert one(isOpenAccess=flag, openAccessPdf=pdf).open_access == expected


@pytest.mark.parametrize(
    ("name", "author"),
    [
        pytest.param("Andrew D. White", Author("White", "Andrew D."), id="initial"),
        pytest.param("Laurens van der Maaten", Author("van der Maaten", "Laurens"), id="particles"),
        pytest.param("Luís Mano da Costa", Author("da Costa", "Luís Mano"), id="particle-after-a-second-name"),
        pytest.param("William H. Press Jr.", Author("Press Jr.", "William H."), id="suffix"),
        pytest.param("Turing", Author(name="Turing"), id="one-word"),
        pytest.param(
            "Kyriacos, Κυριάκος, Athanasiou, Αθανασίου",
            Author(name="Kyriacos, Κυριάκος, Athanasiou, Αθανασίου"),
            id="commas-cannot-be-parted",
        ),
    ],
)
def test_a_name_is_parted_where_it_can_be(name: str, author: Author) -> None:
    assert one(authors=[{"authorId": None, "name": name}]).authors == (author,)


@pytest.mark.parametrize(
    ("kinds", "ours"),
    [
        pytest.param(["JournalArticle"], "journal-article", id="article"),
        pytest.param(["JournalArticle", "Review"], "review", id="review-behind"),
        pytest.param(["Review", "JournalArticle"], "review", id="review-before"),
        pytest.param(["MetaAnalysis", "JournalArticle"], "meta-analysis", id="meta-analysis"),
        pytest.param(["Book", "JournalArticle", "Conference"], "conference-paper", id="proceedings"),
        pytest.param(["JournalArticle", "Book"], "journal-article", id="article-called-a-book"),
        pytest.param(["JournalArticle", "News"], "journal-article", id="news-of-a-journal"),
        pytest.param(["BookSection"], "book-chapter", id="chapter"),
        pytest.param(["CaseReport"], "journal-article", id="case-report"),
        pytest.param(["ClinicalTrial", "JournalArticle"], "clinical-trial", id="trial"),
        pytest.param(["LettersAndComments", "JournalArticle"], "letter", id="letter"),
        pytest.param(["Hologram"], None, id="unknown"),
        pytest.param([], None, id="none"),
    ],
)
def test_a_type_is_ours_or_unknown(kinds: list[str], ours: str | None) -> None:
    assert one(publicationTypes=kinds, journal={"name": "Nature"}).type == ours


@pytest.mark.parametrize(
    ("fields", "is_preprint"),
    [
        pytest.param({"externalIds": {"ArXiv": "2607.22410"}, "venue": ""}, True, id="arxiv-without-venue"),
        pytest.param({"externalIds": {"ArXiv": "2205.1"}, "venue": "arXiv.org"}, True, id="venue-arxiv"),
        pytest.param({"externalIds": {"DOI": "10.48550/arXiv.2205.02150"}}, True, id="datacite-doi"),
        pytest.param({"externalIds": {"DOI": "10.1101/2024.04.01.587366"}}, True, id="biorxiv-doi"),
        pytest.param({"externalIds": {"DOI": "10.1101/gr.229102"}}, False, id="genome-research-has-that-prefix-too"),
        pytest.param({"externalIds": {"DOI": "10.2139/ssrn.2250500"}}, True, id="ssrn"),
        pytest.param({"externalIds": {"DOI": "10.1109/TPAMI.2016.2577031", "ArXiv": "1506.01497"}}, False, id="both"),
        pytest.param({"venue": "Neural Information Processing Systems"}, False, id="conference"),
    ],
)
def test_a_preprint_is_known_by_doi_or_venue(fields: dict[str, Any], is_preprint: bool) -> None:
    paper = one(publicationTypes=["JournalArticle"], **fields)
    assert (paper.type == "preprint") is is_preprint


def test_a_preprint_is_no_version_of_itself() -> None:
    paper = one(externalIds={"DOI": "10.48550/arXiv.2205.02150"})
    assert (paper.ids.arxiv, paper.versions) == ("2205.02150", ())


@pytest.mark.parametrize(
    ("journal", "expected"),
    [
        pytest.param(
            {"volume": "17 8", "pages": "\n          1123-1131\n        "}, ("17", "8", "1123-1131"), id="issue"
        ),
        pytest.param({"volume": "55 1-2"}, ("55", "1-2", None), id="double-issue"),
        pytest.param({"name": "ArXiv", "volume": "abs/1706.03762"}, (None, None, None), id="arxiv-is-no-volume"),
        pytest.param({"volume": "111", "pages": "E4832 - E4841"}, ("111", None, "E4832-E4841"), id="letters"),
        pytest.param({"volume": "118", "pages": "235306"}, ("118", None, "235306"), id="article-number"),
        pytest.param({"volume": "", "pages": ""}, (None, None, None), id="empty"),
        pytest.param({"volume": "null", "pages": "n/a - n/a"}, (None, None, None), id="not-known"),
    ],
)
def test_volume_issue_and_pages_are_plain(journal: dict[str, str], expected: tuple[str | None, ...]) -> None:
    paper = one(journal=journal)
    assert (paper.volume, paper.issue, paper.pages) == expected
