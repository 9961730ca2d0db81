"""Web of Science's plain text: records of lines with two-letter tags, from `PT` to `ER`.

A value goes on in lines that begin with three blanks; each line of `AU` and `AF` is an author.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from shared.documents.bounds import check_count, unreadable
from shared.documents.document import Document, DocumentFormat, Entry, ReadingWarning
from shared.documents.exported_fields import FIELD_OF, exported_entry

_RECORD = re.compile(r"(?m)^PT [A-Z]\b[^\n]*\n")
_END = re.compile(r"(?m)^ER[ \t]*\r?$")
_TAG = re.compile(r"(?m)^([A-Z][A-Z0-9]) ([^\n]*(?:\n {3}[^\n]*)*)")
_PEOPLE = ("authors", "full_names")


def read_web_of_science(text: str) -> Document:
    """The records of the text. Raises Unprocessable if it has none or too many."""
    warnings: list[ReadingWarning] = []
    entries: list[Entry] = []
    for start, raw in _records(text, warnings):
        check_count(len(entries) + 1)
        entries.append(exported_entry(len(entries), start, raw, _values(raw)))
    if not entries:
        raise unreadable("has no record of Web of Science: each begins with `PT J` and ends with `ER`")
    return Document(DocumentFormat.WEB_OF_SCIENCE, text, tuple(entries), (), tuple(warnings))


def _records(text: str, warnings: list[ReadingWarning]) -> Iterator[tuple[int, str]]:
    """Each record with its place: from `PT` to `ER`, or to the next record."""
    starts = [found.start() for found in _RECORD.finditer(text)]
    for start, following in pairwise([*starts, len(text)]):
        end = _END.search(text, start, following)
        if end is None:
            warnings.append(ReadingWarning("this record has no end, `ER`", start))
        yield start, text[start : end.end() if end else following].rstrip()


def _values(raw: str) -> dict[str, str]:
    values: dict[str, str] = {}
    for found in _TAG.finditer(raw):
        field = FIELD_OF.get(found[1].lower())
        lines = [line.strip() for line in found[2].split("\n")]
        if field:
            values.setdefault(field, ("; " if field in _PEOPLE else " ").join(line for line in lines if line))
    return values
