"""Europe PMC's REST API: search, one article, its references and citations.

Facts: https://europepmc.org/RestfulWebService and recorded answers. Parameters that the service does not know are
ignored. A query, a sort or a cursor that it cannot read has an answer with nothing but the version, under HTTP 200
(cyanheads/pubmed-mcp-server#159). How it reads a query is in `engine`.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from werkzeug import Request, Response

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.europe_pmc.engine import UnreadableQuery, read
from infra.local.sandbox.europe_pmc.formats import response
from infra.local.sandbox.europe_pmc.index import Entry
from infra.local.sandbox.europe_pmc.links import LISTS, links
from infra.local.sandbox.europe_pmc.records import NAME, core_record, first_date, lite_record, record_id, source
from infra.local.sandbox.facts import Fact

BASE = "/europepmc/webservices/rest/"
VERSION = {"version": "6.9"}
MAX_PAGE = 1000
MAX_URL = 8000
_INVALID_PAGE = {"errCode": 404, "errMsg": f"Invalid page size provided. Valid size is between 1 and {MAX_PAGE}"}
# Every field with a single value; each is sorted with `asc` or `desc`.
SORTS: dict[str, Callable[[Fact], Any]] = {
    "AUTH_FIRST": lambda fact: str(fact.authors[0][0] or "").casefold() if fact.authors else "",
    "CITED": lambda fact: fact.citation_count or 0,
    "E_PDATE_D": lambda fact: first_date(fact) or "",
    "FIRST_PDATE_D": lambda fact: first_date(fact) or "",
    "P_PDATE_D": lambda fact: (first_date(fact) or "") if source(fact) != "PPR" else "",  # a preprint is not printed
    "PUB_YEAR": lambda fact: fact.year or 0,
}


def answer(request: Request, corpus: Corpus) -> Response:
    """Answer one request."""
    path = request.path.removeprefix(BASE)
    if path == ("search" if request.method == "GET" else "searchPOST"):
        if len(request.query_string) > MAX_URL:
            return Response("<html><body><h1>414 URI Too Long</h1></body></html>", 414, content_type="text/html")
        sent = request.args if request.method == "GET" else request.form
        return response(_search(sent, corpus), sent.get("format", "xml"))
    if request.method != "GET":
        return Response("<html><body><h1>405 Method Not Allowed</h1></body></html>", 405, content_type="text/html")
    form = request.args.get("format", "xml")
    match path.split("/"):
        case [kind, number, relation] if relation in LISTS:
            return response(_links(request.args, kind, number, relation, corpus), form)
        case ["article", kind, number] if number:
            found = _find(kind, number, corpus)
            body = {**VERSION, "hitCount": int(bool(found)), "request": {"id": number, "source": kind}}
            return response(body | ({"result": core_record(found, corpus)} if found else {}), form)
    return Response("<html><body><h1>404 Not Found</h1></body></html>", 404, content_type="text/html")


def error_envelope() -> Response:
    """Return a rejected request: HTTP 200 without a `resultList`."""
    return response(_INVALID_PAGE, "json")


def _find(kind: str, number: str, corpus: Corpus) -> Fact | None:
    """Return a paper by source and id; a MEDLINE paper is also found by its PMCID."""
    held = corpus.covered(NAME)
    names = ((fact, {(source(fact), record_id(fact)), ("PMC", fact.pmcid)}) for fact in held)
    return next((fact for fact, ids in names if (kind, number) in ids), None)


def _links(sent: Mapping[str, str], kind: str, number: str, relation: str, corpus: Corpus) -> dict[str, Any]:
    page, size = _number(sent, "page", 1), _number(sent, "pageSize", 25)
    if page < 1 or not 1 <= size <= MAX_PAGE:
        return _INVALID_PAGE
    echo = {"id": number, "source": kind, "page": page, "pageSize": size}
    return {**VERSION, "request": echo, **links(_find(kind, number, corpus), relation, page, size, corpus)}


def _number(sent: Mapping[str, str], name: str, default: int) -> int:
    """A number, or 0 for anything else, which no number here may be."""
    text = sent.get(name, str(default))
    return int(text) if text.isdecimal() else 0


def _search(sent: Mapping[str, str], corpus: Corpus) -> dict[str, Any]:
    size = _number(sent, "pageSize", 25)
    if not 1 <= size <= MAX_PAGE:
        return _INVALID_PAGE
    query, mark = sent.get("query", ""), sent.get("cursorMark", "*")
    synonyms = sent.get("synonym", "").lower() == "true"
    try:
        facts = _sorted(query, sent.get("sort", ""), synonyms, corpus)
        start = (_number(sent, "page", 1) - 1) * size if "page" in sent else _start(mark)
    except (UnreadableQuery, RecursionError):
        return dict(VERSION)
    kind = sent.get("resultType", "lite")
    shown = facts[start : start + size]
    after = base64.b64encode(str(start + len(shown)).encode()).decode() if shown else mark
    record = {"core": core_record, "idlist": _id_record}.get(kind.lower(), lite_record)
    return {
        **VERSION,
        "hitCount": len(facts),
        **({} if "page" in sent else {"nextCursorMark": after}),
        "request": {
            "queryString": query, "resultType": kind, "cursorMark": mark.replace("*", "%2A"), "pageSize": size,
            "sort": sent.get("sort", ""), "synonym": synonyms,
        },
        "resultList": {"result": [record(fact, corpus) for fact in shown]},
    }  # fmt: skip


def _id_record(fact: Fact, _: Corpus) -> dict[str, Any]:
    ids = {"id": record_id(fact), "source": source(fact), "pmid": fact.pmid, "pmcid": fact.pmcid}
    return {name: value for name, value in ids.items() if value}


def _start(mark: str) -> int:
    """The place that a cursor marks. Raises UnreadableQuery for one that the service did not make."""
    try:
        return 0 if mark in ("*", "%2A") else int(base64.b64decode(mark, validate=True))
    except (ValueError, binascii.Error) as error:
        raise UnreadableQuery(mark) from error


def _sorted(query: str, sort: str, synonyms: bool, corpus: Corpus) -> list[Fact]:
    """The matching records, the best first unless the request or the query has another order."""
    reading = read(query, synonyms=synonyms)
    facts = corpus.best_first(NAME, query, lambda fact: reading.test(Entry(fact, partial(corpus.cited, NAME, fact))))
    for key in reversed((sort or reading.sort or "").split(",")):
        match key.split():
            case []:
                continue
            case [field, direction] if field.upper() in SORTS and direction.lower() in ("asc", "desc"):
                facts = sorted(facts, key=SORTS[field.upper()], reverse=direction.lower() == "desc")
            case _:
                raise UnreadableQuery(sort)
    return facts
