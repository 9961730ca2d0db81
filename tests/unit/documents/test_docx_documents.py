"""Files that python-docx writes; the code reads them with zipfile and defusedxml."""

from __future__ import annotations

import io
import zipfile

import docx
import pytest
from markdown_it import MarkdownIt

from shared.documents.document import DocumentFormat, EntryFields
from shared.documents.docx_source import markdown_of_docx
from shared.documents.reading import read_document
from shared.errors import Unprocessable
from tests.unit.documents.corpus_documents import apa, cited, corrected, vancouver
from tests.unit.documents.test_markdown_documents import shown

CONTENT = '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>{}</w:body></w:document>'


def saved(document: docx.document.Document) -> bytes:
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def packed(body: str, **parts: str) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", body)
        for name, part in parts.items():
            archive.writestr(f"word/{name}.xml", part)
    return file.getvalue()


def test_headings_numbered_lists_and_raised_figures_are_read() -> None:
    made = docx.Document()
    made.add_heading("TREM2", level=1)
    paragraph = made.add_paragraph("Microglia matter")
    paragraph.add_run("1,3–4").font.superscript = True
    made.add_heading("References", level=1)
    for fact in cited():
        made.add_paragraph(vancouver(fact), style="List Number")
    document = read_document(saved(made))
    assert document.format is DocumentFormat.DOCX
    assert [entry.label for entry in document.entries] == [str(number + 1) for number in range(len(cited()))]
    assert [entry.fields.title for entry in document.entries] == [fact.title for fact in cited()]
    assert [(it.marker, it.entries) for it in document.citations] == [("¹,³⁻⁴", (0, 2, 3))]


def test_a_corrected_docx_is_markdown_that_markdown_it_reads() -> None:
    made = docx.Document()
    made.add_heading("References", level=1)
    for fact in cited():
        made.add_paragraph(vancouver(fact), style="List Number")
    written = corrected(read_document(saved(made)), fields=EntryFields(year=2001))
    assert written.format is DocumentFormat.MARKDOWN
    items = [line.strip() for line in shown(MarkdownIt().parse(written.text))]
    assert items == [vancouver(fact, 2001) for fact in cited()]


def test_paragraphs_without_numbers_are_cited_by_name() -> None:
    made = docx.Document()
    family = cited()[0].authors[0][0]
    made.add_paragraph(f"As {family} et al. ({cited()[0].year}) show (Nobody & Other, 1999).")
    made.add_paragraph("Literaturverzeichnis")
    for fact in cited():
        made.add_paragraph(apa(fact))
    document = read_document(saved(made))
    assert len(document.entries) == len(cited())
    assert [(it.entries, it.missing) for it in document.citations] == [((0,), ()), ((), ("Nobody 1999",))]


def test_deleted_text_and_fields_are_left_out_and_footnotes_are_read() -> None:
    body = CONTENT.format(
        "<w:p><w:r><w:t>Shown</w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del>"
        '<w:r><w:instrText>ADDIN ZOTERO_ITEM</w:instrText></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>'
    )
    notes = CONTENT.format(
        f'<w:footnote w:id="2"><w:p><w:r><w:t>{vancouver(cited()[0])}</w:t></w:r></w:p></w:footnote>'
    )
    document = read_document(packed(body, footnotes=notes))
    assert document.text.startswith("Shown[^f2]\n")
    assert [it.entries for it in document.citations] == [(0,)]


def in_text_box(paragraphs: str, choices: str = "") -> str:
    """A run with a text box as Word writes it: for itself and, once more, for its versions before 2010."""
    drawing = f"<w:drawing><wps:txbx><w:txbxContent>{paragraphs}</w:txbxContent></wps:txbx></w:drawing>"
    picture = f"<w:pict><v:textbox><w:txbxContent>{paragraphs}</w:txbxContent></v:textbox></w:pict>"
    choice = f'<mc:Choice Requires="wps">{drawing}</mc:Choice>{choices}'
    return f"<w:r><mc:AlternateContent>{choice}<mc:Fallback>{picture}</mc:Fallback></mc:AlternateContent></w:r>"


