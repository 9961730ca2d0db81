"""Documents as they are pasted: page numbers within entries, captions behind the list, repeated references."""

from __future__ import annotations

import json

import pytest

from shared.documents.document import DocumentFormat
from shared.documents.earlier_comments import without_comments
from shared.documents.reading import read_document, read_list
from shared.documents.repeated_entries import repetitions
from shared.errors import Unprocessable
from shared.references.citation_text import read_citation

FIRST = "Kober DL, Brett TJ. Neurodegenerative disease mutations in TREM2 reveal a surface. eLife. 2016;5:e20391."
SECOND = "Jonsson T. Variant of TREM2 associated with the risk of Alzheimer's disease. NEJM. 2013;368:107-16."


def lines(text: str) -> list[str]:
    return [entry.line for entry in read_document(text).entries]


def test_a_page_number_between_two_lines_of_an_entry_is_no_part_of_it() -> None:
    broken = FIRST.replace("reveal ", "reveal\n12\n")
    assert lines(f"References\n1. {broken}\n2. {SECOND}\n") == [FIRST, SECOND]


@pytest.mark.parametrize("broken", ["2016;\n5\n:e20391.", "2016;5\n:e20391.", "2016;5:\n20391\n"])
def test_a_number_that_belongs_to_the_entry_stays(broken: str) -> None:
    pasted = FIRST.replace("2016;5:e20391.", broken)
    first = lines(f"References\n1. {pasted}\n2. {SECOND}\n")[0]
    assert first == " ".join(pasted.split())


@pytest.mark.parametrize("caption", [
    "Figure 1. Expression of TREM2 in the microglia of mice, and in the blood of their healthy litter mates.",
    "Table 2: The variants, with their frequencies in both of the cohorts and the effects that they have.",
    "Supplementary Fig. S3 The structure of the ectodomain, coloured by its electrostatic potential and charge.",
])  # fmt: skip
def test_a_caption_behind_the_list_is_no_part_of_its_last_entry(caption: str) -> None:
    assert lines(f"References\n1. {FIRST}\n2. {SECOND}\n{caption}\nScale bar: 10 um.\n") == [FIRST, SECOND]


def test_a_caption_within_the_list_does_not_end_it() -> None:
    found = lines(f"References\n1. {FIRST}\nFigure 1. Expression of TREM2 in mice.\n2. {SECOND}\n")
    assert len(found) == 2
    assert found[1] == SECOND


def test_a_document_of_too_many_lines_is_refused_before_they_are_read() -> None:
    with pytest.raises(Unprocessable, match="more than 100,000 lines"):
        read_document("References\n" + "\n" * 1_900_000)


def test_the_comment_of_an_earlier_check_is_taken_out_of_notes() -> None:
    before = '[{"title": "A", "note": "read \\"twice\\""}, {"title": "B"}, {"note": "", "title": "C"}]'
    after = (
        '[{"title": "A", "note": "read \\"twice\\"; checked: year is 2013"}, '
        '{"title": "B", "note": "checked: \\"x\\""}, {"note": "checked: gone", "title": "C"}]'
    )
    assert without_comments(after, DocumentFormat.CSL_JSON) == before
    assert json.loads(before)
    assert without_comments(before, DocumentFormat.CSL_JSON) == before


def test_a_reference_that_repeats_another_is_named_with_it() -> None:
    again = f"{SECOND} doi:10.1056/nejmoa1211103"
    document = read_list(f"[1] {FIRST}\n[2] {SECOND}\n[3] {FIRST}\n[4] {again}\n[5] {again}\n")
    assert [it.message for it in document.warnings] == [
        "reference 3 repeats reference 1", "reference 4 repeats reference 2", "reference 5 repeats reference 2",
    ]  # fmt: skip
    assert document.warnings[0].offset == document.entries[2].start


def test_two_pieces_with_a_common_title_are_no_repetition() -> None:
    piece = "Doe J. Editorial. Nature. 2011;470:{}."
    assert read_list(f"[1] {piece.format(1)}\n[2] {piece.format(9)}\n").warnings == ()


def test_a_doubtful_entry_is_named_by_its_number() -> None:
    (warning,) = read_list(f"[1] {FIRST}\n[2] See the appendix of the book.\n").warnings
    assert warning.message.startswith("reference 2 has no year and no id")


def test_two_papers_with_one_doi_are_no_repetition() -> None:
    text = (
        "References\n1. Zhao N. Elevating microglia TREM2 reduces amyloid seeding. J Exp Med. 2022. doi:10.1084/jem.1\n"
        "2. Jumper J. Highly accurate protein structure prediction with AlphaFold. Nature. 2021. doi:10.1084/jem.1\n"
    )
    (warning,) = repetitions(read_document(text).entries)
    assert warning.message == "reference 2 has the DOI of reference 1, and another title"


