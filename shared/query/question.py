"""The questions that a provider can be queried with: a search, all that a search finds (page by page), papers by id,
their links and full texts, papers like them, citation matching.

Each has the name of its provider `operation`, a `cache_key` that equal questions share, and a form as JSON, which is
part of the provider Lambda's event.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Literal

from shared.canonical_json import canonical, digest
from shared.query.query import Query, query_from_json, query_to_json

Relation = Literal["references", "citations"]


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of everything that a query finds, at most `size` papers, without a wider form of the query.

    `position` is `next_position` of the page before, "" for the first page; only the provider can read it.
    """

    operation: ClassVar[str] = "listing"
    query: Query
    position: str = ""
    size: int = 200

    def cache_key(self) -> str:
        """A digest that is equal for equal questions."""
        return _hash(self.operation, [self.query.cache_key(), self.position, self.size])


@dataclass(frozen=True, slots=True)
class Lookup:
    """Papers by id (`shared.bibliography.paper_ids`), sorted. An id that the provider does not have is not an error."""

    operation: ClassVar[str] = "lookup"
    names: tuple[str, ...]

    def cache_key(self) -> str:
        """A digest that is equal for equal questions."""
        return _hash(self.operation, sorted(self.names))


@dataclass(frozen=True, slots=True)
class Links:
    """The papers that this one cites (`references`) or that cite it (`citations`), at most `limit`."""

    operation: Relation
    name: str
    limit: int = 1000

    def cache_key(self) -> str:
        """A digest that is equal for equal questions."""
        return _hash(self.operation, [self.name, self.limit])


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """An entry of a reference list: its parts as far as known, or the whole entry in `text`."""

    title: str | None = None
    authors: tuple[str, ...] = ()  # as written; the first is the first author
    year: int | None = None
    journal: str | None = None
    volume: str | None = None
    pages: str | None = None  # "123-130", or the first page, or the article number
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """The papers that these citations may refer to: candidates, among which the caller decides."""

    operation: ClassVar[str] = "match"
    citations: tuple[Citation, ...]

    def cache_key(self) -> str:
        """A digest that is equal for equal questions."""
        return _hash(self.operation, [asdict(citation) for citation in self.citations])


@dataclass(frozen=True, slots=True)
class TextOf:
    """The full text of a paper, by one of its names."""

    operation: ClassVar[str] = "full_text"
    name: str

    def cache_key(self) -> str:
        """A digest that is equal for equal questions."""
        return _hash(self.operation, self.name)


@dataclass(frozen=True, slots=True)
class Similar:
    """The papers most like some and unlike others, at most `limit`; these by names that the provider accepts."""

    operation: ClassVar[str] = "similar"
    names: tuple[str, ...]
    unlike: tuple[str, ...] = ()
    limit: int = 100

    def cache_key(self) -> str:
        """A digest that is equal for equal questions."""
        return _hash(self.operation, [sorted(self.names), sorted(self.unlike), self.limit])


Question = Query | Listing | Lookup | Links | Match | TextOf | Similar


def _hash(operation: str, content: object) -> str:
    return digest(canonical([operation, content], spaced=True))


def question_to_json(question: Question) -> dict[str, Any]:
    """`{"operation": …}` and the question's fields, as in a provider's event."""
    match question:
        case Query():
            return {"operation": "search", "query": query_to_json(question)}
        case Listing():
            sent = query_to_json(question.query)
            return {"operation": "listing", "query": sent, "position": question.position, "size": question.size}
        case Lookup():
            return {"operation": "lookup", "names": list(question.names)}
        case Links():
            return {"operation": question.operation, "name": question.name, "limit": question.limit}
        case Match():
            return {"operation": "match", "citations": [asdict(citation) for citation in question.citations]}
        case TextOf():
            return {"operation": "full_text", "name": question.name}
        case Similar():
            names, unlike = list(question.names), list(question.unlike)
            return {"operation": "similar", "names": names, "unlike": unlike, "limit": question.limit}


def question_from_json(event: Mapping[str, Any]) -> Question:
    """The question that `question_to_json` wrote. Raises KeyError, TypeError or ValueError on anything else."""
    match event["operation"]:
        case "search":
            return query_from_json(event["query"])
        case "listing":
            return Listing(query_from_json(event["query"]), str(event["position"]), int(event["size"]))
        case "lookup":
            return Lookup(tuple(event["names"]))
        case "references" | "citations" as operation:
            return Links(operation, event["name"], int(event.get("limit", 1000)))
        case "match":
            citations = ({**it, "authors": tuple(it.get("authors", ()))} for it in event["citations"])
            return Match(tuple(Citation(**citation) for citation in citations))
        case "full_text":
            return TextOf(str(event["name"]))
        case "similar":
            return Similar(tuple(event["names"]), tuple(event.get("unlike", ())), int(event.get("limit", 100)))
        case unknown:
            raise ValueError(f"there is no operation {unknown!r}")
