"""Reads the references of a whole document: its format, its entries, its citations, and what could not be read."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module

from shared.documents.bounds import MAX_DOCX_BYTES, MAX_WARNINGS, check_length, unreadable
from shared.documents.detecting import format_of
from shared.documents.document import READ_ONLY, Document, DocumentFormat, ReadingWarning
from shared.documents.line_ends import in_text, with_line_feeds
from shared.documents.repeated_entries import repetitions

# Format -> (module, function): a format's parser is imported when a document has this format.
_READERS = {
    DocumentFormat.TEXT: ("text_source", "read_text"),
    DocumentFormat.MARKDOWN: ("markdown_source", "read_markdown"),
    DocumentFormat.DOCX: ("markdown_source", "read_markdown"),
    DocumentFormat.LATEX: ("latex_source", "read_latex"),
    DocumentFormat.BIBTEX: ("bibtex_source", "read_bibtex"),
    DocumentFormat.RIS: ("ris_source", "read_ris"),
    DocumentFormat.CSL_JSON: ("csl_source", "read_csl"),
    DocumentFormat.JATS: ("jats_source", "read_jats"),
    DocumentFormat.ENDNOTE_XML: ("endnote_source", "read_endnote"),
    DocumentFormat.PUBMED: ("pubmed_source", "read_pubmed"),
    DocumentFormat.NBIB: ("tagged_source", "read_nbib"),
    DocumentFormat.REFER: ("tagged_source", "read_refer"),
    DocumentFormat.WEB_OF_SCIENCE: ("tagged_source", "read_web_of_science"),
    DocumentFormat.TABLE: ("table_source", "read_table"),
}
_SAMPLE = 2_000
_ZIP = b"PK\x03\x04"
_CYRILLIC = re.compile(r"[\xc0-\xff]{4}")  # read as Windows-1252: no Western word has four accents in a row
FEW_WORDS = 5
_NOT_WRITTEN = ReadingWarning("corrections are not written into a document of this format; they are listed here alone")


def read_document(content: str | bytes, format: DocumentFormat | None = None) -> Document:
    """The document with its references; `format` is found from the content if it is None.

    Text is at most 2,000,000 characters long, a .docx 5,000,000 bytes. Raises Unprocessable, naming the field
    `document`, if the content is too long, is not of this format, or has no references that can be recognised.
    """
    text, found, warnings = _text_of(content, format)
    check_length(text)
    lines = with_line_feeds(text)
    found = found or format_of(lines)
    module, name = _READERS[found]
    reader: Callable[[str], Document] = getattr(import_module(f"shared.documents.{module}"), name)
    document = reader(lines)
    if found in READ_ONLY:
        warnings.append(_NOT_WRITTEN)
    all_warnings = (*warnings, *document.warnings, *repetitions(document.entries))
    return replace(in_text(document, text), format=found, warnings=_bounded(all_warnings))


def read_list(text: str, format: DocumentFormat | None = None) -> Document:
    """The references of a list that came divided, as lines `[1] …`; see `list_source.read_numbered`."""
    from shared.documents.list_source import read_numbered

    check_length(text)
    document = read_numbered(text, format)
    return replace(document, warnings=_bounded((*document.warnings, *repetitions(document.entries))))


def _bounded(warnings: tuple[ReadingWarning, ...]) -> tuple[ReadingWarning, ...]:
    more = len(warnings) - MAX_WARNINGS
    return (*warnings[:MAX_WARNINGS], ReadingWarning(f"and {more} more warnings")) if more > 0 else warnings


def _text_of(
    content: str | bytes, format: DocumentFormat | None
) -> tuple[str, DocumentFormat | None, list[ReadingWarning]]:
    """The text, the format as far as it is known, and a warning if the encoding had to be guessed."""
    if isinstance(content, str):
        if format is DocumentFormat.DOCX:
            raise unreadable("is text, not the bytes of a .docx file")
        return content, format, []
    if len(content) > MAX_DOCX_BYTES:
        raise unreadable(f"has more than {MAX_DOCX_BYTES:,} bytes; send its reference list alone")
    if format is DocumentFormat.DOCX or (format is None and content.startswith(_ZIP)):
        from shared.documents.docx_source import markdown_of_docx

        return markdown_of_docx(content), DocumentFormat.DOCX, []
    if content.startswith((b"%PDF", b"\xd0\xcf\x11\xe0", b"{\\rtf")):
        raise unreadable("is a PDF, .doc or RTF file; send its text, or a .docx file")
    return _decoded(content, format)


def _decoded(content: bytes, format: DocumentFormat | None) -> tuple[str, DocumentFormat | None, list[ReadingWarning]]:
    if encoding := _of_two_bytes(content):
        return content.decode(encoding, "replace"), format, []
    try:
        return content.decode("utf-8"), format, []
    except UnicodeDecodeError:
        western, cyrillic = (content.decode(name, "replace") for name in ("cp1252", "cp1251"))
        is_cyrillic = len(_CYRILLIC.findall(western)) > FEW_WORDS
        name, text = ("Windows-1251", cyrillic) if is_cyrillic else ("Windows-1252", western)
        return text, format, [ReadingWarning(f"this is not UTF-8; it was read as {name}")]


def _of_two_bytes(content: bytes) -> str | None:
    """The name of an encoding of two bytes a character, with its mark or known by the zeros of its blanks."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    start = content[:_SAMPLE]
    zeros = start[::2].count(0), start[1::2].count(0)
    if max(zeros) * 8 < len(start):  # a quarter of the characters
        return None
    return "utf-16-le" if zeros[1] > zeros[0] else "utf-16-be"
