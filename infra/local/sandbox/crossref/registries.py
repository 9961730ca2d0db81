"""Crossref's lists of journals, members, prefixes, types, funders and licences, made from the works of the corpus.

Source: recorded answers of these routes, 2026-06. No work of the corpus names a funder; three funders are listed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from infra.local.sandbox.crossref.engine import Work, indexed_words, no_work
from infra.local.sandbox.crossref.filters import Check, Refused, no_such_filter, pairs
from infra.local.sandbox.crossref.lists import MAX_OFFSET, MAX_ROWS, ROWS, number
from infra.local.sandbox.crossref.vocabulary import TYPES

FUNDERS = {
    "100000001": ("National Science Foundation", "United States"),
    "100000002": ("National Institutes of Health", "United States"),
    "100010269": ("Wellcome Trust", "United Kingdom"),
}
_CURRENT_YEARS = 3  # works of this year and the two before count as current
_THIS_YEAR = 2026


@dataclass(frozen=True, slots=True)
class Registry:
    """One route: its name in answers, its items by id, the field of their names, and the check of an item's works."""

    kind: str
    items: Mapping[str, Mapping[str, Any]]
    name: str
    works: Callable[[str], Check]
    filters: tuple[str, ...] = ()

    def message(self, args: Mapping[str, str]) -> dict[str, Any]:
        """The message of the list. Raises Refused for parameters that this route lacks."""
        refuse_parameters(args, allowed={"query", "rows", "offset", *(("filter",) if self.filters else ())})
        for name, _ in pairs(args.get("filter", "")):
            if name not in self.filters:
                raise Refused("filter-not-available", name, no_such_filter(name, self.filters))
        rows, offset = number(args, "rows", ROWS, MAX_ROWS), number(args, "offset", 0, MAX_OFFSET)
        wanted = set(indexed_words(args.get("query", "")))
        found = [item for item in self.items.values() if wanted <= set(indexed_words(item[self.name]))]
        if self.kind in ("type", "license"):
            return {"total-results": len(found), "items": found}
        query = {"start-index": offset, "search-terms": args.get("query")}
        items = found[offset : offset + rows]
        return {"items-per-page": rows, "query": query, "total-results": len(found), "items": items}


def refuse_parameters(args: Mapping[str, str], allowed: Iterable[str]) -> None:
    """Raise Refused for a parameter that the API knows and this route does not take."""
    for name in sorted(set(args) - {*allowed, "mailto"}):
        if name.startswith("query."):
            raise Refused("parameter-not-allowed", "query.*", "This route does not support field query parameters")
        raise Refused("parameter-not-allowed", name, f"This route does not support {name}")


def registries(works: Iterable[Work]) -> dict[str, Registry]:
    """Every registry by its route."""
    held = list(works)
    funders = {number: _funder(number, name, place) for number, (name, place) in FUNDERS.items()}
    types = {name: {"id": name, "label": label} for name, label in TYPES.items()}
    licences = Counter(item["URL"] for work in held for item in work.get("license") or ())
    counted = {url: {"URL": url, "work-count": count} for url, count in licences.items()}
    return {
        "journals": Registry("journal", _journals(held), "title", lambda issn: lambda work: issn in _issn(work)),
        "members": Registry(
            "member", _members(held), "primary-name", lambda id: lambda work: work["member"] == id,
            ("prefix", "backfile-doi-count", "current-doi-count"),
        ),
        "prefixes": Registry("prefix", _prefixes(held), "name", lambda it: lambda work: work["prefix"] == it),
        "types": Registry("type", types, "label", lambda name: lambda work: work["type"] == name),
        "funders": Registry("funder", funders, "name", lambda _id: no_work, ("location",)),
        "licenses": Registry("license", counted, "URL", lambda _url: no_work),
    }  # fmt: skip


def _issn(work: Work) -> list[str]:
    return list(work.get("ISSN") or ())


def _funder(number: str, name: str, place: str) -> dict[str, Any]:
    return {
        "id": number, "location": place, "name": name, "alt-names": [], "uri": f"https://doi.org/10.13039/{number}",
        "replaces": [], "replaced-by": [], "tokens": indexed_words(name),
    }  # fmt: skip


def _journals(works: list[Work]) -> dict[str, dict[str, Any]]:
    groups: dict[str, list[Work]] = {}
    for work in works:
        for issn in _issn(work):
            groups.setdefault(issn, []).append(work)
    return {
        issn: {
            **_counts(group), "title": group[0]["container-title"][-1], "publisher": group[0]["publisher"],
            "subjects": [], "ISSN": [issn], "issn-type": [{"type": "electronic", "value": issn}],
        }
        for issn, group in groups.items()
    }  # fmt: skip


def _members(works: list[Work]) -> dict[str, dict[str, Any]]:
    groups: dict[str, list[Work]] = {}
    for work in works:
        groups.setdefault(work["member"], []).append(work)
    return {
        id: {
            **_counts(group), "id": int(id), "primary-name": (name := group[0]["publisher"]), "names": [name],
            "prefixes": (prefixes := sorted({work["prefix"] for work in group})), "location": "",
            "prefix": [{"value": prefix, "name": name} for prefix in prefixes], "tokens": indexed_words(name),
        }
        for id, group in groups.items()
    }  # fmt: skip


def _prefixes(works: list[Work]) -> dict[str, dict[str, Any]]:
    return {
        work["prefix"]: {
            "member": f"https://id.crossref.org/member/{work['member']}", "name": work["publisher"],
            "prefix": f"https://id.crossref.org/prefix/{work['prefix']}",
        }
        for work in works
    }  # fmt: skip


def _counts(works: list[Work]) -> dict[str, Any]:
    years = Counter(year for work in works for year in work["issued"]["date-parts"][0][:1] if year)
    current = sum(count for year, count in years.items() if year > _THIS_YEAR - _CURRENT_YEARS)
    counts = {"current-dois": current, "backfile-dois": len(works) - current, "total-dois": len(works)}
    by_year = {"dois-by-issued-year": [list(pair) for pair in years.most_common()]}
    return {"last-status-check-time": 1781568380320, "counts": counts, "breakdowns": by_year}
