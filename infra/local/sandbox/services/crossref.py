"""Crossref's REST API: its routes, envelopes, refusals and headers.

Sources: rest_api.md and api_format.md of CrossRef/rest-api-doc, CrossRef/cayenne (`api/v1/validate.clj`), recorded
answers, and the announcement of the limits of 1 December 2025 (doi 10.64000/wadve-3tj60). How a query is read is in
`engine`, the records are in `records`.
"""

from __future__ import annotations

import json
import re
from typing import Any

from werkzeug import Request, Response

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.crossref.engine import Index, Work, every_work
from infra.local.sandbox.crossref.filters import Refused
from infra.local.sandbox.crossref.lists import UnknownCursor, refuse_unknown, work_list
from infra.local.sandbox.crossref.records import work_of
from infra.local.sandbox.crossref.registries import Registry, refuse_parameters, registries
from infra.local.sandbox.crossref.transform import transformed

NAME = "crossref"
_CORPORA = 4  # of which the records are kept between requests
_ROUTE = re.compile(r"/(journals|members|prefixes|types|funders|licenses)(?:/(.+?))?(/works)?")
_WORK = re.compile(r"/works/(.+?)(/agency|/transform(?:/(?P<format>[\w.+-]+/[\w.+-]+))?)?")
_held: dict[tuple[int, tuple[int, ...]], tuple[Corpus, Index]] = {}


def answer(request: Request, corpus: Corpus) -> Response:
    """Answer GET on the routes of works and of registries; what is unknown is not found, in plain text."""
    path = request.path.removeprefix("/v1").rstrip("/") or "/"
    index = _index(corpus)
    try:
        if path == "/works":
            return _limited(_ok("work-list", work_list(request.args, index, every_work)), request, "array")
        if match := _WORK.fullmatch(path):
            return _limited(_work(request, index, match), request, "single")
        if match := _ROUTE.fullmatch(path):
            registry = registries(index.works)[match[1]]
            return _limited(_registry(request, index, registry, match[2], bool(match[3])), request, "array")
        return _limited(_not_found(), request, "single")
    except Refused as error:
        message = [{"type": error.kind, "value": error.value, "message": str(error)}]
        return _limited(_failed("validation-failure", message, 400), request, "array")
    except UnknownCursor as error:
        wrong = {"type": "cursor-invalid", "value": str(error), "message": "Cursor specified but it is invalid"}
        return _limited(_failed("resource-failure", [wrong], 404), request, "array")


def error_envelope() -> Response:
    """Return an error of the search engine behind the API; its `message` is an object, as in a successful response."""
    message = {"name": "class clojure.lang.ExceptionInfo", "message": "Response Exception", "cause": None}
    body = {"status": "error", "message-type": "exception", "message-version": "1.0.0", "message": message}
    return _json(body, 500)


def _index(corpus: Corpus) -> Index:
    """The records of the papers that Crossref has, made once."""
    facts = corpus.covered(NAME)
    key = (id(corpus), tuple(map(id, facts)))
    if key not in _held:
        while len(_held) >= _CORPORA:
            _held.pop(next(iter(_held)), None)
        _held[key] = (corpus, Index([work_of(fact, corpus) for fact in facts if fact.doi]))
    return _held[key][1]


def _work(request: Request, index: Index, match: re.Match[str]) -> Response:
    # The DOI is compared as it was sent: one that was percent-encoded twice is not found.
    work = next((work for work in index.works if work["DOI"] == match[1].lower()), None)
    refuse_unknown(request.args)
    refuse_parameters(request.args, allowed=())
    if work is None:
        return _not_found()
    if match[2] == "/agency":
        return _ok("work-agency", {"DOI": work["DOI"], "agency": {"id": "crossref", "label": "Crossref"}})
    if match[2]:
        return _transformed(work, match["format"] or request.headers.get("Accept", ""))
    return _ok("work", {**work, "score": 1})


def _transformed(work: Work, accept: str) -> Response:
    written = transformed(work, accept)
    if written is None:
        return Response("No acceptable resource available.", 406, content_type="text/plain")
    return Response(written[0], content_type=written[1])


def _registry(request: Request, index: Index, registry: Registry, name: str | None, works: bool) -> Response:
    refuse_unknown(request.args)
    if name is None:
        return _ok(f"{registry.kind}-list", registry.message(request.args))
    key = name.removeprefix("10.13039/") if registry.kind == "funder" else name
    if key not in registry.items:
        return _not_found()
    if works:
        return _ok("work-list", work_list(request.args, index, registry.works(key)))
    refuse_parameters(request.args, allowed=())
    return _ok(registry.kind, registry.items[key])


def _ok(kind: str, message: Any) -> Response:
    return _json({"status": "ok", "message-type": kind, "message-version": "1.0.0", "message": message})


def _failed(kind: str, message: Any, status: int) -> Response:
    return _json({"status": "failed", "message-type": kind, "message": message}, status)


def _not_found() -> Response:
    return Response("Resource not found.", 404, content_type="text/plain")


def _json(data: Any, status: int = 200) -> Response:
    """The body as JSON; refusals and small answers state their characters, others do not."""
    stated = status == 400 or data.get("message-type") in ("work-agency", "prefix", "type", "type-list", "license-list")
    kind = "application/json;charset=utf-8" if stated else "application/json"
    # The API escapes slashes, which JSON allows.
    return Response(json.dumps(data).replace("/", "\\/"), status=status, content_type=kind)


def _limited(response: Response, request: Request, pool: str) -> Response:
    polite = "mailto" in request.args or "mailto:" in request.headers.get("User-Agent", "")
    response.headers.extend(stated_limits(pool, polite=polite))
    return response


def stated_limits(pool: str, *, polite: bool) -> dict[str, str]:
    """The headers with the limits of a pool: with an address more, and for single records more than for lists."""
    rates = {"single": ("5", "10"), "array": ("1", "3")}
    return {
        "x-rate-limit-limit": rates[pool][polite],
        "x-rate-limit-interval": "1s",
        "x-concurrency-limit": "3" if polite else "1",
        "x-api-pool": f"{'polite' if polite else 'public'}-{pool}",
    }
