"""Crossref's REST API: works by query and filter, one work by DOI, and errors with a list as `message`."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any

from werkzeug import Request, Response

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.crossref_records import crossref_type, is_open, issued, work_of
from infra.local.sandbox.facts import Fact
from shared.bibliography.identifiers import read_doi
from shared.bibliography.text import fold

NAME = "crossref"
MAX_ROWS, MAX_OFFSET = 1000, 10_000
CITATION_WORDS = 3  # common words of authors, journal, year, volume and pages that make a match
TOO_COMMON = frozenset({"a", "and", "for", "in", "of", "on", "the"})
SORTS = {
    "score": "relevance", "relevance": "relevance", "published": "date", "issued": "date",
    "is-referenced-by-count": "citations",
}  # fmt: skip
QUERIES = {"query", "query.bibliographic", "query.title", "query.author", "query.container-title"}
OTHER_PARAMETERS = {"filter", "rows", "offset", "sort", "order", "select", "mailto"}
TYPES = frozenset({
    "book", "book-chapter", "book-part", "book-section", "book-series", "book-set", "book-track", "component",
    "database", "dataset", "dissertation", "edited-book", "grant", "journal", "journal-article", "journal-issue",
    "journal-volume", "monograph", "other", "peer-review", "posted-content", "proceedings", "proceedings-article",
    "proceedings-series", "reference-book", "reference-entry", "report", "report-component", "report-series",
    "standard",
})  # fmt: skip
SELECTS = frozenset({
    "DOI", "ISSN", "URL", "abstract", "accepted", "alternative-id", "article-number", "author", "container-title",
    "created", "deposited", "funder", "group-title", "indexed", "is-referenced-by-count", "issue", "issued", "license",
    "link", "member", "original-title", "page", "posted", "prefix", "published", "published-online", "published-print",
    "publisher", "reference", "references-count", "relation", "resource", "score", "short-title", "subtitle", "title",
    "type", "update-policy", "update-to", "updated-by", "volume",
})  # fmt: skip


class Invalid(Exception):
    """The request is invalid: `kind` is the API's type of error, `value` the invalid value."""

    def __init__(self, kind: str, value: str) -> None:
        super().__init__(f"{value!r} was specified and is not valid here")
        self.kind = kind
        self.value = value


def answer(request: Request, corpus: Corpus) -> Response:
    """Answer GET /works, /works/{doi} and /works/{doi}/agency; any other path is not found, in plain text."""
    path = request.path.removeprefix("/v1")
    try:
        if path == "/works":
            return _ok("work-list", _list(request.args, corpus))
        name = path.removeprefix("/works/").removesuffix("/agency")
        # The DOI is compared as it was sent: one that was percent-encoded twice is not found.
        fact = corpus.find(NAME, doi=name) if path.startswith("/works/") else None
        if fact and path.endswith("/agency"):
            return _ok("work-agency", {"DOI": fact.doi, "agency": {"id": "crossref", "label": "Crossref"}})
        for parameter in sorted(set(request.args) - {"mailto"}) if fact else ():
            raise Invalid("parameter-not-allowed", parameter)
        return _ok("work", work_of(fact, corpus)) if fact else Response("Resource not found.", 404)
    except Invalid as error:
        message = [{"type": error.kind, "value": error.value, "message": str(error)}]
        return _json({"status": "failed", "message-type": "validation-failure", "message": message}, 400)


def error_envelope() -> Response:
    """Return an error of the search engine behind the API; its `message` is an object, as in a successful response."""
    message = {"name": "class clojure.lang.ExceptionInfo", "message": "Response Exception", "cause": None}
    body = {"status": "error", "message-type": "exception", "message-version": "1.0.0", "message": message}
    return _json(body, 500)


def _json(data: Any, status: int = 200) -> Response:
    # The API escapes slashes, which JSON allows.
    response = Response(json.dumps(data).replace("/", "\\/"), status=status, content_type="application/json")
    response.headers.extend({"x-rate-limit-limit": "3", "x-rate-limit-interval": "1s", "x-api-pool": "polite-array"})
    return response


def _ok(kind: str, message: Any) -> Response:
    """Return a successful response; single records have a higher rate limit than lists."""
    response = _json({"status": "ok", "message-type": kind, "message-version": "1.0.0", "message": message})
    if kind != "work-list":
        response.headers.update({"x-rate-limit-limit": "10", "x-api-pool": "polite-single"})
    return response


def _list(args: Mapping[str, str], corpus: Corpus) -> dict[str, Any]:
    for name in sorted(set(args) - QUERIES - OTHER_PARAMETERS):
        raise Invalid("parameter-not-allowed", name)
    rows, offset = _number(args, "rows", 20, MAX_ROWS), _number(args, "offset", 0, MAX_OFFSET)
    selected = [name for name in args.get("select", "").split(",") if name]
    for name in selected:
        if name not in SELECTS:
            raise Invalid("select-not-available", name)
    found = _found(args, corpus)
    works = [work_of(fact, corpus, score) for fact, score in found[offset : offset + rows]]
    return {
        "facets": {},
        "total-results": len(found),
        "items": [{name: work[name] for name in selected if name in work} if selected else work for work in works],
        "items-per-page": rows,
        "query": {"start-index": offset, "search-terms": args.get("query")},
    }


