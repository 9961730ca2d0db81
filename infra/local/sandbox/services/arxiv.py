"""arXiv's classic API: Atom feeds, also for errors. How it reads a query is in `engine`.

Facts: `search/controllers/classic_api` and `search/serialize/atom.py` of github.com/arXiv/arxiv-search, the user
manual (https://info.arxiv.org/help/api/user-manual.html), and recorded answers. It ignores unknown parameters.
"""

from __future__ import annotations

import base64
import hashlib
from xml.etree.ElementTree import Element, tostring

from werkzeug import Request, Response

from infra.local.sandbox.arxiv.engine import InvalidQuery, reader, rewrite
from infra.local.sandbox.arxiv.index import BrokenQuery
from infra.local.sandbox.arxiv.records import ATOM, OPENSEARCH, add, document, entry, submitted, updated
from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact
from shared.bibliography.identifiers import read_arxiv

NAME = "arxiv"
MOST_RESULTS = 2000  # in one call
_NOW = "2026-11-20T03:10:11Z"
_SORTS = {"relevance": None, "submittedDate": submitted, "lastUpdatedDate": updated}
_ORDERS = ("ascending", "descending")


class _Refused(Exception):
    """A refusal: the error entry's text, the part of its address behind `/api/errors`, and the status."""

    def __init__(self, message: str, place: str = "", status: int = 400) -> None:
        super().__init__(message)
        self.message, self.place, self.status = message, place, status


def answer(request: Request, corpus: Corpus) -> Response:
    """Answer GET and POST /api/query; any other path is not found."""
    if request.path != "/api/query":
        return Response("<!doctype html><title>404 Not Found</title>", status=404, content_type="text/html")
    if request.method not in ("GET", "POST"):
        return _error(_Refused("The method is not allowed for the requested URL.", status=405))
    sent = request.form if request.method == "POST" else request.args
    try:
        return _found({name: sent[name] for name in sent}, corpus)
    except _Refused as refused:
        return _error(refused)
    except InvalidQuery:
        return _error(_Refused(f"Invalid query string: '{sent.get('search_query', '')}'"))
    except BrokenQuery:
        message = "The server encountered an internal error and was unable to complete your request."
        return _error(_Refused(message, status=500))


def error_envelope() -> Response:
    """Return an error under HTTP 200, as the service has also sent it."""
    return _error(_Refused("start must be an integer", "#start_must_be_an_integer", status=200))


def _found(sent: dict[str, str], corpus: Corpus) -> Response:
    ids = sent.get("id_list", "")
    for number in ids.split(",") if ids else ():
        if not read_arxiv(number):
            raise _Refused(f"incorrect id format for {number}", f"#incorrect_id_format_for_{number}")
    length, start = _number(sent, "max_results", 10), _number(sent, "start", 0)
    if length > MOST_RESULTS:
        raise _Refused(f"max_results may be at most {MOST_RESULTS}")
    order, direction = sent.get("sortBy", "relevance"), sent.get("sortOrder", "descending")
    for name, value, known in (("sortBy", order, _SORTS), ("sortOrder", direction, _ORDERS)):
        if value not in known:
            raise _Refused(f"{name} must be in: {', '.join(known)}")
    query = sent.get("search_query", "")
    query = query if sent.get("raw") == "1" else rewrite(query)
    if not query and not ids:
        raise _Refused("Either a search_query or id_list must be specified for the classic API.")
    matches = reader(query) if query else None
    facts = corpus.best_first(NAME, query, lambda fact: matches is None or matches(document(fact)))
    if ids:
        facts = _listed(facts, ids.split(","))
    if (key := _SORTS[order]) is not None:
        facts = sorted(facts, key=key, reverse=True)
    if direction == "ascending":
        facts = facts[::-1]
    title = f"search_query={query}&id_list={ids}&start={start}&max_results={length}"
    return _feed(title, [entry(fact) for fact in facts[start : start + length]], len(facts), start, length)


def _number(sent: dict[str, str], name: str, default: int) -> int:
    text = sent.get(name, str(default)).strip()
    if not text.removeprefix("-").isdecimal():
        raise _Refused(f"{name} must be an integer", f"#{name}_must_be_an_integer")
    if int(text) < 0:
        raise _Refused(f"{name} must be non-negative", f"#{name}_must_be_non-negative")
    return int(text)


def _listed(facts: list[Fact], numbers: list[str]) -> list[Fact]:
    """Return the papers with one of the ids, in the list's order; both a query and a list must have a paper."""
    wanted = [read_arxiv(number) for number in numbers]
    found = {str(fact.arxiv_id).lower(): fact for fact in facts}
    return [found[str(number).lower()] for number in dict.fromkeys(wanted) if str(number).lower() in found]


def _error(refused: _Refused) -> Response:
    error = Element(f"{{{ATOM}}}entry")
    place = f"https://arxiv.org/api/errors{refused.place}"
    add(error, ATOM, "id", place)
    add(error, ATOM, "title", "Error")
    add(error, ATOM, "updated", _NOW)
    add(error, ATOM, "link", href=place, rel="alternate", type="text/html")
    add(error, ATOM, "summary", refused.message)
    add(add(error, ATOM, "author"), ATOM, "name", "arXiv api core")
    return _feed("", [error], 1, 0, 1, status=refused.status)


def _feed(query: str, entries: list[Element], total: int, start: int, length: int, *, status: int = 200) -> Response:
    feed = Element(f"{{{ATOM}}}feed")
    digest = base64.b64encode(hashlib.sha1(query.encode(), usedforsecurity=False).digest()).decode().rstrip("=")
    add(feed, ATOM, "id", f"https://arxiv.org/api/{digest}" if query else "https://arxiv.org/")
    add(feed, ATOM, "title", f"arXiv Query: {query}" if query else "arXiv Search Results")
    add(feed, ATOM, "updated", _NOW)
    if query:
        add(feed, ATOM, "link", href=f"https://arxiv.org/api/query?{query}", type="application/atom+xml")
    for name, value in (("itemsPerPage", length), ("totalResults", total), ("startIndex", start)):
        add(feed, OPENSEARCH, name, str(value))
    feed.extend(entries)
    body = tostring(feed, encoding="UTF-8", xml_declaration=True)
    return Response(body, status=status, content_type="application/atom+xml; charset=utf-8")
