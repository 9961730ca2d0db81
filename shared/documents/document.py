"""A document with references, as its reader returns it: entries, in-text citations, and what could not be read.

All offsets are positions in `Document.text`, in characters. An entry's number is its position in `Document.entries`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum

from shared.bibliography.paper import Author
from shared.query.question import Citation


class DocumentFormat(StrEnum):
    """The formats that can be read; a .docx is written as Markdown, READ_ONLY as they were, others as themselves."""

    TEXT = "text"
    MARKDOWN = "markdown"
    LATEX = "latex"
    BIBTEX = "bibtex"
    RIS = "ris"
    CSL_JSON = "csl-json"
    JATS = "jats"
    DOCX = "docx"
    ENDNOTE_XML = "endnote-xml"
    PUBMED = "pubmed"
    NBIB = "nbib"
    REFER = "refer"
    WEB_OF_SCIENCE = "web-of-science"
    TABLE = "table"


# What people call those that are sent as text; the page and docs/known-papers.md name them too.
TEXT_FORMATS = (
    "plain text, Markdown, LaTeX, BibTeX, RIS, CSL-JSON, JATS, EndNote's XML and .enw, PubMed's .nbib and Abstract "
    "(text), Web of Science's plain text, a table (CSV or tab-separated, as Scopus, Web of Science, PubMed and Zotero "
    "export it)"
)
# As which a document of each format is answered, in UTF-8.
MEDIA_TYPES = {
    DocumentFormat.TEXT: "text/plain",
    DocumentFormat.MARKDOWN: "text/markdown",
    DocumentFormat.LATEX: "text/x-tex",
    DocumentFormat.BIBTEX: "application/x-bibtex",
    DocumentFormat.RIS: "application/x-research-info-systems",
    DocumentFormat.CSL_JSON: "application/vnd.citationstyles.csl+json",
    DocumentFormat.JATS: "application/xml",
    DocumentFormat.DOCX: "text/markdown",
    DocumentFormat.ENDNOTE_XML: "application/xml",
    DocumentFormat.PUBMED: "text/plain",
    DocumentFormat.NBIB: "text/plain",
    DocumentFormat.REFER: "text/plain",
    DocumentFormat.WEB_OF_SCIENCE: "text/plain",
    DocumentFormat.TABLE: "text/plain",
}
# Nothing is written into these: they have no place for a comment, and a program would import what stands there.
READ_ONLY = frozenset({
    DocumentFormat.ENDNOTE_XML, DocumentFormat.NBIB, DocumentFormat.PUBMED, DocumentFormat.REFER,
    DocumentFormat.TABLE, DocumentFormat.WEB_OF_SCIENCE,
})  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryFields:
    """The fields of a cited paper as plain text; None where the entry does not state them."""

    title: str | None = None
    authors: tuple[Author, ...] = ()
    year: int | None = None
    journal: str | None = None
    volume: str | None = None
    issue: str | None = None
    pages: str | None = None  # "123-130", or the first page, or the article number
    doi: str | None = None  # in its normal form, as are the other ids
    pmid: str | None = None
    arxiv: str | None = None

    @property
    def stated(self) -> tuple[str, ...]:
        """The names of the fields that have a value, in the order of this class."""
        return tuple(name for name in FIELD_NAMES if getattr(self, name))


FIELD_NAMES = tuple(field.name for field in fields(EntryFields))


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One reference: `raw` is `text[start:end]` of the document, `line` the same on one line without markup.

    `label` is the name by which the text cites it: its number, its citation key, its id; None if it has none.
    `is_tagged` says whether the format names the fields; otherwise they were recognised in the printed reference.
    """

    number: int
    start: int
    end: int
    raw: str
    line: str
    label: str | None
    fields: EntryFields
    is_tagged: bool

    @property
    def citation(self) -> Citation:
        """The entry as a question to providers: its fields, or the printed line if no field is named."""
        if not self.is_tagged or not self.fields.title:
            return Citation(text=self.line)
        stated = self.fields
        authors = tuple(f"{it.family}, {it.given}" if it.family and it.given else it.display for it in stated.authors)
        return Citation(
            title=stated.title, authors=authors, year=stated.year, journal=stated.journal, volume=stated.volume,
            pages=stated.pages,
        )  # fmt: skip

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids that the entry states, in forms that `shared.bibliography.paper_ids.read_id` reads."""
        stated = self.fields
        named = (("doi", stated.doi), ("pmid", stated.pmid), ("arxiv", stated.arxiv))
        return tuple(f"{scheme}:{name}" for scheme, name in named if name)


@dataclass(frozen=True, slots=True)
class MarkedCitation:
    """One citation in the text: `marker` as it stands there, the numbers of its entries, and the names without one."""

    marker: str
    offset: int
    entries: tuple[int, ...]
    missing: tuple[str, ...] = ()  # `7`, `smith2020`, `Smith 2020`: cited, but no entry has this name


@dataclass(frozen=True, slots=True)
class ReadingWarning:
    """What could not be read or is doubtful, and where; `offset` is None if it concerns the whole document."""

    message: str
    offset: int | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """A document as it was read. `uncited` is empty if the document has no in-text citations."""

    format: DocumentFormat
    text: str
    entries: tuple[Entry, ...]
    citations: tuple[MarkedCitation, ...] = ()
    warnings: tuple[ReadingWarning, ...] = ()

    @property
    def uncited(self) -> tuple[int, ...]:
        """The numbers of the entries that no citation names."""
        cited = {number for citation in self.citations for number in citation.entries}
        return tuple(entry.number for entry in self.entries if entry.number not in cited) if self.citations else ()

    @property
    def without_entry(self) -> tuple[MarkedCitation, ...]:
        """The citations that name something for which there is no entry."""
        return tuple(citation for citation in self.citations if citation.missing)


@dataclass(frozen=True, slots=True)
class Correction:
    """What to write into one entry: the fields to replace or to add (the others stay), and a comment beside it."""

    fields: EntryFields
    comment: str  # "" for none


Corrections = Mapping[int, Correction]  # by the entry's number


@dataclass(frozen=True, slots=True)
class Written:
    """A corrected document; `not_placed` names, by entry, the fields that only the comment states."""

    format: DocumentFormat
    text: str
    not_placed: Mapping[int, tuple[str, ...]]
