"""OpenAlex's API: works by search, filter or id, their references, and journals by name.

Unknown parameters, filters, values of filters and fields to select are rejected, as OpenAlex does.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from werkzeug import Request, Response

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.openalex_filters import FILTERS, read_filter
from infra.local.sandbox.openalex_records import FIELDS, date_of, doi_of, source_id, work_of
from shared.bibliography.identifiers import read_doi, read_openalex, read_pmcid, read_pmid
from shared.bibliography.text import fold
from shared.errors import Unprocessable

_SORTS = {"relevance_score:desc": "relevance", "cited_by_count:desc": "citations", "publication_date:desc": "date"}
_PARAMETERS = {"search", "filter", "sort", "select", "page", "per_page"}
_MAX_PAGE = 100
_MAX_URL = 4094


def answer(request: Request, corpus: Corpus) -> Response:
    """Answer GET /works, /works/{id} and /sources; any other path is an HTML page."""
    if request.path == "/sources":
        return _sources(request.args.get("search", ""), corpus)
    try:
        return _answer(request, corpus)
    except KeyError as unknown:
        return _rejected(f"{unknown} is not a valid field")
    except (Unprocessable, ValueError):
        return _rejected("a value cannot be read")


def _answer(request: Request, corpus: Corpus) -> Response:
    if len(request.full_path) > _MAX_URL:
        return _rejected("the URL is too long", status=414)
    if unknown := set(request.args) - _PARAMETERS:
        raise KeyError(*unknown)
    if request.path == "/works":
        return _works(request.args, corpus)
    fact = _find(request.path.removeprefix("/works/"), corpus) if request.path.startswith("/works/") else None
    if not fact:
        return _not_found()
    return _json(_selected(work_of(fact, corpus.cited("openalex", fact)), request.args))


def error_envelope() -> Response:
    """Return the error for an exhausted daily budget: no `results`, and a Retry-After of many hours."""
    message = "Insufficient budget. This request costs more than what remains of today's allowance."
    body = {"error": "Rate limit exceeded", "message": message, "dailyRemainingUsd": 0, "retryAfter": 47052}
    response = _json(body, status=429)
    response.headers["Retry-After"] = "47052"
    return response


def _works(parameters: Mapping[str, str], corpus: Corpus) -> Response:
    found = _matching(parameters, corpus)
    page, length = int(parameters.get("page", "1")), int(parameters.get("per_page", "25"))
    if page < 1 or not 0 < length <= _MAX_PAGE:
        return _rejected("a page is beyond the range")
    wanted = found[(page - 1) * length : page * length]
    works = [work_of(fact, corpus.cited("openalex", fact), score) for fact, score in wanted]
    return _list([_selected(work, parameters) for work in works], len(found), page, length)


def _selected(work: dict[str, Any], parameters: Mapping[str, str]) -> dict[str, Any]:
    """Return only the fields of `select`. Raises KeyError naming an unknown field."""
    fields = parameters["select"].split(",") if "select" in parameters else FIELDS
    if unknown := set(fields) - set(FIELDS):
        raise KeyError(*unknown)
    return {field: work[field] for field in fields if field in work}


def _matching(parameters: Mapping[str, str], corpus: Corpus) -> list[tuple[Fact, float | None]]:
    """Return the works with their scores (None without a search text). Raises KeyError naming an unknown filter."""
    parts = (part.partition(":") for part in parameters.get("filter", "").split(",") if part)
    checks = [read_filter(FILTERS[name], value, corpus) for name, _, value in parts]
    sort = _SORTS[parameters.get("sort", "relevance_score:desc")]
    if "search" not in parameters:
        facts = [fact for fact in _all(corpus) if all(check(fact) for check in checks)]
        if sort == "citations":
            facts.sort(key=lambda fact: -(fact.citation_count or 0))
        return [(fact, None) for fact in facts]
    hits = corpus.search("openalex", parameters["search"], lambda fact: all(check(fact) for check in checks), sort)
    if sort == "date":
        hits.sort(key=lambda hit: date_of(hit.fact), reverse=True)
    return [(hit.fact, hit.score) for hit in hits]


def _all(corpus: Corpus) -> list[Fact]:
    return [fact for fact in corpus.facts if corpus.find("openalex", openalex_id=fact.openalex_id) is fact]


def _find(name: str, corpus: Corpus) -> Fact | None:
    scheme, _, value = name.partition(":")
    if scheme == "pmid":
        return corpus.find("openalex", pmid=read_pmid(value))
    if scheme == "pmcid":
        return corpus.find("openalex", pmcid=read_pmcid(value))
    if work := read_openalex(name):
        return corpus.find("openalex", openalex_id=work)
    doi = read_doi(name)
    return next((fact for fact in _all(corpus) if doi and doi_of(fact) == doi), None)


def _sources(text: str, corpus: Corpus) -> Response:
    """Return the journals whose names contain all words."""
    names = sorted({fact.journal for fact in _all(corpus) if fact.journal})
    found = [name for name in names if text and set(fold(text).split()) <= set(fold(name).split())]
    rows = [{"id": f"https://openalex.org/{source_id(name)}", "display_name": name} for name in found]
    return _list(rows, len(rows), 1, 25)


def _list(rows: list[dict[str, Any]], count: int, page: int, length: int) -> Response:
    meta = {"count": count, "db_response_time_ms": 12, "page": page, "per_page": length, "groups_count": None}
    return _json({"meta": meta, "results": rows, "group_by": []})


def _rejected(message: str, status: int = 400) -> Response:
    return _json({"error": "Invalid query parameters error.", "message": message}, status=status)


def _not_found() -> Response:
    page = "<!doctype html>\n<html lang=en>\n<title>404 Not Found</title>\n<h1>Not Found</h1>\n"
    return Response(page, status=404, content_type="text/html; charset=utf-8")


def _json(body: Any, *, status: int = 200) -> Response:
    return Response(json.dumps(body), status=status, content_type="application/json")