def test_a_repetition_of_the_one_with_the_wrong_doi_is_still_a_repetition() -> None:
    other = "Zhao N. Elevating microglia TREM2 reduces amyloid seeding. J Exp Med. 2022. doi:10.1084/jem.1"
    first = "Jumper J. Highly accurate protein structure prediction with AlphaFold. Nature. 2021. doi:10.1084/jem.1"
    found = repetitions(read_document(f"References\n1. {first}\n2. {other}\n3. {other}\n").entries)
    assert [it.message for it in found] == [
        "reference 2 has the DOI of reference 1, and another title", "reference 3 repeats reference 2",
    ]  # fmt: skip


def test_the_numbers_of_a_summary_from_pubmed_are_no_part_of_its_references() -> None:
    assert lines(f"1: {FIRST}\n\n2: {SECOND}\n") == [FIRST, SECOND]


@pytest.mark.parametrize("links", [
    "Article  CAS  PubMed  Google Scholar  ", "[PMC free article] [PubMed] [Google Scholar]",
    "View in Scopus\nGoogle Scholar",
    "[Crossref], [Web of Science ®], [Google Scholar]", "Article\xa0\nMathSciNet\xa0\nGoogle Scholar\xa0",
])  # fmt: skip
def test_the_links_that_a_publisher_shows_below_each_reference_are_no_part_of_one(links: str) -> None:
    assert lines(f"References\n{FIRST}\n{links}\n{SECOND}\n{links}\n") == [FIRST, SECOND]


@pytest.mark.parametrize(("broken", "whole"), [
    ("neurodegen-\nerative", "neurodegenerative"), ("short-\nand long-term", "short- and long-term"),
    ("pre- or post-\noperative", "pre- or postoperative"), ("Haupt-\nund Nebensache", "Haupt- und Nebensache"),
])  # fmt: skip
def test_a_word_is_joined_at_the_end_of_a_line_unless_another_shares_its_end(broken: str, whole: str) -> None:
    assert whole in lines(f"References\n1. {FIRST.replace('disease', broken)}\n2. {SECOND}\n")[0]
    assert whole in (read_citation(FIRST.replace("disease", broken)).title or "")


@pytest.mark.parametrize("heads", ["### Recommended papers\n\n", "Here are some papers:\n\n", "# Papers\nFor you:\n"])
def test_a_bullet_below_another_begins_no_entry(heads: str) -> None:
    items = [
        f"- **A title of paper {at}**\n  - Authors: Doe, J.\n  - Year: 201{at}\n  - Venue: Sleep\n" for at in (1, 2)
    ]
    assert len(lines(heads + "".join(items))) == 2


@pytest.mark.parametrize("mark", ["### ", "**"])
def test_the_bullets_below_each_title_begin_no_entries(mark: str) -> None:
    items = [
        f"{mark}A title of paper {at}{mark.strip(' #')}\n- Authors: Doe, J.\n- Year: 201{at}\n- Venue: Sleep\n\n"
        for at in (1, 2)
    ]
    assert len(lines("".join(items))) == 2


def test_the_names_of_the_columns_of_a_table_are_no_entry() -> None:
    head = "| # | Authors | Year | Title | Journal |\n|---|:---|---:|-------|---|\n"
    rows = "| 1 | Doe J, Roe K | 2015 | Sleep of mice | Sleep |\n| 2 | Poe E | 2016 | Dreams of mice | Brain |\n"
    assert [line.split(" |")[0] for line in lines(head + rows)] == ["| 1", "| 2"]


def test_a_reference_in_the_head_of_a_table_is_an_entry() -> None:
    cells = [f"| {at} | Doe J. Sleep of mice in town {at}. Sleep. 201{at};{at}:1-9. |\n" for at in (1, 2, 3)]
    assert len(lines(f"{cells[0]}|---|---|\n{cells[1]}{cells[2]}")) == 3


def test_a_line_that_stands_alone_on_two_pages_with_their_numbers_is_a_header() -> None:
    first = FIRST.replace("reveal ", "reveal\n\nSLEEP AND MEMORY 12\n\n")
    second = SECOND.replace("with ", "with\n\nSLEEP AND MEMORY 13\n\n")
    more = [f"Roe K. Sleep in town {at}. Sleep. 2016;{at}:1-9." for at in range(3, 8)]
    text = "\n\n".join(f"{at}. {entry}" for at, entry in enumerate([first, *more, second], 1))
    assert lines(f"References\n\n{text}\n") == [FIRST, *more, SECOND]


def test_two_patents_that_differ_in_their_numbers_are_no_headers() -> None:
    patents = [f"Doe J, Apparatus for sleep, US Patent {at}" for at in (1234, 1235)]
    assert lines("References\n\n" + "\n\n".join([FIRST, *patents, SECOND])) == [FIRST, *patents, SECOND]
