"""Crossref's filters: different names are joined by AND, several values of one name by OR.

Sources: rest_api.md of CrossRef/rest-api-doc (filter names), CrossRef/cayenne `api/v1/validate.clj` (refusals) and
`filter.clj` (dates), and the recorded refusal of `has-assertion` on /funders. A date is compared as the day that it
begins with: a paper of which only the year is known is one of 1 January.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from infra.local.sandbox.crossref.engine import Work, no_values
from infra.local.sandbox.crossref.vocabulary import TYPES
from shared.bibliography.identifiers import read_doi

Check = Callable[[Work], bool]
TRUE, FALSE = ("t", "true", "1"), ("f", "false", "0")
_DATE = re.compile(r"\d{4}(-\d{2}){0,2}")
_ISSN = re.compile(r"\d{4}-?\d{3}[\dXx]")

# The element of each date filter: `from-pub-date`, `until-pub-date`, …
DATES = {
    "pub": "issued", "issued": "issued", "online-pub": "published-online", "print-pub": "published-print",
    "posted": "posted", "accepted": "accepted", "approved": "approved", "awarded": "awarded", "created": "created",
    "deposit": "deposited", "update": "deposited", "index": "indexed", "event-start": "event", "event-end": "event",
}  # fmt: skip
# The element whose presence each filter `has-…` asks for.
PRESENCE = {
    "has-abstract": "abstract", "has-affiliation": "", "has-alias": "aliases", "has-archive": "archive",
    "has-assertion": "assertion", "has-authenticated-orcid": "", "has-award": "award", "has-clinical-trial-number": "",
    "has-content-domain": "", "has-description": "description", "has-domain-restriction": "", "has-event": "event",
    "has-full-text": "link", "has-funder": "funder", "has-funder-doi": "funder", "has-license": "license",
    "has-orcid": "", "has-prime-doi": "prime-doi", "has-references": "references-count", "has-relation": "relation",
    "has-ror-id": "", "has-update": "updated-by", "has-update-policy": "update-policy", "is-update": "update-to",
}  # fmt: skip


class Refused(Exception):
    """The request is not valid: `kind` is the API's type of error, `value` the invalid value."""

    def __init__(self, kind: str, value: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.value = value


def _each(element: str, name: str) -> Callable[[Work], Iterable[Any]]:
    return lambda work: (item.get(name) for item in work.get(element) or ())


def _one(element: str) -> Callable[[Work], Iterable[Any]]:
    return lambda work: [work.get(element)]


def _relations(name: str) -> Callable[[Work], Iterable[Any]]:
    return lambda work: (item.get(name) for items in (work.get("relation") or {}).values() for item in items)


# The values that each filter compares, as they are written in a record.
VALUES: dict[str, Callable[[Work], Iterable[Any]]] = {
    "type": _one("type"),
    "type-name": lambda work: [TYPES[work["type"]]],
    "doi": _one("DOI"),
    "prefix": _one("prefix"),
    "member": _one("member"),
    "issn": lambda work: work.get("ISSN") or (),
    "isbn": lambda work: work.get("ISBN") or (),
    "container-title": lambda work: work.get("container-title") or (),
    "publisher-name": _one("publisher"),
    "article-number": _one("article-number"),
    "group-title": _one("group-title"),
    "alternative-id": lambda work: work.get("alternative-id") or (),
    "update-type": _each("update-to", "type"),
    "updates": _each("update-to", "DOI"),
    "license.url": _each("license", "URL"),
    "license.version": _each("license", "content-version"),
    "full-text.type": _each("link", "content-type"),
    "full-text.application": _each("link", "intended-application"),
    "full-text.version": _each("link", "content-version"),
    "relation.type": lambda work: (work.get("relation") or {}).keys(),
    "relation.object": _relations("id"),
    "relation.object-type": _relations("id-type"),
    "funder": _each("funder", "DOI"),
    "funder-doi-asserted-by": _each("funder", "doi-asserted-by"),
    "orcid": lambda work: (author.get("ORCID", "").rpartition("/")[2] for author in work.get("author") or ()),
    **dict.fromkeys(
        (
            "affiliation", "archive", "assertion", "assertion-group", "award.funder", "award.number", "category-name",
            "citation-id", "clinical-trial-number", "content-domain", "directory", "gte-award-amount", "license.delay",
            "lte-award-amount", "public-references", "reference-visibility", "ror-id",
        ),
        no_values,
    ),
}  # fmt: skip
NAMES = sorted([*VALUES, *PRESENCE, *(f"{end}-{name}-date" for end in ("from", "until") for name in DATES)])


def pairs(text: str) -> list[tuple[str, str]]:
    """`name:value,name:value` in parts; it is split at every comma, so that a value with a comma is refused."""
    if not text:
        return []
    parts = [part.partition(":") for part in text.split(",")]
    if not all(colon for _, colon, _ in parts):
        form = "key:val,...,keyN:valN"
        raise Refused("pair-list-form-invalid", text, f"Pair list form specified as '{text}' but should be {form}")
    return [(name, value) for name, _, value in parts]


def check_of(filters: str) -> Check:
    """The check of a `filter` parameter. Raises Refused for a name or value that the API does not know."""
    wanted = pairs(filters)
    for name, _ in wanted:
        if name not in NAMES:
            raise Refused("filter-not-available", name, no_such_filter(name, NAMES))
    alternatives: dict[str, list[Check]] = {}
    for name, value in wanted:
        alternatives.setdefault(name, []).append(_check(name, value))
    groups = list(alternatives.values())
    return lambda work: all(any(check(work) for check in checks) for checks in groups)


def no_such_filter(name: str, known: Iterable[str]) -> str:
    """The message of a refused filter."""
    return (
        f"Filter '{name}' specified but there is no such filter for this route. "
        f"Valid filters for this route are: {', '.join(known)}"
    )


def _check(name: str, value: str) -> Check:
    end, _, middle = name.partition("-")
    if (element := DATES.get(middle.removesuffix("-date"))) and end in ("from", "until"):
        return _date_check(end, element, value)
    if name in PRESENCE:
        if value not in (*TRUE, *FALSE):
            raise _unlike("boolean", value, f"one of: {', '.join((*TRUE, *FALSE))}")
        if name == "has-orcid":
            return lambda work: any(VALUES["orcid"](work)) == (value in TRUE)
        return lambda work: bool(work.get(PRESENCE[name])) == (value in TRUE)
    if name == "type" and value not in TYPES:
        raise _unlike("type", value, f"one of: {', '.join(TYPES)}")
    if name in ("doi", "updates") and not read_doi(value):
        raise _unlike("doi", value, "of the form: 10.prefix/suffix")
    if name == "issn" and not _ISSN.fullmatch(value):
        raise _unlike("issn", value, "of the form: aaaa-aaab where a is a digit, and b is a digit or 'X'")
    if name == "member" and not value.isdecimal():
        raise _unlike("integer", value, "a positive integer. ")
    return lambda work: value.lower() in {str(held).lower() for held in VALUES[name](work) if held}


def _date_check(end: str, element: str, value: str) -> Check:
    if not _DATE.fullmatch(value):
        raise _unlike("date", value, "of the form: yyyy or yyyy-MM or yyyy-MM-dd")
    bound = (value + "-01-01")[:10] if end == "from" else value + "-12-31"[len(value) - 4 :]

    def check(work: Work) -> bool:
        parts = [part for part in (work.get(element) or {"date-parts": [[]]})["date-parts"][0] if part]
        day = "-".join(f"{part:02d}" for part in [*parts, 1, 1][:3])
        return bool(parts) and (day >= bound if end == "from" else day <= bound)

    return check


def _unlike(kind: str, value: str, form: str) -> Refused:
    name = {"doi": "DOI", "issn": "ISSN"}.get(kind, kind.capitalize())
    return Refused(f"{kind}-not-valid", value, f"{name} specified as {value} but must be {form}")
