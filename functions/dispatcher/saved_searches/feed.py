"""The feed of a saved search over HTTP: JSON or Atom, page by page, and 304 for a reader who has it already."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEvent

from functions.dispatcher.request_body import service_address
from shared.aws.dynamodb.saved_searches.searches import SavedSearches
from shared.canonical_json import compact_json
from shared.delivery.deliveries import delivered_by_default
from shared.errors import Unprocessable
from shared.exports.formats import negotiated
from shared.saved_searches.atom import HEADINGS, MEDIA_TYPE, atom_feed
from shared.saved_searches.feed import etag, json_feed, not_modified
from shared.validation import absent

JSON = "application/json"
MAX_LIMIT, LIMIT = 100, 50
PARAMETERS = ("format", "limit", "cursor", "after", "types")
_NUMBER = re.compile("0*[0-9]{1,10}")
_CURSOR = re.compile("0*[1-9][0-9]{0,9}")
_EVENT_ID = re.compile(r"(?:(?P<search>[0-9a-f]{20})-)?(0*[0-9]{1,10})")


def feed_response(event: APIGatewayProxyEvent, saved: Mapping[str, Any], searches: SavedSearches) -> Response[str]:
    """One page. Raises Unprocessable for a parameter that means nothing."""
    given = {name: event.get_query_string_value(name) for name in PARAMETERS}
    asked = {name: value for name, value in given.items() if value is not None and not absent(value)}
    below, after, limit = _read(asked, "cursor", _CURSOR), _after(asked, saved["id"]), _limit(asked)
    page = searches.events(saved["id"], above=after or 0, below=below, limit=limit, types=_types(asked, saved))
    cursor = str(page.events[-1]["number"]) if page.more else None
    if _is_atom(asked, event.headers.get("Accept")):
        address, asked = service_address(event) + event.path, {"format": "atom", **asked}  # a link carries no Accept
        latest = page.events[0]["at"] if page.events else saved["created_at"]
        older = _with(address, {**asked, "cursor": cursor}) if cursor else None
        text = atom_feed(saved, page.events, self_url=_with(address, asked), next_url=older, updated=latest)
        media_type = f"{MEDIA_TYPE}; charset=utf-8"
    else:
        text, media_type = compact_json(json_feed(saved, page.events, next_cursor=cursor)), JSON
    tag = etag(text)
    headers = {"ETag": tag, "Cache-Control": "private, no-cache", "Vary": "Accept"}
    if not_modified(event.headers.get("If-None-Match"), tag):
        return Response(304, media_type, "", headers=headers)
    return Response(200, media_type, text, headers=headers)


def _is_atom(asked: Mapping[str, str], accept: str | None) -> bool:
    form = asked.get("format")
    if form not in (None, "json", "atom"):
        raise Unprocessable.field("format", "must be json or atom")
    return form == "atom" or (form is None and negotiated(accept, [JSON, MEDIA_TYPE]) == MEDIA_TYPE)


def _types(asked: Mapping[str, str], saved: Mapping[str, Any]) -> list[str]:
    """Those that are named; else those that are told unasked."""
    if "types" in asked:
        named = [it.strip() for it in asked["types"].split(",") if it.strip()]
        if not named or not set(named) <= set(HEADINGS):
            raise Unprocessable.field("types", f"must be some of {', '.join(HEADINGS)}")
        return named
    return [kind for kind in HEADINGS if delivered_by_default(saved, kind)]


def _limit(asked: Mapping[str, str]) -> int:
    text = asked.get("limit", str(LIMIT))
    if not _NUMBER.fullmatch(text) or not 1 <= int(text) <= MAX_LIMIT:
        raise Unprocessable.field("limit", f"must be a number from 1 to {MAX_LIMIT}")
    return int(text)


def _after(asked: Mapping[str, str], search_id: str) -> int | None:
    """The number of an event of this search: another's says nothing of what its reader has."""
    number = _read(asked, "after", _EVENT_ID)
    named = number is not None and _EVENT_ID.fullmatch(asked["after"])
    if named and named["search"] not in (None, search_id):
        raise Unprocessable.field(
            "after", "must be an event's id or number in this feed, not in that of another search"
        )
    return number


def _read(asked: Mapping[str, str], name: str, form: re.Pattern[str]) -> int | None:
    if name not in asked:
        return None
    found = form.fullmatch(asked[name])
    if not found:
        valid = "`next_cursor` of an earlier page" if name == "cursor" else "an event's id or number"
        raise Unprocessable.field(name, f"must be {valid}")
    return int(found[found.lastindex or 0])


def _with(address: str, parameters: Mapping[str, str | None]) -> str:
    asked = {name: value for name, value in parameters.items() if value is not None}
    return f"{address}?{urlencode(asked)}" if asked else address
