"""OpenAlex's JSON over the corpus: works by search, filter or id, and the journals behind their names."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from werkzeug import Request, Response

from infra.local.sandbox.corpus import Corpus, Fact
from infra.local.sandbox.openalex_records import (
    date_of,
    doi_of,
    is_open,
    is_retracted,
    source_id,
    their_type,
    work_of,
)
from shared.errors import Unprocessable
from shared.identifiers import read_doi, read_openalex, read_pmcid, read_pmid
from shared.text import fold

Check = Callable[[Fact], bool]
_SORTS = {"relevance_score:desc": "relevance", "cited_by_count:desc": "citations", "publication_date:desc": "date"}
_MAX_PAGE = 100


def answer(request: Request, corpus: Corpus) -> Response:
    """GET /works, /works/{id} and /sources; anything else is a page of HTML."""
    if request.path == "/works":
        return _works(request, corpus)
    if request.path == "/sources":
        return _sources(request.args.get("search", ""), corpus)
    fact = _find(request.path.removeprefix("/works/"), corpus) if request.path.startswith("/works/") else None
    return _json(work_of(fact, corpus.cited("openalex", fact))) if fact else _not_found()


def error_envelope() -> Response:
    """The day's allowance is spent: no `results`, and many hours to wait."""
    told = "Insufficient budget. This request costs more than what remains of today's allowance."
    body = {"error": "Rate limit exceeded", "message": told, "dailyRemainingUsd": 0, "retryAfter": 47052}
    response = _json(body, status=429)
    response.headers["Retry-After"] = "47052"
    return response


def _works(request: Request, corpus: Corpus) -> Response:
    try:
        found = _matching(request.args.get("search"), request.args, corpus)
        page, length = int(request.args.get("page", "1")), int(request.args.get("per_page", "25"))
    except KeyError as unknown:
        return _refusal(f"{unknown} is not a valid field")
    except (Unprocessable, ValueError):
        return _refusal("a value cannot be read")
    if page < 1 or not 0 < length <= _MAX_PAGE:
        return _refusal("a page is beyond the range")
    wanted = found[(page - 1) * length : page * length]
    works = [work_of(fact, corpus.cited("openalex", fact), score) for fact, score in wanted]
    return _list(works, len(found), page, length)


def _matching(text: str | None, asked: Mapping[str, str], corpus: Corpus) -> list[tuple[Fact, float | None]]:
    """The works with their scores, which exist only where words were given. Raises KeyError naming an unknown field."""
    parts = (part.partition(":") for part in asked.get("filter", "").split(",") if part)
    checks = [_check(_FILTERS[name], value) for name, _, value in parts]
    sort = _SORTS[asked.get("sort", "relevance_score:desc")]
    if text is None:
        return [(fact, None) for fact in _all(corpus) if all(check(fact) for check in checks)]
    hits = corpus.search("openalex", text, lambda fact: all(check(fact) for check in checks), sort)
    if sort == "date":
        hits.sort(key=lambda hit: date_of(hit.fact), reverse=True)
    return [(hit.fact, hit.score) for hit in hits]


def _all(corpus: Corpus) -> list[Fact]:
    return [fact for fact in corpus.facts if corpus.find("openalex", openalex_id=fact.openalex_id) is fact]


def _check(test: Callable[[Fact, str], bool], value: str) -> Check:
    """`a|b` is either, `!a` is not."""
    if value.startswith("!"):
        return lambda fact: not test(fact, value[1:])
    return lambda fact: any(test(fact, one) for one in value.split("|"))


def _has_author(fact: Fact, name: str) -> bool:
    people = [fold(f"{given or ''} {family or ''}").split() for family, given in fact.authors]
    return any(set(fold(name).split()) <= set(person) for person in people)


def _cited(fact: Fact, number: str) -> bool:
    return (fact.citation_count or 0) > int(number[1:]) if number[0] == ">" else fact.citation_count == int(number)


_FILTERS: Mapping[str, Callable[[Fact, str], bool]] = {
    "from_publication_date": lambda fact, day: date_of(fact) >= day,
    "to_publication_date": lambda fact, day: date_of(fact) <= day,
    "raw_author_name.search": _has_author,
    "open_access.is_oa": lambda fact, flag: is_open(fact) == (flag == "true"),
    "is_retracted": lambda fact, flag: is_retracted(fact) == (flag == "true"),
    "cited_by_count": _cited,
    "type": lambda fact, kind: their_type(fact) == kind,
    "primary_location.source.id": lambda fact, source: source_id(fact.journal) == source,
    "doi": lambda fact, doi: doi_of(fact) == read_doi(doi),
    "openalex": lambda fact, work: fact.openalex_id == read_openalex(work),
    "ids.pmid": lambda fact, pmid: fact.pmid is not None and fact.pmid == read_pmid(pmid),
}


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
    """The journals whose names hold all words."""
    names = sorted({fact.journal for fact in _all(corpus) if fact.journal})
    found = [name for name in names if text and set(fold(text).split()) <= set(fold(name).split())]
    rows = [{"id": f"https://openalex.org/{source_id(name)}", "display_name": name} for name in found]
    return _list(rows, len(rows), 1, 25)


def _list(rows: list[dict[str, Any]], count: int, page: int, length: int) -> Response:
    meta = {"count": count, "db_response_time_ms": 12, "page": page, "per_page": length, "groups_count": None}
    return _json({"meta": meta, "results": rows, "group_by": []})


def _refusal(message: str) -> Response:
    return _json({"error": "Invalid query parameters error.", "message": message}, status=400)


def _not_found() -> Response:
    page = "<!doctype html>\n<html lang=en>\n<title>404 Not Found</title>\n<h1>Not Found</h1>\n"
    return Response(page, status=404, content_type="text/html; charset=utf-8")


def _json(body: Any, *, status: int = 200) -> Response:
    return Response(json.dumps(body), status=status, content_type="application/json")
