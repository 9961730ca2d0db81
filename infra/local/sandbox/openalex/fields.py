"""The fields by which OpenAlex's works are filtered, grouped and sorted, with their kinds and values.

Names and kinds: ourresearch/openalex-elastic-api, works/fields.py. Fields of which the corpus knows nothing (awards,
institutions, charges) are refused as unknown, which the real service does not do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.openalex.records import (
    author_id,
    date_of,
    doi_of,
    full_name,
    has_profile,
    is_open,
    is_retracted,
    oa_status,
    openalex_type,
    source_id,
)
from infra.local.sandbox.openalex.subjects import concepts_of, keywords_of, topics_of
from infra.local.sandbox.orcids import orcids_of

Kind = Literal["boolean", "date", "id", "number", "term"]
Values = Callable[[Fact, Corpus], Iterable[str | int | None]]


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a work. `keys` is true where a group's key is a URL of OpenAlex."""

    kind: Kind
    values: Values
    keys: str = ""


def _flag(of: Callable[[Fact], object]) -> Field:
    return Field("boolean", lambda fact, _: [str(bool(of(fact))).lower()])


def _term(of: Callable[[Fact], str | None], keys: str = "") -> Field:
    return Field("term", lambda fact, _: [of(fact)], keys)


def _number(of: Callable[[Fact], int | None]) -> Field:
    return Field("number", lambda fact, _: [of(fact)])


def _ids(of: Callable[[Fact, Corpus], Iterable[str | None]]) -> Field:
    return Field("id", of, "https://openalex.org/")


def _date(of: Callable[[Fact], str | None] = date_of) -> Field:
    return Field("date", lambda fact, _: [of(fact)])


def authors_of(fact: Fact, _: Corpus | None = None) -> list[str]:
    """Return the ids of the authors who have a profile."""
    names = (full_name(*author) for place, author in enumerate(fact.authors) if has_profile(fact, place))
    return [author_id(name) for name in names if name]


def _subject(level: str, most: int | None = None) -> Field:
    def values(fact: Fact, _: Corpus) -> list[str]:
        return [topic[level]["id"].rpartition("/")[2] for topic in topics_of(fact)[:most]]

    return Field("term", values, f"https://openalex.org/{level}s/")


def _last(rows: Iterable[Mapping[str, str]]) -> list[str]:
    return [row["id"].rpartition("/")[2] for row in rows]


_SOURCE = _ids(lambda fact, _: [source_id(fact.journal)])
_WORK = _ids(lambda fact, _: [fact.openalex_id])
_AUTHOR = _ids(authors_of)
_TOPIC = _ids(lambda fact, _: _last(topics_of(fact)))
_CONCEPT = _ids(lambda fact, _: _last(concepts_of(fact)))
_OPEN = _flag(is_open)
_ISSN = _term(lambda fact: fact.issn)

FIELDS: Mapping[str, Field] = {
    **dict.fromkeys(("is_oa", "open_access.is_oa"), _OPEN),
    **dict.fromkeys(("has_fulltext", "best_oa_location.is_oa", "locations.is_oa"), _OPEN),
    "is_retracted": _flag(is_retracted),
    "is_paratext": _flag(lambda _: False),
    "is_xpac": _flag(lambda _: False),
    "has_abstract": _flag(lambda fact: fact.abstract),
    "has_doi": _flag(doi_of),
    "has_orcid": _flag(orcids_of),
    **dict.fromkeys(("authorships.author.orcid", "author.orcid"), Field("term", lambda fact, _: orcids_of(fact))),
    "has_pmid": _flag(lambda fact: fact.pmid),
    "has_pmcid": _flag(lambda fact: fact.pmcid),
    "has_references": _flag(lambda fact: fact.references),
    **dict.fromkeys(("publication_date", "from_publication_date", "to_publication_date"), _date()),
    **dict.fromkeys(("openalex", "openalex_id", "ids.openalex"), _WORK),
    **dict.fromkeys(("authorships.author.id", "author.id"), _AUTHOR),
    **dict.fromkeys(("primary_location.source.id", "locations.source.id", "journal"), _SOURCE),
    **dict.fromkeys(("topics.id", "primary_topic.id"), _TOPIC),
    **dict.fromkeys(("concepts.id", "concept.id"), _CONCEPT),
    **dict.fromkeys(
        ("cites", "referenced_works"),
        _ids(lambda fact, corpus: [other.openalex_id for other in corpus.cited("openalex", fact)]),
    ),
    **dict.fromkeys(("cited_by", "related_to"), _WORK),  # the filter looks up the other work's list
    "publication_year": _number(lambda fact: fact.year),
    "cited_by_count": _number(lambda fact: fact.citation_count or 0),
    "referenced_works_count": _number(lambda fact: len(fact.references)),
    "authors_count": _number(lambda fact: len(fact.authors)),
    "type": _term(openalex_type, "https://openalex.org/types/"),
    "type_crossref": _term(lambda fact: fact.type),
    "language": _term(lambda fact: fact.language, "https://openalex.org/languages/"),
    "doi": _term(doi_of),
    **dict.fromkeys(("pmid", "ids.pmid"), _term(lambda fact: fact.pmid)),
    **dict.fromkeys(("pmcid", "ids.pmcid"), _term(lambda fact: fact.pmcid)),
    **dict.fromkeys(("oa_status", "open_access.oa_status"), _term(oa_status)),
    **dict.fromkeys(("primary_location.source.issn", "locations.source.issn"), _ISSN),
    "primary_location.source.type": _term(lambda fact: "repository" if fact.type == "preprint" else "journal"),
    "keywords.id": Field("term", lambda fact, _: _last(keywords_of(fact)), "https://openalex.org/keywords/"),
    **{f"topics.{level}.id": _subject(level) for level in ("subfield", "field", "domain")},
    **{f"primary_topic.{level}.id": _subject(level, 1) for level in ("subfield", "field", "domain")},
    # No author has an institution here, so that these filters find nothing.
    **{f"{path}.{name}": _term(lambda _: None) for path in ("authorships.institutions", "institutions")
       for name in ("id", "ror", "country_code", "type")},
    "institutions.is_global_south": _flag(lambda _: False),
    "biblio.volume": _term(lambda fact: fact.volume),
    "biblio.issue": _term(lambda fact: fact.issue),
}  # fmt: skip
# Names of other searches: the field of a filter, without `.search`, and the scope that it searches.
SEARCHES: Mapping[str, str] = {
    "default": "", "fulltext": "", "title": "title", "display_name": "title", "abstract": "abstract",
    "title_and_abstract": "title_and_abstract",
}  # fmt: skip
# The filters that a search by meaning takes (core/vector_index.py).
SEMANTIC_FILTERS = frozenset(
    ("publication_year", "type", "is_oa", "open_access.is_oa", "language", "authorships.author.id", "author.id",
     "is_retracted", "primary_location.source.id", "has_fulltext", "has_abstract")
)  # fmt: skip


def related(fact: Fact, corpus: Corpus) -> list[Fact]:
    """Return the other works of the first topic, ten at most."""
    found = (other for other in corpus.covered("openalex") if other is not fact and other.topics[:1] == fact.topics[:1])
    return [other for other, _ in zip(found, range(10), strict=False)] if fact.topics else []
