"""Whether a text that was sent as one reference is a list of several, of which a match would be only one."""

from __future__ import annotations

from shared.documents.document import Entry
from shared.documents.entry_groups import looks_like_reference
from shared.documents.reading import read_document
from shared.errors import Unprocessable


def references_in(text: str) -> int:
    """How many references a text has: 1 unless each part into which it divides is clearly one of its own."""
    try:
        entries = read_document(text).entries
    except Unprocessable:
        return 1
    return len(entries) if entries and all(map(_is_whole, entries)) else 1


def _is_whole(entry: Entry) -> bool:
    """Whether an entry has the parts of a reference, and is not a line of one: a lone title, or a lone address."""
    named = entry.fields.title and entry.fields.authors
    return entry.is_tagged or bool(named and looks_like_reference(entry.line))
