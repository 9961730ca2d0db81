from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence

import pytest

from shared.bibliography.paper import Author
from shared.documents.document import Correction, DocumentFormat, EntryFields
from shared.documents.writing import write_document
from shared.errors import Unprocessable
from tests.unit.documents.corpus_documents import NEW, apa, cited, corrected, read_unchanged, vancouver

BODY = "Microglia matter.\n\n"
HEADINGS = (
    "References", "REFERENCES:", "6. References", "VII References and Notes", "R E F E R E N C E S", "Works Cited",
    "Bibliography", "Literatur", "Literaturverzeichnis", "Références bibliographiques", "Referencias", "Bibliografia",
    "Список литературы", "参考文献", "参考文献：", "참고문헌", "Reference list (12)",
)  # fmt: skip


def wrapped(line: str, first: str = "", others: str = "") -> str:
    return textwrap.fill(line, 78, initial_indent=first, subsequent_indent=others, break_on_hyphens=False)


LAYOUTS: dict[str, Callable[[Sequence[str]], str]] = {
    "1.": lambda lines: "\n".join(wrapped(f"{number}. {line}") for number, line in enumerate(lines, 1)),
    "1)": lambda lines: "\n".join(f"{number}) {line}" for number, line in enumerate(lines, 1)),
    "(1)": lambda lines: "\n".join(wrapped(f"({number}) {line}") for number, line in enumerate(lines, 1)),
    "[1]": lambda lines: "\n".join(wrapped(f"[{number}] {line}", "", "    ") for number, line in enumerate(lines, 1)),
    "[1] in a line of its own": lambda lines: "\n".join(f"[{number}]\n{line}" for number, line in enumerate(lines, 1)),
    "1 without a dot": lambda lines: "\n".join(wrapped(f"{number} {line}") for number, line in enumerate(lines, 1)),
    "from 13 on": lambda lines: "\n".join(wrapped(f"{number}. {line}") for number, line in enumerate(lines, 13)),
    "bullets": lambda lines: "\n".join(wrapped(f"• {line}") for line in lines),
    "blank lines": lambda lines: "\n\n".join(wrapped(line) for line in lines),
    "hanging indents": lambda lines: "\n".join(wrapped(line, "", "    ") for line in lines),
    "one line each": "\n".join,
    "wrapped lines alone": lambda lines: "\n".join(wrapped(line) for line in lines),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("style", [vancouver, apa])
def test_a_list_is_divided_in_every_layout(layout: str, style: Callable[..., str]) -> None:
    lines = [style(fact) for fact in cited()]
    document = read_unchanged(
        f"{BODY}References\n\n{LAYOUTS[layout](lines)}\n\nAcknowledgements\nWe thank 2016 people.\n"
    )
    assert document.format is DocumentFormat.TEXT
    assert [entry.line for entry in document.entries] == lines
    assert [entry.fields.title for entry in document.entries] == [fact.title for fact in cited()]
    assert [entry.fields.year for entry in document.entries] == [fact.year for fact in cited()]


@pytest.mark.parametrize("heading", HEADINGS)
def test_the_list_is_found_by_its_heading(heading: str) -> None:
    lines = [vancouver(fact) for fact in cited()]
    document = read_unchanged(f"In 2016, we read a lot of papers.\n\n{heading}\n\n" + "\n".join(lines) + "\n")
    assert [entry.line for entry in document.entries] == lines


def test_a_list_without_a_heading_is_found() -> None:
    lines = [f"[{number}] {vancouver(fact)}" for number, fact in enumerate(cited(), 1)]
    whole = read_unchanged("\n".join(lines))
    behind = read_unchanged("Microglia matter [1].\nThey do [2].\n\n" + "\n".join(lines))
    assert [entry.line for entry in whole.entries] == [entry.line for entry in behind.entries]
    assert [it.entries for it in behind.citations] == [(0,), (1,)]


def test_a_table_of_contents_is_no_list_and_two_lists_are_read() -> None:
    first, second, third = (vancouver(fact) for fact in cited()[:3])
    main = f"Contents\nReferences\nAppendix\n\nText.\n\nReferences\n1. {first}\n2. {second}\n"
    text = f"{main}\nMethods\n\nReferences\n3. {third}\n"
    assert [entry.label for entry in read_unchanged(text).entries] == ["1", "2", "3"]


def test_pages_copied_from_a_pdf_are_joined() -> None:
    header = "Kober et al. Functional surface"
    text = (
        f"{header} 1\n\nReferences\n1. Kober DL, Alexander-Brett JM. Neurodegenerative disease muta-\n"
        "tions in TREM2 reveal a ﬁne surface. eLife 2016;5:e20391. https://doi.org/10.7554/\neLife.20391\n"
        f"\f{header} 2\n\n17\n\n"
        "2. Jumper J, Evans R. Highly accurate protein structure prediction with AlphaFold. Nature\n\f"
        f"{header} 3\n2021;596:583-589.\n"
    )
    kober, jumper = read_unchanged(text).entries
    assert kober.fields.title == "Neurodegenerative disease mutations in TREM2 reveal a fine surface"
    assert kober.fields.doi == "10.7554/elife.20391"
    assert jumper.line.endswith("Nature 2021;596:583-589.")
    assert header not in jumper.line + kober.line


def test_a_line_that_ends_three_references_is_no_header() -> None:
    lines = [
        f"{number}. Kober DL. On microglia, part {number}. Journal of\nAlzheimer's Disease"
        for number in (2001, 2002, 2003)
    ]
    text = "References\n" + "\n".join(f"{at}. {line.partition('. ')[2]}, 2016" for at, line in enumerate(lines, 1))
    assert [entry.line.count("Alzheimer's Disease") for entry in read_unchanged(text).entries] == [1, 1, 1]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            "Kober DL, Brett TJ. Mutations in TREM2 reveal a surface. eLife. 2016;5(2):7-9. PMID: 123",
            "Müller AB, The TREM2 Group. A title & more of 100 %. Journal of Tests. 2001;77(3):12–19. PMID: 123 "
            "https://doi.org/10.1000/new_1",
        ),
        (
            "Kober, D. L., & Brett, T. J. (2016a). Mutations in TREM2 reveal a surface. eLife, 5(2), 7–9.",
            "Müller, A. B., & The TREM2 Group (2001a). A title & more of 100 %. Journal of Tests, 77(3), 12–19. "
            "https://doi.org/10.1000/new_1",
        ),
        (
            'D. L. Kober and T. J. Brett, "Mutations in TREM2 reveal a surface," eLife, vol. 5, no. 2, pp. 7–9, 2016.',
            'A. B. Müller and The TREM2 Group, "A title & more of 100 %," Journal of Tests, vol. 77, no. 3, pp. 12–19, '
            "2001. https://doi.org/10.1000/new_1",
        ),
        (
            'Kober, Daniel L., and Thomas J. Brett. "Mutations in TREM2 reveal a surface." eLife 5, no. 2 (2016): 7–9.',
            'Müller, Anna B, and The TREM2 Group. "A title & more of 100 %." Journal of Tests 77, no. 3 (2001): 12–19. '
            "https://doi.org/10.1000/new_1",
        ),
    ],
)  # fmt: skip
def test_values_are_replaced_in_the_style_of_the_reference(line: str, expected: str) -> None:
    written = corrected(read_unchanged(f"References\n{line}\n"), fields=NEW, comment="x")
    assert written.text == f"References\n{expected} [checked: x]\n"
    assert written.not_placed == {}


