"""The papers of a person in Semantic Scholar: by the author's name, then about the query's words.

The searches have no filter by author, and a name among the words is looked for in titles. `/author/search` knows names,
and one `/author/batch` brings the papers of several authors, for the service divides a person into several authors.
https://api.semanticscholar.org/api-docs/graph
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from shared.bibliography.fields_of_study import FIELDS_OF_STUDY
from shared.bibliography.name_agreement import is_named
from shared.bibliography.paper import Paper
from shared.bibliography.person_names import read_name
from shared.bibliography.text import plain_text
from shared.bibliography.typed_names import PersonName
from shared.errors import BadResponse, RequestRejected, UnsupportedFilter
from shared.json_types import read_count
from shared.providers.provider import Page, translate
from shared.providers.records.semantic_scholar import raise_error, read_paper
from shared.providers.relaxation import ENOUGH
from shared.providers.semantic_scholar_api import BULK_FIELDS, TOO_LARGE, Api
from shared.providers.semantic_scholar_filters import Filters
from shared.providers.semantic_scholar_syntax import best_first, parts_of, plain_words, words_in
from shared.query.query import Query
from shared.query.syntax import has_operators

_MOST_NAMES = 1000  # in one answer
_MOST_AUTHORS = 3  # whose papers are requested at once
_PAPER_FIELDS = ",".join(f"papers.{name}" for name in (*BULK_FIELDS.split(","), "s2FieldsOfStudy"))


def papers_by(query: Query, filters: Filters, api: Api, most: int) -> Page | None:
    """The papers of the query's authors, those that have its words first.

    None if the author cannot be distinguished from namesakes, or if the query has operators, which only the search
    knows: then the names are checked afterwards. Raises UnsupportedFilter if the author is all there is to search for.
    """
    if not query.people or has_operators(query.node):
        return None
    numbers = _numbers(query.people[0], api)
    papers = _papers_of(numbers, api) if numbers else None
    if papers is None:
        if not query.text:
            raise UnsupportedFilter("Semantic Scholar cannot distinguish this author from others of the name")
        return None
    found, broken = _about(query, [record for record in papers if _is_studied(record, query.field_of_study)])
    filters = filters.unsent(query)
    return Page(
        papers=found[:most],
        total=len(found),
        effective_query=f"author/batch {','.join(numbers)} ({query.people[0][0].display})",
        warnings=[*filters.warnings, *broken],
        unsupported_filters=filters.unsupported,
    )


def _numbers(readings: Sequence[PersonName], api: Api) -> list[str]:
    """The ids of the authors with this name, those with the most papers first; none if there are too many namesakes."""
    person = readings[0]
    name = person.display if person.given else person.family
    body = api.get("author/search", {"query": plain_words(name), "fields": "name,paperCount", "limit": _MOST_NAMES})
    raise_error(body)
    found = body.get("data", ()) if isinstance(body, Mapping) else None
    if not isinstance(found, Sequence):
        raise BadResponse("Semantic Scholar answered without a list of authors")
    named = [it for it in found if isinstance(it, Mapping) and _is(it, readings)]
    if not person.given and len(named) > _MOST_AUTHORS:  # initials alone name many persons
        return []
    named.sort(key=lambda author: -(read_count(author.get("paperCount")) or 0))
    return [str(author["authorId"]) for author in named if author.get("authorId")][:_MOST_AUTHORS]


def _is(author: Mapping[str, Any], readings: Sequence[PersonName]) -> bool:
    name = author.get("name")
    known = read_name(plain_text(name)) if isinstance(name, str) else None
    return known is not None and any(is_named(known, person) for person in readings)


def _papers_of(numbers: Sequence[str], api: Api) -> list[Any] | None:
    """The papers of all these authors, each once; None if they are too many for an answer."""
    try:
        answer = api.post("author/batch", {"fields": _PAPER_FIELDS}, {"ids": list(numbers)})
    except RequestRejected as error:
        if error.status != TOO_LARGE:
            raise
        return None
    if not isinstance(answer, list):
        raise_error(answer)
        raise BadResponse("Semantic Scholar answered without a list of authors")
    listed = [author.get("papers") for author in answer if isinstance(author, dict)]
    records = [record for papers in listed if isinstance(papers, list) for record in papers]
    named = [
        str(record.get("paperId") or at) if isinstance(record, dict) else str(at) for at, record in enumerate(records)
    ]
    return list(dict(zip(reversed(named), reversed(records), strict=True)).values())[::-1]


def _is_studied(record: Any, field: str | None) -> bool:
    if field is None:
        return True
    wanted = FIELDS_OF_STUDY[field].semantic_scholar
    known = record.get("s2FieldsOfStudy") if isinstance(record, dict) else None
    return any(isinstance(it, dict) and it.get("category") == wanted for it in known or ())


def _about(query: Query, records: list[Any]) -> tuple[list[Paper], list[str]]:
    """The papers with all of the words, and behind them, where they are few, those with some of them as relaxed."""
    words, all_words = query.telling, len(parts_of(query.telling))
    ordered = _ordered(best_first(records, words), query.sort)
    whole = [record for record in ordered if words_in(record, words)[0] == all_words]
    some = [record for record in ordered if 0 < words_in(record, words)[0] < all_words]
    papers, broken = translate([*whole, *some[: max(0, ENOUGH - len(whole))]], read_paper)
    found = [paper for paper in papers if all(_wrote(paper, readings) for readings in query.people[1:])]
    return [replace(paper, relaxed=True) if paper.rank > len(whole) else paper for paper in found], broken


def _wrote(paper: Paper, readings: Sequence[PersonName]) -> bool:
    """Whether a person may be an author of a paper, of which the first is one already."""
    return any(is_named(author, person) is not False for author in paper.authors for person in readings)


def _ordered(records: list[Any], sort: str) -> list[Any]:
    keys = {"date": ("publicationDate", "year"), "citations": ("citationCount",)}.get(sort, ())

    def value(record: Any) -> tuple[str, ...]:
        known = [record.get(key) if isinstance(record, Mapping) else None for key in keys]
        return tuple("" if it is None else f"{it:>12}" if isinstance(it, int) else str(it) for it in known)

    return sorted(records, key=value, reverse=True) if keys else records
