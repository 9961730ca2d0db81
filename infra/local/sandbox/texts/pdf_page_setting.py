"""Sets text on pages: lines that are justified and hyphenated, columns, headers, footnotes, tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from infra.local.sandbox.texts.pdf_writer import WIDTH, PdfPage, width_of
from infra.local.sandbox.texts.written_texts import pieces

_TOP, _BOTTOM, _HEADER, _FOOTER = 720.0, 420.0, 752.0, 396.0
_SIZE, _LEADING, _SMALL = 10.0, 12.0, 8.0
_INDENT = 12.0
_SPLIT_CHARS = 8  # a shorter word is not divided at the end of a line
_RISEN = 6.5  # the size of what stands above the line


@dataclass(frozen=True, slots=True)
class _Word:
    """A word, and what stands above the line behind it."""

    text: str
    risen: str = ""
    size: float = _SIZE

    @property
    def width(self) -> float:
        return width_of(self.text, self.size) + width_of(self.risen, _RISEN)


class PageSetting:
    """The pages so far. `columns` are left edges and widths; `header` stands above every page."""

    def __init__(self, columns: Sequence[tuple[float, float]], header: str) -> None:
        self._columns, self._header = columns, header
        self._pages: list[PdfPage] = []
        self._notes = 0
        self._begin_page()

    def finished(self) -> list[PdfPage]:
        """All pages."""
        return self._pages

    def break_page(self) -> None:
        """What follows is on a new page."""
        self._begin_page()

    def _begin_page(self) -> None:
        self._pages.append(PdfPage())
        number = len(self._pages)
        self._page.text(54.0, _HEADER, self._header, _SMALL)
        self._page.text(WIDTH / 2, _FOOTER, str(number), _SMALL)
        self._column, self._y, self._top, self._bottom = 0, _TOP, _TOP, _BOTTOM

    @property
    def _page(self) -> PdfPage:
        return self._pages[-1]

    def _room(self, height: float) -> None:
        """Go to the next column, or page, if there is less room."""
        if self._y - height >= self._bottom:
            return
        if self._column + 1 < len(self._columns):
            self._column, self._y, self._bottom = self._column + 1, self._top, _BOTTOM
        else:
            self._begin_page()

    def space(self, height: float) -> None:
        """Leave a part of the column blank."""
        self._y -= height

    def title(self, title: str, people: str) -> None:
        """The title and the authors, across all columns."""
        for line in _lines([_Word(it, size=16.0) for it in title.split()], [WIDTH - 108.0], 16.0):
            self._y -= 20.0
            text = " ".join(it.text for it in line)
            self._page.text((WIDTH - width_of(text, 16.0)) / 2, self._y, text, 16.0, bold=True)
        self._y -= 18.0
        self._page.text((WIDTH - width_of(people, _SIZE)) / 2, self._y, people, _SIZE)
        self._y -= 16.0
        self._top = self._y

    def hidden(self, text: str) -> None:
        """Text that no reader sees: without ink, white, tiny, and beside the page."""
        self._page.text(54.0, 600.0, text, before="3 Tr")
        self._page.text(54.0, 588.0, text, before="1 1 1 rg")
        self._page.text(54.0, 576.0, text, 0.5)
        self._page.text(54.0, -30.0, text)

    def heading(self, text: str, size: float) -> None:
        """A heading in bold, which is not the last line of a column."""
        self._room(6.0 + 3 * _LEADING)
        self._y -= 6.0 + _LEADING
        self._page.text(self._columns[self._column][0], self._y, text, size, bold=True)
        self._y -= 3.0

    def paragraph(self, text: str, *, indent: float = _INDENT, left: float = 0.0, after: float = 0.0) -> None:
        """A justified paragraph, whose footnotes stand below the column in which it begins."""
        self._room(2 * _LEADING)
        words, notes = self._words(text)
        for note in notes:
            self._note(note)
        width = self._columns[self._column][1] - left
        lines = _lines(words, [width - indent, width], _SIZE)
        for number, line in enumerate(lines):
            self._room(_LEADING)
            self._y -= _LEADING
            shift = left + (indent if number == 0 else 0.0)
            self._line(line, shift, 0.0 if number == len(lines) - 1 else self._columns[self._column][1] - shift)
        self._y -= after

    def caption(self, label: str, text: str) -> None:
        """The caption of a figure or table, apart from the text."""
        self.space(8.0)
        self.paragraph(f"{label} {text}", indent=0.0, after=8.0)

    def row(self, cells: Sequence[str]) -> None:
        """A row of a table, with columns of one width."""
        self._room(_LEADING)
        self._y -= _LEADING
        left, width = self._columns[self._column]
        for number, cell in enumerate(cells):
            self._page.text(left + number * width / len(cells), self._y, cell, _SIZE)

    def formula(self, text: str, label: str) -> None:
        """A formula in the middle of the column, with its number at the right."""
        self.space(4.0)
        self._room(_LEADING)
        self._y -= _LEADING
        left, width = self._columns[self._column]
        self._page.text(left + (width - width_of(text, _SIZE)) / 2, self._y, text)
        self._page.text(left + width - width_of(label, _SIZE), self._y, label)
        self.space(4.0)

    def reference(self, label: str, text: str) -> None:
        """An entry of the bibliography, whose label hangs out."""
        words = [_Word(it) for it in f"{label} {text}".split()]
        width = self._columns[self._column][1]
        for number, line in enumerate(_lines(words, [width, width - 16.0], _SIZE)):
            self._room(_LEADING)
            self._y -= _LEADING
            self._line(line, 0.0 if number == 0 else 16.0, 0.0)

    def _words(self, text: str) -> tuple[list[_Word], list[str]]:
        """The words of a paragraph, and its footnotes."""
        words: list[_Word] = []
        notes: list[str] = []
        is_joined = False
        for piece in pieces(text):
            if piece.kind in ("footnote", "power"):
                if piece.kind == "footnote":
                    notes.append(piece.text)
                risen = str(self._notes + len(notes)) if piece.kind == "footnote" else piece.text
                words[-1] = _Word(words[-1].text, risen)
                continue
            shown = f"[{', '.join(piece.text.split(','))}]" if piece.kind == "cite" else piece.text
            found = [_Word(it) for it in shown.split()]
            if found and words and is_joined and not shown[:1].isspace():
                words[-1] = _Word(words[-1].text + found[0].text)
                found = found[1:]
            words += found
            is_joined = not shown[-1:].isspace()
        return words, notes

    def _note(self, text: str) -> None:
        self._notes += 1
        left, width = self._columns[self._column]
        lines = _lines([_Word(it, size=_SMALL) for it in text.split()], [width - 6.0, width], _SMALL)
        self._bottom += 10.0 * len(lines) + 6.0
        y = self._bottom - 6.0
        for number, line in enumerate(lines):
            y -= 10.0
            if number == 0:
                self._page.text(left, y + 3.0, str(self._notes), 5.0)
            self._page.text(left + (4.0 if number == 0 else 0.0), y, " ".join(it.text for it in line), _SMALL)

    def _line(self, line: Sequence[_Word], shift: float, width: float) -> None:
        """A line from `shift` on; justified to `width` unless that is 0."""
        x = self._columns[self._column][0] + shift
        if width and len(line) > 1 and not any(it.risen for it in line):
            self._page.words(x, self._y, [it.text for it in line], _SIZE, width)
            return
        for word in line:
            self._page.text(x, self._y, word.text, word.size)
            if word.risen:
                self._page.text(x + width_of(word.text, word.size), self._y + 3.5, word.risen, _RISEN)
            x += word.width + width_of(" ", _SIZE)


def _lines(words: Sequence[_Word], widths: Sequence[float], size: float) -> list[list[_Word]]:
    """The words in lines of these widths, of which the last one holds for all that follow."""
    lines: list[list[_Word]] = [[]]
    waiting = list(words)[::-1]
    while waiting:
        word = waiting.pop()
        free = widths[min(len(lines), len(widths)) - 1] - sum(it.width + width_of(" ", size) for it in lines[-1])
        if word.width <= free or not lines[-1]:
            lines[-1].append(word)
        elif divided := _divided(word, free):
            lines[-1].append(divided[0])
            lines.append([])
            waiting.append(divided[1])
        else:
            lines.append([])
            waiting.append(word)
    return lines


def _divided(word: _Word, free: float) -> tuple[_Word, _Word] | None:
    """A long word as the part that fits with its hyphen, and the rest."""
    if len(word.text) < _SPLIT_CHARS or not word.text.isalpha() or word.risen:
        return None
    for at in range(len(word.text) - 3, 2, -1):
        head = _Word(word.text[:at] + "-", size=word.size)
        if head.width <= free:
            return head, _Word(word.text[at:], size=word.size)
    return None
