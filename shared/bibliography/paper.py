"""A paper as one provider tells it: what every provider file produces and the merge consumes.

Missing is None (or an empty tuple), never "", 0 or 1970. All text is plain. `to_json` and `from_json`
carry a paper over the Lambda boundary and into the cache; they are inverse to each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from shared.bibliography.identifiers import Identifiers


class RetractionStatus(StrEnum):
    """What a source says of a paper's standing; UNKNOWN when the source does not track it."""

    NONE = "none"
    RETRACTED = "retracted"
    CORRECTED = "corrected"
    CONCERN = "concern"
    UNKNOWN = "unknown"


# The types of work, in one vocabulary for all providers (Crossref's names where it has one).
PAPER_TYPES = (
    "journal-article", "review", "preprint", "conference-paper", "book", "book-chapter", "dissertation",
    "editorial", "letter", "erratum", "retraction-notice", "dataset", "report", "clinical-trial", "other",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Author:
    """A person (`family`, `given` or initials) or a group (`name` only)."""

    family: str | None = None
    given: str | None = None
    name: str | None = None

    @property
    def display(self) -> str:
        """`Given Family`, or the group's name."""
        return self.name or " ".join(part for part in (self.given, self.family) if part)


@dataclass(frozen=True, slots=True)
class Location:
    """One place where a copy can be read."""

    url: str
    version: str | None = None  # publishedVersion, acceptedVersion, submittedVersion
    license: str | None = None
    host: str | None = None  # publisher, repository


@dataclass(frozen=True, slots=True)
class OpenAccess:
    """Whether a free copy exists (None: the source does not say) and where."""

    is_oa: bool | None = None
    url: str | None = None
    license: str | None = None
    locations: tuple[Location, ...] = ()


@dataclass(frozen=True, slots=True)
class Retraction:
    """The paper's standing, with the notice that says so."""

    status: RetractionStatus = RetractionStatus.UNKNOWN
    notice_doi: str | None = None
    date: str | None = None
    notice_pmid: str | None = None  # of a notice that the source knows by its PMID


@dataclass(frozen=True, slots=True)
class Version:
    """Another version of the same work that a source links by id."""

    relation: str  # "preprint", "published" or "version": what the other one is
    doi: str | None = None
    pmid: str | None = None
    arxiv: str | None = None
    title: str | None = None
    journal: str | None = None  # or the preprint server
    publication_date: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """One record of one provider."""

    provider: str
    rank: int  # 1 = the provider's first hit
    wording: int = 0  # which of the question's wordings found it
    title: str
    ids: Identifiers = field(default_factory=Identifiers)
    authors: tuple[Author, ...] = ()
    author_count: int | None = None  # None: the source may hold more than it sent
    year: int | None = None
    publication_date: str | None = None  # YYYY, YYYY-MM or YYYY-MM-DD, as exact as known
    journal: str | None = None
    volume: str | None = None
    issue: str | None = None
    pages: str | None = None  # "26043-26050", or the article number
    type: str | None = None  # one of PAPER_TYPES
    language: str | None = None  # ISO 639-1, or 639-3 where there is no shorter code
    abstract: str | None = None
    tldr: str | None = None  # a machine's summary, never shown as the abstract
    citation_count: int | None = None
    influential_citation_count: int | None = None
    open_access: OpenAccess = field(default_factory=OpenAccess)
    retraction: Retraction = field(default_factory=Retraction)
    versions: tuple[Version, ...] = ()
    alternative_titles: tuple[str, ...] = ()  # vernacular, translated or original titles
    references: tuple[str, ...] = ()  # what it cites, each under its best key: `doi:…`, `pmid:…`, `openalex:…`
    landing_page: str | None = None
    asked: tuple[str, ...] = ()  # the names (`shared.bibliography.paper_ids`) that this record answers, in a lookup


class RecordId(NamedTuple):
    """The position of a record among the result lists that are merged. Records merge in the order of their ids."""

    provider: str
    answer: int  # which of the provider's result lists: no two records of one list are the same paper
    rank: int  # its place in that list


@dataclass(frozen=True, slots=True)
class Pointer:
    """A paper that a source only points at: by ids, by a line of text, or by both."""

    rank: int
    ids: Identifiers = field(default_factory=Identifiers)
    text: str | None = None


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
    provenance: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # field -> providers of its value
    possible_duplicates: tuple[Duplicate, ...] = ()


def to_json(paper: Paper) -> dict[str, Any]:
    """The paper as JSON-ready data."""
    return asdict(paper)


def from_json(data: Mapping[str, Any]) -> Paper:
    """The paper that `to_json` wrote. Raises KeyError or TypeError on data of another form."""
    access = data["open_access"]
    retraction = data["retraction"]
    return Paper(
        **{
            **data,
            "ids": Identifiers(**data["ids"]),
            "authors": tuple(Author(**author) for author in data["authors"]),
            "open_access": OpenAccess(
                **{**access, "locations": tuple(Location(**place) for place in access["locations"])}
            ),
            "retraction": Retraction(**{**retraction, "status": RetractionStatus(retraction["status"])}),
            "versions": tuple(Version(**version) for version in data["versions"]),
            "alternative_titles": tuple(data["alternative_titles"]),
            "references": tuple(data["references"]),
            "asked": tuple(data["asked"]),
        }
    )
