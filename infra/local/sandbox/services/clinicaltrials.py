"""ClinicalTrials.gov's API v2: /studies and /studies/{nctId}, over the registrations of the corpus's trials.

Facts: the API's OpenAPI document (version 2.0.5) and what independent clients measured in 2026. Errors are plain text
with status 400; an unknown parameter is one. Studies are not sorted unless `sort` says so. `totalCount` comes with the
first page only, and only if it was requested. A page token holds a place alone, so it works with any query. A page of
more than 1,000 studies is cut to 1,000. Of NCT numbers as the whole query, filters are ignored.
"""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from werkzeug import Request, Response

from infra.local.sandbox.clinicaltrials.engine import Registration, UnreadableQuery, matching, relevance
from infra.local.sandbox.clinicaltrials.records import DATES, NUMBERS, PIECES, projected, registration_of
from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.json_responses import json_response

NAME = "clinicaltrials"
STUDIES = "/api/v2/studies"
MAX_PAGE = 1000
_QUERIES = {
    "cond": "Conditions or disease", "term": "Other terms", "intr": "Intervention / treatment",
    "titles": "Title / acronym",
    "outc": "Outcome measure", "spons": "Sponsor / collaborator", "lead": "Lead sponsor name", "id": "Study IDs",
    "locn": "Location terms", "patient": "Patient",
}  # fmt: skip
_FILTERS = ("overallStatus", "geo", "ids", "advanced", "synonyms")
_KNOWN = {
    "format", "markupFormat", "fields", "sort", "countTotal", "pageSize", "pageToken", "aggFilters", "geoDecay",
    *(f"query.{name}" for name in _QUERIES),
    *(f"{kind}.{name}" for kind in ("filter", "postFilter") for name in _FILTERS),
}  # fmt: skip
_OF_A_STUDY = {"format", "markupFormat", "fields"}
_NCT = re.compile(r"NCT0*[1-9]\d{0,7}", re.IGNORECASE)
_LIST = re.compile(r"[,|]")


class _Refused(Exception):
    """A request that the service answers with this text and HTTP 400."""


def answer(request: Request, corpus: Corpus) -> Response:
    """Answer GET /api/v2/studies and /api/v2/studies/{nctId}."""
    if request.path != STUDIES and not request.path.startswith(f"{STUDIES}/"):
        return _text("Not Found", 404)
    try:
        _check_parameters(request)
        if request.path == STUDIES:
            return json_response(_page(request, corpus))
        return _single(request, corpus)
    except (_Refused, UnreadableQuery) as error:
        return _text(str(error), 400)


def error_envelope() -> Response:
    """Return the error for a query that cannot be read."""
    return _text("Error parsing query in Other terms: mismatched input '[' expecting {<EOF>, '(', ',', 'NOT'}", 400)


def _check_parameters(request: Request) -> None:
    known = _KNOWN if request.path == STUDIES else _OF_A_STUDY
    for name in request.args:
        if name not in known:
            raise _Refused(f"`{name}` is unknown parameter")
    if request.args.get("markupFormat", "markdown") not in ("markdown", "legacy"):
        raise _Refused("Invalid value in parameter `markupFormat`")
    for name in _items(request, "fields"):
        if name not in PIECES:
            raise _Refused(f"Parameter `fields` contains invalid field name: '{name}'")


def _items(request: Request, name: str) -> list[str]:
    return [item for item in _LIST.split(request.args.get(name, "")) if item]


@lru_cache(maxsize=4)
def _held(corpus: Corpus) -> list[Registration]:
    return [registration_of(fact) for fact in corpus.covered(NAME)]


def _single(request: Request, corpus: Corpus) -> Response:
    name = request.path.removeprefix(f"{STUDIES}/")
    if not _NCT.fullmatch(name):
        return _text("Parameter `nctId` has incorrect format", 400)
    number = f"NCT{int(name[3:]):08d}"
    for study in _held(corpus):
        if study.nct == number:
            return json_response(_shown(study, request))
        if number in study.aliases:
            here = f"{request.script_root}{STUDIES}/{study.nct}"
            query = request.query_string.decode()
            return Response(status=301, headers={"Location": f"{here}?{query}" if query else here})
    return _text(f"NCT number {number} not found", 404)


