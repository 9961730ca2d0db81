"""The filters of OpenAlex's /works, by OpenAlex's names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.openalex_records import date_of, doi_of, is_open, is_retracted, openalex_type, source_id
from shared.bibliography.identifiers import read_doi, read_openalex, read_pmid
from shared.bibliography.text import fold

Check = Callable[[Fact], bool]
Filter = Callable[[Sequence[str], Corpus], Check]
_MAX_VALUES = 100


def read_filter(make: Filter, value: str, corpus: Corpus) -> Check:
    """Parse the value of a filter: `a|b` is or, `!a` is not. Raises ValueError for an invalid value."""
    values = value.removeprefix("!").split("|")
    if len(values) > _MAX_VALUES or not all(values):
        raise ValueError
    test = make(values, corpus)
    return (lambda fact: not test(fact)) if value.startswith("!") else test


def _read(value: str, read: Callable[[str], str | None]) -> str:
    if (result := read(value)) is None:
        raise ValueError
    return result


def _among(of: Callable[[Fact], str | None], read: Callable[[str], str | None]) -> Filter:
    """Return a filter by an id."""

    def make(values: Sequence[str], _: Corpus) -> Check:
        wanted = {_read(value, read) for value in values}
        return lambda fact: of(fact) in wanted

    return make


def _linked(relation: Callable[[Corpus, str, Fact], list[Fact]]) -> Filter:
    """Return a filter by references or citations; an unknown work has none."""

    def make(values: Sequence[str], corpus: Corpus) -> Check:
        found = (corpus.find("openalex", openalex_id=_read(value, read_openalex)) for value in values)
        wanted = {other.openalex_id for fact in found if fact for other in relation(corpus, "openalex", fact)}
        return lambda fact: fact.openalex_id in wanted

    return make


def _each(read: Callable[[str], Callable[[Fact], bool]]) -> Filter:
    """Return a filter that accepts a paper if any of its values does."""

    def make(values: Sequence[str], _: Corpus) -> Check:
        tests = [read(value) for value in values]
        return lambda fact: any(test(fact) for test in tests)

    return make


def _flag(of: Check) -> Filter:
    return _among(lambda fact: str(of(fact)).lower(), lambda value: value if value in ("true", "false") else None)


def _has_author(name: str) -> Check:
    words = set(fold(name).split())
    return lambda fact: any(
        words <= set(fold(f"{given or ''} {family or ''}").split()) for family, given in fact.authors
    )


def _cited(number: str) -> Check:
    least = int(number[1:]) + 1 if number[0] == ">" else int(number)
    return lambda fact: (fact.citation_count or 0) >= least if number[0] == ">" else fact.citation_count == least


def _from(day: str) -> Check:
    first = date.fromisoformat(day).isoformat()
    return lambda fact: date_of(fact) >= first


def _to(day: str) -> Check:
    last = date.fromisoformat(day).isoformat()
    return lambda fact: date_of(fact) <= last


FILTERS: Mapping[str, Filter] = {
    "from_publication_date": _each(_from),
    "to_publication_date": _each(_to),
    "raw_author_name.search": _each(_has_author),
    "open_access.is_oa": _flag(is_open),
    "is_retracted": _flag(is_retracted),
    "cited_by_count": _each(_cited),
    "type": _among(openalex_type, str),
    "primary_location.source.id": _among(lambda fact: source_id(fact.journal), str),
    "doi": _among(doi_of, read_doi),
    **dict.fromkeys(("openalex", "ids.openalex"), _among(lambda fact: fact.openalex_id, read_openalex)),
    **dict.fromkeys(("pmid", "ids.pmid"), _among(lambda fact: fact.pmid, read_pmid)),
    "cites": _linked(Corpus.citing),
    "cited_by": _linked(Corpus.cited),
}