def _number(args: Mapping[str, str], name: str, default: int, maximum: int) -> int:
    text = args.get(name, str(default))
    if not text.isdecimal() or int(text) > maximum:
        raise Invalid("integer-not-valid", text)
    return int(text)


def _found(args: Mapping[str, str], corpus: Corpus) -> list[tuple[Fact, float]]:
    """Return hits with their scores: any word of the query matches; author and journal must share a word, too."""
    sort = SORTS.get(args.get("sort", "score"))
    if sort is None:
        raise Invalid("sort-not-available", args["sort"])
    checks = [*_checks(args.get("filter", "")), *_fields(args)]

    def keep(fact: Fact) -> bool:
        return all(check(fact) for check in checks)

    words = fold(" ".join(args[name] for name in ("query", "query.bibliographic", "query.title") if name in args))
    if words:
        found = [(hit.fact, round(hit.score, 6)) for hit in corpus.search(NAME, words, keep, sort)]
        if sort == "relevance" and "query.bibliographic" in args:
            found = _with_cited(found, set(words.split()) - TOO_COMMON, keep, corpus)
    else:
        held = [fact for fact in corpus.facts if fact.doi and corpus.find(NAME, doi=fact.doi) is fact]
        found = [(fact, 1.0) for fact in held if keep(fact)]
    return found[::-1] if args.get("order") == "asc" else found


def _with_cited(
    found: list[tuple[Fact, float]], words: set[str], keep: Callable[[Fact], bool], corpus: Corpus
) -> list[tuple[Fact, float]]:
    """Add the papers that share enough words of author, journal, year, volume and pages with a citation."""
    scores = {id(fact): score for fact, score in found}
    for fact in corpus.facts:
        parts = [fact.journal, str(fact.year or ""), fact.volume, fact.pages, *(family for family, _ in fact.authors)]
        shared = words & set(fold(" ".join(filter(None, parts))).split())
        if len(shared) >= CITATION_WORDS and fact.doi and keep(fact) and corpus.find(NAME, doi=fact.doi) is fact:
            scores[id(fact)] = round(scores.get(id(fact), 0.0) + 10.0 * len(shared), 6)
    facts = [fact for fact in corpus.facts if id(fact) in scores]
    return sorted(((fact, scores[id(fact)]) for fact in facts), key=lambda hit: (-hit[1], hit[0].title))


def _fields(args: Mapping[str, str]) -> list[Callable[[Fact], bool]]:
    def share_a_word(words: str, value: str) -> bool:
        return bool(set(fold(words).split()) & set(fold(value).split()))

    author, journal = args.get("query.author"), args.get("query.container-title")
    checks: list[Callable[[Fact], bool]] = []
    if author:
        checks.append(lambda fact: share_a_word(author, " ".join(part or "" for name in fact.authors for part in name)))
    if journal:
        checks.append(lambda fact: fact.type != "preprint" and share_a_word(journal, fact.journal or ""))
    return checks


def _checks(filters: str) -> list[Callable[[Fact], bool]]:
    """Parse the filters; several values of one filter are alternatives."""
    alternatives: dict[str, list[Callable[[Fact], bool]]] = defaultdict(list)
    for text in filter(None, filters.split(",")):
        name, _, value = text.partition(":")
        alternatives[name].append(_check(name, value))
    return [_any_of(checks) for checks in alternatives.values()]


def _any_of(checks: list[Callable[[Fact], bool]]) -> Callable[[Fact], bool]:
    return lambda fact: any(check(fact) for check in checks)


def _check(name: str, value: str) -> Callable[[Fact], bool]:
    """Return the check of one filter. A partial date counts as its first day; papers without a date match no range."""
    if name == "type" and value in TYPES:
        return lambda fact: crossref_type(fact) == value
    if name == "doi" and read_doi(value):
        return lambda fact: (fact.doi or "").lower() == value.lower()
    if name == "from-pub-date" and value[:4].isdecimal():
        return lambda fact: bool(issued(fact)) and _padded(issued(fact)) >= _padded(value)
    if name == "until-pub-date" and value[:4].isdecimal():
        return lambda fact: bool(issued(fact)) and _padded(issued(fact)) <= value + "-12-31"[len(value) - 4 :]
    if name in ("is-update", "has-license", "has-abstract") and value in ("true", "false", "1", "0"):
        wanted = value in ("true", "1")
        tests: dict[str, Callable[[Fact], bool]] = {
            "is-update": lambda fact: fact.type in ("erratum", "retraction-notice"),
            "has-license": is_open,
            "has-abstract": lambda fact: bool(fact.abstract),
        }
        return lambda fact: tests[name](fact) == wanted
    raise Invalid("filter-not-available", f"{name}:{value}")


def _padded(date: str) -> str:
    return (date + "-01-01")[:10]
