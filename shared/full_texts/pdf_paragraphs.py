"""Joins the lines of a PDF to paragraphs: by indents, gaps, short last lines, bullets, captions and rows of tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from shared.bibliography.full_text import CELLS, MAX_PARAGRAPH_CHARS, Kind
from shared.full_texts.pdf_headings import CAPTION, Style
from shared.full_texts.pdf_lines import PdfLine

_BULLET = re.compile(r"[•▪◦‣·●○∙–—-]\s{1,5}(?=\S)")
_FORMULA_LABEL = re.compile(r"\(([A-Z]?\d{1,3}(?:\.\d{1,2})?[a-z]?)\)")
_NOTE = re.compile(r"(?:\^(\d{1,2})|(\d{1,2})(?=\s{0,3}[^\W\d_])|([*†‡§¶]{1,3}))\s{0,3}(?=\S)")
_WORD = re.compile(r"[^\W\d_]+(?:[-‐][^\W\d_]+)*")
_ENDS = (".", "?", "!", ":", "”", '"', ")", "。")
_HYPHENS = ("-", "‐")
_INDENT = 0.7  # of the size
_GAP = 1.6  # of the size: lines of a paragraph are nearer
_SHORT = 0.12  # of the column: a line that ends so far before its right edge is the last one
_OTHER_SIZE = 0.12
_NOTE_SIZE = 0.92  # of the text's size


@dataclass(slots=True)
class TextBlock:
    """Lines that are one paragraph."""

    kind: Kind
    lines: list[PdfLine]
    label: str | None = None
    rows: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Note:
    """A footnote; `column` is the one at whose bottom it stands."""

    label: str
    lines: list[PdfLine]
    column: int
    places: list[int] = field(default_factory=list)  # the positions of its lines


def notes_of(lines: Sequence[PdfLine], spent: set[int], body: Style) -> list[Note]:
    """The footnotes: small print at the bottom of a column, from a mark on. Lines in `spent` are none."""
    found: list[Note] = []
    ends = [at for at in range(len(lines)) if at + 1 == len(lines) or lines[at + 1].column != lines[at].column]
    for last in ends:
        start = last + 1
        while start > 0 and lines[start - 1].column == lines[last].column and start - 1 not in spent:
            if lines[start - 1].size > _NOTE_SIZE * body[0]:
                break
            start -= 1
        while start <= last and not _NOTE.match(lines[start].text):
            start += 1
        if start > 0 and start <= last and lines[start - 1].column != lines[last].column:
            continue  # the whole column is small print
        for at in range(start, last + 1):
            mark = _NOTE.match(lines[at].text)
            if mark and (at == start or not mark[2]):
                found.append(Note(mark[1] or mark[2] or mark[3], [], lines[at].column))
                lines[at].text = lines[at].text[mark.end() :]
            found[-1].lines.append(lines[at])
            found[-1].places.append(at)
    return found


def blocks_of(lines: Iterable[PdfLine]) -> Iterator[TextBlock]:
    """The paragraphs of lines that follow each other without a heading."""
    open_block: TextBlock | None = None
    for line in lines:
        if open_block and _belongs(open_block, line):
            if open_block.kind == "table" and line.cells > 1:
                open_block.rows.append(line.text)
            else:
                open_block.lines.append(line)
        else:
            if open_block:
                yield open_block
            open_block = _begun(line)
    if open_block:
        yield open_block


def _begun(line: PdfLine) -> TextBlock:
    if caption := CAPTION.match(line.text):
        line.text, label = line.text[caption.end() :], caption[1]
        return TextBlock("table" if label.lower().startswith(("tab", "supplementary tab")) else "figure", [line], label)
    before, _, last = line.text.rpartition(CELLS)
    if line.cells == 2 and _FORMULA_LABEL.fullmatch(last):
        line.text = before
        return TextBlock("formula", [line], last)
    if line.cells > 1:
        return TextBlock("table", [], rows=[line.text])
    if bullet := _BULLET.match(line.text):
        line.text = line.text[bullet.end() :]
        return TextBlock("list_item", [line])
    return TextBlock("paragraph", [line])


def _belongs(block: TextBlock, line: PdfLine) -> bool:
    """Whether a line goes on with a paragraph."""
    if block.kind == "table" and line.cells > 1:
        return True
    if block.kind == "formula" or block.rows or line.cells > 1 or CAPTION.match(line.text):
        return False
    before = block.lines[-1]
    if abs(before.size - line.size) > _OTHER_SIZE * max(before.size, line.size) or _BULLET.match(line.text):
        return False
    is_same_column = before.column == line.column
    if is_same_column and before.y - line.y > _GAP * max(before.size, line.size):
        return False
    width = max(before.right - before.left, 1.0)
    is_short = before.right - before.end > _SHORT * width
    if block.kind == "list_item":
        return line.x >= block.lines[0].x - 2.0 if is_same_column else not is_short
    is_indented = _is_indented(line)
    if is_indented and (not _is_indented(before) or is_short or not is_same_column):
        return False
    return not (is_short and before.text.endswith(_ENDS))


def _is_indented(line: PdfLine) -> bool:
    return line.x - line.left > _INDENT * line.size


class PrintedWords:
    """The words of a document as they are printed within lines: whether `x-` and `y` at a line's end are one word."""

    def __init__(self, lines: Iterable[PdfLine]) -> None:
        self._whole: set[str] = set()
        for line in lines:
            self._whole.update(it.lower().replace("‐", "-") for it in _WORD.findall(line.text))

    def joined(self, lines: Sequence[str]) -> str:
        """The lines as one, with the words that were divided at their ends whole again; more than fits is left out."""
        text = ""
        for line in lines:
            if len(text) > MAX_PARAGRAPH_CHARS:
                break
            text = self._with(text, line.strip()) if text else line.strip()
        return text

    def _with(self, text: str, line: str) -> str:
        if not text.endswith(_HYPHENS) or not text[-2:-1].isalpha() or not line[:1].isalnum():
            return f"{text} {line}"
        if not line[0].islower():
            return text + line
        tail = text.rsplit(None, 1)[-1][:-1].lower()
        head = _WORD.match(line)
        following = head[0].lower() if head else ""
        stays = f"{tail}-{following}" in self._whole and tail + following not in self._whole
        return text + line if stays else text[:-1] + line
