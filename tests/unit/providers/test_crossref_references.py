"""What a work cites, as Crossref has it: papers, ids, lines of text, and lists that are not shown."""

from __future__ import annotations

from typing import Any

import pytest

from functions.providers import crossref
from shared.bibliography.identifiers import Identifiers
from shared.bibliography.paper import Author, Paper, Pointer, Retraction
from shared.outcomes import Outcome
from shared.providers.provider import ProviderReply
from shared.providers.records.crossref_references import read_author, read_cited
from shared.query.question import Links, Lookup
from tests.recorded.every_recording import folder, needs_recordings
from tests.replay import OWN_RECORDINGS, replay, requests_of

OWN = OWN_RECORDINGS / "crossref"
DOI = "10.5555/citing.2024"
QUESTION = Links("references", f"doi:{DOI}")


def by_rank(leg: ProviderReply) -> dict[int, Paper | Pointer]:
    """What a leg brings, by its place in the list."""
    return {paper.rank: paper for paper in leg.papers} | {pointer.rank: pointer for pointer in leg.pointers}


def cited(limit: int = 1000) -> dict[int, Paper | Pointer]:
    """What our own work cites, by its place in the list."""
    leg = replay(crossref, OWN / "references.json", query=Links("references", f"doi:{DOI}", limit))
    return by_rank(leg)


def leg_of(**work: Any) -> ProviderReply:
    """The leg of a work of these elements."""
    message = {"DOI": DOI, "type": "journal-article", "title": ["A title"], **work}
    return replay(crossref, {"status": "ok", "message-type": "work", "message": message}, query=QUESTION)


def test_one_whole_record_is_requested() -> None:
    (request,) = requests_of(
        crossref, QUESTION, [{"status": "ok", "message-type": "work", "message": {"DOI": DOI, "title": ["A"]}}]
    )
    assert (request.url.raw_path, request.method) == (b"/works/10.5555%2Fciting.2024?mailto=dev%40example.org", "GET")
    assert request.headers["crossref-plus-api-token"] == "Bearer secret-key"


def test_a_reference_with_a_title_is_a_paper_with_the_given_fields() -> None:
    assert cited()[2] == Paper(
        provider="crossref", rank=2, title="An equilibrium of insular zoogeography",
        ids=Identifiers(doi="10.5555/equilibrium"), authors=(Author(family="MacArthur", given="RH"),), year=1963,
        publication_date="1963", journal="Evolution", volume="17", issue="4", pages="373",
    )  # fmt: skip


def test_the_retraction_status_of_cited_papers_is_unknown() -> None:
    assert all(found.retraction == Retraction() for found in cited().values() if isinstance(found, Paper))


def test_a_book_and_a_chapter_have_their_own_titles() -> None:
    book, chapter = cited()[7], cited()[8]
    assert isinstance(book, Paper)
    assert isinstance(chapter, Paper)
    assert (book.title, book.journal) == ("The Theory of Island Biogeography", "Monographs in Population Biology")
    assert (book.authors, book.year) == ((Author(family="Engelbart", given="D. C."),), 1967)
    assert (chapter.title, chapter.journal) == ("The politics of nature", "The Rise of Modern Genomics")
    assert (chapter.authors, chapter.year) == ((Author(family="de Brown", given="B."),), None)


@pytest.mark.parametrize(
    ("rank", "ids", "text"),
    [
        pytest.param(1, Identifiers(doi="10.5555/islands.1963"), None, id="doi-alone"),
        pytest.param(3, Identifiers(doi="10.5555/naproxen"), "Todd. Drugs. 1990;40(1):91", id="doi-and-place"),
        pytest.param(
            4, Identifiers(doi="10.5555/both"), "Wilson, E. O. A line & a DOI (1961). See PMID: 99.", id="doi-and-line"
        ),
        pytest.param(
            5,
            Identifiers(arxiv="2108.07258"),
            "Bommasani, R. et al. On what is big. Preprint at https://arxiv.org/abs/2108.07258 (2021).",
            id="line-that-names-its-paper",
        ),
        pytest.param(6, Identifiers(), "Two works: 10.5555/one and 10.5555/two.", id="line-that-names-two"),
        pytest.param(9, Identifiers(), "Cancer Treatment Reports. 1987;71(1):15", id="place-alone"),
    ],
)
def test_a_reference_without_a_title_is_a_pointer(rank: int, ids: Identifiers, text: str | None) -> None:
    assert cited()[rank] == Pointer(rank, ids, text)


def test_an_arxiv_doi_is_an_arxiv_id_too() -> None:
    assert cited()[12].ids == Identifiers(doi="10.48550/arxiv.1706.03762", arxiv="1706.03762")


def test_items_without_information_are_counted_in_a_warning_and_in_the_total() -> None:
    leg = replay(crossref, OWN / "references.json", query=QUESTION)
    assert (leg.outcome, leg.total_estimate, len(leg.papers), len(leg.pointers)) == (Outcome.OK, 13, 4, 6)
    assert leg.warnings == ("Crossref states only the number of 2 references",)
    assert leg.effective_query == f"/works/{DOI}"


