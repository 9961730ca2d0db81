"""A text that was sent as one reference: a list of several, of which a match would be only one, or one record."""

from __future__ import annotations

import re

from shared.documents.detecting import format_of
from shared.documents.document import READ_ONLY, Entry
from shared.documents.entry_groups import divided_line, looks_like_reference
from shared.documents.lines import Line
from shared.documents.reading import read_document
from shared.errors import Unprocessable

_NUMBERS = re.compile(r"[0-9]+")
_RECORDS = frozenset("{<@")  # BibTeX, LaTeX, JSON, XML
_LEAST_NUMBERS = 3  # year, volume and page: with fewer, two references may have the same


def references_in(text: str) -> int:
    """How many references a text has: 1 unless each part into which it divides is clearly one of its own.

    A reference and its translation, as journals in Russian or Chinese print both, are one: their numbers are the same.
    """
    if _is_surely_one(text):
        return 1
    try:
        entries = read_document(text).entries
    except Unprocessable:
        return 1
    if not entries or not all(map(_is_whole, entries)):
        return 1
    numbers = [frozenset(_NUMBERS.findall(entry.line)) for entry in entries]
    return 1 + sum(not any(_are_of_one(it, other) for other in numbers[:at]) for at, it in enumerate(numbers) if at)


def _is_surely_one(text: str) -> bool:
    """Whether this is one line without the marks of a record and without numbers of entries: most references are."""
    line, *more = text.strip().splitlines() or [""]
    return not more and _RECORDS.isdisjoint(line) and len(divided_line(Line(line, 0, len(line)))) == 1


def record_in(text: str) -> Entry | None:
    """The entry that a text is, if it is one record of an export: no line of it is a printed reference."""
    if format_of(text) not in READ_ONLY:
        return None
    try:
        entries = read_document(text).entries
    except Unprocessable:
        return None
    return entries[0] if len(entries) == 1 and entries[0].is_tagged else None


def _are_of_one(numbers: frozenset[str], others: frozenset[str]) -> bool:
    return min(len(numbers), len(others)) >= _LEAST_NUMBERS and (numbers <= others or others <= numbers)


def _is_whole(entry: Entry) -> bool:
    """Whether an entry has the parts of a reference, and is not a line of one: a lone title, or a lone address."""
    named = entry.fields.title and entry.fields.authors
    return entry.is_tagged or bool(named and looks_like_reference(entry.line))
