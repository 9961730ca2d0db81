"""PDF files as full texts: what stands on their pages is read as it was written, and as nothing more."""

from __future__ import annotations

import pytest

from infra.local.sandbox.corpus import default_corpus
from infra.local.sandbox.texts.pdf import COPIES, HIDDEN, file_of_copy, pdf_texts
from infra.local.sandbox.texts.pdf_writer import PdfPage, pdf_of
from shared.bibliography.full_text import FullText, placed_paragraphs
from shared.full_texts.pdf_runs import read_pages
from shared.full_texts.pdf_text import text_of_pages
from tests.unit.full_texts.written import expected, read, text_of

URL = "https://host.example/a.pdf"
BODY = "These words stand in the text and are long enough to be most of what is printed here."
every_copy = pytest.mark.parametrize("copy", COPIES, ids=lambda it: it.doi)
WITH_HEADINGS, LETTER = COPIES[:3], COPIES[3]


def text_in(body: bytes) -> FullText:
    text = text_of_pages(read_pages(body), URL)
    assert text
    return text


def file_with(*lines: tuple[str, float, bool]) -> bytes:
    """One page with these lines, each at some distance from the one before: text, size, bold."""
    page = PdfPage()
    for number, (text, size, bold) in enumerate(lines):
        page.text(72.0, 700.0 - 40.0 * number, text, size, bold=bold)
    return pdf_of([page])


def below_each_other(*lines: str, at: float = 72.0) -> PdfPage:
    page = PdfPage()
    for number, text in enumerate(lines):
        page.text(at, 700.0 - 12.0 * number, text)
    return page


def paragraphs(text: FullText) -> list[str]:
    return [it.paragraph.text for it in placed_paragraphs(text)]


@pytest.mark.parametrize("copy", WITH_HEADINGS, ids=lambda it: it.doi)
def test_every_section_of_a_pdf_is_read_as_it_was_written(copy: object) -> None:
    text = text_in(file_of_copy(copy, default_corpus()))  # type: ignore[arg-type]
    written = expected(pdf_texts()[copy.doi], footnote_label="1")  # type: ignore[attr-defined]
    front, *sections = read(text)
    assert front[0] == ""  # the authors
    assert sections == written


@every_copy
def test_every_reference_of_a_pdf_leads_to_the_paper_that_it_names(copy: object) -> None:
    cited = text_in(file_of_copy(copy, default_corpus())).cited  # type: ignore[arg-type]
    assert [it.ids.doi for it in cited] == pdf_texts()[copy.doi].cited  # type: ignore[attr-defined]


@every_copy
def test_the_title_is_the_largest_print_of_the_first_page(copy: object) -> None:
    text = text_in(file_of_copy(copy, default_corpus()))  # type: ignore[arg-type]
    assert text.title == default_corpus().by_name[copy.doi].title  # type: ignore[attr-defined]


@every_copy
def test_the_text_between_two_offsets_is_the_paragraph(copy: object) -> None:
    text = text_in(file_of_copy(copy, default_corpus()))  # type: ignore[arg-type]
    whole = text_of(text)
    assert all(whole[it.start : it.end] == it.paragraph.text for it in placed_paragraphs(text))


@every_copy
def test_headers_page_numbers_and_hidden_text_are_in_no_text(copy: object) -> None:
    body = file_of_copy(copy, default_corpus())  # type: ignore[arg-type]
    fact = default_corpus().by_name[copy.doi]  # type: ignore[attr-defined]
    shown = text_of(text_in(body))
    assert HIDDEN not in shown
    assert f"{fact.journal} {fact.year}" not in shown
    assert not any(line.strip().isdigit() for line in shown.splitlines())


def test_a_text_without_headings_has_a_section_for_each_page_and_no_heading() -> None:
    text = text_in(file_of_copy(LETTER, default_corpus()))
    assert [(it.number, it.path) for it in text.sections] == [("p1", ()), ("p2", ())]
    assert paragraphs(text)[1:] == [it.text for part in pdf_texts()[LETTER.doi].parts for it in part.blocks]


