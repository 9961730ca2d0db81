"""A record: a paper as one provider describes it. Every provider produces records, and the merge consumes them.

Missing is None (or an empty tuple), never "", 0 or 1970. All text is plain. Each field declares its type, range and
length, which `shared.field_checks` holds where a record enters: from a provider's answer, from a provider's Lambda and
from the cache.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Annotated, NamedTuple

from shared.bibliography.dates import FIRST_YEAR, LAST_YEAR, is_partial_date
from shared.bibliography.identifiers import AnyName, ArxivId, Doi, Identifiers, Pmid
from shared.bibliography.languages import LANGUAGE_CODE
from shared.bibliography.web_addresses import WebAddress
from shared.field_ranges import AtMost, Between, OneOf, Text, Token


class RetractionStatus(StrEnum):
    """The retraction status that a source states; UNKNOWN when the source does not track it."""

    NONE = "none"
    RETRACTED = "retracted"
    CORRECTED = "corrected"
    CONCERN = "concern"
    UNKNOWN = "unknown"


# The types of work, in one vocabulary for all providers (Crossref's names where it has one).
PAPER_TYPES = (
    "journal-article", "review", "preprint", "conference-paper", "book", "book-chapter", "dissertation",
    "editorial", "letter", "erratum", "retraction-notice", "dataset", "report", "clinical-trial", "other",
    "systematic-review", "meta-analysis", "randomized-controlled-trial", "clinical-trial-registration",
)  # fmt: skip


# The longest texts and lists that a record may contain: more than any real one has, and little enough for an answer.
MAX_AUTHORS = 300  # of thousands in collaborations; `author_count` states how many there are
Title = Text(2_000)
Name = Annotated[str | None, Text(300)]
MAX_PLACE_CHARS = 500
Place = Annotated[str | None, Text(MAX_PLACE_CHARS)]
Short = Annotated[str | None, Text(100)]
Date = Annotated[str | None, Token("a date", is_partial_date)]
Address = Annotated[str | None, WebAddress]
Count = Annotated[int | None, Between(0, 100_000_000)]
Rank = Annotated[int, Between(0, 1_000_000)]


@dataclass(frozen=True, slots=True)
class Author:
    """A person (`family`, `given` or initials) or a group (`name` only)."""

    family: Name = None
    given: Name = None
    name: Name = None

    @property
    def display(self) -> str:
        """`Given Family`, or the group's name."""
        if self.name:
            return self.name
        return f"{self.given} {self.family}" if self.given and self.family else self.given or self.family or ""


@dataclass(frozen=True, slots=True)
class Location:
    """One place where a copy can be read."""

    url: Annotated[str, WebAddress]
    version: Short = None  # publishedVersion, acceptedVersion, submittedVersion
    license: Place = None
    host: Short = None  # publisher, repository


@dataclass(frozen=True, slots=True)
class OpenAccess:
    """Whether a free copy exists (None: the source does not state it) and where."""

    is_oa: bool | None = None
    url: Address = None
    license: Place = None
    locations: Annotated[tuple[Location, ...], AtMost(50)] = ()


@dataclass(frozen=True, slots=True)
class Retraction:
    """The retraction status, with the notice that states it."""

    status: RetractionStatus = RetractionStatus.UNKNOWN
    notice_doi: Doi = None
    date: Date = None
    notice_pmid: Pmid = None  # of a notice that the source knows by its PMID


