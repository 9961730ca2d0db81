"""CSL-JSON: an array of items, or an object that holds one. A comment is added to the item's `note`.

Items and members are read one after the other with the standard decoder, which says where each ends: corrections are
written in place of a value, and the rest of the file stays as it is formatted.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from shared.bibliography.characters import ZERO_WIDTH
from shared.bibliography.paper import MAX_AUTHORS, Author
from shared.bibliography.text import plain_text
from shared.documents.bounds import MAX_DEPTH, check_count, unreadable
from shared.documents.document import Correction, Document, DocumentFormat, Entry, EntryFields, ReadingWarning
from shared.documents.edits import Edit, EntryEdits, comment_line
from shared.documents.fields_read import one_line, read_ids, read_pages, read_year
from shared.json_types import JsonObject, read_json

_BLANK = re.compile(r"[ \t\r\n]*")
_BRACKET = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[{\]}]', re.S)
_EARLIER_COMMENT = re.compile(r"(?:; |\A)checked: ")  # of an earlier check; it ends the note
_NAMES = {
    "title": "title", "journal": "container-title", "volume": "volume", "issue": "issue", "pages": "page",
    "doi": "DOI", "pmid": "PMID",
}  # fmt: skip
_HOLDERS = ("items", "references")
_decode = json.JSONDecoder(parse_constant=lambda _: None, parse_int=lambda digits: int(digits[:400])).raw_decode


@dataclass(frozen=True, slots=True)
class _Value:
    """A JSON value with its place."""

    value: object
    start: int
    end: int


def read_csl(text: str) -> Document:
    """The items of a CSL-JSON text. Raises Unprocessable if it is not JSON, has no items or too many."""
    _check_depth(text)
    try:
        found = list(_items(text))
    except (ValueError, RecursionError) as error:
        raise unreadable(f"is not JSON: {_reason(error)}") from error
    check_count(len(found))
    warnings = [ReadingWarning("this item is not a JSON object", it.start) for it in found if not _is_item(it.value)]
    items = [(it, it.value) for it in found if isinstance(it.value, Mapping)]
    if not items:
        raise unreadable("has no CSL-JSON items: an array of objects is expected")
    entries = [_entry(text, number, place, item) for number, (place, item) in enumerate(items)]
    return Document(DocumentFormat.CSL_JSON, text, tuple(entries), (), tuple(warnings))


def _reason(error: Exception) -> str:
    return f"{error.msg} in line {error.lineno}" if isinstance(error, json.JSONDecodeError) else "nested too deeply"


def _is_item(value: object) -> bool:
    return isinstance(value, Mapping)


def _check_depth(text: str) -> None:
    depth = 0
    for found in _BRACKET.finditer(text):
        depth += (found[0] in "[{") - (found[0] in "]}")
        if depth > MAX_DEPTH:
            raise unreadable(f"has brackets nested more than {MAX_DEPTH} deep")


def _items(text: str) -> Iterator[_Value]:
    """The items in the array that the text is or holds; an object without such an array is an item itself."""
    start = _blank(text, text[:1] in ZERO_WIDTH)  # a byte order mark
    read_json(text[start:])
    if text[start] not in "[{":  # a number or a text alone
        return
    if text[start] == "[":
        yield from _elements(text, start)
        return
    members = dict(_members(text, start))
    held = next((members[name] for name in _HOLDERS if name in members), None)
    if held and text[held.start] == "[":
        yield from _elements(text, held.start)
        return
    value, end = _decode(text, start)
    yield _Value(value, start, end)


def _blank(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _elements(text: str, start: int) -> Iterator[_Value]:
    """The elements of the array that begins here; the text is known to be JSON."""
    at = _blank(text, start + 1)
    while text[at] != "]":
        value, end = _decode(text, at)
        yield _Value(value, at, end)
        at = _blank(text, end)
        at = _blank(text, at + 1) if text[at] == "," else at


def _members(text: str, start: int) -> Iterator[tuple[str, _Value]]:
    """The members of the object that begins here."""
    at = _blank(text, start + 1)
    while text[at] != "}":
        name, end = _decode(text, at)
        at = _blank(text, _blank(text, end) + 1)
        value, end = _decode(text, at)
        yield name, _Value(value, at, end)
        at = _blank(text, end)
        at = _blank(text, at + 1) if text[at] == "," else at


def _entry(text: str, number: int, place: _Value, item: JsonObject) -> Entry:
    values = {field: one_line(_string(item.get(name))) for field, name in _NAMES.items()}
    others = (_string(item.get(name)) for name in ("number", "URL", "note", "archive_location"))
    stated = EntryFields(
        title=plain_text(values["title"]),
        authors=tuple(_people(item.get("author"))),
        year=_year(item.get("issued")),
        journal=plain_text(values["journal"]),
        volume=values["volume"],
        issue=values["issue"],
        pages=read_pages(values["pages"]),
        **read_ids(values["doi"], values["pmid"], None, *others),
    )
    label = _string(item.get("id"))
    line = one_line(" ".join(value for value in values.values() if value)) or text[place.start : place.end][:200]
    return Entry(
        number=number, start=place.start, end=place.end, raw=text[place.start : place.end], line=line, label=label,
        fields=stated, is_tagged=True,
    )  # fmt: skip


def _string(value: object) -> str | None:
    """A text or a number as text; some exporters put a text into an array."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    is_plain = isinstance(value, str | int | float) and not isinstance(value, bool)
    return str(value) if is_plain and value != "" else None


