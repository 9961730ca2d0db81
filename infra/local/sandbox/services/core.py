"""CORE's API v3: /v3/search/works, over what the corpus has of repositories.

Facts: https://api.core.ac.uk/docs/v3, a recorded answer, and what independent clients measured in 2026. A request
without a key is refused with 429, whose wait is a time in `X-RateLimit-Retry-After`; a removed key gets 401. A GET
without the slash at its end is redirected; a POST takes the same fields as JSON, and `exclude`. More than 100 works
are a 504. The full text comes with every work that is not asked to leave it out. A query that cannot be read is a
500. A paper that several repositories hold in unlike records has two works (variant 0 of 6); the first has no copy.
One paper has more works than a page that a client asks for (MANY_WORKS).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from werkzeug import Request, Response

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact, variant
from infra.local.sandbox.json_responses import json_response
from shared.bibliography.text import fold

NAME = "core"
PATH = "/v3/search/works"
MAX_LIMIT = 100
MANY_WORKS = {"10.1111/codi.14994": 30}  # by DOI
_TOKEN = re.compile(r'[A-Za-z_.]+:"[^"]*"|[A-Za-z_.]+:[^\s()"]+|yearPublished[<>]=?"?\d{4}"?|"[^"]*"|[()]|[^\s()"]+')
_YEAR = re.compile(r'yearPublished([<>]=?)"?(\d{4})"?')
Test = Callable[[Mapping[str, Any]], bool]


class _UnreadableQuery(Exception):
    """A query at which the search fails."""


def answer(request: Request, corpus: Corpus) -> Response:
    """Answer GET /v3/search/works/ and POST /v3/search/works."""
    if request.path.rstrip("/") != PATH:
        return json_response({"message": "Not found"}, 404)
    if request.method == "GET" and not request.path.endswith("/"):
        where = f"{request.script_root}{PATH}/?{request.query_string.decode()}"
        return Response(status=301, headers={"Location": where})
    key = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if not key:
        headers = {"X-RateLimit-Retry-After": "2026-11-20T12:10:00+0000", "X-RateLimit-Remaining": "0"}
        return Response("", 429, headers=headers, content_type="text/html; charset=UTF-8")
    if key == "revoked":
        return json_response({"message": "Invalid API key"}, 401)
    asked = request.args.to_dict() if request.method == "GET" else request.get_json(silent=True)
    if not isinstance(asked, dict) or not asked.get("q"):
        return json_response({"message": "The query is missing"}, 400)
    limit, offset = int(asked.get("limit", 10)), int(asked.get("offset", 0))
    if limit > MAX_LIMIT:
        return Response("<html><body>504 Gateway Time-out</body></html>", 504, content_type="text/html")
    try:
        return json_response(_found(str(asked["q"]), limit, offset, asked.get("exclude") or (), corpus))
    except _UnreadableQuery:
        return error_envelope()


def error_envelope() -> Response:
    """Return the error for a query that cannot be read."""
    return json_response({"message": "Internal server error"}, 500)


def _found(text: str, limit: int, offset: int, excluded: Any, corpus: Corpus) -> dict[str, Any]:
    test = _Parser(_TOKEN.findall(text)).whole()
    ranked = corpus.best_first(NAME, text, lambda fact: any(map(test, works_of(fact))))
    works = [work for fact in ranked for work in works_of(fact) if test(work)]
    shown = [{name: it for name, it in work.items() if name not in excluded} for work in works[offset : offset + limit]]
    return {
        "totalHits": len(works), "limit": limit, "offset": offset, "results": shown, "tooks": [], "esTook": 12,
        "searchId": "0" * 32,
    }  # fmt: skip


def works_of(fact: Fact) -> list[dict[str, Any]]:
    """The works of a paper: one, or two of which the first has no copy, or many."""
    work = _work(fact, 90_000_000 + variant(fact, 9_000_000))
    if count := MANY_WORKS.get((fact.doi or "").lower()):
        return [{**work, "id": work["id"] + number} for number in range(count)]
    if variant(fact, 6):
        return [work]
    bare = {"id": work["id"] + 1, "downloadUrl": "", "abstract": None, "links": work["links"][-1:], "fullText": None}
    return [{**work, **bare}, work]


def _work(fact: Fact, number: int) -> dict[str, Any]:
    copy = fact.oa_url or f"https://core.ac.uk/download/{number}.pdf"
    text = f"{fact.abstract}Comment: {variant(fact, 30)} pages" if fact.abstract and fact.arxiv_id else fact.abstract
    return {
        "acceptedDate": "", "arxivId": fact.arxiv_id,
        "authors": [{"name": ", ".join(part for part in person if part)} for person in fact.authors],
        "citationCount": 0, "contributors": [], "outputs": [f"https://api.core.ac.uk/v3/outputs/{number}"],
        "createdDate": "2019-06-02T02:02:14", "dataProviders": [{"id": 144, "name": ""}], "depositedDate": "",
        "abstract": text, "documentType": "research", "doi": fact.doi, "downloadUrl": copy, "fieldOfStudy": None,
        "fullText": f"{fact.title}\n{fact.abstract}", "id": number,
        "identifiers": [{"identifier": value, "type": kind} for kind, value in (
            ("ARXIV_ID", fact.arxiv_id), ("DOI", fact.doi), ("CORE_ID", str(number))) if value],
        "title": fact.title, "language": {"code": fact.language or "en", "name": "English"}, "magId": None,
        "oaiIds": [f"oai:example.org:{number}"], "publishedDate": _day(fact), "publisher": f"'{fact.journal}'",
        "pubmedId": fact.pmid, "references": [], "sourceFulltextUrls": [copy], "updatedDate": "2021-08-10T16:23:19",
        "yearPublished": fact.year, "journals": [{"title": fact.journal, "identifiers": []}] if fact.journal else [],
        "links": [{"type": "download", "url": copy},
                  {"type": "display", "url": f"https://core.ac.uk/works/{number}"}],
    }  # fmt: skip


def _day(fact: Fact) -> str | None:
    """The date with a time; an unknown month or day is the first."""
    date = fact.publication_date or (str(fact.year) if fact.year else None)
    return f"{(date + '-01-01')[:10] if len(date) < 10 else date}T01:00:00" if date else None


@dataclass
class _Parser:
    """OR binds less than AND; terms beside one another are joined by AND."""

    parts: list[str]
    place: int = 0

    def whole(self) -> Test:
        test = self.any_of()
        if self.place < len(self.parts):
            raise _UnreadableQuery
        return test

    def _next(self) -> str | None:
        return self.parts[self.place] if self.place < len(self.parts) else None

    def any_of(self) -> Test:
        tests = [self.all_of()]
        while self._next() == "OR":
            self.place += 1
            tests.append(self.all_of())
        return lambda work: any(test(work) for test in tests)

    def all_of(self) -> Test:
        tests = [self.one()]
        while (part := self._next()) not in (None, "OR", ")"):
            self.place += part == "AND"
            tests.append(self.one())
        return lambda work: all(test(work) for test in tests)

    def one(self) -> Test:
        part = self._next()
        if part is None or part in ("AND", "OR", ")", '"'):
            raise _UnreadableQuery
        self.place += 1
        if part != "(":
            return _term(part)
        test = self.any_of()
        if self._next() != ")":
            raise _UnreadableQuery
        self.place += 1
        return test


def _term(part: str) -> Test:
    if found := _YEAR.fullmatch(part):
        sign, year = found[1], int(found[2])
        return lambda work: bool(work["yearPublished"]) and _compare(work["yearPublished"], sign, year)
    field, mark, value = part.partition(":")
    if mark and not part.startswith('"'):
        if field in ("doi", "arxivId"):
            return lambda work: str(work[field] or "").lower() == value.strip('"').lower()
        if field == "authors.name" and not value.startswith('"'):
            return lambda _: False
        return lambda work: _has(_text_of(work, field), value)
    return lambda work: _has(f"{work['title']} {work['abstract'] or ''} {work['fullText'] or ''}", part)


def _text_of(work: Mapping[str, Any], field: str) -> str:
    if field == "authors.name":
        return " ; ".join(it["name"] for it in work["authors"])
    return str(work.get(field) or "")


def _compare(year: int, sign: str, than: int) -> bool:
    return {">": year > than, ">=": year >= than, "<": year < than, "<=": year <= than}[sign]


def _has(text: str, phrase: str) -> bool:
    return f" {fold(phrase)} " in f" {fold(text)} "
