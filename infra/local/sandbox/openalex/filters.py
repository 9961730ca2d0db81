"""How OpenAlex reads `filter`: `name:value,name:value`, with `|` for or, a space for and, `!` for not.

Rules and messages follow ourresearch/openalex-elastic-api, core/utils.py, core/filter.py and core/fields.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.openalex.engine import Reading, Refused, document_of, names_match, read_search
from infra.local.sandbox.openalex.fields import FIELDS, SEARCHES, Field, related
from infra.local.sandbox.openalex.records import full_name
from shared.bibliography.identifiers import read_doi, read_pmid

Check = Callable[[Fact], bool]
_MAX_VALUES = 100
_ID = re.compile(r"[WAICFVPSTG]\d{2,}")
_URL = re.compile(r"^https://(?:openalex\.org|doi\.org|pubmed\.ncbi\.nlm\.nih\.gov)/(?:[a-z]+/(?=\S))?")


def split_filter(text: str) -> Iterator[tuple[str, str]]:
    """Yield the names and values; a comma in quotes separates nothing. Raises Refused."""
    for part in filter(None, re.findall(r'(?:[^,"]|"[^"]*"?)+', text)):
        name, colon, value = part.partition(":")
        if not colon:
            raise Refused(f"Invalid query parameter in {part}.")
        if not value or value.lower() in ("none", "undefined"):
            raise Refused(f"Invalid filter value for '{name}': value cannot be empty or '{value}'.")
        yield name.replace("-", "_"), value


def is_search(name: str) -> bool:
    """Return whether a filter is a search, which costs as much as one."""
    return ".search" in name


def read_filters(text: str, corpus: Corpus) -> tuple[list[Check], list[Reading]]:
    """Return the tests of a `filter`, and its searches, which count for the score. Raises Refused."""
    checks: list[Check] = []
    searches: list[Reading] = []
    for name, value in split_filter(text):
        if not is_search(name):
            checks.append(_check(name, value, corpus))
        elif name == "raw_author_name.search":
            checks.append(_has_authors(value))
        else:
            found = _searches(name, value)
            if len(found) == 1:
                searches += found
            else:
                checks.append(_any_search(found, corpus))
    return checks, searches


def field_named(name: str) -> Field:
    """Return a field of a work. Raises Refused for an unknown one."""
    if name not in FIELDS:
        names = sorted({*FIELDS, *(f"{search}.search" for search in SEARCHES)})
        valid = ", ".join(names)
        raise Refused(f"{name} is not a valid field. Valid fields are underscore or hyphenated versions of: {valid}")
    return FIELDS[name]


def _check(name: str, value: str, corpus: Corpus) -> Check:
    field = field_named(name)
    quoted = value.startswith('"') and value.endswith('"')
    value = value[1:-1] if quoted else value
    negated = value.startswith("!") and value != "!null"
    values = value.removeprefix("!").split("|") if negated else value.split("|")
    if len(values) > _MAX_VALUES:
        raise Refused(f"Maximum number of values exceeded for {name}. Decrease values to {_MAX_VALUES} or below.")
    if any(other.startswith("!") for other in values if other != "!null"):
        raise Refused(f"The ! operator can only be used at the beginning of an OR query. Problem value: {value}")
    several = " " in value and not quoted and len(values) == 1 and field.kind in ("id", "term", "date")
    tests = [_test(name, field, other, corpus) for other in (value.split(" ") if several else values)]
    if several:
        return lambda fact: all(test(fact) for test in tests)
    return lambda fact: any(test(fact) for test in tests) != negated


def _test(name: str, field: Field, value: str, corpus: Corpus) -> Check:
    if value in ("null", "!null"):
        return lambda fact: any(it is not None for it in field.values(fact, corpus)) == (value == "!null")
    test = _READERS[field.kind](name, value)
    if name in ("cited_by", "related_to"):
        work = corpus.find("openalex", openalex_id=value.rpartition("/")[2])
        others = (corpus.cited("openalex", work) if name == "cited_by" else related(work, corpus)) if work else []
        ids = {other.openalex_id for other in others}
        return lambda fact: fact.openalex_id in ids
    return lambda fact: any(it is not None and test(it) for it in field.values(fact, corpus))


def _boolean(name: str, value: str) -> Callable[[str | int], bool]:
    if value.lower().strip() not in ("true", "false"):
        raise Refused(f"Value for {name} must be true, false null, or !null: not {value.lower()}.")
    return lambda it: it == value.lower().strip()


def _date(name: str, value: str) -> Callable[[str | int], bool]:
    sign = value[0] if value[0] in "<>" else ""
    try:
        day = date.fromisoformat(value.removeprefix(sign)).isoformat()
        if len(value.removeprefix(sign)) != len("yyyy-mm-dd"):
            raise ValueError
    except ValueError:
        raise Refused(f"Value for param {name} is an invalid date. Format is yyyy-mm-dd (e.g. 2020-05-17).") from None
    if sign:
        return lambda it: bool(it) and (str(it) > day if sign == ">" else str(it) < day)
    if name.startswith(("from_", "to_")):
        return lambda it: bool(it) and (str(it) >= day if name.startswith("from_") else str(it) <= day)
    return lambda it: it == day


def _id(name: str, value: str) -> Callable[[str | int], bool]:
    found = _ID.search(value.strip().upper())
    if not found:
        shown = value.replace("https://openalex.org/", "")
        linked = name in ("cited_by", "related_to")
        raise Refused("Invalid OpenAlex ID in cited_by or related_to filter." if linked
                      else f"'{shown}' is not a valid OpenAlex ID.")  # fmt: skip
    return lambda it: it == found[0]


def _number(name: str, value: str) -> Callable[[str | int], bool]:
    try:
        if value[0] in "<>":
            bound = float(value[1:])
            return lambda it: float(it) > bound if value[0] == ">" else float(it) < bound
        first, dash, last = value.partition("-")
        least, most = float(first or "-inf"), float((last or "inf") if dash else first)
    except ValueError:
        raise Refused(f"Value for param {name} must be a number.") from None
    return lambda it: least <= float(it) <= most


def _term(name: str, value: str) -> Callable[[str | int], bool]:
    readers = {"doi": read_doi, "pmid": read_pmid, "ids.pmid": read_pmid}
    wanted = readers[name](value) if name in readers else _URL.sub("", value)
    return lambda it: str(it).lower() == str(wanted).lower()


_READERS = {"boolean": _boolean, "date": _date, "id": _id, "number": _number, "term": _term}


def _searches(name: str, value: str) -> list[Reading]:
    """Return the searches of a filter; `|` separates them."""
    if any(word.startswith("!") for word in value.split()):
        raise Refused(f"Search filters do not support the ! operator. Problem value: {value}")
    scope = name.removesuffix(".exact").removesuffix(".search")
    if scope not in SEARCHES:
        field_named(name)
    return [read_search(text, SEARCHES[scope], exact=name.endswith(".exact")) for text in value.split("|")]


def _any_search(readings: Sequence[Reading], corpus: Corpus) -> Check:
    return lambda fact: any(reading.test(document_of(fact, corpus, reading)) for reading in readings)


def _has_authors(text: str) -> Check:
    """Return the test of raw names: every word of a value, over all authors of a work together."""
    values = text.split("|")
    return lambda fact: any(
        names_match(value, [" ".join(full_name(*author) for author in fact.authors)]) for value in values
    )
