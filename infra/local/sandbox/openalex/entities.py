"""OpenAlex's authors and sources: lists by search or filter, single ones, and the autocomplete of sources.

Fields: ourresearch/openalex-elastic-api, authors/schemas.py, sources/schemas.py, autocomplete/schemas.py. An author is
found by all words of the displayed name or of one alternative, a source by its title.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import unquote

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.openalex.engine import Refused, begins_phrase, names_match
from infra.local.sandbox.openalex.filters import split_filter
from infra.local.sandbox.openalex.records import author_id, full_name, has_profile, source_id
from infra.local.sandbox.orcids import orcid_of

AUTHOR_FIELDS = (
    "id", "orcid", "display_name", "display_name_alternatives", "relevance_score", "works_count", "cited_by_count",
    "ids", "affiliations", "last_known_institutions", "topics", "summary_stats", "x_concepts", "counts_by_year",
    "works_api_url", "updated_date", "created_date",
)  # fmt: skip
SOURCE_FIELDS = (
    "id", "issn_l", "issn", "display_name", "host_organization", "host_organization_name", "relevance_score",
    "works_count", "cited_by_count", "is_oa", "is_in_doaj", "ids", "homepage_url", "alternate_titles",
    "abbreviated_title", "type", "topics", "summary_stats", "counts_by_year", "works_api_url", "updated_date",
    "created_date",
)  # fmt: skip
_IDS = ("id", "openalex", "openalex_id", "ids.openalex")


def authors(corpus: Corpus) -> list[dict[str, Any]]:
    """Return the authors' profiles, the most cited first."""
    rows: dict[str, dict[str, Any]] = {}
    for fact in corpus.covered("openalex"):
        for place, (family, given) in enumerate(fact.authors):
            name = full_name(family, given)
            if not name or not has_profile(fact, place):
                continue
            row = rows.setdefault(name, _author(name, family, given))
            row["works_count"] += 1
            row["cited_by_count"] += fact.citation_count or 0
    return sorted(rows.values(), key=lambda row: (-row["cited_by_count"], row["display_name"]))


def _author(name: str, family: str | None, given: str | None) -> dict[str, Any]:
    url = f"https://openalex.org/{author_id(name)}"
    initials = " ".join(f"{part[0]}." for part in (given or "").replace("-", " ").replace(".", " ").split())
    orcid = orcid_of(family, given)
    return {
        "id": url, "orcid": f"https://orcid.org/{orcid}" if orcid else None, "display_name": name,
        "display_name_alternatives": [f"{initials} {family}"] if initials and family else [],
        "works_count": 0, "cited_by_count": 0, "ids": {"openalex": url}, "last_known_institutions": [],
        "works_api_url": f"https://api.openalex.org/works?filter=author.id:{author_id(name)}",
    }  # fmt: skip


def sources(corpus: Corpus) -> list[dict[str, Any]]:
    """Return the journals and repositories, those with most works first."""
    rows: dict[str, dict[str, Any]] = {}
    for fact in corpus.covered("openalex"):
        if not fact.journal:
            continue
        row = rows.setdefault(fact.journal, _source(fact.journal, fact.issn, fact.type == "preprint"))
        row["works_count"] += 1
        row["cited_by_count"] += fact.citation_count or 0
    return sorted(rows.values(), key=lambda row: (-row["works_count"], row["display_name"]))


def _source(name: str, issn: str | None, is_repository: bool) -> dict[str, Any]:
    url = f"https://openalex.org/{source_id(name)}"
    return {
        "id": url, "issn_l": issn, "issn": [issn] if issn else None, "display_name": name,
        "host_organization_name": None, "works_count": 0, "cited_by_count": 0, "alternate_titles": [],
        "abbreviated_title": None, "type": "repository" if is_repository else "journal", "ids": {"openalex": url},
        "works_api_url": f"https://api.openalex.org/works?filter=primary_location.source.id:{source_id(name)}",
    }  # fmt: skip


def matching(rows: list[dict[str, Any]], parameters: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the rows that pass `search` and `filter`. Raises Refused."""
    checks = [_filter(name, value) for name, value in split_filter(parameters.get("filter", ""))]
    text = parameters.get("search", "")
    found = [row for row in rows if all(check(row) for check in checks) and (not text or names_match(text, names(row)))]
    if not text:
        return found
    scores = [(10 * (1 + math.sqrt(row["cited_by_count"])), row) for row in found]
    return [{**row, "relevance_score": score} for score, row in sorted(scores, key=lambda pair: -pair[0])]


def one_of(rows: list[dict[str, Any]], name: str) -> dict[str, Any] | None:
    """Return the row of an id of OpenAlex or an ORCID iD, both also as addresses, or any one for `random`."""
    if name == "random":
        return rows[0]
    wanted = unquote(name).rpartition("/")[2].rpartition(":")[2].upper()
    own = (((row["id"], row.get("orcid") or ""), row) for row in rows)
    return next((row for ids, row in own if wanted in {it.rpartition("/")[2].upper() for it in ids if it}), None)


def names(row: Mapping[str, Any]) -> list[str]:
    """Return the names by which a row is found."""
    return [row["display_name"], *row.get("display_name_alternatives", []), *row.get("alternate_titles", [])]


def _filter(name: str, value: str) -> Callable[[Mapping[str, Any]], bool]:
    values = {other.removeprefix("https://openalex.org/") for other in value.split("|")}
    if name in _IDS:
        return lambda row: row["id"].rpartition("/")[2].upper() in {other.upper() for other in values}
    if name in ("display_name.search", "default.search"):
        return lambda row: names_match(value, names(row))
    if name == "orcid":
        wanted = {other.rpartition("/")[2] for other in value.split("|")}
        return lambda row: (row.get("orcid") or "").rpartition("/")[2] in wanted
    if name.startswith(("affiliations.", "last_known_institutions.")):  # nobody has an institution here
        return lambda _: False
    if name in ("issn", "issn_l", "type"):
        return lambda row: row.get("issn_l" if name == "issn" else name) in values
    if name in ("works_count", "cited_by_count"):
        sign, bound = value[0], int(value.lstrip("<>"))
        return lambda row: (
            row[name] > bound if sign == ">" else row[name] < bound if sign == "<" else row[name] == bound
        )
    raise Refused(f"{name} is not a valid field. Valid fields are underscore or hyphenated versions of: {_IDS}")


def suggested(text: str, corpus: Corpus) -> list[dict[str, Any]]:
    """Return the ten sources whose name has the text, the last word of which may be cut: exact names first."""
    found = [row for row in sources(corpus) if any(begins_phrase(text, name) for name in names(row))]
    found.sort(key=lambda row: (row["display_name"].lower() != text.lower(), -row["works_count"]))
    return [
        {"id": row["id"], "short_id": f"sources/{row['id'].rpartition('/')[2]}", "display_name": row["display_name"],
         "hint": "host organization unknown", "cited_by_count": row["cited_by_count"],
         "works_count": row["works_count"], "entity_type": "source", "external_id": row["issn_l"],
         "filter_key": "primary_location.source.id"}
        for row in found[:10]
    ]  # fmt: skip
