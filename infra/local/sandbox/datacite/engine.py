"""How DataCite finds records: Elasticsearch's `query_string` over eight fields, and filters.

Source: `query`, `query_fields` and the mapping in app/models/doi.rb of datacite/lupo (05afac4, 2026-08-18). Texts are
analysed by the standard analyzer, without stemming or stop words; a keyword is compared as a whole. A slash is escaped
before the query is parsed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from infra.local.sandbox.datacite.records import Deposit
from infra.local.sandbox.openalex.lucene import Document, Parser, Test, Unparsable, token_pattern, tokens_of
from infra.local.sandbox.openalex.text import Postings, postings

_TOKEN = token_pattern(r"(?P<field>[A-Za-z_]+(?:\.[A-Za-z_]+)*:(?=\S))", r"(?P<range>[\[{][^\[\]{}]*[\]}])")
_RANGE = re.compile(r"([\[{])\s*(\S+)\s+TO\s+(\S+)\s*([\]}])")
# The names of fields that callers may write in camel case.
_RENAMED = {
    "publicationYear": "publication_year",
    "relatedIdentifiers": "related_identifiers",
    "version:": "version_info:",
}
_SEARCHED = (
    "titles.title", "creator_names", "publisher", "descriptions.description", "subjects.subject",
    "related_identifiers.relatedIdentifier",
)  # fmt: skip


_KEYWORDS = frozenset((
    "doi", "uid", "language", "types.resourceTypeGeneral", "client_id", "prefix", "state",
    "creators.nameIdentifiers.nameIdentifier",
))  # fmt: skip


@dataclass(frozen=True)
class Entry:
    """One record as it is indexed; it iterates over the fields that a term without a field is searched in."""

    deposit: Deposit
    names: tuple[str, ...] = _SEARCHED

    def __iter__(self) -> Iterator[Postings]:
        for name in self.names:
            for text in self.texts.get(name, ()):
                yield postings(text, exact=True)

    def only(self, name: str) -> Entry:
        """The record with one field."""
        return Entry(self.deposit, (name,))

    @cached_property
    def texts(self) -> dict[str, list[str]]:
        """The analysed texts by the names of their fields."""
        it = self.deposit.attributes
        creators = it["creators"]
        return {
            "titles.title": [title["title"] for title in it["titles"]],
            "creator_names": [creator["name"] for creator in creators],
            "creators.name": [creator["name"] for creator in creators],
            "creators.familyName": [creator["familyName"] for creator in creators if "familyName" in creator],
            "creators.givenName": [creator["givenName"] for creator in creators if "givenName" in creator],
            "publisher": [it["publisher"]],
            "descriptions.description": [entry["description"] for entry in it["descriptions"]],
            "subjects.subject": [entry["subject"] for entry in it["subjects"]],
            "related_identifiers.relatedIdentifier": [
                entry["relatedIdentifier"] for entry in it["relatedIdentifiers"]
            ],
        }  # fmt: skip

    @cached_property
    def keywords(self) -> dict[str, list[str]]:
        """The values that are compared as a whole, by the names of their fields."""
        it = self.deposit.attributes
        return {
            "doi": [self.deposit.doi], "uid": [self.deposit.doi],
            "language": [it["language"]] if it["language"] else [],
            "types.resourceTypeGeneral": [it["types"]["resourceTypeGeneral"]], "client_id": [self.deposit.client],
            "creators.nameIdentifiers.nameIdentifier": [
                entry["nameIdentifier"] for creator in it["creators"] for entry in creator["nameIdentifiers"]
            ],
            "prefix": [self.deposit.doi.partition("/")[0]], "state": [it["state"]],
        }  # fmt: skip

    @property
    def year(self) -> int:
        """The year of publication, 0 if it is unknown."""
        return int(self.deposit.attributes["publicationYear"] or 0)


class Refused(ValueError):
    """A request that Elasticsearch rejects, with its reason."""


class _Parser(Parser):
    """The grammar with fields and ranges."""

    slop = 1

    def clause(self) -> Test | None:
        if not (name := self.take("field").removesuffix(":")):
            return super().clause()
        if interval := self.take("range"):
            return _within(name, interval)
        if name in _KEYWORDS:
            return self._keyword(name)
        counted = len(self.terms)
        test = super().clause()
        del self.terms[counted:]  # the score is that of the words without a field
        return _of_field(test, name)

    def _keyword(self, name: str) -> Test:
        if self.take("("):
            found = []
            while not self.take(")"):
                if not (value := self.take("word", "phrase", "OR")):
                    raise Unparsable("a list of values is not closed")
                found += [] if value == "OR" else [value]
            wanted = {_value(text) for text in found}
        else:
            wanted = {_value(self.take("word", "phrase"))}
        if name in ("doi", "uid"):  # keywords in lower case
            wanted = {text.lower() for text in wanted}
        return _entry_test(lambda entry: bool(wanted & set(entry.keywords[name])))


def _value(written: str) -> str:
    return re.sub(r"\\(.)", r"\1", written.strip('"'))


def _entry_test(test: Callable[[Entry], bool]) -> Test:
    return lambda found: isinstance(found, Entry) and test(found)


def _of_field(test: Test | None, name: str) -> Test | None:
    """The test in one field; a field that there is not has nothing."""
    return _entry_test(lambda entry: test(entry.only(name))) if test else None


def _within(name: str, interval: str) -> Test:
    bounds = _RANGE.fullmatch(interval)
    if name != "publication_year" or not bounds:
        raise Unparsable(f"failed to parse the range {interval}")
    first, last = (_year(text, default) for text, default in ((bounds[2], 0), (bounds[3], 9999)))
    first, last = first + (bounds[1] == "{"), last - (bounds[4] == "}")
    return _entry_test(lambda entry: first <= entry.year <= last)


def _year(text: str, default: int) -> int:
    if text == "*":
        return default
    if not re.fullmatch(r"[0-9]{4}", text):
        raise Refused(f"failed to parse date field [{text}] with format [yyyy]")
    return int(text)


def found(
    query: str, filters: Sequence[Callable[[Entry], bool]], held: Sequence[Deposit]
) -> list[tuple[float, Deposit]]:
    """The score and the record of all that match. Raises Refused for a query that cannot be parsed."""
    for theirs, own in _RENAMED.items():
        query = query.replace(theirs, own)
    test, terms = _parsed(query.replace("/", "\\/")) if query else ((lambda _: True), [])
    entries = [Entry(deposit) for deposit in held]
    return [
        (_score(entry, terms), entry.deposit)
        for entry in entries
        if all(passes(entry) for passes in filters) and test(entry)
    ]


def _parsed(query: str) -> tuple[Callable[[Document], bool], list[str]]:
    try:
        parser = _Parser(list(tokens_of(query, _TOKEN)), exact=True)
        return parser.whole(), parser.terms
    except (Unparsable, RecursionError) as error:
        raise Refused(f"Failed to parse query [{query}]") from error


def _score(entry: Entry, terms: Sequence[str]) -> float:
    """The share of the terms in each text; titles count three times as much."""
    score = 0.0
    for name in _SEARCHED:
        for text in entry.texts[name]:
            index = postings(text, exact=True)
            hits = sum(term in index for term in terms)
            score += (3 if name == "titles.title" else 1) * hits / (1 + len(index)) ** 0.5
    return score
