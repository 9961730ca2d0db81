"""The text of a .docx as Markdown: headings, numbered lists, footnotes, raised figures.

It is written back as Markdown and not as .docx: a correction would have to find its way through runs, fields of
reference managers and tracked changes, and what Word shows could differ from what was checked. zipfile and defusedxml
read it: python-docx needs lxml, which is larger than the rest of the service.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping

from shared.compression import UnreadableStream
from shared.documents.bounds import MAX_DOCX_BYTES, MAX_TEXT_CHARS, unreadable
from shared.documents.xml_source import Element, parse_xml

MAX_XML_BYTES = 20_000_000  # of one part, unpacked
MAX_PARTS = 5_000
_RAISED = str.maketrans("0123456789-–", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻")
_NOTES = {"footnotes": "footnote", "endnotes": "endnote"}
_NUMBER_ALONE = re.compile(r"\d{1,3}[.)]?|\[\d{1,3}\]|\(\d{1,3}\)")
_UNSEEN = ("del", "moveFrom", "instrText", "delText", "pPr", "rPr")


def markdown_of_docx(data: bytes) -> str:
    """The document as Markdown. Raises Unprocessable if it is not a .docx, or one of its parts is too large."""
    if len(data) > MAX_DOCX_BYTES:
        raise unreadable(f"has more than {MAX_DOCX_BYTES:,} bytes; send its text, or its reference list alone")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if len(archive.infolist()) > MAX_PARTS:
                raise unreadable(f"has more than {MAX_PARTS:,} parts")
            body = _part(archive, "word/document.xml")
            notes = {name: _part(archive, f"word/{name}.xml") for name in _NOTES}
    except (zipfile.BadZipFile, UnreadableStream, EOFError, OSError, RuntimeError, ValueError) as error:
        raise unreadable("is not a .docx file that can be unpacked") from error
    if body is None:
        raise unreadable("is not a .docx file: it has no word/document.xml; send a spreadsheet as CSV")
    return _markdown(body, notes)


def _part(archive: zipfile.ZipFile, name: str) -> Element | None:
    """A part of the file; what is stated as its length may be wrong, so what is unpacked is bounded."""
    try:
        with archive.open(name) as packed:
            data = packed.read(MAX_XML_BYTES + 1)
    except KeyError:
        return None
    if len(data) > MAX_XML_BYTES:
        raise unreadable(f"has more than {MAX_XML_BYTES:,} bytes when it is unpacked")
    return parse_xml(data.decode("utf-8-sig", "replace"))


def _markdown(body: Element, notes: Mapping[str, Element | None]) -> str:
    counts: Counter[str] = Counter()
    blocks: list[str] = []
    for paragraph in _paragraphs(body):
        block = _block(paragraph, counts)
        if block[:1].isalpha() and blocks and _NUMBER_ALONE.fullmatch(blocks[-1]):
            blocks[-1] += f" {block}"  # in a list that was set as a table, the number has a cell of its own
        elif block:
            blocks.append(block)
    for name, kind in _NOTES.items():
        root = notes[name]
        for note in root.all(kind) if root else ():
            text = " ".join(_text(paragraph).strip() for paragraph in _paragraphs(note)).strip()
            if text:
                blocks.append(f"[^{kind[0]}{note.attributes.get('id', '')}]: {text}")
    text = "\n\n".join(blocks) + "\n"
    if len(text) > MAX_TEXT_CHARS:
        raise unreadable(f"has more than {MAX_TEXT_CHARS:,} characters; send its reference list alone")
    return text


def _paragraphs(element: Element) -> Iterator[Element]:
    """The paragraphs inside in their order; those of a text box behind the one that contains it."""
    for child in _seen(element):
        if child.name == "p":
            yield child
        yield from _paragraphs(child)


def _seen(element: Element) -> list[Element]:
    """The elements directly inside that are shown: of the same content for several versions of Word, the first."""
    seen = [child for child in element.children if child.name not in _UNSEEN]
    return seen[:1] if element.name == "AlternateContent" else seen


def _block(paragraph: Element, counts: Counter[str]) -> str:
    """A paragraph with its mark; Word counts the paragraphs of a list, and its text has no numbers."""
    text = _text(paragraph).strip()
    properties = next((child for child in paragraph.children if child.name == "pPr"), None)
    if not text or properties is None:
        return text
    style = next((it.attributes.get("val", "") for it in properties.all("pStyle")), "")
    if style.lower().replace(" ", "").startswith(("heading", "berschrift", "überschrift", "titre", "título")):
        level = style[-1] if style[-1:] in "123456" and style else "1"
        return f"{'#' * int(level)} {' '.join(text.split())}"
    listed = next((it.attributes.get("val", "") for it in properties.all("numId")), "")
    is_numbered = style.lower().startswith("listnumber") or (listed not in ("", "0"))
    if not is_numbered or style.lower().startswith("listbullet"):
        return f"- {text}" if style.lower().startswith("listbullet") else text
    counts[listed or style] += 1
    return f"{counts[listed or style]}. {text}"


def _text(paragraph: Element) -> str:
    return "".join(_runs(paragraph, is_raised=False))


def _runs(element: Element, *, is_raised: bool) -> Iterator[str]:
    """The text of the runs; figures that stand raised are citations, and become raised characters."""
    for child in _seen(element):
        if child.name == "p":  # of a text box
            continue
        if child.name == "t":
            text = child.text()
            figures = is_raised and text.strip() and all(sign in "0123456789-–, " for sign in text)
            yield text.translate(_RAISED) if figures else text
        elif child.name in ("tab", "br", "cr"):
            is_line_end = child.name != "tab" and child.attributes.get("type", "textWrapping") == "textWrapping"
            yield "\n" if is_line_end else " "
        elif child.name == "noBreakHyphen":
            yield "-"
        elif child.name in ("footnoteReference", "endnoteReference"):
            yield f"[^{child.name[0]}{child.attributes.get('id', '')}]"
        else:
            raised = child.name == "r" and any(
                it.attributes.get("val") == "superscript" for it in child.all("vertAlign")
            )
            yield from _runs(child, is_raised=is_raised or raised)