def test_a_value_without_one_place_is_left_and_stated_in_the_comment() -> None:
    line = "Kober DL. The year 2016 in microglia: 5 lessons of 2016. eLife. 2015;5:5."
    fields = EntryFields(volume="6", issue="2", authors=(Author(family="Brett", given="Thomas J"),))
    written = corrected(read_unchanged(f"References\n{line}\n"), fields=fields, comment="x")
    assert written.text == (
        "References\nBrett TJ. The year 2016 in microglia: 5 lessons of 2016. eLife. 2015;6:5. [checked: x; issue: 2]\n"
    )
    assert written.not_placed == {0: ("issue",)}


def test_a_doi_is_replaced_where_it_stands_and_keeps_its_form() -> None:
    lines = [
        "Kober DL. On microglia. eLife 2016. doi:10.1000/OLD.",
        "Brett T. On mice. Cell 2016. https://doi.org/10.1000/old2",
    ]
    written = corrected(
        read_unchanged("References\n" + "\n".join(lines)), fields=EntryFields(doi="10.1000/new"), comment="x"
    )
    assert "doi:10.1000/new. [checked: x]\n" in written.text
    assert written.text.endswith("https://doi.org/10.1000/new [checked: x]")


@pytest.mark.parametrize("text", ["Only a sentence.", "References\n\nNone.\n", "x" * 5_000])
def test_a_text_without_references_is_refused(text: str) -> None:
    with pytest.raises(Unprocessable, match="has no list of references that can be recognised"):
        read_unchanged(text)


def test_an_entry_alone_is_written_without_a_comment_and_a_comment_is_not_read_again() -> None:
    line = "Kober DL. On microglia. eLife. 2016;5:1-9."
    document = read_unchanged(f"References\n1. {line}\n")
    alone = write_document(document, {0: Correction(EntryFields(year=2001), "")}).text
    assert alone == document.text.replace("2016", "2001")
    again = read_unchanged(corrected(document).text)
    assert again.entries[0].line == line.replace("2016", "2001")
    assert read_unchanged(corrected(again).text).entries[0].line == line.replace("2016", "2001")


@pytest.mark.parametrize("mark", ["[{}] ", "{}. "])
def test_a_list_whose_line_breaks_were_lost_is_divided_at_its_numbers(mark: str) -> None:
    lines = [vancouver(fact) for fact in cited()]
    joined = " ".join(f"{mark.format(number)}{line}" for number, line in enumerate(lines, 1))
    for text in (f"Shown.\n\nReferences\n{joined}\n", f"References: {joined}", f"References\n{joined}"):
        document = read_unchanged(text)
        assert [entry.line for entry in document.entries] == lines
        assert corrected(document).text.count("[checked: ") == len(lines)


@pytest.mark.parametrize(
    "doi", ["10.1016/j.\ncell.2019.01.001", "10.1007/s00-\n1234-x1", "10.1101/2020.01.02.123456v1"]
)
def test_a_doi_in_two_lines_or_with_a_version_is_replaced_whole(doi: str) -> None:
    line = "1. Smith J. A title of words here. Lancet 2019;5:1-2. doi:{}."
    document = read_unchanged(f"References\n\n{line.format(doi)}\n")
    written = corrected(document, fields=EntryFields(doi="10.1000/new"), comment="")
    assert written.text == f"References\n\n{line.format('10.1000/new')}\n"
