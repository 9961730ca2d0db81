"""Documents of each format about real papers, with one error that a correction mends."""

from __future__ import annotations

from functools import cache

from infra.local.sandbox.facts import Fact, read_facts
from shared.bibliography.paper import Author
from shared.documents.document import Correction, Document, EntryFields, Written
from shared.documents.reading import read_document
from shared.documents.writing import write_document

COUNT = 12


@cache
def cited() -> tuple[Fact, ...]:
    """Articles of which all fields of a reference are known, with different first authors."""
    found: dict[str, Fact] = {}
    for fact in read_facts():
        authors = [author for author in fact.authors if all(author)]
        is_whole = fact.journal and fact.volume and fact.pages and fact.doi and fact.year and len(authors) > 1
        is_plain = fact.title.isascii() and not set('{}<>[]*_&"') & set(fact.title)
        if is_whole and is_plain and fact.type == "journal-article":
            found.setdefault(str(authors[0][0]), fact)
    return tuple(list(found.values())[:COUNT])


def names(fact: Fact) -> list[tuple[str, str]]:
    """The first three authors as family and given names."""
    return [(str(family), str(given)) for family, given in fact.authors if family and given][:3]


def vancouver(fact: Fact, year: int | None = None) -> str:
    people = ", ".join(f"{family} {''.join(word[0] for word in given.split())}" for family, given in names(fact))
    return f"{people}. {fact.title}. {fact.journal}. {year or fact.year};{fact.volume}:{fact.pages}. doi:{fact.doi}"


def apa(fact: Fact, year: int | None = None) -> str:
    people = [f"{family}, {' '.join(word[0] + '.' for word in given.split())}" for family, given in names(fact)]
    listed = ", ".join(people[:-1]) + f", & {people[-1]}"
    return f"{listed} ({year or fact.year}). {fact.title}. {fact.journal}, {fact.volume}, {fact.pages}."


def corrected(document: Document, *, fields: EntryFields | None = None, comment: str = "the year was wrong") -> Written:
    """The document with the year 2001 in every entry, or with these fields."""
    correction = Correction(fields or EntryFields(year=2001), comment)
    return write_document(document, {entry.number: correction for entry in document.entries})


def read_unchanged(text: str) -> Document:
    """The document that a text is, of which is checked what holds for every document."""
    document = read_document(text)
    assert write_document(document, {}).text == document.text == text
    assert all(entry.raw == text[entry.start : entry.end] for entry in document.entries)
    assert [entry.number for entry in document.entries] == list(range(len(document.entries)))
    return document


NEW = EntryFields(
    title="A title & more of 100 %", authors=(Author(family="Müller", given="Anna B"), Author(name="The TREM2 Group")),
    year=2001, journal="Journal of Tests", volume="77", issue="3", pages="12-19", doi="10.1000/new_1",
)  # fmt: skip
