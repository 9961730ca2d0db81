"""Corrections in BibTeX: values in their places, everything else as it was.

bibtexparser does not say where a value stands: values are looked for in their order within the entry's own text. A
comment is a `%` line before its entry: BibTeX ignores what is between entries, biber and the managers of references
accept it, and unlike the field `note` it is never printed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bibtexparser.splitter import Splitter

from shared.documents.bibtex_source import NAMES, entry_of
from shared.documents.document import Correction, Document, Entry, EntryFields
from shared.documents.edits import Edit, EntryEdits, comment_before, line_end_of
from shared.documents.fields_read import inverted, last_page
from shared.exports.bibtex import escaped, title

_YEAR_IN_DATE = re.compile(r"\d{4}")
_INDENT = re.compile(r"\n([ \t]*)[A-Za-z]")


@dataclass(frozen=True, slots=True)
class Value:
    """The value of one field, with its braces or quotation marks, and its place in the entry."""

    source: str
    start: int

    @property
    def end(self) -> int:
        """The position behind it."""
        return self.start + len(self.source)


def correct_bibtex(document: Document, entry: Entry, correction: Correction) -> EntryEdits:
    """The edits that write a correction: values in their places, missing fields before the end of the entry."""
    stated = correction.fields
    comment = comment_before(document.text, entry.start, correction.comment.replace("@", "(at)"))
    if not entry.is_tagged:  # it is not BibTeX, so that nothing in it has a place
        return EntryEdits(tuple(comment), stated.stated)
    values = dict(_values(entry.raw))
    edits: list[Edit] = []
    added: list[tuple[str, str]] = []
    for field in stated.stated:
        new = _written(field, stated)
        name = next((it for it in NAMES[field] if it in values), None)
        if name == "date":
            new = _YEAR_IN_DATE.sub(str(stated.year), values[name].source, count=1)
        if name:
            edits.append(Edit(values[name].start, values[name].end, new))
        else:
            added.append((_name_to_add(field, entry.raw), new))
            if field == "arxiv":
                added.append(("archivePrefix", "{arXiv}"))
    end = line_end_of(document.text)
    edits += _addition(entry.raw, added, end)
    return EntryEdits((*comment, *(edit.moved(entry.start) for edit in edits)))


def _name_to_add(field: str, raw: str) -> str:
    is_in_book = raw[:40].lower().startswith(("@inproceedings", "@incollection", "@conference"))
    return "booktitle" if field == "journal" and is_in_book else NAMES[field][0]


def _written(field: str, stated: EntryFields) -> str:
    """The new value in braces."""
    if field == "title":
        return f"{{{title(stated.title or '')}}}"
    if field == "authors":
        names = (escaped(inverted(it)) if it.family else f"{{{escaped(it.display)}}}" for it in stated.authors)
        return f"{{{' and '.join(names)}}}"
    if field == "pages":
        first, last = last_page(stated.pages or "")
        return f"{{{escaped(first)}--{escaped(last)}}}" if last else f"{{{escaped(first)}}}"
    text = str(getattr(stated, field))
    return f"{{{text}}}" if field in ("doi", "arxiv", "year") else f"{{{escaped(text)}}}"


def _addition(raw: str, added: list[tuple[str, str]], end: str) -> list[Edit]:
    """The missing fields as lines of their own, indented as the others are."""
    if not added:
        return []
    body = raw[:-1].rstrip()
    indent = found[1] if (found := _INDENT.search(raw)) else "  "
    comma = "" if body.endswith(",") else ","
    lines = f",{end}".join(f"{indent}{name} = {value}" for name, value in added)
    return [Edit(len(body), len(body), f"{comma}{end}{lines}")]


def _values(raw: str) -> Iterator[tuple[str, Value]]:
    """The values of an entry with their places, by the names of their fields in small letters."""
    at = raw.find(",") + 1
    block = next((own for it in Splitter(raw).split().blocks if (own := entry_of(it))), None)
    seen: set[str] = set()
    for field in block.fields if block else ():
        equals = raw.index("=", raw.index(field.key, at) + len(field.key))
        at = raw.index(field.value, equals + 1) if field.value else equals + 1
        if field.key.lower() not in seen:
            seen.add(field.key.lower())
            yield field.key.lower(), Value(field.value, at)
        at += len(field.value)