@dataclass(frozen=True, slots=True)
class Version:
    """Another version of the same work that a source links by id."""

    relation: Annotated[str, OneOf(("preprint", "published", "version"))]  # what the other one is
    doi: Doi = None
    pmid: Pmid = None
    arxiv: ArxivId = None
    title: Annotated[str | None, Title] = None
    journal: Place = None  # or the preprint server
    publication_date: Date = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """One record of one provider."""

    provider: Annotated[str, AnyName]
    rank: Rank  # 1 = the provider's first hit
    wording: Annotated[int, Between(0, 100)] = 0  # which of the question's wordings found it
    title: Annotated[str, Title]
    ids: Identifiers = field(default_factory=Identifiers)
    authors: Annotated[tuple[Author, ...], AtMost(MAX_AUTHORS)] = ()
    author_count: Count = None  # None: the source may hold more than it sent
    year: Annotated[int | None, Between(FIRST_YEAR, LAST_YEAR)] = None
    publication_date: Date = None  # YYYY, YYYY-MM or YYYY-MM-DD, as exact as known
    journal: Place = None
    volume: Short = None
    issue: Short = None
    pages: Short = None  # "26043-26050", or the article number
    type: Annotated[str | None, OneOf(PAPER_TYPES)] = None
    language: Annotated[str | None, Token("a language code", LANGUAGE_CODE.fullmatch)] = None  # ISO 639
    abstract: Annotated[str | None, Text(20_000)] = None
    tldr: Annotated[str | None, Text(2_000)] = None  # a machine's summary, never shown as the abstract
    citation_count: Count = None
    influential_citation_count: Count = None
    open_access: OpenAccess = field(default_factory=OpenAccess)
    retraction: Retraction = field(default_factory=Retraction)
    versions: Annotated[tuple[Version, ...], AtMost(100)] = ()
    # the keys of the registrations of the trials that it reports, `nct:…`; they are not ids of the paper
    registrations: Annotated[tuple[Annotated[str, AnyName], ...], AtMost(100)] = ()
    alternative_titles: Annotated[
        tuple[Annotated[str, Title], ...], AtMost(20)
    ] = ()  # vernacular, translated or original titles
    # what it cites, each under its best key: `doi:…`, `pmid:…`, `openalex:…`
    references: Annotated[tuple[Annotated[str, AnyName], ...], AtMost(3_000)] = ()
    landing_page: Address = None
    # the names (`shared.bibliography.paper_ids`) that this record answers, in a lookup
    asked: Annotated[tuple[Annotated[str, AnyName], ...], AtMost(100)] = ()
    relaxed: bool = False  # only a wider form of the query found it (`shared.providers.relaxation`)


class RecordId(NamedTuple):
    """The position of a record among the result lists that are merged. Records merge in the order of their ids."""

    provider: str
    answer: int  # which of the provider's result lists: no two records of one list are the same paper
    rank: int  # its place in that list


MAX_LINE_CHARS = 2_000  # of a reference as it is printed


@dataclass(frozen=True, slots=True)
class Pointer:
    """A paper that a source only points at: by ids, by a line of text, or by both."""

    rank: Rank
    ids: Identifiers = field(default_factory=Identifiers)
    text: Annotated[str | None, Text(MAX_LINE_CHARS)] = None


INTENTS = ("background", "method", "result")  # of a citation: https://doi.org/10.18653/v1/N19-1361
MAX_SENTENCES, MAX_SENTENCE_CHARS = 10, 1_000


@dataclass(frozen=True, slots=True)
class InTextCitation:
    """How a paper cites another in its text, as a source states it."""

    rank: Rank  # of the other paper, in the source's list
    sentences: Annotated[tuple[Annotated[str, Text(MAX_SENTENCE_CHARS)], ...], AtMost(MAX_SENTENCES)] = ()
    intents: Annotated[tuple[Annotated[str, OneOf(INTENTS)], ...], AtMost(len(INTENTS))] = ()
    influential: bool | None = None  # whether the other paper matters to the citing one, in the source's judgement


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A near-duplicate that was left apart, and why."""

    key: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedPaper:
    """One paper, made of every record that is the same work; its fields follow the rules of `merging`."""

    key: str  # `identifiers.paper_key`
    citation_uri: str | None
    title: str
    records: tuple[Paper, ...]  # what it was made from, in the order of their ids
    record_ids: tuple[RecordId, ...] = ()  # parallel to `records`
    ids: Identifiers = field(default_factory=Identifiers)
    authors: tuple[Author, ...] = ()
    author_count: int | None = None
    year: int | None = None
    publication_date: str | None = None
    journal: str | None = None
    volume: str | None = None
    issue: str | None = None
    pages: str | None = None
    type: str | None = None
    language: str | None = None
    abstract: str | None = None
    tldr: str | None = None
    citation_count: int | None = None
    influential_citation_count: int | None = None
    citation_counts: Mapping[str, int] = field(default_factory=dict)
    open_access: OpenAccess = field(default_factory=OpenAccess)
    retraction: Retraction = field(default_factory=Retraction)
    versions: tuple[Version, ...] = ()
    registrations: tuple[str, ...] = ()
    provenance: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # field -> providers of its value
    possible_duplicates: tuple[Duplicate, ...] = ()


def with_author_count(paper: Paper) -> Paper:
    """The paper with the number of its authors, if a check will cut their list (MAX_AUTHORS)."""
    if len(paper.authors) <= max(MAX_AUTHORS, paper.author_count or 0):
        return paper
    return replace(paper, author_count=len(paper.authors))
