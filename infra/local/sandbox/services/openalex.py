"""OpenAlex's API: works by search, filter or id, authors, sources, and the autocomplete of sources.

Written after the servers' sources (ourresearch/openalex-elastic-api and openalex-api-proxy, August 2026): the proxy
refuses some requests itself and writes the rate-limit headers; the API answers JSON, and HTML for what it does not have
and for what it does not catch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from werkzeug import Request, Response

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.json_responses import json_response
from infra.local.sandbox.openalex.engine import MOST_SEMANTIC, Reading, Refused, nearest, read_search, scored
from infra.local.sandbox.openalex.entities import (
    AUTHOR_FIELDS,
    SOURCE_FIELDS,
    authors,
    matching,
    one_of,
    sources,
    suggested,
)
from infra.local.sandbox.openalex.fields import SEMANTIC_FILTERS, related
from infra.local.sandbox.openalex.filters import field_named, is_search, read_filters, split_filter
from infra.local.sandbox.openalex.lucene import Unparsable
from infra.local.sandbox.openalex.paging import SEARCH_PARAMETERS, check_parameters, grouped, paged, selected
from infra.local.sandbox.openalex.records import FIELDS, date_of, doi_of, work_of
from shared.bibliography.identifiers import read_doi, read_openalex, read_pmcid, read_pmid

_MAX_REQUEST_LINE = 8190  # bytes, escaped; the manual says "about 4 KB"
_CREDITS = {False: 1000, True: 10_000}  # a day, without and with a key
_RESET_S = 47052
_HTML = "<!doctype html>\n<html lang=en>\n<title>{0}</title>\n<h1>{1}</h1>\n<p>{2}</p>\n"
Scored = tuple[Fact, float | None]


def answer(request: Request, corpus: Corpus) -> Response:
    """Answer GET /works, /authors, /sources, one of them by id, and /autocomplete/sources; else an HTML page."""
    parameters = request.args.to_dict()
    if refusal := _edge(request, parameters):
        return refusal
    try:
        response = _answer(request.path, parameters, corpus)
    except Refused as refused:
        response = json_response({"error": refused.error, "message": str(refused)}, status=400)
    except Unparsable:
        response = _page(500, "Internal Server Error", "The server encountered an internal error.")
    return _with_limits(response, request, parameters)


def _edge(request: Request, parameters: Mapping[str, str]) -> Response | None:
    """The proxy's own refusals (its f1Validation.ts and index.ts)."""
    colonless = any(":" not in part for part in parameters.get("filter", "").split(",") if '"' not in part)
    if "limit" in parameters or ("filter" in parameters and colonless and parameters["filter"]):
        message = "The 'limit' parameter is not valid." if "limit" in parameters else "An unescaped comma in a filter."
        body = {"error": "Invalid request rejected at the API edge", "error_source": "openalex-api-proxy"}
        return json_response({**body, "message": message}, status=400)
    length = len(f"GET {request.full_path} HTTP/1.1".encode())
    if length > _MAX_REQUEST_LINE:
        message = f"Your request URL is {length} bytes, over the {_MAX_REQUEST_LINE}-byte limit (roughly 8 KB)."
        return json_response({"error": "Request URL too long", "message": message}, status=400)
    return None


def _answer(path: str, parameters: Mapping[str, str], corpus: Corpus) -> Response:
    kind, _, name = path.lstrip("/").partition("/")
    if path == "/autocomplete/sources":
        rows = suggested(parameters.get("q", ""), corpus)
        return json_response({"meta": {"count": len(rows), "db_response_time_ms": 5, "page": 1, "per_page": 10},
                      "results": rows})  # fmt: skip
    if kind not in ("works", "authors", "sources"):
        return _not_found()
    if not name:
        check_parameters(parameters)
        return _works(parameters, corpus) if kind == "works" else _entities(kind, parameters, corpus)
    if kind == "works":
        fact = _find(name, corpus)
        return (
            json_response(selected(_work((fact, None), parameters, corpus), parameters, FIELDS))
            if fact
            else _not_found()
        )
    rows = authors(corpus) if kind == "authors" else sources(corpus)
    row = one_of(rows, name)
    return json_response(selected(row, parameters, AUTHOR_FIELDS if kind == "authors" else SOURCE_FIELDS)) if row else (
        _not_found()
    )  # fmt: skip


