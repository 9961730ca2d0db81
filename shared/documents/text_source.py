"""Plain text, also as copied from a PDF: the list of references, its entries, and the citations in the text.

A comment is written behind its entry in square brackets, which no style of references uses at that place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from shared.bibliography.printed_source import printed_plain
from shared.documents.bounds import check_count, unreadable
from shared.documents.citing import doubts_about, in_text_citations
from shared.documents.document import Correction, Document, DocumentFormat, Entry, ReadingWarning
from shared.documents.edits import Edit, EntryEdits, comment_line
from shared.documents.entry_groups import BULLET, NUMBER, Group, looks_like_reference
from shared.documents.fields_read import read_printed
from shared.documents.lines import lines_of, without_line_numbers, without_page_headers
from shared.documents.printed_edits import PrintedEntry, printed_edits
from shared.documents.reference_sections import reference_groups

_CHECKED = re.compile(r"\[checked: [^\[\]]{0,2100}\]")
NO_LIST = (
    "has no list of references that can be recognised; put it under a heading such as References, "
    "or send the list alone, one reference a line"
)


def read_text(text: str) -> Document:
    """The references of a plain text. Raises Unprocessable if no list of references is found or it is too long."""
    groups = reference_groups(without_page_headers(without_line_numbers(lines_of(text))))
    check_count(len(groups))
    if not groups:
        raise unreadable(NO_LIST)
    entries = entries_of(text, groups, line_of_text)
    citations = in_text_citations(text, entries)
    warnings = (*doubts(entries), *doubts_about(citations))
    return Document(DocumentFormat.TEXT, text, entries, citations, warnings)


def entries_of(text: str, groups: Sequence[Group], line_of: Callable[[str], str]) -> tuple[Entry, ...]:
    """The entries that these lines are, with the fields that are recognised in them; `line_of` leaves out markup."""
    found: list[Entry] = []
    for number, group in enumerate(groups):
        start, end = group.lines[0].start + group.lines[0].indent, group.lines[-1].end
        raw = text[start:end].rstrip()
        first = group.lines[0]
        source = "\n".join([first.text[group.body - first.start :], *(line.text for line in group.lines[1:])])
        line = line_of(source)
        found.append(
            Entry(
                number=number, start=start, end=start + len(raw), raw=raw, line=line, label=group.label,
                fields=read_printed(line), is_tagged=False,
            )
        )  # fmt: skip
    return tuple(found)


def line_of_text(source: str) -> str:
    """The text on one line, without the comments of an earlier check."""
    return " ".join(_CHECKED.sub("", printed_plain(source).text).split())


def with_addresses(line: str, addresses: Sequence[str]) -> str:
    """The line with the addresses behind it that its links lead to, and that it does not show."""
    return " ".join([line, *dict.fromkeys(it for it in addresses if it.startswith("http") and it not in line)])


def doubts(entries: Sequence[Entry]) -> tuple[ReadingWarning, ...]:
    """A warning for each entry that does not look like a reference."""
    return tuple(
        ReadingWarning(
            f"reference {it.number + 1} has no year and no id, or is very short or long: it may not be one reference",
            it.start,
        )
        for it in entries
        if not looks_like_reference(it.line)
    )


def mark_length(raw: str) -> int:
    """The length of the number or the bullet with which an entry begins."""
    found = NUMBER.match(raw) or BULLET.match(raw)
    return found.end() if found else 0


def correct_text(_: Document, entry: Entry, correction: Correction) -> EntryEdits:
    """The edits that write a correction into a printed reference, and the comment behind it."""
    mark = mark_length(entry.raw)
    printed = printed_plain(entry.raw[mark:])
    body = PrintedEntry(entry.raw[mark:], printed, entry.fields, entry.line, (printed,))
    edits, not_placed = printed_edits(body, correction.fields)
    if correction.comment:
        comment = comment_line(correction.comment).replace("[", "(").replace("]", ")")
        edits.append(Edit(len(body.raw), len(body.raw), f" [{comment}]"))
    return EntryEdits(tuple(edit.moved(entry.start + mark) for edit in edits), tuple(not_placed))
