"""The runs of PDF pages as lines in the order in which people read them: columns, and no headers, footers or numbers.

A PDF has no lines, columns or order of reading: all of it follows from places. Full-width lines divide a page with two
columns into parts; each part is read column by column.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from shared.bibliography.full_text import CELLS
from shared.full_texts.pdf_pages import WORD_GAP, TextRun

_SAME_LINE = 0.25  # of the size: baselines of one line differ by less, but for what is raised or lowered
_RAISED, _SMALLER = 0.7, 0.85
_JOINED_GAP = 0.9  # of the size: a wider gap parts cells or columns
_CELL_GAP = 1.5
_EDGE_SHARE = 0.1  # of a column's lines, which begin or end at its edge at least
_MAX_LINE_CHARS = 5_000
_EDGE_LINES = 2  # at the top and the bottom of a page, which may be headers and footers
_HEADER_SHARE = 0.3  # of the pages, on which a header stands at least; it differs on left and right pages
_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(r"(?:page )?(?:\d{1,5}|[ivxl]{1,7})(?: ?(?:/|of) ?\d{1,5})?", re.IGNORECASE)
# A page has two columns if a gutter in its middle parts most of its text, and each side has lines enough.
_GUTTER_FROM, _GUTTER_TO, _GUTTER_STEP = 0.35, 0.65, 0.01
_CROSSING_SHARE, _SIDE_SHARE, _SIDE_LINES, _SIDE_CHARS = 0.5, 0.1, 4, 12


@dataclass(slots=True)
class PdfLine:
    """A line of one column, or a part of it. `left` and `right` are the edges of its column; all are points."""

    text: str
    x: float
    y: float
    end: float
    size: float
    is_bold: bool
    page: int
    left: float = 0.0
    right: float = 0.0
    column: int = 0  # counted through all pages
    cells: int = 1


def lines_of(pages: Mapping[int, Sequence[TextRun]]) -> list[PdfLine]:
    """All lines in the order of reading."""
    segments = {page: list(segments_of(runs, page)) for page, runs in pages.items()}
    dropped = _headers(segments)
    found: list[PdfLine] = []
    for kept in ([it for it in page if id(it) not in dropped] for page in segments.values()):
        for column in _columns(kept):
            number = found[-1].column + 1 if found else 0
            found += _in_column(column, number)
    return found


def segments_of(runs: Sequence[TextRun], page: int) -> Iterator[PdfLine]:
    """Runs that follow each other without a wide gap."""
    current: PdfLine | None = None
    for run in runs:
        if current and _goes_on(current, run):
            _join(current, run)
        else:
            if current:
                yield current
            current = PdfLine(run.text, run.x, run.y, run.end, run.size, run.is_bold, page)
    if current:
        yield current


def _goes_on(line: PdfLine, run: TextRun) -> bool:
    if len(line.text) > _MAX_LINE_CHARS:
        return False
    large = max(line.size, run.size)
    allowed = _RAISED if min(line.size, run.size) < _SMALLER * large else _SAME_LINE
    return abs(run.y - line.y) <= allowed * large and -0.5 * large <= run.x - line.end <= _JOINED_GAP * large


def _join(line: PdfLine, run: TextRun) -> None:
    """Add a run. Raised figures get a mark, so that ten to the sixth is not 106."""
    text = run.text
    is_index = run.size < _SMALLER * line.size and run.y > line.y + 0.1 * line.size
    if line.size < _SMALLER * run.size and line.y > run.y + 0.1 * run.size:  # the line began with a raised mark
        line.text = f"^{line.text} "
    elif is_index and text.strip().isdigit() and not line.text.endswith(" "):
        text = f"^{text.strip()}"
    elif run.x - line.end > WORD_GAP * run.size and not line.text.endswith(" ") and not text.startswith(" "):
        text = f" {text}"
    line.is_bold = line.is_bold and run.is_bold
    if run.size > line.size:
        line.size, line.y = run.size, run.y
    line.text, line.end = line.text + text, max(line.end, run.end)


def _headers(pages: Mapping[int, Sequence[PdfLine]]) -> set[int]:
    """The ids of the segments that are headers, footers or page numbers."""
    edges: list[PdfLine] = []
    for segments in pages.values():
        heights = sorted({round(it.y) for it in segments}, reverse=True)
        outer = {*heights[:_EDGE_LINES], *heights[-_EDGE_LINES:]} if len(heights) > 2 * _EDGE_LINES else set(heights)
        edges += [it for it in segments if round(it.y) in outer]
    often: Counter[tuple[str, int]] = Counter()
    for key in {(_form(it), round(it.y), it.page) for it in edges}:
        often[key[:2]] += 1
    least = max(2.0, _HEADER_SHARE * len(pages))
    return {id(it) for it in edges if often[_form(it), round(it.y)] >= least or _PAGE_NUMBER.fullmatch(it.text.strip())}


def _form(line: PdfLine) -> str:
    return _DIGITS.sub("#", line.text.strip())


def _columns(segments: Sequence[PdfLine]) -> Iterator[list[PdfLine]]:
    """The segments of a page, column by column."""
    gutter = _gutter(segments)
    if gutter is None:
        if segments:
            yield list(segments)
        return
    full = sorted((it for it in segments if it.x < gutter < it.end), key=lambda it: -it.y)
    sides = sorted((it for it in segments if not it.x < gutter < it.end), key=lambda it: -it.y)
    part: list[PdfLine] = []
    at = 0  # of the first segment beside the gutter that was not read yet
    for line in [*full, None]:
        first = at
        while at < len(sides) and (line is None or sides[at].y > line.y):
            at += 1
        between = sides[first:at]
        if between and part:
            yield part
            part = []
        for side in ([it for it in between if it.end <= gutter], [it for it in between if it.x >= gutter]):
            if side:
                yield side
        if line:
            part.append(line)
    if part:
        yield part


def _gutter(segments: Sequence[PdfLine]) -> float | None:
    """The place between two columns; None for a page with one."""
    if not segments:
        return None
    left, right = min(it.x for it in segments), max(it.end for it in segments)
    steps = int((_GUTTER_TO - _GUTTER_FROM) / _GUTTER_STEP)
    places = [left + (_GUTTER_FROM + step * _GUTTER_STEP) * (right - left) for step in range(steps + 1)]
    crossing = [sum(len(it.text) for it in segments if it.x < place < it.end) for place in places]
    fewest = min(crossing)
    best = [place for place, chars in zip(places, crossing, strict=True) if chars == fewest]
    gutter = best[len(best) // 2]
    total = sum(len(it.text) for it in segments)
    sides = [it for it in segments if it.end <= gutter], [it for it in segments if it.x >= gutter]
    are_columns = all(
        len(side) >= _SIDE_LINES
        and sum(len(it.text) for it in side) >= max(_SIDE_SHARE * total, _SIDE_CHARS * len(side))
        for side in sides
    )
    return gutter if are_columns and fewest <= _CROSSING_SHARE * total else None


def _in_column(segments: Sequence[PdfLine], column: int) -> list[PdfLine]:
    """The lines of a column from its top; what stands beside one another is one line, in cells if far apart."""
    rows: list[list[PdfLine]] = []
    for it in sorted(segments, key=lambda it: (-it.y, it.x)):
        if rows and abs(rows[-1][0].y - it.y) <= _SAME_LINE * max(rows[-1][0].size, it.size):
            rows[-1].append(it)
        else:
            rows.append([it])
    lines = [_row(sorted(row, key=lambda it: it.x)) for row in rows]
    left = -_usual([-it.x for it in lines])
    right = _usual([it.end for it in lines])
    for line in lines:
        line.left, line.right, line.column = left, right, column
    return lines


def _usual(edges: Sequence[float]) -> float:
    """The outermost edge that several lines share; a title that is wider than the text is one line alone."""
    often = Counter(round(it / 2) for it in edges)
    least = max(2.0, _EDGE_SHARE * len(edges))
    shared = [place for place, count in often.items() if count >= least]
    return 2.0 * max(shared) if shared else max(edges)


def _row(parts: Sequence[PdfLine]) -> PdfLine:
    first = parts[0]
    texts = [first.text.rstrip()]
    for it in parts[1:]:
        is_cell = it.x - first.end > _CELL_GAP * first.size
        texts += [CELLS if is_cell else " ", it.text.strip()]
        first.cells += is_cell
        first.end, first.is_bold = max(first.end, it.end), first.is_bold and it.is_bold
        first.size = max(first.size, it.size)
    first.text = "".join(texts).strip()
    return first
