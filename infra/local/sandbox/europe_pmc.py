"""Europe PMC's REST API: search, one article, its references and citations, with the real API's quirks."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from typing import Any

from werkzeug import Request, Response

from infra.local.sandbox.corpus import Corpus, always
from infra.local.sandbox.europe_pmc_links import LISTS, PARAMETERS_OF_LINKS, links
from infra.local.sandbox.europe_pmc_records import (
    NAME,
    core_record,
    first_date,
    initials,
    lite_record,
    record_id,
    source,
    types,
)
from infra.local.sandbox.facts import Fact
from shared.bibliography.text import fold
from shared.errors import BadRequest

BASE = "/europepmc/webservices/rest/"
MAX_PAGE = 1000
MAX_URL = 8000
PARAMETERS_OF_SEARCH = {"query", "format", "resultType", "pageSize", "cursorMark", "sort", "synonym"}
SORTS = {"": "relevance", "CITED desc": "citations", "FIRST_PDATE_D desc": "date", "P_PDATE_D desc": "date"}

Test = Callable[[Fact], bool]


def answer(request: Request, corpus: Corpus) -> Response:
    """Answer one request."""
    path = request.path.removeprefix(BASE)
    if path == ("search" if request.method == "GET" else "searchPOST"):
        return _search(request, corpus)
    if request.method != "GET":
        return Response("<html><body><h1>405 Method Not Allowed</h1></body></html>", 405, content_type="text/html")
    match path.split("/"):
        case [kind, number, relation] if relation in LISTS:
            return _links(request, kind, number, relation, corpus)
        case ["article", kind, number] if number:
            found = _find(kind, number, corpus)
            body = {"version": "6.9", "hitCount": int(bool(found)), "request": {"id": number, "source": kind}}
            return _json(body | ({"result": core_record(found, corpus)} if found else {}))
    return Response("<html><body><h1>404 Not Found</h1></body></html>", 404, content_type="text/html")


def error_envelope() -> Response:
    """Return a rejected request: HTTP 200 without a `resultList`."""
    return _json({"errCode": 404, "errMsg": f"Invalid page size provided. Valid size is between 1 and {MAX_PAGE}"})


def _json(data: Any) -> Response:
    return Response(json.dumps(data), content_type="application/json;charset=UTF-8")


def _all(corpus: Corpus) -> list[Fact]:
    held = (fact for fact in corpus.facts if corpus.find(NAME, doi=fact.doi, pmid=fact.pmid, pmcid=fact.pmcid))
    return [fact for fact in held if fact.pmid or fact.pmcid or fact.type == "preprint"]


def _find(kind: str, number: str, corpus: Corpus) -> Fact | None:
    """Return a paper by source and id; a MEDLINE paper is also found by its PMCID."""
    names = ((fact, {(source(fact), record_id(fact)), ("PMC", fact.pmcid)}) for fact in _all(corpus))
    return next((fact for fact, ids in names if (kind, number) in ids), None)


def _links(request: Request, kind: str, number: str, relation: str, corpus: Corpus) -> Response:
    page, size = (request.args.get(name, default, type=int) for name, default in (("page", 1), ("pageSize", 25)))
    if set(request.args) - PARAMETERS_OF_LINKS or page < 1 or not 1 <= size <= MAX_PAGE:
        return error_envelope()
    if request.args.get("format", "xml") != "json":
        return Response("<responseWrapper/>", content_type="text/xml;charset=UTF-8")
    echo = {"id": number, "source": kind, "page": page, "pageSize": size}
    return _json(
        {"version": "6.9", "request": echo, **links(_find(kind, number, corpus), relation, page, size, corpus)}
    )


def _search(request: Request, corpus: Corpus) -> Response:
    if len(request.query_string) > MAX_URL:
        return Response("<html><body><h1>414 URI Too Long</h1></body></html>", 414, content_type="text/html")
    args = request.args if request.method == "GET" else request.form
    if set(args) - PARAMETERS_OF_SEARCH:
        return error_envelope()
    size, mark = args.get("pageSize", 25, type=int), args.get("cursorMark", "*")
    if not 1 <= size <= MAX_PAGE or not args.get("query") or args.get("sort", "") not in SORTS:
        return error_envelope()
    if args.get("format", "xml") != "json":
        return Response("<responseWrapper/>", content_type="text/xml;charset=UTF-8")
    start = 0 if mark == "*" else int(base64.b64decode(mark))
    facts = _matches(args["query"], SORTS[args.get("sort", "")], corpus)
    shown = facts[start : start + size]
    core = args.get("resultType") == "core"
    return _json({
        "version": "6.9",
        "hitCount": len(facts),
        "nextCursorMark": base64.b64encode(str(start + len(shown)).encode()).decode() if shown else mark,
        "request": {
            "queryString": args["query"], "resultType": args.get("resultType", "lite"), "pageSize": size,
            "cursorMark": mark.replace("*", "%2A"), "sort": args.get("sort", ""), "synonym": False,
        },
        "resultList": {"result": [core_record(fact, corpus) if core else lite_record(fact, corpus) for fact in shown]},
    })  # fmt: skip


def _matches(query: str, order: str, corpus: Corpus) -> list[Fact]:
    """Apply clauses with a field as filters, and search for the others, whose syntax is the same as ours."""
    words, tests = [], []
    for clause in _split(query, " AND "):
        if clause.startswith("TITLE_ABS:") or not _FIELD.match(clause.removeprefix("NOT ").lstrip("(")):
            words.append(clause.removeprefix("TITLE_ABS:"))
        else:
            tests.append(_test(clause))
    keep: Test = (lambda fact: all(test(fact) for test in tests)) if tests else always
    if not words:
        return [fact for fact in _all(corpus) if keep(fact)]
    try:
        return [hit.fact for hit in corpus.search(NAME, " AND ".join(words), keep, order)]
    except BadRequest:  # an invalid query has no results
        return []


def _split(text: str, joiner: str) -> list[str]:
    """Split at the joiners outside of quotation marks, parentheses and ranges."""
    parts, depth, quoted, start = [], 0, False, 0
    for place, sign in enumerate(text):
        quoted ^= sign == '"'
        depth += 0 if quoted else (sign in "([") - (sign in ")]")
        if not quoted and not depth and text.startswith(joiner, place):
            parts.append(text[start:place])
            start = place + len(joiner)
    return [part.strip() for part in [*parts, text[start:]]]


def _test(clause: str) -> Test:
    """Return the filter of a clause with fields."""
    if clause.startswith("NOT "):
        unwanted = _test(clause.removeprefix("NOT "))
        return lambda fact: not unwanted(fact)
    for joiner, join in ((" OR ", any), (" AND ", all)):
        parts = _split(clause, joiner)
        if len(parts) > 1:
            tests = [_test(part) for part in parts]
            return lambda fact, join=join: join(test(fact) for test in tests)  # type: ignore[misc]
    if clause.startswith("("):
        return _test(clause[1:-1])
    field, _, value = clause.partition(":")
    return lambda fact: FIELDS[field](fact, value.strip('"'))


def _between(value: str | None, bounds: str) -> bool:
    """Compare dates as text; `*` is an open end."""
    first, _, last = bounds.strip("[]").partition(" TO ")
    return value is not None and first <= value and (last == "*" or value <= last)


def _has_author(fact: Fact, name: str) -> bool:
    forms = [f"{family} {initials(given)}|{family} {given}" for family, given in fact.authors]
    return any(fold(form).startswith(fold(name)) for both in forms for form in both.split("|"))


FIELDS: dict[str, Callable[[Fact, str], bool]] = {
    "FIRST_PDATE": lambda fact, bounds: _between(first_date(fact), bounds),
    "JOURNAL": lambda fact, name: fact.type != "preprint" and fold(name) in fold(fact.journal or ""),
    "PUBLISHER": lambda fact, name: fact.type == "preprint" and fold(name) in fold(fact.journal or ""),
    "SRC": lambda fact, name: source(fact) == name,
    "AUTH": _has_author,
    "OPEN_ACCESS": lambda fact, flag: bool(fact.is_open_access) == (flag.upper() == "Y"),
    "CITED": lambda fact, bounds: (fact.citation_count or 0) >= int(bounds.strip("[]").partition(" ")[0]),
    "PUB_TYPE": lambda fact, name: name.casefold() in (kind.casefold() for kind in types(fact)),
    "EXT_ID": lambda fact, number: record_id(fact) == number,
    "PMCID": lambda fact, number: fact.pmcid == number,
    "DOI": lambda fact, doi: (fact.doi or "").lower() == doi.lower(),
}
_FIELD = re.compile(rf"(?:{'|'.join(FIELDS)}):")
