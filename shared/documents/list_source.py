"""A list of references that came divided, one on each line: plain text, or Markdown if it has marks of that."""

from __future__ import annotations

from collections.abc import Iterator

from shared.documents.bounds import check_count, unreadable
from shared.documents.detecting import format_of
from shared.documents.document import Document, DocumentFormat
from shared.documents.entry_groups import NUMBER, Group
from shared.documents.lines import lines_of
from shared.documents.markdown_source import line_of_markdown
from shared.documents.text_source import doubts, entries_of, line_of_text

_LINES = {DocumentFormat.TEXT: line_of_text, DocumentFormat.MARKDOWN: line_of_markdown}


def read_numbered(text: str, format: DocumentFormat | None = None) -> Document:
    """The references of lines `[1] …`: each line is one, whatever is in it.

    Raises Unprocessable if the format is neither plain text nor Markdown, or if there are too many references.
    """
    found = format or (DocumentFormat.MARKDOWN if format_of(text) is DocumentFormat.MARKDOWN else DocumentFormat.TEXT)
    if found not in _LINES:
        raise unreadable(f"are lines of text or Markdown; send {found.value} as `document`")
    entries = entries_of(text, list(_groups(text)), _LINES[found])
    check_count(len(entries))
    return Document(found, text, entries, (), doubts(entries))


def _groups(text: str) -> Iterator[Group]:
    for number, line in enumerate(lines_of(text), 1):
        mark = NUMBER.match(line.text)
        label = mark["square"] if mark else None
        yield Group((line,), label or str(number), line.start + (mark.end() if mark else 0))
