"""Corrections in a printed reference: each value is replaced where it stands, in the style in which it is written.

A value that cannot be found, or stands at several places, is left as it is and named: a change at the wrong place would
do more harm than none. Ids are the only fields that are added: every style accepts one at the end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from shared.bibliography.identifiers import Identifiers, citation_uri
from shared.bibliography.printed_source import PrintedText
from shared.bibliography.reference_text import Mention, read_references
from shared.documents.document import EntryFields
from shared.documents.edits import Edit
from shared.documents.fields_read import doi_of
from shared.documents.printed_names import names_in_style
from shared.references.citation_text import MAX_CHARS, read_citation

_FIELDS = ("title", "authors", "journal", "year", "volume", "issue", "pages")
_DASH = "[-\u2010-\u2015\u2212]{1,3}"
Span = tuple[int, int]
_ID = "\ue000"  # a character for private use
_ISSUE = r"(?:(?<=\()|(?<=no\. )|(?<=no )|(?<=issue )){}(?![\w-])"
# Behind an id: a version of the old paper or blanks of an address, and signs with which an id goes on.
_TAIL = re.compile(r"(?:v\d{1,2}(?!\w))?(?:(?:%20)+(?![\w%]))?")
_REST = re.compile(r"(?:%[0-9A-Fa-f]{2}|\u2013)\w")
MAX_LABEL_CHARS = 100
MAX_PLACES = 100  # an entry that names an id more often is not a reference
MIN_NAMES_CHARS = 4  # a title that begins earlier stands before the names


@dataclass(frozen=True, slots=True)
class PrintedEntry:
    """A printed reference: its source, what it prints, the fields that were read, and how new text is written.

    `raw` has blanks in place of comments, so that nothing is added behind one.
    `id_texts` are what is read for ids: what the source prints, and the addresses of its links.
    `write_id` writes an address or an id at this place of the source, which may lie in an address.
    `whole` widens a place of the source to what can be replaced in one; None if it cannot.
    """

    raw: str
    printed: PrintedText
    fields: EntryFields
    line: str  # of the entry, from which the fields were read
    id_texts: Sequence[PrintedText]
    escape: Callable[[str], str] = str
    write_id: Callable[[int, str], str] = lambda _, name: name
    whole: Callable[[str, int, int], Span | None] = lambda _, start, end: (start, end)

    def source_of(self, printed: PrintedText, span: Span) -> Span | None:
        """The place that prints this part of the text; None if it cannot be replaced alone."""
        return self.whole(self.raw, *printed.source_of(*span))


def printed_edits(entry: PrintedEntry, new: EntryFields) -> tuple[list[Edit], list[str]]:
    """The edits at positions of the source, and the names of the fields for which there is no place."""
    edits: list[Edit] = []
    not_placed: list[str] = []
    added: list[str] = []
    mentions = [(text, mention) for text in entry.id_texts for mention in read_references(text.text)]
    text = _without_ids(entry.printed.text[:MAX_CHARS])
    title = _only(text, entry.fields.title)
    used: list[Span] = []
    for field in _FIELDS:
        value = getattr(new, field)
        if not value:
            continue
        span, written = _place(field, text, entry, new, title)
        source = entry.source_of(entry.printed, span) if span else None
        if source is None or any(start < source[1] and source[0] < end for start, end in used):
            not_placed.append(field)
            continue
        used.append(source)
        edits.append(Edit(*source, entry.escape(written)))
    for kind in ("doi", "pmid", "arxiv"):
        name, old = getattr(new, kind), getattr(entry.fields, kind)
        if not name or name == old:  # it stays in the form in which it is written
            continue
        named = [(text, it) for text, it in mentions if (its := _id_of(it, kind)) and its == (old or its)]
        if not named and not old:
            added.append(entry.write_id(len(entry.raw), _id_written(kind, name)))
        elif replaced := _id_edits(entry, named, kind, name):
            edits += replaced
        else:
            not_placed.append(kind)
    end = len(entry.raw.rstrip())
    if added:
        edits.append(Edit(end, end, "".join(f" {text}" for text in added)))
    return edits, not_placed


def _without_ids(text: str) -> str:
    """The text with signs that no value has in place of its ids: figures of a DOI are not a volume."""
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


def _id_of(mention: Mention, kind: str) -> str | None:
    """The id of this kind that stands there: in the DOI that arXiv registers for a paper, both."""
    return doi_of(mention) if kind == "doi" else mention.id if mention.kind == kind else None


def _id_edits(entry: PrintedEntry, named: Sequence[tuple[PrintedText, Mention]], kind: str, name: str) -> list[Edit]:
    """The new id at all places of the one that is named first; none where it cannot stand at each of them."""
    same = [(text, mention) for text, mention in named if mention.id == named[0][1].id]
    made = [_id_edit(entry, text, mention, kind, name) for text, mention in same] if len(same) <= MAX_PLACES else []
    return [] if None in made else list(filter(None, made))


def _id_edit(entry: PrintedEntry, printed: PrintedText, mention: Mention, kind: str, name: str) -> Edit | None:
    """The new id in place of the old one, whose label or address stays where it can; None if a rest would stay."""
    text = printed.text
    shown = text[mention.start : mention.end]
    old = _id_of(mention, kind) or mention.id
    inside = shown.lower().find(old.lower())
    label, found, _ = shown.partition("10.")
    brace = label.rfind("{") + 1 if found else 0
    start, end = mention.start + (inside if inside >= 0 else brace), mention.end
    if inside >= 0 and old == mention.id:  # arXiv's DOI may have a version behind it
        end = start + len(old)
    end += len(tail[0]) if (tail := _TAIL.match(text, end)) else 0
    source = entry.source_of(printed, (start, end))
    if source is None or (inside >= 0 and _goes_on(text, start, end, name)):
        return None
    is_argument = text.startswith("10.", start) and entry.raw[: source[0]].endswith("{")  # `\\doi{`
    written = name if inside >= 0 or is_argument else _id_written(kind, name)
    label = text[max(0, start - MAX_LABEL_CHARS) : start] if written == name else ""
    if kind == "doi" and all(_id_of(it, kind) != name.lower() for it in read_references(label + written)):
        return None  # a part of it would be read, and its rest be left by the next correction
    return Edit(*source, entry.write_id(source[0], written))


def _goes_on(text: str, start: int, end: int, name: str) -> bool:
    """Whether what is behind an id would be read, or by a reader be taken, as a part of the new one."""
    before, behind = text[max(0, start - MAX_LABEL_CHARS) : start], text[end : end + MAX_LABEL_CHARS]
    read = [[(it.kind, it.id) for it in read_references(before + name + rest)] for rest in ("", behind)]
    return read[0] != read[1][: len(read[0])] or _REST.match(behind) is not None


def _id_written(kind: str, name: str) -> str:
    match kind:
        case "doi":
            return citation_uri(Identifiers(doi=name)) or name
        case "pmid":
            return f"PMID: {name}"
        case _:
            return f"arXiv:{name}"