def test_sections_are_numbered_by_their_levels() -> None:
    text = text_in(file_of_copy(COPIES[0], default_corpus()))
    assert [it.number for it in text.sections] == ["0", "abstract", "1", "2", "2.1", "2.2", "3", "4"]
    assert text.sections[4].path == ("2 Results", "2.1 Stiffness")
    assert [it.language for it in text_in(file_of_copy(COPIES[2], default_corpus())).sections[1:3]] == [None, "de"]


@pytest.mark.parametrize(
    ("lines", "joined"),
    [
        (("a long descrip-", "tion of it"), "a long description of it"),
        (("the COVID-", "19 years"), "the COVID-19 years"),
        (("a well-known and a well-", "known case"), "a well-known and a well-known case"),
        (("from Smith-", "Jones"), "from Smith-Jones"),
        (("see 10-", "year data"), "see 10- year data"),
        (("an efficient flow", "of words"), "an efficient flow of words"),
    ],
)
def test_words_divided_at_the_end_of_a_line_are_whole_again(lines: tuple[str, ...], joined: str) -> None:
    assert paragraphs(text_in(pdf_of([below_each_other(*lines)]))) == [joined]


def test_columns_are_read_one_after_the_other_whatever_the_order_of_the_file() -> None:
    page = PdfPage()
    for number in range(8):
        page.text(320.0, 700.0 - 12.0 * number, f"right column, which has line number {number}.")
        page.text(54.0, 700.0 - 12.0 * number, f"left column, which has line number {number} too.")
    shown = " ".join(paragraphs(text_in(pdf_of([page]))))
    places = [shown.index(f"left column, which has line number {n}") for n in range(8)]
    places += [shown.index(f"right column, which has line number {n}") for n in range(8)]
    assert places == sorted(places)


def test_a_heading_is_recognised_by_size_weight_or_capitals() -> None:
    text = text_in(
        file_with(
            ("The title", 16.0, False), ("Larger", 12.0, False), (BODY, 10.0, False), ("Bold", 10.0, True),
            (BODY, 10.0, False),
            ("CAPITALS", 10.0, False), (BODY, 10.0, False), ("NO 1", 10.0, False), (BODY, 10.0, False),
        )
    )  # fmt: skip
    assert [it.path[-1] for it in text.sections] == ["Larger", "Bold", "CAPITALS"]
    assert text.title == "The title"


def test_headings_in_the_print_of_the_text_are_recognised_by_roman_numbers_and_names() -> None:
    text = text_in(
        file_with(
            ("A. Author and B. Author", 10.0, False), (f"Abstract—{BODY}", 10.0, False),
            ("I. Introduction", 10.0, False),
            (BODY, 10.0, False), ("II. Methods", 10.0, False), ("A. Samples", 10.0, False), (BODY, 10.0, False),
            ("References", 10.0, False), ("[1] A. Smith. A title of a paper. Journal, 2001.", 10.0, False),
        )
    )  # fmt: skip
    assert [(it.number, it.path) for it in text.sections] == [
        ("0", ()),
        ("abstract", ("Abstract",)),
        ("1", ("I. Introduction",)),
        ("2", ("II. Methods",)),
        ("2.1", ("II. Methods", "A. Samples")),
    ]
    assert paragraphs(text) == ["A. Author and B. Author", BODY, BODY, BODY]
    assert len(text.cited) == 1


def test_a_scan_and_a_file_without_pages_have_no_text() -> None:
    assert text_of_pages(read_pages(pdf_of([PdfPage(["q 100 0 0 100 0 0 cm /Im0 Do Q"])])), URL) is None
    assert text_of_pages(read_pages(pdf_of([])), URL) is None


def test_words_are_parted_by_gaps_and_not_by_kerning() -> None:
    kerned = "BT /F1 10 Tf 72 700 Td [(W) 80 (ord) -278 (by) -10 ( w) 40 (ord)] TJ ET"
    assert paragraphs(text_in(pdf_of([PdfPage([kerned])]))) == ["Word by word"]
