"""EndNote's XML: `record` elements, whose values may be within `style` elements."""

from __future__ import annotations

from shared.documents.bounds import check_count, unreadable
from shared.documents.document import Document, DocumentFormat
from shared.documents.exported_fields import exported_entry
from shared.documents.fields_read import accession_as_pmid
from shared.documents.xml_source import Element, parse_xml

# Field -> the elements in which it stands, the outermost first.
_PLACES = {
    "label": ("rec-number",), "title": ("titles", "title"), "year": ("dates", "year"), "date": ("pub-dates", "date"),
    "journal": ("periodical", "full-title"), "volume": ("volume",), "issue": ("number",), "pages": ("pages",),
    "doi": ("electronic-resource-num",), "url": ("related-urls", "url"), "extra": ("notes",),
}  # fmt: skip
# Where the journal's full title is missing: its abbreviation, the journal again, or the book of a chapter.
_OTHER_JOURNALS = (("periodical", "abbr-1"), ("titles", "secondary-title"))


def read_endnote(text: str) -> Document:
    """The records of EndNote's XML. Raises Unprocessable if it has none or too many, or is not XML."""
    records: list[Element] = []
    for record in parse_xml(text).all("record"):
        if not records or record.start >= records[-1].end:  # none within another
            records.append(record)
    check_count(len(records))
    if not records:
        raise unreadable("has no references: <record> elements are expected")
    entries = (
        exported_entry(number, record.start, text[record.start : record.end], _values(record))
        for number, record in enumerate(records)
    )
    return Document(DocumentFormat.ENDNOTE_XML, text, tuple(entries))


def _values(record: Element) -> dict[str, str]:
    values = {field: _value(record, *names) for field, names in _PLACES.items()}
    values["journal"] = next(filter(None, [values["journal"], *(_value(record, *it) for it in _OTHER_JOURNALS)]), "")
    people = next(record.all("authors"), None)
    values["authors"] = "; ".join(it.text().strip(" ;") for it in (people.all("author") if people else ()))
    number, database = _value(record, "accession-num").strip(), _value(record, "remote-database-name")
    values["pmid"] = accession_as_pmid(number, database) or ""
    return values


def _value(record: Element, *names: str) -> str:
    """The text of the first element that stands within these; "" if there is none."""
    element: Element | None = record
    for name in names:
        element = next(element.all(name), None) if element else None
    return element.text() if element else ""
