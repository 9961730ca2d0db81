"""How OpenAlex pages, samples, groups and selects; the rules of its parameters.

Rules and messages follow ourresearch/openalex-elastic-api: core/validate.py, core/paginate.py, core/cursor.py.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.openalex.engine import Refused, check_signs
from infra.local.sandbox.openalex.filters import field_named

SEARCH_PARAMETERS = (
    "search", "search.semantic", "search.exact", "search.title", "search.title.exact", "search.title_and_abstract",
    "search.title_and_abstract.exact",
)  # fmt: skip
_PARAMETERS = (
    "apc_sum", "api-key", "api_key", "cited_by_count_sum", "cursor", "data_version", "data-version", "filter",
    "format", "include_xpac", "include-xpac", "group_by", "group-by", "group_bys", "group-bys", "mailto", "page",
    "per_page", "per-page", "q", "sample", "seed", "search", "select", "sort", "warm",
)  # fmt: skip
_MAX_PAGE, _MAX_RESULTS, _MAX_GROUPS = 200, 10_000, 200
_PAGES = "Pagination error."


def check_parameters(parameters: Mapping[str, str]) -> None:
    """Refuse unknown parameters and combinations that OpenAlex does not take. Raises Refused."""
    for name in parameters:
        if name.startswith("search.") and name not in SEARCH_PARAMETERS:
            valid = ", ".join(SEARCH_PARAMETERS)
            raise Refused(f"'{name}' is not a valid search parameter. Valid search parameters are: {valid}.")
        if not name.startswith("search.") and name not in _PARAMETERS:
            raise Refused(f"{name} is not a valid parameter. Valid parameters are: {', '.join(_PARAMETERS)}.")
    grouped = "group_by" in parameters or "group-by" in parameters
    if grouped and "select" in parameters:
        raise Refused("select does not work with group_by.")
    _check_sample(parameters, grouped)
    searches = [name for name in SEARCH_PARAMETERS if name in parameters]
    if "search.semantic" in searches and len(searches) > 1:
        raise Refused("search.semantic cannot be combined with other search parameters. Use search.semantic alone.")
    for name in searches:
        if not name.endswith(".exact") and f"{name}.exact" in searches:
            raise Refused(f"Cannot use both stemmed and exact search on the same scope: '{name}' and '{name}.exact'.")
        check_signs(parameters[name])


def _check_sample(parameters: Mapping[str, str], grouped: bool) -> None:
    if "sample" in parameters and _number(parameters, "sample", 0) > _MAX_RESULTS:
        raise Refused("Sample size must be less than or equal to 10,000.")
    if "sample" in parameters and "sort" in parameters:
        raise Refused("sample does not work with sort.")
    if "seed" in parameters and "sample" not in parameters:
        raise Refused("You must include the sample parameter when using a seed value.")
    if "sample" in parameters and grouped:
        raise Refused("sample does not work with group_by.")


def _number(parameters: Mapping[str, str], name: str, default: int) -> int:
    text = parameters.get(name) or parameters.get(name.replace("-", "_"))
    try:
        return int(text) if text else default
    except ValueError:
        raise Refused(f"Param {name} must be a number.") from None


def selected(row: Mapping[str, Any], parameters: Mapping[str, str], fields: Sequence[str]) -> dict[str, Any]:
    """Return the fields of `select`, in the order of the schema. Raises Refused for an unknown field."""
    wanted = [name.strip() for name in parameters["select"].split(",")] if parameters.get("select") else list(fields)
    for name in wanted:
        if name not in fields:
            valid = ", ".join(fields)
            raise Refused(f"{name} is not a valid select field. Valid fields for select are: {valid}.")
    return {name: row[name] for name in fields if name in wanted and name in row}


def paged(rows: Sequence[Any], parameters: Mapping[str, str]) -> tuple[Sequence[Any], dict[str, Any]]:
    """Return the rows of the requested page, and `meta`. Raises Refused."""
    length, page = _number(parameters, "per-page", 25), _number(parameters, "page", 1)
    cursor = parameters.get("cursor")
    if page < 1:
        raise Refused("Page parameter must be greater than 0.", _PAGES)
    if not 0 < length <= _MAX_PAGE:
        raise Refused(f"per-page parameter must be between 1 and {_MAX_PAGE}.", _PAGES)
    if page * length > _MAX_RESULTS:
        raise Refused("Maximum results size of 10,000 records is exceeded. Cursor pagination is required.", _PAGES)
    if cursor and page != 1:
        raise Refused("Cannot use page parameter with cursor.", _PAGES)
    if "sample" in parameters:
        rows = _sample(rows, _number(parameters, "sample", 0), parameters.get("seed", ""))
    start = _place(cursor) if cursor else (page - 1) * length
    meta: dict[str, Any] = {"count": len(rows), "db_response_time_ms": 12, "page": None if cursor else page}
    meta |= {"per_page": length, "groups_count": None}
    found = rows[start : start + length]
    if cursor:
        meta["next_cursor"] = _cursor(start + length) if len(found) == length else None
    return found, meta


def _sample(rows: Sequence[Any], size: int, seed: str) -> list[Any]:
    return sorted(rows, key=lambda row: zlib.crc32(f"{seed} {row!r}".encode()))[:size]


def _cursor(place: int) -> str:
    """Return a cursor in the server's form: the sort values of the last row, as text, as JSON, in base 64."""
    return base64.b64encode(json.dumps(str([place])).encode()).decode()


def _place(cursor: str) -> int:
    if cursor == "*":
        return 0
    if cursor.lower() in ("null", "none"):
        raise Refused("Cursor is null. Likely reached end of results.", _PAGES)
    try:
        return int(json.loads(json.loads(base64.b64decode(cursor)))[0])
    except (ValueError, TypeError, IndexError):
        raise Refused("Invalid cursor value", _PAGES) from None


def grouped(name: str, facts: Sequence[Fact], corpus: Corpus) -> list[dict[str, Any]]:
    """Return the groups of a list of works by a field, the largest first; 200 at most. Raises Refused."""
    field = field_named(name.partition(":")[0].replace("-", "_"))
    if field.kind == "date" or ".search" in name:
        raise Refused("Cannot group by date, number, or search fields.")
    counts = Counter(value for fact in facts for value in {*field.values(fact, corpus)} if value is not None)
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], str(pair[0])))[:_MAX_GROUPS]
    return [{"key": f"{field.keys}{value}" if field.keys else _key(value), "key_display_name": str(value),
             "count": count} for value, count in ranked]  # fmt: skip


def _key(value: str | int) -> str:
    return {"true": "1", "false": "0"}.get(str(value), str(value))
