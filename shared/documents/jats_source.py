"""JATS: the `ref` elements of its `ref-list`s, and `xref`s to them. A comment is an XML comment in the citation.

Source: JATS 1.3, <ref>, <element-citation>, <mixed-citation>, <xref> (jats.nlm.nih.gov).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from shared.bibliography.paper import MAX_AUTHORS, Author
from shared.bibliography.person_names import read_name
from shared.bibliography.text import xml_text
from shared.documents.bounds import check_count, unreadable
from shared.documents.document import (
    Correction,
    Document,
    DocumentFormat,
    Entry,
    EntryFields,
    MarkedCitation,
    ReadingWarning,
)
from shared.documents.edits import Edit, EntryEdits, comment_line
from shared.documents.fields_read import last_page, one_line, read_ids, read_pages, read_printed, read_year
from shared.documents.xml_source import Element, parse_fragment, parse_xml

_CITATIONS = ("element-citation", "mixed-citation", "nlm-citation", "citation")
_NAMES = {
    "title": ("article-title", "chapter-title", "data-title", "part-title"), "year": ("year",), "journal": ("source",),
    "volume": ("volume",), "issue": ("issue",), "pages": ("page-range", "fpage", "elocation-id"),
}  # fmt: skip
_PEOPLE = ("name", "string-name", "collab")


def read_jats(text: str) -> Document:
    """The references of a JATS article or a reference list. Raises Unprocessable if it has none or is not XML."""
    root = parse_xml(text)
    entries, warnings = entries_of(text, root)
    if not entries:
        raise unreadable("has no references: <ref> elements with a citation are expected")
    return Document(DocumentFormat.JATS, text, entries, tuple(_xrefs(root, entries)), warnings)


def entries_of(text: str, root: Element) -> tuple[tuple[Entry, ...], tuple[ReadingWarning, ...]]:
    """The references within an element of the text, of which the entry's label is the id. Raises Unprocessable."""
    warnings: list[ReadingWarning] = []
    found: list[tuple[Element, Element]] = []
    for ref in [root] if root.name == "ref" else root.all("ref"):
        citations = _citations(ref)
        if not citations:
            warnings.append(ReadingWarning("this reference has no citation element", ref.start))
        found += [(ref, citation) for citation in citations]
    check_count(len(found))
    return tuple(_entry(text, number, ref, it) for number, (ref, it) in enumerate(found)), tuple(warnings)


def _citations(ref: Element) -> list[Element]:
    """The citations of a reference; of equal alternatives, the first with its title marked, or the first."""
    found: list[Element] = []
    for child in ref.children:
        inside = [it for it in child.children if it.name in _CITATIONS]
        if child.name in _CITATIONS:
            found.append(child)
        elif child.name == "citation-alternatives" and inside:
            found.append(next((it for it in inside if _first(it, _NAMES["title"])), inside[0]))
    return found


def _xrefs(root: Element, entries: Sequence[Entry]) -> Iterator[MarkedCitation]:
    numbers: dict[str, list[int]] = {}
    for entry in entries:
        numbers.setdefault(entry.label or "", []).append(entry.number)
    for xref in root.all("xref"):
        if xref.attributes.get("ref-type") == "bibr":
            names = xref.attributes.get("rid", "").split()
            cited = tuple(number for name in names for number in numbers.get(name, ()))
            missing = tuple(name for name in names if name not in numbers)
            yield MarkedCitation(one_line(xref.text()) or " ".join(names), xref.start, cited, missing)


def _first(citation: Element, names: Sequence[str]) -> Element | None:
    """The first element of the first of these names."""
    return next((element for name in names for element in citation.all(name)), None)


def _value(citation: Element, names: Sequence[str]) -> str | None:
    element = _first(citation, names)
    return one_line(element.text()) if element else None


def _pub_id(citation: Element, kind: str) -> Element | None:
    ids = citation.all("pub-id", "object-id")
    return next((it for it in ids if it.attributes.get("pub-id-type", "").lower() == kind), None)


def _entry(text: str, number: int, ref: Element, citation: Element) -> Entry:
    values = {field: _value(citation, names) for field, names in _NAMES.items()}
    ids = (it.text() if (it := _pub_id(citation, kind)) else None for kind in ("doi", "pmid", "arxiv"))
    links = [link.attributes.get("href") or link.text() for link in citation.all("ext-link", "uri", "comment")]
    is_mixed = citation.name in ("mixed-citation", "citation")
    whole = one_line(citation.text()) if is_mixed else None
    line = whole or one_line(" ".join(_leaves(citation))) or "?"
    label = ref.attributes.get("id") or _value(ref, ("label",))
    is_tagged = bool(values["title"] or (values["journal"] and values["year"]))
    return Entry(
        number=number, start=citation.start, end=citation.end, raw=text[citation.start : citation.end], line=line,
        label=label, fields=_fields(citation, values, read_ids(*ids, *links)) if is_tagged else read_printed(line),
        is_tagged=is_tagged,
    )  # fmt: skip


def _leaves(element: Element) -> Iterator[str]:
    """The texts in an element that separates its values by tags alone."""
    for part in element.parts:
        yield from [part] if isinstance(part, str) else _leaves(part)


