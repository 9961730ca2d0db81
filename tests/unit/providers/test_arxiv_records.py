"""What becomes of arXiv's entries: identifiers, dates, people, the published article, withdrawals."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from functions.providers import arxiv
from shared.bibliography.paper import Author, OpenAccess, Paper, RetractionStatus, Version
from shared.providers.records.arxiv import read_paper
from tests.recorded.every_recording import needs_recordings, replay_recording
from tests.replay import OWN_RECORDINGS, replay

BODIES = OWN_RECORDINGS / "arxiv"


def papers_of(body: str) -> dict[str | None, Paper]:
    return {paper.ids.arxiv: paper for paper in replay(arxiv, BODIES / body).papers}


@pytest.fixture(scope="module")
def new() -> dict[str | None, Paper]:
    return papers_of("search.xml")


@pytest.fixture(scope="module")
def odd() -> dict[str | None, Paper]:
    return papers_of("oddities.xml")


# arXiv id -> title, date of the first version, first author, number of authors, DOI of the published article.
FACTS = {
    "1706.03762": ("Attention Is All You Need", "2017-06-12", "Vaswani", 8, None),
    "1107.0825": ("GLACIER and related R&D", "2011-07-05", "Curioni", 1, "10.1088/1742-6596/309/1/012012"),
    "2104.12255": ("0", "2021-04-20", "Nguyen", 1, None),
    "2306.03845": (
        "$ω$Test: WebView-Oriented Testing for Android Applications",
        "2023-06-06", "Hu", 4, "10.1145/3597926.3598112",
    ),
    "2008.11708": (
        "A Multitask Deep Learning Approach for User Depression Detection on Sina Weibo",
        "2020-08-25", "Wang", None, None,
    ),
    "2008.11505": (
        "Cross-regional oil palm tree counting and detection via multi-level attention domain adaptation network",
        "2020-08-26", "Zheng", None, "10.1016/j.isprsjprs.2020.07.002",
    ),
}  # fmt: skip
RECORDED = {
    "1706.03762": "id-1706.03762-2026-07.xml",
    "1107.0825": "q-2026-08-glacier.xml",
    "2104.12255": "id-2104.12255v1.xml",
    "2306.03845": "q-testing-s20-m10.xml",
    "2008.11708": "legacy-2020-boolean-20.xml",
    "2008.11505": "legacy-2020-boolean-20.xml",
}


def holds_the_facts(paper: Paper) -> None:
    title, day, family, count, doi = FACTS[paper.ids.arxiv or ""]
    assert paper.title == title
    assert (paper.publication_date, paper.year) == (day, int(day[:4]))
    assert paper.authors[0].family == family
    assert paper.author_count == len(paper.authors)
    assert count is None or paper.author_count == count
    assert [version.doi for version in paper.versions] == ([doi] if doi else [])
    assert (paper.type, paper.journal, paper.ids.doi) == ("preprint", "arXiv", None)


@pytest.mark.parametrize("arxiv_id", FACTS)
def test_the_facts_of_a_record(arxiv_id: str) -> None:
    body = "search-legacy.xml" if arxiv_id.startswith("2008") else "search.xml"
    holds_the_facts(papers_of(body)[arxiv_id])


@needs_recordings
@pytest.mark.parametrize("arxiv_id", FACTS)
def test_the_facts_of_a_recorded_record(arxiv_id: str) -> None:
    found = [paper for paper in replay_recording(arxiv, RECORDED[arxiv_id]).papers if paper.ids.arxiv == arxiv_id]
    assert len(found) == 1
    holds_the_facts(found[0])


def test_ids_lose_the_address_and_the_version_and_keep_the_slash_of_the_old_style(new: dict[str, Paper]) -> None:
    assert list(new) == ["1706.03762", "1107.0825", "hep-ex/0307015", "2104.12255", "2306.03845"]


def test_ranks_follow_the_order_of_the_feed(new: dict[str, Paper]) -> None:
    assert [paper.rank for paper in new.values()] == [1, 2, 3, 4, 5]


def test_line_breaks_entities_and_latex_become_plain_text(new: dict[str, Paper]) -> None:
    paper = new["hep-ex/0307015"]
    assert paper.title == "Multi-Electron Production at High Transverse Momenta in ep Collisions at HERA"
    assert paper.abstract == r"Events with several electrons are counted for p < 100 GeV and $\sigma$ is given."


def test_the_date_is_that_of_the_first_version_and_not_of_the_last_change(new: dict[str, Paper]) -> None:
    assert new["1706.03762"].publication_date == "2017-06-12"  # version 7 is of 2023


def test_the_doi_is_the_published_articles_and_links_to_it(new: dict[str, Paper]) -> None:
    assert new["1107.0825"].versions == (
        Version("published", doi="10.1088/1742-6596/309/1/012012", journal="J.Phys.Conf.Ser.309:012012,2011"),
    )


@pytest.mark.parametrize(
    ("arxiv_id", "dois"),
    [
        pytest.param("0000.00002", ["10.1000/first"], id="several, parted by blanks"),
        pytest.param("0000.00003", [], id="malformed"),
        pytest.param("0000.00004", [], id="arXiv's own"),
    ],
)
def test_of_the_typed_dois_the_first_readable_one_of_an_article_counts(
    arxiv_id: str, dois: list[str], odd: dict[str, Paper]
) -> None:
    assert [version.doi for version in odd[arxiv_id].versions] == dois


def test_a_doi_link_of_the_old_resolver_gives_the_same_doi() -> None:
    assert papers_of("search-legacy.xml")["2008.11505"].versions[0].doi == "10.1016/j.isprsjprs.2020.07.002"


def test_everything_is_open_access_at_its_pdf_without_a_licence(new: dict[str, Paper]) -> None:
    access = new["1706.03762"].open_access
    assert (access.is_oa, access.url, access.license) == (True, "https://arxiv.org/pdf/1706.03762v7", None)
    assert [(place.version, place.host) for place in access.locations] == [("submittedVersion", "repository")]


def test_the_landing_page_is_the_alternate_link(new: dict[str, Paper]) -> None:
    assert new["hep-ex/0307015"].landing_page == "https://arxiv.org/abs/hep-ex/0307015v1"


def test_an_entry_without_links_has_the_abstract_page_and_no_open_copy(odd: dict[str, Paper]) -> None:
    assert odd["0000.00003"].landing_page == "https://arxiv.org/abs/0000.00003"
    assert odd["0000.00003"].open_access == OpenAccess()


def test_a_withdrawn_paper_is_marked_with_the_day_of_its_last_version(odd: dict[str, Paper]) -> None:
    retraction = odd["0000.00001"].retraction
    assert (retraction.status, retraction.date) == (RetractionStatus.RETRACTED, "2020-05-04")


def test_a_withdrawn_paper_without_a_file_has_no_open_copy(odd: dict[str, Paper]) -> None:
    assert (odd["0000.00001"].open_access.is_oa, odd["0000.00001"].open_access.url) == (None, None)


def test_a_paper_about_another_withdrawal_is_not_withdrawn(odd: dict[str, Paper]) -> None:
    assert odd["0000.00002"].retraction.status is RetractionStatus.UNKNOWN


def entry_of(comment: str, abstract: str) -> Paper:
    atom, arxiv = "http://www.w3.org/2005/Atom", "http://arxiv.org/schemas/atom"
    entry = ElementTree.Element(f"{{{atom}}}entry")
    for name, text in (("id", "http://arxiv.org/abs/2101.00001v2"), ("title", "Title"), ("summary", abstract)):
        ElementTree.SubElement(entry, f"{{{atom}}}{name}").text = text
    ElementTree.SubElement(entry, f"{{{arxiv}}}comment").text = comment
    return read_paper(entry, 1)


@pytest.mark.parametrize(
    ("comment", "abstract"),
    [
        ("This paper has been withdrawn by the authors due to an error in Lemma 2", "We show a bound."),
        ("Paper withdrawn by the authors", "We show a bound."),
        ("Article withdrawn", "We show a bound."),
        ("Paper is withdrawn", "We show a bound."),
        ("12 pages, withdrawn", "We show a bound."),
        ("(Withdrawn)", "We show a bound."),
        ("Withdrawn due to an error. 3 figures", "We show a bound."),
        ("We withdraw this paper because of an error in Lemma 2", "We show a bound."),
        ("The authors have withdrawn this paper", "We show a bound."),
        ("This submission has been withdrawn by arXiv administrators", "We show a bound."),
        ("This version withdrawn by arXiv administrators", "We show a bound."),
        ("", "This paper has been withdrawn by the author due to a crucial sign error in equation 1."),
        ("", "The paper has been withdrawn."),
        ("This paper has been temporarily withdrawn by the author", "We show a bound."),
        ("This thesis has been withdrawn by the author", "We show a bound."),
        ("Withdrawn - error in Lemma 2", "We show a bound."),
        ("Due to an error in Lemma 2, this paper is withdrawn", "We show a bound."),
        ("", "Because of an error in eq. 2, this paper has been withdrawn by the author."),
        ("This paper has been removed by arXiv administrators because it plagiarizes", "We show a bound."),
        ("Paper withdrawn at the request of the author", "We show a bound."),
        ("Withdrawn (error in Lemma 2)", "We show a bound."),
        ("withdrawn, superseded by arXiv:1234.5678", "We show a bound."),
        ("The authors have decided to withdraw this paper", "We show a bound."),
        ("We are withdrawing this paper due to an error", "We show a bound."),
        ("arXiv admin note: withdrawn by arXiv administration due to plagiarism", "We show a bound."),
        ("This paper has been retracted", "We show a bound."),
        ("This paper has been withdrawn from arXiv by the authors", "We show a bound."),
        ("Withdrawn from the arXiv", "We show a bound."),
        ("We withdraw this paper from arXiv", "We show a bound."),
        ("", "This submission has been withdrawn from arXiv."),
        ("This paper has been withdrawn after an error was found in Lemma 2", "We show a bound."),
        ("This paper has been withdrawn and replaced by arXiv:1234.5678", "We show a bound."),
        ("", "We show a bound. This paper has been withdrawn, because of an error."),
    ],
)
def test_a_withdrawal_is_read_as_authors_and_arxiv_state_it(comment: str, abstract: str) -> None:
    assert entry_of(comment, abstract).retraction.status is RetractionStatus.RETRACTED


@pytest.mark.parametrize(
    ("comment", "abstract"),
    [
        ("12 pages; the previous version was withdrawn", "We show a bound."),
        ("Resubmission. The first version was withdrawn because of a wrong figure", "We show a bound."),
        ("The original paper was withdrawn, this one corrects it", "We show a bound."),
        ("12 pages", "We detect a banknote. The note was withdrawn from circulation in 1998."),
        ("12 pages", "Wakefield linked vaccines and autism. The paper was withdrawn twelve years later."),
        ("12 pages", "Patients who were withdrawn from the trial did well. Withdrawn patients were few."),
        ("Accepted; withdrawn patients are in Table 2", "We show a bound."),
        ("", "We withdraw the assumption of convexity and show a bound."),
        ("", "We withdrew the drug from 20 patients."),
        ("", "Withdrawn for safety reasons, drugs such as rofecoxib are studied."),
        ("", "Withdrawn by regulators, rofecoxib is studied."),
        ("", "Scientific work withdrawn by journals is studied."),
        ("", "Paper withdrawn from conferences: an analysis."),
        ("We withdraw the statement of Lemma 3 of version 1", "We show a bound."),
        ("We withdrew our claim on Theorem 2", "We show a bound."),
        ("The authors withdrew the dataset", "We show a bound."),
        ("ICLR 2021 submission (withdrawn)", "We show a bound."),
        ("Submitted to NeurIPS 2020 (withdrawn)", "We show a bound."),
        ("Submitted to NeurIPS 2020, withdrawn", "We show a bound."),
        ("Due to a deadline, this paper was withdrawn from ICLR 2021", "We show a bound."),
        ("", "Lesions were removed by the authors. This paper has been removed from consideration at a journal."),
        ("withdrawn for revision", "We show a bound."),
        ("This paper was withdrawn from ICLR 2021", "We show a bound."),
        ("Withdrawn by the authors from ICML", "We show a bound."),
        ("10 pages. The companion paper has been withdrawn", "We show a bound."),
        ("v3: corrected; this paper was withdrawn in v2 because of an error that is now fixed", "We show a bound."),
        ("The published paper was withdrawn; this is the corrected preprint", "We show a bound."),
        ("this version was withdrawn by mistake and is restored", "We show a bound."),
        ("This paper has been withdrawn and replaced by a new version", "We show a bound."),
        ("Our note is withdrawn in favor of it", "We show a bound."),
        ("This reply concerns a paper; the paper was withdrawn after our comment", "We show a bound."),
        ("Comment on arXiv:0901.1234; the paper has been withdrawn by its authors", "We show a bound."),
        ("", "This paper was withdrawn from NeurIPS and submitted to ICML."),
    ],
)
def test_other_withdrawals_are_not_the_papers(comment: str, abstract: str) -> None:
    assert entry_of(comment, abstract).retraction.status is RetractionStatus.UNKNOWN


def test_a_paper_titled_error_is_a_paper(odd: dict[str, Paper]) -> None:
    assert odd["0000.00002"].title == "Error"


def test_people_groups_suffixes_and_the_sign_between_them(odd: dict[str, Paper]) -> None:
    assert odd["0000.00002"].authors == (
        Author(name="The Test Collaboration"),
        Author(family="Test Jr.", given="Ada"),
        Author(name="Plato"),
    )
    assert odd["0000.00002"].author_count == 3


def test_particles_belong_to_the_family_name(odd: dict[str, Paper]) -> None:
    assert odd["0000.00001"].authors == (Author(family="van der Test", given="Jan"),)


def test_a_collaboration_alone_is_one_author(new: dict[str, Paper]) -> None:
    assert new["hep-ex/0307015"].authors == (Author(name="H1 Collaboration"),)


def test_affiliations_and_foreign_categories_are_ignored() -> None:
    assert [author.display for author in papers_of("search-legacy.xml")["2008.11505"].authors] == [
        "Juepeng Zheng",
        "Haohuan Fu",
    ]


def test_entries_that_are_no_papers_or_lack_a_title_are_skipped_with_a_warning() -> None:
    reply = replay(arxiv, BODIES / "oddities.xml")
    assert [paper.ids.arxiv for paper in reply.papers] == [f"0000.0000{n}" for n in (1, 2, 3, 4)]
    assert [warning for warning in reply.warnings if "skipped" in warning] == [
        "record 5 skipped: the entry is not a paper of arXiv",
        "record 6 skipped: arXiv 0000.00005 has no title",
    ]


@needs_recordings
def test_the_recorded_proceedings_keep_their_34_people_and_their_particles() -> None:
    paper = replay_recording(arxiv, "id-1707.08567.xml").papers[0]
    assert paper.author_count == len(paper.authors) == 34
    assert [author.family for author in paper.authors if " " in (author.family or "")] == [
        "de With",
        "van der Putten",
        "van der Sommen",
    ]