def _page(request: Request, corpus: Corpus) -> dict[str, Any]:
    studies, terms = _held(corpus), {name: request.args.get(f"query.{name}", "") for name in _QUERIES}
    if numbers := _numbers_alone(terms):
        found = [study for study in studies if study.nct in numbers or numbers & set(study.aliases)]
    else:
        tests = [matching(text, _QUERIES[name]) for name, text in terms.items() if text.strip()]
        tests += _filters(request)
        found = [study for study in studies if all(test(study) for test in tests)]
    found = _sorted(found, request, " ".join(terms.values()))
    start, size = _start(request), _size(request)
    body: dict[str, Any] = {"studies": [_shown(study, request) for study in found[start : start + size]]}
    if request.args.get("countTotal") == "true" and not start:
        body = {"totalCount": len(found), **body}
    if start + size < len(found) and size:
        body["nextPageToken"] = base64.urlsafe_b64encode(f"{start + size}".encode()).decode()
    return body


def _numbers_alone(terms: dict[str, str]) -> set[str]:
    """The NCT numbers of a request whose query is nothing else."""
    for text in terms.values():
        parts = re.split(r"[\s,]+", text.strip())
        if all(map(_NCT.fullmatch, parts)):
            return {f"NCT{int(part[3:]):08d}" for part in parts}
    return set()


def _filters(request: Request) -> list[Callable[[Registration], bool]]:
    tests = [matching(text, "advanced filter") for kind in ("filter", "postFilter")
             if (text := request.args.get(f"{kind}.advanced"))]  # fmt: skip
    wanted = set()
    for place, item in enumerate(_items(request, "filter.ids"), start=1):
        if not _NCT.fullmatch(item):
            raise _Refused(f"Item {place} in parameter `filter.ids` has incorrect format")
        wanted.add(f"NCT{int(item[3:]):08d}")
    if wanted:
        tests.append(lambda study: study.nct in wanted or bool(wanted & set(study.aliases)))
    if statuses := _items(request, "filter.overallStatus"):
        tests.append(lambda study: study.values["OverallStatus"][0] in statuses)
    return tests


def _sorted(found: list[Registration], request: Request, text: str) -> list[Registration]:
    """The studies by the last criterion first; without one, in no order that a caller could expect."""
    found = sorted(found, key=lambda study: zlib.crc32(study.nct.encode()))
    criteria = _items(request, "sort")
    if len(criteria) > 2:
        raise _Refused("Parameter `sort` has too many items")
    for item in reversed(criteria):
        name, _, way = item.partition(":")
        if name == "@relevance":
            found.sort(key=lambda study: relevance(study, text), reverse=way != "asc")
        elif name in DATES or name in NUMBERS:
            values = {study.nct: (study.values.get(name) or [""])[0] for study in found}
            found.sort(key=lambda study: values[study.nct], reverse=way == "desc" or (not way and name in DATES))
            found.sort(key=lambda study: not values[study.nct])
        else:
            raise _Refused(f"Unsupported sort field type: {'text' if name in PIECES else name}")
    return found


def _start(request: Request) -> int:
    token = request.args.get("pageToken")
    if token is None:
        return 0
    try:
        return int(
            base64.urlsafe_b64decode(
                token,
            )
        )
    except ValueError:
        raise _Refused("Parameter `pageToken` has incorrect format") from None


def _size(request: Request) -> int:
    text = request.args.get("pageSize", "10")
    if not text.isdecimal():
        raise _Refused("Invalid value in parameter `pageSize`")
    return min(int(text), MAX_PAGE)


def _shown(study: Registration, request: Request) -> dict[str, Any]:
    markdown = request.args.get("markupFormat", "markdown") == "markdown"
    return projected(study.record, _items(request, "fields"), markdown=markdown)


def _text(message: str, status: int) -> Response:
    return Response(message, status=status, content_type="text/plain; charset=UTF-8")
