"""RIS: records of lines with two-letter tags. A comment is a note, `N1`, at the end of its record.

The lines are read here: libraries return values without their places, and number the records anew.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from shared.bibliography.characters import ZERO_WIDTH, pattern_of
from shared.bibliography.paper import MAX_AUTHORS, Author
from shared.bibliography.text import plain_text
from shared.documents.bounds import check_count, unreadable
from shared.documents.document import Correction, Document, DocumentFormat, Entry, EntryFields, ReadingWarning
from shared.documents.edits import Edit, EntryEdits, comment_line
from shared.documents.fields_read import (
    accession_as_pmid,
    inverted,
    last_page,
    one_line,
    read_ids,
    read_pages,
    read_year,
)
from shared.exports.fields import one_line as without_controls
from shared.references.names_in_citation import read_author

_LINE = re.compile(
    rf"(?m)^[{pattern_of(ZERO_WIDTH)}]?[ \t]{{0,9}}"
    # Of two letters; a few programs write longer ones, such as `PMID  - `.
    r"([A-Z][A-Z0-9](?=[ ]{1,2}-)|[A-Z]{3,5}(?=[ ]{2}-))[ ]{1,2}-(?:[ ]([^\r\n]*)|[ \t]*(?=\r?$))"
)
_NAMES = {
    "title": ("TI", "T1", "CT"), "authors": ("AU", "A1"), "year": ("PY", "Y1", "DA"),
    "journal": ("T2", "JO", "JF", "BT", "JA", "J2"), "volume": ("VL", "VO"), "issue": ("IS",), "pages": ("SP",),
    "doi": ("DO", "DOI"),
}  # fmt: skip
_BEGINS = ("TI", "T1", "AU", "A1")  # where `TY` is missing
_BETWEEN = "".join(ZERO_WIDTH) + " \t\r\n"
_ABBREVIATED = ("JA", "J2")
_NUMBERED = re.compile(r"\d{1,6}[.)]?")  # Ovid numbers the records
_DATABASES = ("DB", "DP")
_ACCESSIONS = ("AN", "PMID")
_PMID_TAGS = (*_ACCESSIONS, "C1", "N1", "ID", "UR", "L1", "L2", "M1", "M3")


@dataclass(frozen=True, slots=True)
class _Line:
    """One tag with its value; `start` and `end` enclose the value, `begins` the line."""

    tag: str
    value: str
    begins: int
    start: int
    end: int


def read_ris(text: str) -> Document:
    """The records of a RIS file. Raises Unprocessable if it has none or too many."""
    warnings: list[ReadingWarning] = []
    records = list(_records(text, warnings))
    check_count(len(records))
    if not records:
        raise unreadable("has no RIS record: each begins with `TY  - ` and ends with `ER  - `")
    entries = tuple(_entry(text, number, lines) for number, lines in enumerate(records))
    warnings += _unread(text, entries)
    return Document(DocumentFormat.RIS, text, entries, (), tuple(warnings))


def _unread(text: str, entries: Sequence[Entry]) -> Iterator[ReadingWarning]:
    """A warning for each text that is in no record: it may be a record with broken tags."""
    edges = [(0, 0), *((entry.start, entry.end) for entry in entries), (len(text), len(text))]
    for (_, end), (start, _) in itertools.pairwise(edges):
        rest = text[end:start].strip(_BETWEEN)
        if rest and not _NUMBERED.fullmatch(rest):
            yield ReadingWarning("this text is in no record: each begins with `TY  - `", text.index(rest, end))


def _lines(text: str) -> Iterator[_Line]:
    """The lines with a tag; what follows without one, up to the next tag, belongs to the value."""
    tagged = list(_LINE.finditer(text))
    for found, following in zip_longest(tagged, tagged[1:]):
        start, end = found.span(2) if found[2] is not None else (found.end(), found.end())
        if following and found[1] != "ER":
            end += len(text[end : following.start()].rstrip())
            end = max(end, found.end())
        yield _Line(found[1], " ".join(text[start:end].split()), found.start(1), start, end)


def _records(text: str, warnings: list[ReadingWarning]) -> Iterator[list[_Line]]:
    """The lines of each record, from `TY` to `ER`."""
    record: list[_Line] = []
    for line in _lines(text):
        if not record and line.tag in _BEGINS:
            warnings.append(ReadingWarning("this record has no beginning, `TY  - `", line.begins))
            record = [line]
        elif line.tag == "TY":
            if record:
                warnings.append(ReadingWarning("this record has no end, `ER  - `", record[0].begins))
                yield record
            record = [line]
        elif record:
            record.append(line)
            if line.tag == "ER":
                yield record
                record = []
    if record:
        warnings.append(ReadingWarning("this record has no end, `ER  - `", record[0].begins))
        yield record


def _first(lines: Sequence[_Line], tags: Sequence[str]) -> _Line | None:
    """The first line with a value, in the order of the tags."""
    return next((line for tag in tags for line in lines if line.tag == tag and line.value), None)


def _entry(text: str, number: int, lines: Sequence[_Line]) -> Entry:
    values = {field: line.value for field, tags in _NAMES.items() if (line := _first(lines, tags))}
    last = _first(lines, ("EP",))
    pages = read_pages(values.get("pages"))
    if pages and last and "-" not in pages and last.value != pages:
        pages = read_pages(f"{pages}-{last.value}")
    people = [line.value for line in lines if line.tag in _NAMES["authors"] and line.value]
    databases = " ".join(line.value for line in lines if line.tag in _DATABASES)
    others = [_labelled(line, databases) for line in lines if line.tag in _PMID_TAGS]
    label = _first(lines, ("ID",))
    stated = EntryFields(
        title=plain_text(one_line(values.get("title"))),
        authors=tuple(author for name in people[:MAX_AUTHORS] if (author := _person(name))),
        year=read_year(values.get("year")),
        journal=plain_text(one_line(values.get("journal"))),
        volume=one_line(values.get("volume")),
        issue=one_line(values.get("issue")),
        pages=pages,
        **read_ids(values.get("doi"), None, None, *others),
    )
    start, end = lines[0].begins, max(line.end for line in lines)
    others_shown = (value for field, value in values.items() if field != "authors")
    whole = one_line(" ".join([*people[:3], *others_shown])) or "?"
    return Entry(
        number=number, start=start, end=end, raw=text[start:end], line=whole, label=label.value if label else None,
        fields=stated, is_tagged=True,
    )  # fmt: skip


def _labelled(line: _Line, databases: str) -> str:
    """The value with a label if it is an accession number of PubMed; "" for one of another database."""
    if line.tag not in _ACCESSIONS or not line.value.isdecimal():
        return line.value
    number = accession_as_pmid(line.value, databases if line.tag == "AN" else "")
    return f"PMID: {number}" if number else ""


def _person(name: str) -> Author | None:
    """`Family, Given, Suffix`, or without a comma `Family AB`, `Family A.B.`, as Embase writes it."""
    parts = [part.strip() for part in name.split(",")]
    if len(parts) == 3 and all(parts):
        return Author(family=f"{parts[0]} {parts[2]}", given=parts[1])
    return read_author(name)


def correct_ris(document: Document, entry: Entry, correction: Correction) -> EntryEdits:
    """The edits that write a correction: values in their lines, missing ones and the comment before the end."""
    lines = list(_lines(entry.raw))
    end = _line_end(entry.raw, document.text)
    edits: list[Edit] = []
    added: list[str] = []
    not_placed: list[str] = []
    stated = correction.fields
    for field in stated.stated:
        if field == "authors":
            edits += _author_edits(lines, stated.authors, end)
        elif field == "pages":
            edits += _page_edits(lines, stated.pages or "", added)
        elif field in _NAMES:
            new = without_controls(getattr(stated, field)) or ""
            edits += _value_edits(lines, field, new, added)
        elif field == "pmid" and not _first(lines, ("AN",)):
            added.append(f"AN  - {stated.pmid}")
        elif field == "arxiv" and not _first(lines, ("AN",)) and not stated.pmid:
            added.append(f"AN  - arXiv:{stated.arxiv}")
        else:
            not_placed.append(field)
    added += [f"N1  - {comment_line(correction.comment)}"] if correction.comment else []
    last = lines[-1]
    if last.tag == "ER":
        edits.append(Edit(last.begins, last.begins, "".join(f"{line}{end}" for line in added)))
    else:
        edits.append(Edit(len(entry.raw), len(entry.raw), "".join(f"{end}{line}" for line in added)))
    return EntryEdits(tuple(edit.moved(entry.start) for edit in edits), tuple(not_placed))


def _line_end(raw: str, text: str) -> str:
    return "\r\n" if "\r\n" in (raw if "\n" in raw else text) else "\n"


def _value_edits(lines: Sequence[_Line], field: str, new: str, added: list[str]) -> list[Edit]:
    """The journal stands in several tags, and each is replaced but for its abbreviation; of a date, the year is."""
    tags = _NAMES[field]
    found = [line for line in lines if line.tag in tags and line.value and line.tag not in _ABBREVIATED]
    if not found:
        added.append(f"{tags[0]}  - {new}")
    if field == "year":
        dated = [(line, str(read_year(line.value) or "")) for line in found]
        return [_replace(line, line.value.replace(old, new, 1) if old else new) for line, old in dated]
    return [_replace(line, new) for line in found]


def _replace(line: _Line, new: str) -> Edit:
    return Edit(line.start, line.end, new)


def _author_edits(lines: Sequence[_Line], authors: Sequence[Author], end: str) -> list[Edit]:
    """All authors in place of the first line of authors; the other lines of authors are left out."""
    old = [line for line in lines if line.tag in _NAMES["authors"]]
    tag = old[0].tag if old else "AU"
    names = [without_controls(inverted(author)) or "" for author in authors]
    if not old:
        at = lines[1].begins if len(lines) > 1 else lines[0].end
        return [Edit(at, at, "".join(f"{tag}  - {name}{end}" for name in names))]
    following = {line.begins: after for line, after in itertools.pairwise(lines)}
    edits = [Edit(old[0].start, old[0].end, f"{end}{tag}  - ".join(names))]
    for line in old[1:]:
        after = following.get(line.begins)
        edits.append(Edit(line.begins, after.begins if after else line.end, ""))
    return edits


def _page_edits(lines: Sequence[_Line], pages: str, added: list[str]) -> list[Edit]:
    """The first and the last page each in a line, unless the record has both in the line of the first."""
    first, last = last_page(pages)
    start, stop = _first(lines, ("SP",)), _first(lines, ("EP",))
    if start and not stop and read_pages(start.value) != last_page(read_pages(start.value) or "")[0]:
        return [_replace(start, pages)]
    added += [] if start else [f"SP  - {first}"]
    added += [f"EP  - {last}"] if last and not stop else []
    edits = [_replace(start, first)] if start else []
    return [*edits, _replace(stop, last or first)] if stop else edits
