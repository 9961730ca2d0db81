"""Writes corrections into a document: values in their places, a comment beside each entry, all else as it was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module

from shared.documents.document import READ_ONLY, Correction, Corrections, Document, DocumentFormat, Entry, Written
from shared.documents.edits import Edit, EntryEdits, apply_edits
from shared.documents.line_ends import as_in, in_text, with_line_feeds

_Corrector = Callable[[Document, Entry, Correction], EntryEdits]
_CORRECTORS = {
    DocumentFormat.TEXT: ("text_source", "correct_text"),
    DocumentFormat.MARKDOWN: ("markdown_source", "correct_markdown"),
    DocumentFormat.DOCX: ("markdown_source", "correct_markdown"),
    DocumentFormat.LATEX: ("latex_source", "correct_latex"),
    DocumentFormat.BIBTEX: ("bibtex_corrections", "correct_bibtex"),
    DocumentFormat.RIS: ("ris_source", "correct_ris"),
    DocumentFormat.CSL_JSON: ("csl_source", "correct_csl"),
    DocumentFormat.JATS: ("jats_source", "correct_jats"),
}


def write_document(document: Document, corrections: Corrections) -> Written:
    """The document in its own format (a .docx as Markdown) with the corrections, by the number of the entry.

    Without corrections, the text is `document.text`. A field that has no place in a printed reference is stated in the
    comment and named in `not_placed`; a document of READ_ONLY stays as it is. Raises KeyError for a number that no
    entry has.
    """
    text = document.text
    if document.format in READ_ONLY:
        return Written(document.format, text, {number: it.fields.stated for number, it in corrections.items()})
    document = in_text(document, with_line_feeds(text))
    correct, entries = _corrector(document), _entries(document)
    edits: list[Edit] = []
    not_placed: dict[int, tuple[str, ...]] = {}
    for number, correction in sorted(corrections.items()):
        made = correct(document, entries[number], correction)
        if made.not_placed:
            not_placed[number] = made.not_placed
        if made.not_placed and correction.comment:
            stated = "; ".join(f"{field}: {_shown(correction, field)}" for field in made.not_placed)
            made = correct(document, entries[number], replace(correction, comment=f"{correction.comment}; {stated}"))
        edits += (replace(edit, replacement=as_in(text, edit.replacement)) for edit in made.edits)
    written = DocumentFormat.MARKDOWN if document.format is DocumentFormat.DOCX else document.format
    return Written(written, apply_edits(text, edits), not_placed)


def _corrector(document: Document) -> _Corrector:
    module, name = _CORRECTORS[document.format]
    found: _Corrector = getattr(import_module(f"shared.documents.{module}"), name)
    return found


def _entries(document: Document) -> dict[int, Entry]:
    return {entry.number: entry for entry in document.entries}


def _shown(correction: Correction, field: str) -> str:
    """A field as a comment states it."""
    if field == "authors":
        return ", ".join(author.display for author in correction.fields.authors)
    return str(getattr(correction.fields, field))
