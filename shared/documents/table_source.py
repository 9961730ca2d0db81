"""Tables of references, as databases and reference managers export them: CSV, with semicolons, or with tabs.

A table is recognised by the names in its header; one with other names is plain text. The cells are divided here: the
module csv takes a quotation mark that is never closed to the end of the file, and gives no places.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice

from shared.bibliography.characters import ZERO_WIDTH
from shared.documents.bounds import check_count, unreadable
from shared.documents.document import Document, DocumentFormat, Entry, ReadingWarning
from shared.documents.exported_fields import NAMES, exported_entry, name_of
from shared.documents.fields_read import one_line, read_printed

_SEPARATORS = "\t;,"
_HEADER_LINES = 3  # `sep=;` of Excel, or a line about the data, may stand before the header
_SAMPLE = 20
MAX_HEADER_CHARS = 20_000
_BLANK_LINES = re.compile(r"(?:[ \t\r]*+\n)*+")
_LINE = re.compile(r"[^\n]*")
_PROOF = ("authors", "year", "journal", "doi", "pmid")  # that a column called Title is of papers


@dataclass(frozen=True, slots=True)
class _Row:
    """The cells of a row, and its place without the end of its line."""

    cells: tuple[str, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Header:
    """What separates the cells, the cells of the header, the column of each field, and where the rows begin."""

    separator: str
    cells: tuple[str, ...]
    columns: dict[str, int]
    end: int


@cache
def _cell(separator: str) -> re.Pattern[str]:
    """A cell with the separator or the end of the line behind it; a quotation mark that is not closed is a sign.

    No cell has a tab where tabs separate: Web of Science writes quotation marks there as they stand in a title.
    """
    blanks, end = r"[ ]{0,9}", rf"(?:{separator}|\r?\n|\Z)"
    inside = rf'[^"{separator}]' if separator == "\t" else r'[^"]'
    return re.compile(rf'(?:{blanks}"((?:{inside}|"")*+)"{blanks}(?={end})|([^{separator}\n]*))({separator}|\r?\n|\Z)')


def is_table(text: str) -> bool:
    """Whether a text has a header that is understood, and rows below it that have its columns."""
    header = _header(text)
    if header is None:
        return False
    rows = list(islice(_rows(text, header.end, header.separator), _SAMPLE))
    return 0 < len(rows) <= 2 * sum(header.columns["title"] < len(row.cells) <= len(header.cells) for row in rows)


def read_table(text: str) -> Document:
    """The rows of a table. Raises Unprocessable if its header has no title, if it has no rows or too many."""
    header = _header(text)
    if header is None:
        raise unreadable(
            "has no header with the names of columns that can be recognised: Title, and Authors, Year, Journal or DOI"
        )
    entries: list[Entry] = []
    warnings: list[ReadingWarning] = []
    for row in _rows(text, header.end, header.separator):
        if row.cells == header.cells:  # tables that were put behind one another
            continue
        check_count(len(entries) + 1)
        raw = text[row.start : row.end]
        if len(row.cells) > len(header.cells):
            warnings.append(ReadingWarning("this row has more cells than the header: it is read as text", row.start))
            line = one_line(" ".join(row.cells)) or "?"
            entry = Entry(
                number=len(entries), start=row.start, end=row.end, raw=raw, line=line, label=None,
                fields=read_printed(line), is_tagged=False,
            )  # fmt: skip
        else:
            values = {name: row.cells[at] for name, at in header.columns.items() if at < len(row.cells)}
            entry = exported_entry(len(entries), row.start, raw, values)
        entries.append(entry)
    if not entries:
        raise unreadable("has a header and no rows below it")
    return Document(DocumentFormat.TABLE, text, tuple(entries), (), tuple(warnings))


def _header(text: str) -> _Header | None:
    """The header, in one of the first lines: the names of a title and of one more field at least."""
    at = int(text[:1] in ZERO_WIDTH)
    for _ in range(_HEADER_LINES):
        if blank := _BLANK_LINES.match(text, at):
            at = blank.end()
        line = _LINE.match(text, at)
        if line is None or len(line[0]) > MAX_HEADER_CHARS:
            return None
        at = min(line.end() + 1, len(text))
        read = (_read_header(line[0], separator, at) for separator in _SEPARATORS)
        if found := max(filter(None, read), key=lambda it: len(it.columns), default=None):
            return found
    return None


def _read_header(line: str, separator: str, end: int) -> _Header | None:
    row = next(_rows(line, 0, separator), None)
    names = [name_of(cell) for cell in row.cells] if row else []
    if row is None or set(names).isdisjoint(NAMES["title"]):
        return None
    places = {name: at for at, name in reversed(list(enumerate(names)))}
    found = {field: next((places[name] for name in known if name in places), None) for field, known in NAMES.items()}
    columns = {field: at for field, at in found.items() if at is not None}
    is_understood = any(field in columns for field in _PROOF)
    return _Header(separator, row.cells, columns, end) if is_understood else None


def _rows(text: str, at: int, separator: str) -> Iterator[_Row]:
    """The rows that are not empty, from this place on."""
    cell, start = _cell(separator), at
    cells: list[str] = []
    while at < len(text) or cells:
        found = cell.match(text, at)
        if found is None:
            return
        quoted, plain, end = found.groups()
        cells.append((plain if quoted is None else quoted.replace('""', '"')).strip())
        at = found.end()
        if end == separator:
            continue
        if any(cells):
            yield _Row(tuple(cells), start, found.start(3))
        cells, start = [], at
        if not end:
            return
