"""Crossref's lists of works: which parameters they take, pages, cursors, samples and facets.

Sources: rest_api.md of CrossRef/rest-api-doc, CrossRef/cayenne `api/v1/validate.clj` (refusals) and `facet.clj`, and
recorded answers: a page by cursor always has a next cursor, a sample states its own size as the total, and a selection
of elements has no score.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from infra.local.sandbox.crossref.engine import FIELDS, SORTS, Found, Index, Work, in_order, no_values
from infra.local.sandbox.crossref.filters import Check, Refused, check_of, pairs
from infra.local.sandbox.crossref.vocabulary import PARAMETERS, SELECTS, TYPES

ROWS, MAX_ROWS, MAX_OFFSET, MAX_SAMPLE = 20, 1000, 10_000, 100
FACET_ROWS = 1000  # of `*`
ORDERS = {"asc": "asc", "1": "asc", "desc": "desc", "-1": "desc"}
FACETS: dict[str, Callable[[Work], Iterable[str]]] = {
    "type-name": lambda work: [TYPES[work["type"]]],
    "published": lambda work: [str(year) for year in work["issued"]["date-parts"][0][:1] if year],
    "container-title": lambda work: work["container-title"],
    "publisher-name": lambda work: [work["publisher"]],
    "issn": lambda work: (f"https://id.crossref.org/issn/{issn}" for issn in work.get("ISSN") or ()),
    "license": lambda work: {item["URL"] for item in work.get("license") or ()},
    "journal-volume": lambda work: [work["volume"]] if "volume" in work else (),
    "journal-issue": lambda work: [work["issue"]] if "issue" in work else (),
    "source": lambda work: [work["source"]],
    "link-application": lambda work: {item["intended-application"] for item in work.get("link") or ()},
    "relation-type": lambda work: (work.get("relation") or {}).keys(),
    "update-type": lambda work: {item["type"] for item in work.get("update-to") or ()},
    **dict.fromkeys(
        (
            "affiliation", "archive", "assertion", "assertion-group", "category-name", "funder-doi", "funder-name",
            "orcid", "ror-id",
        ),
        no_values,
    ),
}  # fmt: skip


class UnknownCursor(Exception):
    """The cursor is none that the API sent for this query."""


def work_list(args: Mapping[str, str], index: Index, among: Check) -> dict[str, Any]:
    """The message of a list of works, of those that a route is about. Raises Refused or UnknownCursor."""
    refuse_unknown(args)
    rows, offset = number(args, "rows", ROWS, MAX_ROWS), number(args, "offset", 0, MAX_OFFSET)
    sample = number(args, "sample", 0, MAX_SAMPLE)
    _refuse_combinations(args)
    selected = _selected(args.get("select", ""))
    order, sort = _ordering(args)
    keep, facets = check_of(args.get("filter", "")), _wanted_facets(args.get("facet", ""))
    words = {name: args[name] for name in FIELDS if args.get(name, "").strip()}
    found = in_order(index.find(words, lambda work: among(work) and keep(work)), sort, order)
    if sample:
        found, rows = _sampled(found, sample), sample
    start = _start(args) if "cursor" in args else offset
    shown = found[start : start + rows]
    return {
        "facets": _counted(facets, found),
        **({"next-cursor": _cursor(args, start + len(shown))} if "cursor" in args else {}),
        "total-results": len(found),
        "items": [_item(hit, selected) for hit in shown],
        "items-per-page": ROWS if sample else rows,
        "query": {"start-index": offset, "search-terms": args.get("query")},
    }


def refuse_unknown(args: Mapping[str, str]) -> None:
    """Raise Refused for a parameter that no route has."""
    for name in sorted(set(args) - PARAMETERS):
        if name.startswith("query."):
            if name not in FIELDS:
                fields = ", ".join(field.removeprefix("query.") for field in FIELDS)
                text = f"Field query {name[6:]} specified but there is no such field query for this route."
                message = f"{text} Valid field queries for this route are: {fields}"
                raise Refused("field-query-not-available", name.removeprefix("query."), message)
        else:
            message = f"Parameter {name} specified but there is no such parameter available on any route"
            raise Refused("unknown-parameter", name, message)


def number(args: Mapping[str, str], name: str, default: int, maximum: int) -> int:
    """A parameter that counts. Raises Refused unless it is a whole number up to the maximum."""
    text = args.get(name, str(default))
    if not (text.isdecimal() and int(text) <= maximum):
        more = " Use the cursor parameter to page further into result sets." if name == "offset" else ""
        message = f"Integer specified as {text} but must be a positive integer less than or equal to {maximum}. {more}"
        raise Refused("integer-not-valid", text, message)
    return int(text)


def _refuse_combinations(args: Mapping[str, str]) -> None:
    if "sample" in args and {"rows", "offset"} & set(args):
        raise Refused("sample-with-rows-or-offset", "sample", "Sample cannot be combined with rows or offset")
    if "cursor" in args and {"offset", "sample"} & set(args):
        raise Refused("cursor-with-offset-or-sample", "cursor", "Cursor cannot be combined with offset or sample")


def _selected(text: str) -> list[str]:
    names = [name for name in text.split(",") if name]
    for name in names:
        if name not in SELECTS:
            known = ", ".join(sorted(SELECTS))
            message = f"Select {name} specified but there is no such select for this route. Valid selects: {known}"
            raise Refused("select-not-available", name, message)
    return names


def _ordering(args: Mapping[str, str]) -> tuple[str, str]:
    order, sort = args.get("order", "desc"), args.get("sort", "score").strip().lower()
    if order not in ORDERS:
        message = f"Sort order specified as {order} but must be one of: {', '.join(ORDERS)}"
        raise Refused("sort-order-not-valid", order, message)
    if sort not in SORTS:
        message = f"Sort field specified as {sort} but must be one of: {', '.join(SORTS)}"
        raise Refused("sort-field-not-valid", sort, message)
    return ORDERS[order], sort


def _sampled(found: list[Found], size: int) -> list[Found]:
    """A sample that is the same each time, without scores."""
    drawn = sorted(found, key=lambda hit: hashlib.sha256(hit.work["DOI"].encode()).digest())[:size]
    return [Found(hit.work, 0.0) for hit in drawn]


def _item(hit: Found, selected: list[str]) -> dict[str, Any]:
    whole = {**hit.work, "score": hit.score}
    return {name: whole[name] for name in selected if name in whole} if selected else whole


def _wanted_facets(text: str) -> dict[str, int]:
    if text in ("*", "t", "T", "1"):
        return dict.fromkeys(FACETS, ROWS)
    wanted = dict(pairs(text))
    for name in wanted:
        if name not in FACETS:
            message = f"Facet {name} specified but there is no such facet for this route."
            raise Refused(
                "facet-not-available", name, f"{message} Valid facets for this route are: {', '.join(FACETS)}"
            )
    return {name: int(count) if count.isdecimal() else FACET_ROWS for name, count in wanted.items()}


def _counted(facets: Mapping[str, int], found: list[Found]) -> dict[str, Any]:
    """The most frequent values of each facet among all hits, with their numbers."""
    counts = {name: Counter(value for hit in found for value in FACETS[name](hit.work)) for name in facets}
    return {
        name: {"value-count": len(shown := counts[name].most_common(max(1, rows))), "values": dict(shown)}
        for name, rows in facets.items()
    }


def _cursor(args: Mapping[str, str], start: int) -> str:
    return base64.urlsafe_b64encode(f"{_digest(args)}:{start}".encode()).decode()


def _start(args: Mapping[str, str]) -> int:
    """The number of the first hit of the page that a cursor names; `*` is the first page."""
    if args["cursor"] == "*":
        return 0
    try:
        digest, _, start = base64.urlsafe_b64decode(args["cursor"]).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError) as error:
        raise UnknownCursor(args["cursor"]) from error
    if digest != _digest(args) or not start.isdecimal():
        raise UnknownCursor(args["cursor"])
    return int(start)


def _digest(args: Mapping[str, str]) -> str:
    query = sorted((name, value) for name, value in args.items() if name not in ("cursor", "rows", "mailto"))
    return hashlib.sha256(repr(query).encode()).hexdigest()[:16]