def _people(people: object) -> Iterator[Author]:
    for person in (people if isinstance(people, list) else [])[:MAX_AUTHORS]:
        if isinstance(person, Mapping):
            names = ("family", "given", "literal", "non-dropping-particle", "suffix")
            family, given, literal, particle, suffix = (_string(person.get(name)) for name in names)
            whole = " ".join(part for part in (particle, family, suffix) if part)
            if whole or literal or given:
                yield Author(family=whole, given=given) if whole else Author(name=literal or given)


def _year(issued: object) -> int | None:
    if not isinstance(issued, Mapping):
        return read_year(_string(issued))
    parts = issued.get("date-parts")
    first = parts[0] if isinstance(parts, list) and parts else None
    year = first[0] if isinstance(first, list) and first else None
    return read_year(_string(year) or _string(issued.get("raw")) or _string(issued.get("literal")))


def correct_csl(_: Document, entry: Entry, correction: Correction) -> EntryEdits:
    """The edits that write a correction: values in place of members; missing members and the note at the end."""
    raw, stated = entry.raw, correction.fields
    members = dict(_members(raw, 0))
    written: dict[str, object] = {
        name: getattr(stated, field) for field, name in _NAMES.items() if getattr(stated, field)
    }
    if stated.year:
        written["issued"] = {"date-parts": [[stated.year]]}  # month and day were those of the wrong year
    if stated.authors:
        written["author"] = [_person(author) for author in stated.authors]
    if stated.arxiv:
        written["number"] = f"arXiv:{stated.arxiv}"
    note = _string(members["note"].value) if "note" in members else None
    if correction.comment:
        comment = comment_line(correction.comment)
        note = _EARLIER_COMMENT.split(note, maxsplit=1)[0] if note else None
        written["note"] = f"{note}; {comment}" if note else comment
    is_ascii = raw.isascii() and "\\u" in raw
    texts = {name: json.dumps(value, ensure_ascii=is_ascii) for name, value in written.items()}
    edits = [Edit(members[name].start, members[name].end, new) for name, new in texts.items() if name in members]
    edits += _additions(raw, [f'"{name}": {new}' for name, new in texts.items() if name not in members], bool(members))
    return EntryEdits(tuple(edit.moved(entry.start) for edit in edits))


def _additions(raw: str, added: Sequence[str], has_members: bool) -> list[Edit]:
    """New members behind the last one, separated as the first one is from its brace."""
    if not added:
        return []
    end = len(raw[:-1].rstrip())
    blank = raw[1 : _blank(raw, 1)] if has_members else ""
    between = f",{blank or ' '}"
    return [Edit(end, end, ("" if not has_members else between) + between.join(added))]


def _person(author: Author) -> dict[str, str]:
    if not author.family:
        return {"literal": author.display}
    return {"family": author.family, **({"given": author.given} if author.given else {})}
