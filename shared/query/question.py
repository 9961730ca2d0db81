"""What one provider can be asked: a search, papers by name, what a paper cites, who cites it, the papers of citations.

Each question names its `operation`, has a `cache_key` under which equal ones meet, and travels as the provider's event.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Literal

from shared.canonical_json import canonical, digest
from shared.query.query import Query, query_from_json, query_to_json

Relation = Literal["references", "citations"]


@dataclass(frozen=True, slots=True)
class Lookup:
    """Papers by id (`shared.bibliography.paper_ids`), sorted; an id that the provider does not hold is no error."""

    operation: ClassVar[str] = "lookup"
    names: tuple[str, ...]

    def cache_key(self) -> str:
        """A hash under which equal questions meet."""
        return _hash(self.operation, sorted(self.names))


@dataclass(frozen=True, slots=True)
class Links:
    """What the paper of this name cites (`references`), or which papers cite it (`citations`), at most `limit`."""

    operation: Relation
    name: str
    limit: int = 1000

    def cache_key(self) -> str:
        """A hash under which equal questions meet."""
        return _hash(self.operation, [self.name, self.limit])


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A paper as a reference list names it: what is known of it, or the line itself in `text`."""

    title: str | None = None
    authors: tuple[str, ...] = ()  # as written; the first is the first author
    year: int | None = None
    journal: str | None = None
    volume: str | None = None
    pages: str | None = None  # "123-130", or the first page, or the article number
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """The papers that these citations may mean: candidates, of which the caller decides."""

    operation: ClassVar[str] = "match"
    citations: tuple[Citation, ...]

    def cache_key(self) -> str:
        """A hash under which equal questions meet."""
        return _hash(self.operation, [asdict(citation) for citation in self.citations])


Question = Query | Lookup | Links | Match


def _hash(operation: str, content: Any) -> str:
    return digest(canonical([operation, content], spaced=True))


def question_to_json(question: Question) -> dict[str, Any]:
    """`{"operation": …}` and the question, as a provider's event has them."""
    match question:
        case Query():
            return {"operation": "search", "query": query_to_json(question)}
        case Lookup():
            return {"operation": "lookup", "names": list(question.names)}
        case Links():
            return {"operation": question.operation, "name": question.name, "limit": question.limit}
        case Match():
            return {"operation": "match", "citations": [asdict(citation) for citation in question.citations]}


def question_from_json(event: Mapping[str, Any]) -> Question:
    """The question that `question_to_json` wrote. Raises KeyError, TypeError or ValueError on anything else."""
    match event["operation"]:
        case "search":
            return query_from_json(event["query"])
        case "lookup":
            return Lookup(tuple(event["names"]))
        case "references" | "citations" as operation:
            return Links(operation, event["name"], int(event.get("limit", 1000)))
        case "match":
            citations = ({**told, "authors": tuple(told.get("authors", ()))} for told in event["citations"])
            return Match(tuple(Citation(**citation) for citation in citations))
        case unknown:
            raise ValueError(f"there is no operation {unknown!r}")
