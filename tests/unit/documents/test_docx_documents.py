"""Files that python-docx writes; the code reads them with zipfile and defusedxml."""

from __future__ import annotations

import io
import zipfile

import docx
import pytest
from markdown_it import MarkdownIt

from shared.documents.document import DocumentFormat, EntryFields
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


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"PK\x03\x04 nothing", "no .docx file that can be unpacked"),
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