def _fields(citation: Element, values: dict[str, str | None], ids: dict[str, str | None]) -> EntryFields:
    """A citation with a source and no title is that of a book, whose title the source is."""
    pages, last = read_pages(values["pages"]), _value(citation, ("lpage",))
    if pages and last and "-" not in pages and last != pages:
        pages = f"{pages}-{last}"
    return EntryFields(
        title=values["title"] or values["journal"],
        authors=tuple(author for it in _people(citation)[:MAX_AUTHORS] if (author := _person(it))),
        year=read_year(values["year"]),
        journal=values["journal"] if values["title"] else None,
        volume=values["volume"],
        issue=values["issue"],
        pages=pages,
        **ids,
    )


def _people(citation: Element) -> list[Element]:
    """The elements of the authors, without those of editors and translators, and of the members of a group."""
    groups = list(citation.all("person-group"))
    authors = [it for it in groups if it.attributes.get("person-group-type", "author") == "author"]
    people = [person for group in (authors if groups else [citation]) for person in group.all(*_PEOPLE)]
    return [it for it in people if not any(other.start < it.start < other.end for other in people)]


def _person(element: Element) -> Author | None:
    if element.name == "collab":
        parts = (it if isinstance(it, str) else it.text() for it in element.parts if not _is_member_list(it))
        name = one_line("".join(parts)) or one_line(element.text())
        return Author(name=name) if name else None
    family, given, suffix = (_value(element, (name,)) for name in ("surname", "given-names", "suffix"))
    if family:
        return Author(family=f"{family} {suffix}" if suffix else family, given=given)
    text = one_line(element.text())
    return read_name(text) if text else None


def _is_member_list(part: str | Element) -> bool:
    return isinstance(part, Element) and part.name == "contrib-group"


def correct_jats(_: Document, entry: Entry, correction: Correction) -> EntryEdits:
    """The edits that write a correction: the content of elements, and missing elements at the end of the citation."""
    citation = parse_fragment(entry.raw)
    stated = correction.fields
    edits: list[Edit] = []
    added: list[str] = []
    not_placed: list[str] = []
    for field in stated.stated:
        if field in ("doi", "pmid", "arxiv"):
            element = _pub_id(citation, field)
            _put(entry.raw, element, f'pub-id pub-id-type="{field}"', str(getattr(stated, field)), edits, added)
        elif not entry.is_tagged:
            not_placed.append(field)
        elif field == "authors":
            _put_authors(entry.raw, citation, stated.authors, edits, added)
        elif field == "pages":
            _put_pages(entry.raw, citation, stated.pages or "", edits, added)
        else:
            is_book = field == "title" and not _first(citation, _NAMES["title"]) and not stated.journal
            names = _NAMES["journal"] if is_book else _NAMES[field]
            _put(entry.raw, _first(citation, names), names[0], str(getattr(stated, field)), edits, added)
    if correction.comment:
        comment = xml_text(comment_line(correction.comment)).replace("--", "- -").replace("--", "- -")
        added.append(f"<!-- {comment} -->")
    between = " " if citation.name == "mixed-citation" else ""
    edits.append(Edit(citation.inner_end, citation.inner_end, "".join(between + text for text in added)))
    return EntryEdits(tuple(edit.moved(entry.start) for edit in edits), tuple(not_placed))


def _put(raw: str, element: Element | None, tag: str, text: str, edits: list[Edit], added: list[str]) -> None:
    """Write the text into the element, or add an element; one without content, `<year/>`, is written anew."""
    written = escape(xml_text(text), quote=False)
    name = tag.partition(" ")[0]
    if element is None:
        added.append(f"<{tag}>{written}</{name}>")
    elif raw[element.start : element.inner_start].endswith("/>"):
        edits.append(Edit(element.start, element.end, f"<{tag}>{written}</{name}>"))
    else:
        edits.append(Edit(element.inner_start, element.inner_end, written))


def _put_pages(raw: str, citation: Element, pages: str, edits: list[Edit], added: list[str]) -> None:
    first, last = last_page(pages)
    whole, start, stop = (_first(citation, (name,)) for name in ("page-range", "fpage", "lpage"))
    if whole:
        _put(raw, whole, "page-range", pages, edits, added)
    article = None if start else _first(citation, ("elocation-id",))
    _put(raw, start or article, "fpage", first, edits, added)
    if last or stop:
        _put(raw, stop, "lpage", last or first, edits, added)


def _put_authors(raw: str, citation: Element, authors: Sequence[Author], edits: list[Edit], added: list[str]) -> None:
    """All authors in place of those from the first to the last."""
    people = _people(citation)
    tag = people[0].name if people and people[0].name != "collab" else "name"
    between = raw[people[0].end : people[1].start] if len(people) > 1 else ", " if tag == "string-name" else ""
    written = (between if "<" not in between else "").join(_named(author, tag) for author in authors)
    if people:
        edits.append(Edit(people[0].start, people[-1].end, written))
    else:
        added.append(f'<person-group person-group-type="author">{written}</person-group>')


def _named(author: Author, tag: str) -> str:
    if not author.family:
        return f"<collab>{escape(xml_text(author.display), quote=False)}</collab>"
    family, given = (escape(xml_text(part), quote=False) if part else "" for part in (author.family, author.given))
    names = f"<given-names>{given}</given-names>" if given else ""
    space = " " if tag == "string-name" and names else ""
    return f"<{tag}><surname>{family}</surname>{space}{names}</{tag}>"