def with_text_boxes(body: str) -> bytes:
    named = 'xmlns:mc="urn:mc" xmlns:wps="urn:wps" xmlns:v="urn:v" xmlns:w='
    return packed(CONTENT.format(body).replace("xmlns:w=", named, 1))


def paragraph(text: str, box: str = "") -> str:
    return f"<w:p><w:pPr/><w:r><w:t>{text}</w:t></w:r>{box}</w:p>"


def test_a_paragraph_of_a_text_box_is_read_once_and_apart_from_the_one_that_contains_it() -> None:
    first, second, third = (vancouver(fact) for fact in cited()[:3])
    box = in_text_box(paragraph(second) + f"<w:tbl><w:tr><w:tc>{paragraph(third)}</w:tc></w:tr></w:tbl>")
    document = read_document(with_text_boxes(paragraph("References") + paragraph(first, box)))
    assert document.text == f"References\n\n{first}\n\n{second}\n\n{third}\n"
    assert [entry.raw for entry in document.entries] == [first, second, third]
    assert document.warnings == ()
    written = corrected(document, comment="").text
    expected = [vancouver(fact, 2001) for fact in cited()[:3]]
    assert written.split("\n\n") == ["References", *expected[:2], f"{expected[2]}\n"]


def test_of_content_for_several_versions_of_word_the_first_is_read() -> None:
    new, old = paragraph("for new ones"), paragraph("for old ones")
    other = f'<mc:Choice Requires="x">{new}</mc:Choice>'
    alone = f"<mc:AlternateContent><mc:Fallback>{old}</mc:Fallback></mc:AlternateContent>"
    deleted = f"<w:p><w:del>{in_text_box(paragraph('gone'))}</w:del></w:p>"
    notes = f"{paragraph('seen', in_text_box(paragraph('in a box'), other))}{alone}{deleted}"
    assert markdown_of_docx(with_text_boxes(notes)) == "seen\n\nin a box\n\nfor old ones\n"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"PK\x03\x04 nothing", "not a .docx file that can be unpacked"),
        (packed("<a>"), "is not well-formed XML"),
        (packed(CONTENT.format("")), "is empty"),
        (packed(" " * 20_000_001), "bytes when it is unpacked"),
        (packed('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'), "declares XML entities"),
        (b"PK\x03\x04" + bytes(5_000_000), "more than 5,000,000 bytes"),
        (b"%PDF-1.7", "is a PDF"),
    ],
)
def test_a_file_that_cannot_be_unpacked_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(Unprocessable, match=reason):
        read_document(data)


@pytest.mark.parametrize("label", ["{}", "{}.", "[{}]", "({})"])
def test_a_list_in_a_table_keeps_the_numbers_that_have_a_cell_of_their_own(label: str) -> None:
    made = docx.Document()
    made.add_paragraph("As shown [2].")
    made.add_heading("References", level=1)
    table = made.add_table(rows=0, cols=2)
    for number, fact in enumerate(cited(), 1):
        cells = table.add_row().cells
        cells[0].text, cells[1].text = label.format(number), apa(fact)
    document = read_document(saved(made))
    assert [entry.label for entry in document.entries] == [str(number + 1) for number in range(len(cited()))]
    assert [entry.line for entry in document.entries] == [apa(fact) for fact in cited()]


def test_entries_may_be_lines_of_one_paragraph() -> None:
    made = docx.Document()
    made.add_heading("References", level=1)
    made.add_paragraph("\n".join(apa(fact) for fact in cited()))  # as Word's line breaks
    assert [entry.line for entry in read_document(saved(made)).entries] == [apa(fact) for fact in cited()]


def test_an_entry_may_have_its_address_in_a_line_of_its_own() -> None:
    made = docx.Document()
    made.add_heading("References\nof this text", level=1)
    made.add_heading("References", level=1)
    for number, fact in enumerate(cited()):
        made.add_paragraph(f"{apa(fact)}\nhttps://example.org/{number}")
    lines = [f"{apa(fact)} https://example.org/{number}" for number, fact in enumerate(cited())]
    assert [entry.line for entry in read_document(saved(made)).entries] == lines