def _works(parameters: Mapping[str, str], corpus: Corpus) -> Response:
    found = _matching(parameters, corpus)
    selected({}, parameters, FIELDS)
    group = parameters.get("group_by") or parameters.get("group-by")
    if group:
        rows = grouped(group, [fact for fact, _ in found], corpus)
        meta = {"count": len(found), "db_response_time_ms": 12, "page": 1, "per_page": 200, "groups_count": len(rows)}
        return json_response({"meta": meta, "group_by": rows})
    page, meta = paged(found, parameters)
    works = [selected(_work(hit, parameters, corpus), parameters, FIELDS) for hit in page]
    return json_response({"meta": meta, "results": works, "group_by": []})


def _work(hit: Scored, parameters: Mapping[str, str], corpus: Corpus) -> dict[str, Any]:
    fact, score = hit
    others = related(fact, corpus) if "related_works" in parameters.get("select", "related_works") else ()
    return work_of(fact, corpus.cited("openalex", fact), others, score)


def _matching(parameters: Mapping[str, str], corpus: Corpus) -> Sequence[Scored]:
    """The works that pass, in the requested order, with their scores (None without a search). Raises Refused."""
    checks, searches = read_filters(parameters.get("filter", ""), corpus)
    facts = [fact for fact in corpus.covered("openalex") if all(check(fact) for check in checks)]
    if meaning := parameters.get("search.semantic"):
        _check_semantic(parameters)
        return nearest(meaning, facts, corpus)
    readings = [*searches, *_readings(parameters)]
    is_scored = bool(readings) or is_search(parameters.get("filter", ""))
    hits: Sequence[Scored] = scored(facts, readings, corpus) if is_scored else [(fact, None) for fact in facts]
    return _sorted(hits, parameters.get("sort", ""), is_scored)


def _readings(parameters: Mapping[str, str]) -> list[Reading]:
    texts = [(name, parameters[name]) for name in SEARCH_PARAMETERS if parameters.get(name, "") not in ("", '""')]
    return [
        read_search(text, name.removeprefix("search").removesuffix(".exact").lstrip("."), exact=name.endswith(".exact"))
        for name, text in texts
    ]


def _check_semantic(parameters: Mapping[str, str]) -> None:
    for name, _ in split_filter(parameters.get("filter", "")):
        if is_search(name):
            raise Refused(f"Cannot combine search.semantic with filter={name}. Use only one search method per request.")
        if name not in SEMANTIC_FILTERS:
            supported = ", ".join(sorted(SEMANTIC_FILTERS))
            raise Refused(f"Filter '{name}' is not supported with semantic search. Supported filters: {supported}")
    if "group_by" in parameters or "cursor" in parameters:
        raise Refused("group_by and cursor are not supported with semantic search.")
    length = parameters.get("per-page") or parameters.get("per_page") or "25"
    if length.isdecimal() and int(length) > MOST_SEMANTIC:
        raise Refused(f"per_page cannot exceed {MOST_SEMANTIC} for semantic search. Received per_page={length}.")


def _sorted(hits: Sequence[Scored], order: str, is_scored: bool) -> Sequence[Scored]:
    """Order by the keys of `sort`; without any, searches by score and lists by citations."""
    keys = [part.partition(":") for part in order.split(",") if part] or (
        [] if is_scored else [("cited_by_count", ":", "desc")]
    )
    for name, _, direction in reversed(keys):
        name = name.replace("-", "_")
        if name == "relevance_score":
            if not is_scored:
                raise Refused("Must include a search query in order to sort by relevance_score.")
            if direction != "desc":
                raise Refused("Sorting relevance score ascending is not allowed.")
            hits = sorted(hits, key=lambda hit: -(hit[1] or 0))
            continue
        value = _VALUES.get(name)
        if value is None:
            field_named(name)
            raise Refused(f"{name} is not a field that this sandbox sorts by")
        hits = sorted(hits, key=lambda hit: value(hit[0]), reverse=direction == "desc")
    return hits


