"""Corrections in a printed reference: each value is replaced where it stands, in the style in which it is written.

A value that cannot be found, or stands at several places, is left as it is and named: a change at the wrong place would
do more harm than none. Ids are the only fields that are added: every style accepts one at the end.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from shared.bibliography.identifiers import Identifiers, citation_uri
from shared.bibliography.printed_source import PrintedText
from shared.bibliography.reference_text import Mention, read_references
from shared.documents.document import EntryFields
from shared.documents.edits import Edit
from shared.documents.printed_names import names_in_style
from shared.references.citation_text import MAX_CHARS, read_citation

_FIELDS = ("title", "authors", "journal", "year", "volume", "issue", "pages")
_DASH = "[-\u2010-\u2015\u2212]{1,3}"
Span = tuple[int, int]
_ID = "\ue000"  # a character for private use
_ISSUE = r"(?:(?<=\()|(?<=no\. )|(?<=no )|(?<=issue )){}(?![\w-])"
MIN_NAMES_CHARS = 4  # a title that begins earlier stands before the names


@dataclass(frozen=True, slots=True)
class PrintedEntry:
    """A printed reference: its source, what it prints, the fields that were read, and how new text is written.

    `raw` has blanks in place of comments: an id in one is not the entry's.
    `write_id` writes an address or an id behind this part of the source, which may have opened `\\url{`.
    `whole` widens a place of the source to what can be replaced in one; None if it cannot.
    """

    raw: str
    printed: PrintedText
    fields: EntryFields
    line: str  # of the entry, from which the fields were read
    escape: Callable[[str], str] = str
    write_id: Callable[[str, str], str] = lambda _, name: name
    whole: Callable[[str, int, int], Span | None] = lambda _, start, end: (start, end)

    def source_of(self, span: Span) -> Span | None:
        """The place that prints this part of the text; None if it cannot be replaced alone."""
        return self.whole(self.raw, *self.printed.source_of(*span))


def printed_edits(entry: PrintedEntry, new: EntryFields) -> tuple[list[Edit], list[str]]:
    """The edits at positions of the source, and the names of the fields for which there is no place."""
    edits: list[Edit] = []
    not_placed: list[str] = []
    added: list[str] = []
    mentions = read_references(entry.raw)
    text = _without_ids(entry.printed.text[:MAX_CHARS])
    title = _only(text, entry.fields.title)
    used: list[Span] = []
    for field in _FIELDS:
        value = getattr(new, field)
        if not value:
            continue
        span, written = _place(field, text, entry, new, title)
        source = entry.source_of(span) if span else None
        if source is None or any(start < source[1] and source[0] < end for start, end in used):
            not_placed.append(field)
            continue
        used.append(source)
        edits.append(Edit(*source, entry.escape(written)))
    for kind in ("doi", "pmid", "arxiv"):
        name = getattr(new, kind)
        if name and name != getattr(entry.fields, kind):  # else it stays in the form in which it is written
            found = [it for it in mentions if it.kind == kind]
            edits += [_id_edit(entry, mention, name) for mention in found if mention.id == found[0].id]
            added += [] if found else [entry.write_id("", _id_written(kind, name))]
    end = len(entry.raw.rstrip())
    if added:
        edits.append(Edit(end, end, "".join(f" {text}" for text in added)))
    return edits, not_placed


def _without_ids(text: str) -> str:
    """The text with signs that no value has in place of its ids: figures of a DOI are no volume."""
    for mention in read_references(text):
        text = text[: mention.start] + _ID * (mention.end - mention.start) + text[mention.end :]
    return text


def _place(field: str, text: str, entry: PrintedEntry, new: EntryFields, title: Span | None) -> tuple[Span | None, str]:
    """Where a field stands in the printed text, and what is written there."""
    old = entry.fields
    written = str(getattr(new, field))
    behind = title[1] if title else 0
    match field:
        case "title":
            return title, written
        case "authors":
            behind_title = title[1] if title and title[0] < MIN_NAMES_CHARS else 0
            return names_in_style(text, read_citation(entry.line).authors, new.authors, behind_title)
        case "journal":
            return _only(text, old.journal, behind), written
        case "year":
            return _year(text, old.year, title), written
        case "volume":
            return _figure(text, old.volume, behind, r"(?=\s?[(:,;]|,? (?:no|issue)\b|\.?\s*$)", old.year), written
        case "issue":
            return _single(text, _ISSUE.format(re.escape(old.issue)) if old.issue else None, behind), written
        case _:
            pages = _DASH.join(map(re.escape, (old.pages or "").split("-"))) if old.pages else None
            return _single(text, rf"(?<![\w.-]){pages}(?![\w-])" if pages else None, behind), written.replace("-", "–")


def _only(text: str, value: str | None, behind: int = 0) -> Span | None:
    """The one place where a text stands; None if there are several or none."""
    return _single(text, re.escape(value) if value else None, behind)


def _single(text: str, pattern: str | None, behind: int = 0) -> Span | None:
    found = [it.span() for it in re.compile(pattern).finditer(text, behind)] if pattern else []
    return found[0] if len(found) == 1 else None


def _year(text: str, year: int | None, title: Span | None) -> Span | None:
    """A year outside of the title; of several, the one in brackets, else the one before a volume."""
    if year is None:
        return None
    for form in (rf"(?<![\w/.:-]){year}(?=[a-z]?(?![\w/-]))", rf"(?<=[(\[]){year}", rf"(?<![\w/.:-]){year}(?=;)"):
        found = [it.span() for it in re.finditer(form, text)]
        found = [span for span in found if not title or span[1] <= title[0] or span[0] >= title[1]]
        if len(found) == 1:
            return found[0]
    return None


def _figure(text: str, value: str | None, behind: int, following: str, year: int | None) -> Span | None:
    if not value or value == str(year):
        return None
    return _single(text, rf"(?<![\w.:–-]){re.escape(value)}{following}", behind)


def _id_edit(entry: PrintedEntry, mention: Mention, name: str) -> Edit:
    """The new id in place of the old one, whose label or address stays where it can."""
    text = entry.raw[mention.start : mention.end].lower()
    inside = text.find(mention.id.lower())
    if inside >= 0:
        start = mention.start + inside
        return Edit(start, start + len(mention.id), entry.write_id(entry.raw[:start], name))
    label, found, _ = text.partition("10.")
    start = mention.start + (label.rfind("{") + 1 if found else 0)  # behind `doi{`, an id stands alone
    written = name if start > mention.start else _id_written(mention.kind, name)
    return Edit(start, mention.end, entry.write_id(entry.raw[:start], written))


def _id_written(kind: str, name: str) -> str:
    match kind:
        case "doi":
            return citation_uri(Identifiers(doi=name)) or name
        case "pmid":
            return f"PMID: {name}"
        case _:
            return f"arXiv:{name}"
