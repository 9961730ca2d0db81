"""DataCite's REST API: lists of DOIs, and single ones.

Source: app/controllers/datacite_dois_controller.rb, concerns/paginatable.rb and application_controller.rb of
datacite/lupo (05afac4, 2026-08-18), and recorded answers. Parameters that the service does not know are ignored. How a
query is read is in `engine`, the records are in `records`.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import unquote, urlencode

from werkzeug import Request, Response

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.datacite.engine import Entry, Refused, found
from infra.local.sandbox.datacite.records import Deposit, deposits

ADDRESS = "https://api.datacite.org/dois"
MAX_PAGE, MAX_REACH, PAGE = 1000, 10_000, 25
SORTS: dict[str, Callable[[Deposit], Any]] = {
    "name": lambda it: it.doi,
    "created": lambda it: it.created,
    "updated": lambda it: it.created,
    "published": lambda it: it.attributes["published"],
    "citation-count": lambda it: it.attributes["citationCount"],
    "title": lambda it: it.attributes["titles"][0]["title"].casefold(),
}
_NOT_FOUND = "The resource you are looking for doesn't exist."
_IN_LINKS = ("query", "published", "resource-type-id", "has-citations", "prefix", "disable-facets")


def answer(request: Request, corpus: Corpus) -> Response:
    """Answer GET /dois and GET /dois/{doi}."""
    path = unquote(request.path).rstrip("/")
    held = deposits(corpus)
    if path == "/dois":
        sent = {name.replace("_", "-"): value for name, value in request.args.items()}
        try:
            return _json(_list(sent, request.query_string.decode(), held))
        except Refused as error:
            return _json({"errors": {"title": str(error)}}, 400)
    doi = path.removeprefix("/dois/").lower()
    record = next((it for it in held if it.doi == doi and path.startswith("/dois/")), None)
    if record is None or record.attributes["state"] != "findable":
        return _json({"errors": [{"status": "404", "title": _NOT_FOUND}]}, 404)
    return _json({"data": _record(record, None)})


def error_envelope() -> Response:
    """Return an error of the search engine, which is one object instead of a list."""
    return _json({"errors": {"title": "Failed to parse query [(]"}}, 400)


def _list(sent: Mapping[str, str], query: str, held: Sequence[Deposit]) -> dict[str, Any]:
    size = min(_to_i(sent["page[size]"]), MAX_PAGE) if sent.get("page[size]") else PAGE
    number = min(max(_to_i(sent.get("page[number]", "")), 1), max(MAX_REACH // size if size else 1, 1))
    records = _found(sent, held)
    total, cursor = len(records), sent.get("page[cursor]")
    if cursor is not None:
        records = _after(cursor, records)
        shown = records[:size]
    else:
        shown = records[size * (number - 1) : size * number]
    pages = -(-min(total, MAX_REACH if cursor is None else total) // size) if size else 0
    is_last = len(shown) < size or not size or number == pages
    following = {"page[cursor]": _cursor(shown[-1])} if cursor is not None and shown else {"page[number]": number + 1}
    links = {name: sent[name] for name in _IN_LINKS if name in sent} | {"page[size]": size}
    fields = sent["fields[dois]"].split(",") if "fields[dois]" in sent else None
    return {
        "data": [_record(it, fields) for it in shown],
        "meta": {"total": total, "totalPages": pages, **({"page": number} if cursor is None else {})},
        "links": {
            "self": f"{ADDRESS}?{query}",
            **({} if is_last else {"next": f"{ADDRESS}?{urlencode({**links, **following})}"}),
        },
    }


def _found(sent: Mapping[str, str], held: Sequence[Deposit]) -> list[Deposit]:
    if sent.get("ids"):  # also those that are not public
        wanted = {doi.lower() for doi in sent["ids"].split(",")}
        return _sorted([(0.0, it) for it in held if it.doi in wanted], sent)
    public = [it for it in held if it.attributes["state"] == "findable"]
    return _sorted(found(sent.get("query", ""), list(_filters(sent)), public), sent)


def _filters(sent: Mapping[str, str]) -> Sequence[Callable[[Entry], bool]]:
    filters: list[Callable[[Entry], bool]] = []
    if published := sent.get("published"):
        years = published.split(",")
        if not all(re.fullmatch(r"[0-9]{4}", year) for year in years):
            raise Refused(f"failed to parse date field [{published}||/y] with format [yyyy]")
        filters.append(lambda entry: int(min(years)) <= entry.year <= int(max(years)))
    if types := sent.get("resource-type-id"):
        ids = {_dashed(name.strip()) for name in types.split(",")}
        filters.append(lambda entry: _dashed(entry.keywords["types.resourceTypeGeneral"][0]) in ids)
    if least := sent.get("has-citations"):
        filters.append(lambda entry: entry.deposit.attributes["citationCount"] >= _to_i(least))
    if prefixes := sent.get("prefix"):
        filters.append(lambda entry: entry.keywords["prefix"][0] in prefixes.split(","))
    return filters


def _sorted(matches: Sequence[tuple[float, Deposit]], sent: Mapping[str, str]) -> list[Deposit]:
    """The records in the requested order; those updated last come first unless it is one that the service knows."""
    if "page[cursor]" in sent:
        return sorted((it for _, it in matches), key=lambda it: (it.created, it.doi))
    sort = sent.get("sort", "")
    if sort == "relevance":
        return [it for _, it in sorted(matches, key=lambda match: -match[0])]
    name = sort.removeprefix("-")
    key = SORTS.get(name, SORTS["updated"])
    return sorted((it for _, it in matches), key=key, reverse=name not in SORTS or sort.startswith("-"))


def _after(cursor: str, records: Sequence[Deposit]) -> list[Deposit]:
    """The records behind the one that a cursor names; all of them for a text that is no cursor."""
    try:
        created, _, doi = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode().partition(",")
        place = (int(created), doi)
    except (binascii.Error, ValueError):
        place = (0, "")
    return [it for it in records if (it.created, it.doi) > place]


def _cursor(last: Deposit) -> str:
    return base64.urlsafe_b64encode(f"{last.created},{last.doi}".encode()).decode().rstrip("=")


def _record(deposit: Deposit, fields: Sequence[str] | None) -> dict[str, Any]:
    """The record; `fields` selects attributes, and leaves out the relationships with them."""
    if fields is not None:
        attributes = {name: value for name, value in deposit.attributes.items() if name in fields}
        return {"id": deposit.doi, "type": "dois", "attributes": attributes}
    client = {"client": {"data": {"id": deposit.client, "type": "clients"}}}
    return {"id": deposit.doi, "type": "dois", "attributes": deposit.attributes, "relationships": client}


def _dashed(name: str) -> str:
    """`JournalArticle` -> `journal-article`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).replace("_", "-").lower()


def _to_i(text: str) -> int:
    """The number at the beginning of a text, 0 without one, as Ruby reads it."""
    number = re.match(r"\s*[+-]?[0-9]+", text)
    return int(number[0]) if number else 0


def _json(body: Any, status: int = 200) -> Response:
    return Response(json.dumps(body, ensure_ascii=False), status, content_type="application/json; charset=utf-8")