_VALUES: Mapping[str, Any] = {
    "cited_by_count": lambda fact: fact.citation_count or 0,
    **dict.fromkeys(("publication_date", "publication_year"), date_of),
    "display_name": lambda fact: fact.title.lower(),
}


def _find(name: str, corpus: Corpus) -> Fact | None:
    scheme, _, value = name.partition(":")
    if name.lower() == "random":
        return corpus.covered("openalex")[0]
    if scheme == "pmid":
        return corpus.find("openalex", pmid=read_pmid(value))
    if scheme == "pmcid":
        return corpus.find("openalex", pmcid=read_pmcid(value))
    if work := read_openalex(name):
        return corpus.find("openalex", openalex_id=work)
    doi = read_doi(name)
    return next((fact for fact in corpus.covered("openalex") if doi and doi_of(fact) == doi), None)


def _entities(kind: str, parameters: Mapping[str, str], corpus: Corpus) -> Response:
    if scoped := [name for name in parameters if name.startswith("search.")]:
        raise Refused(f"{scoped[0]} is only supported for /works.")
    fields = AUTHOR_FIELDS if kind == "authors" else SOURCE_FIELDS
    rows, meta = paged(matching(authors(corpus) if kind == "authors" else sources(corpus), parameters), parameters)
    return json_response({"meta": meta, "results": [selected(row, parameters, fields) for row in rows], "group_by": []})


def _with_limits(response: Response, request: Request, parameters: Mapping[str, str]) -> Response:
    """Add the proxy's headers, as recorded: a day's credits and what the request cost."""
    limit = _CREDITS[bool(request.headers.get("authorization") or parameters.get("api_key"))]
    cost = _cost(request.path, parameters)
    names = {"limit": limit, "remaining": limit - cost, "credits-used": cost, "reset": _RESET_S,
             "onetime-remaining": 0, "limit-usd": limit / 10_000, "remaining-usd": (limit - cost) / 10_000,
             "cost-usd": cost / 10_000, "prepaid-remaining-usd": 0}  # fmt: skip
    for name, value in names.items():
        response.headers[f"x-ratelimit-{name}"] = str(value)
    return response


def _cost(path: str, parameters: Mapping[str, str]) -> int:
    """The credits of a request (openalex-api-proxy, endpointClassifier.ts)."""
    if path.strip("/").count("/"):
        return 0
    short = parameters.get("per_page") or parameters.get("per-page") or "25"
    if "search" in parameters and parameters.get("select") == "id,display_name,works_count" and len(short) < 3:
        return 0 if int(short) <= 10 else 10
    return 10 if any(name.startswith("search") for name in parameters) or is_search(parameters.get("filter", "")) else 1


def error_envelope() -> Response:
    """Return the error for an exhausted daily budget: no `results`, and a Retry-After of many hours."""
    message = ("Insufficient budget. This request costs $0.001 but you only have $0 remaining. Resets at midnight UTC. "
               "Need more? Add funds at https://openalex.org/pricing")  # fmt: skip
    body = {"error": "Rate limit exceeded", "message": message, "retryAfter": _RESET_S, "costUsd": 0.001,
            "dailyRemainingUsd": 0, "prepaidRemainingUsd": 0, "creditsRequired": 10, "creditsRemaining": 0,
            "onetimeCreditsRemaining": 0}  # fmt: skip
    response = json_response(body, status=429)
    response.headers["Retry-After"] = str(_RESET_S)
    return response


def _not_found() -> Response:
    why = ("The requested URL was not found on the server. If you entered the URL manually please check your spelling "
           "and try again.")  # fmt: skip
    return _page(404, "Not Found", why)


def _page(status: int, title: str, text: str) -> Response:
    page = _HTML.format(f"{status} {title}", title, text)
    return Response(page, status=status, content_type="text/html; charset=utf-8")
