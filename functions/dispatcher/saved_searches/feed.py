"""The feed of a saved search over HTTP: JSON or Atom, in pages, with ETags."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urlencode

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEvent

from shared.answers.content_trust import UNTRUSTED
from shared.aws.dynamodb.saved_searches.searches import SavedSearches
from shared.aws.rest_api.request_body import query_value, service_address
from shared.canonical_json import compact_json
from shared.delivery.deliveries import delivered_by_default
from shared.error_texts import from_to, one_of
from shared.errors import Unprocessable
from shared.exports.formats import negotiated
from shared.saved_searches.atom import HEADINGS, MEDIA_TYPE, atom_feed
from shared.saved_searches.feed import etag, json_feed, not_modified
from shared.saved_searches.stored import StoredSearch
from shared.search.requests.input_forms import names_in
from shared.validation import is_blank

JSON = "application/json"
MAX_LIMIT, LIMIT = 100, 50
PARAMETERS = ("format", "limit", "cursor", "after")  # and `types`, a list
_NUMBER = re.compile("0*[0-9]{1,10}")
_CURSOR = re.compile("0*[1-9][0-9]{0,9}")
_EVENT_ID = re.compile(r"(?:(?P<search>[0-9a-f]{20})-)?(0*[0-9]{1,10})")


def feed_response(event: APIGatewayProxyEvent, saved: StoredSearch, searches: SavedSearches) -> Response[str]:
    """Return one page of the feed, or 304 if the reader has it already. Raises Unprocessable for invalid parameters."""
    given = {name: query_value(event, name) for name in PARAMETERS}
    given["types"] = ",".join(event.resolved_query_string_parameters.get("types", []))
    parameters = {name: value for name, value in given.items() if value is not None and not is_blank(value)}
    below, after = _number(parameters, "cursor", _CURSOR), _after(parameters, saved["id"])
    limit, types = _limit(parameters), _types(parameters, saved)
    page = searches.events(saved["id"], above=after or 0, below=below, limit=limit, types=types)
    cursor = str(page.events[-1]["number"]) if page.more else None
    marks = {}
    if _is_atom(parameters, event.headers.get("Accept")):
        marks = {"Content-Trust": UNTRUSTED}
        address = service_address(event) + event.path
        parameters = {"format": "atom", **parameters}  # a reader that follows a link sends no Accept header
        latest = page.events[0]["at"] if page.events else saved["created_at"]
        older = _with(address, {**parameters, "cursor": cursor}) if cursor else None
        text = atom_feed(saved, page.events, self_url=_with(address, parameters), next_url=older, updated=latest)
        media_type = f"{MEDIA_TYPE}; charset=utf-8"
    else:
        text, media_type = compact_json(json_feed(saved, page.events, next_cursor=cursor)), JSON
    tag = etag(text)
    headers = {"ETag": tag, "Cache-Control": "private, no-cache", "Vary": "Accept", **marks}
    if not_modified(event.headers.get("If-None-Match"), tag):
        return Response(304, media_type, "", headers=headers)
    return Response(200, media_type, text, headers=headers)


def _is_atom(parameters: Mapping[str, str], accept: str | None) -> bool:
    form = parameters.get("format")
    if form not in (None, "json", "atom"):
        raise Unprocessable.field("format", one_of(("json", "atom"), form))
    return form == "atom" or (form is None and negotiated(accept, [JSON, MEDIA_TYPE]) == MEDIA_TYPE)


def _types(parameters: Mapping[str, str], saved: StoredSearch) -> list[str]:
    """Return the requested types of events, or those that are delivered by default."""
    if types := names_in(parameters.get("types", "")):
        if not set(types) <= set(HEADINGS):
            raise Unprocessable.field("types", one_of(HEADINGS, ", ".join(types)))
        return list(types)
    return [kind for kind in HEADINGS if delivered_by_default(saved["delivery"], kind)]


def _limit(parameters: Mapping[str, str]) -> int:
    text = parameters.get("limit", str(LIMIT))
    if not _NUMBER.fullmatch(text) or not 1 <= int(text) <= MAX_LIMIT:
        raise Unprocessable.field("limit", from_to(1, MAX_LIMIT, text))
    return int(text)


def _after(parameters: Mapping[str, str], search_id: str) -> int | None:
    """Return the number of the event in `after`, which must belong to this search."""
    number = _number(parameters, "after", _EVENT_ID)
    match = _EVENT_ID.fullmatch(parameters["after"]) if number is not None else None
    if match and match["search"] not in (None, search_id):
        raise Unprocessable.field(
            "after", "must be an event's id or number in this feed, not in that of another search"
        )
    return number


def _number(parameters: Mapping[str, str], name: str, form: re.Pattern[str]) -> int | None:
    if name not in parameters:
        return None
    match = form.fullmatch(parameters[name])
    if not match:
        valid = "`next_cursor` of an earlier page" if name == "cursor" else "an event's id or number"
        raise Unprocessable.field(name, f"must be {valid}")
    return int(match[match.lastindex or 0])


def _with(address: str, parameters: Mapping[str, str | None]) -> str:
    named = {name: value for name, value in parameters.items() if value is not None}
    return f"{address}?{urlencode(named)}" if named else address