def test_at_most_the_requested_number_is_returned() -> None:
    assert sorted(cited(limit=3)) == [1, 2, 3]


def test_a_list_that_the_publisher_withholds_is_reported() -> None:
    leg = leg_of(**{"reference-count": 38})
    assert (leg.outcome, leg.total_estimate) == (Outcome.EMPTY, 38)
    assert leg.warnings == (f"Crossref shows none of 38 references of {DOI}: its publisher withholds them",)


def test_a_list_that_was_never_deposited_is_reported() -> None:
    leg = leg_of(**{"reference-count": 0, "references-count": 0})
    assert (leg.outcome, leg.total_estimate) == (Outcome.EMPTY, 0)
    assert leg.warnings == (f"Crossref has no references of {DOI}: its publisher deposited none",)


def test_an_unknown_work_is_reported() -> None:
    leg = replay(crossref, OWN / "not_found.txt", status=404, content_type="text/plain", query=QUESTION)
    assert (leg.outcome, leg.total_estimate) == (Outcome.EMPTY, None)
    assert leg.warnings == (f"Crossref has no record under {DOI}",)


@pytest.mark.parametrize("status", [400, 403, 429, 500])
def test_a_failure_is_never_an_empty_list(status: int) -> None:
    leg = replay(crossref, OWN / "too_many.txt", status=status, content_type="text/html", query=QUESTION)
    assert leg.outcome not in (Outcome.OK, Outcome.EMPTY)


def test_a_list_in_place_of_the_work_is_a_bad_response() -> None:
    assert replay(crossref, OWN / "zero_hits.json", query=QUESTION).outcome is Outcome.BAD_RESPONSE


@pytest.mark.parametrize("entry", [None, "A line", {}, {"key": "1"}, {"DOI": "no doi"}, {"unstructured": " "}])
def test_an_entry_that_names_nothing_is_none(entry: Any) -> None:
    assert read_cited(entry, 1) is None


def test_ids_are_read_from_the_first_two_thousand_characters_of_a_line() -> None:
    line = "Todd. Drugs. 1990. " + "10.1000/a " * 10_000 + "10.1000/last"
    assert read_cited({"unstructured": line}, 1) == Pointer(1, Identifiers(doi="10.1000/a"), line[:2_000])


@pytest.mark.parametrize(
    ("text", "author"),
    [
        ("Todd", Author(family="Todd")),
        ("M Hartenfeller", Author(family="Hartenfeller", given="M")),
        ("G J Mclachlan", Author(family="Mclachlan", given="G J")),
        ("Buckwalter JA", Author(family="Buckwalter", given="JA")),
        ("Mory E. H.", Author(family="Mory", given="E. H.")),
        ("PINTO FILHO O.", Author(family="PINTO FILHO", given="O.")),
        ("Wu X", Author(family="Wu", given="X")),
        ("X. Wu", Author(family="Wu", given="X.")),
        ("P. D. V. de Ameida", Author(family="de Ameida", given="P. D. V.")),
        ("Vaswani, A.", Author(family="Vaswani", given="A.")),
        ("Expert Group on Heritage", Author(name="Expert Group on Heritage")),
        (" ", None),
        (None, None),
    ],
)
def test_an_author_is_read_with_initials_on_either_side(text: str | None, author: Author | None) -> None:
    assert read_author(text) == author


@needs_recordings
@pytest.mark.parametrize(
    ("name", "doi", "papers", "pointers", "with_doi", "from_text"),
    [
        pytest.param("work-103-references.json", "10.1038/s42256-024-00832-8", 0, 103, 58, 13, id="lines-and-dois"),
        pytest.param("work-64-references-all-doi.json", "10.1038/s41598-018-27044-6", 0, 64, 64, 0, id="all-dois"),
        pytest.param("work-published-version-of-643.json", "10.1016/j.xgen.2025.100814", 60, 0, 53, 0, id="titles"),
    ],
)
def test_recorded_references_are_all_read(
    name: str, doi: str, papers: int, pointers: int, with_doi: int, from_text: int
) -> None:
    leg = replay(crossref, folder("crossref") / name, query=Links("references", f"doi:{doi}"))
    assert (len(leg.papers), len(leg.pointers), leg.total_estimate) == (papers, pointers, papers + pointers)
    found = by_rank(leg)
    assert sorted(found) == list(range(1, papers + pointers + 1))
    assert sum(bool(one.ids.doi) for one in found.values()) == with_doi
    assert sum(bool(one.ids.arxiv) and not one.ids.doi for one in found.values()) == from_text
    assert leg.warnings == ()


@needs_recordings
def test_the_recorded_work_itself_names_what_it_cites() -> None:
    lookup = Lookup(("doi:10.1038/s42256-024-00832-8",))
    (paper,) = replay(crossref, folder("crossref") / "work-103-references.json", query=lookup).papers
    assert len(paper.references) == 58
    assert (paper.references[0], paper.references[-1]) == ("doi:10.1145/3520312.3534864", "doi:10.5281/zenodo.10884639")
