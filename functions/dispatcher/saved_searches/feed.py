"""The feed of a saved search over HTTP: JSON or Atom, in pages, with ETags."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEvent

from functions.dispatcher.file_responses import left_out_header
from shared.answers.content_trust import UNTRUSTED
from shared.aws.dynamodb.saved_searches.searches import EventPage, SavedSearches
from shared.aws.rest_api.list_parameters import budget_of, limit_of
from shared.aws.rest_api.request_body import query_value, service_address
from shared.canonical_json import compact_json
from shared.delivery.deliveries import delivered_by_default
from shared.error_texts import one_of
from shared.errors import Unprocessable
from shared.exports.file_budget import within_budget
from shared.exports.formats import negotiated
from shared.saved_searches.atom import HEADINGS, MEDIA_TYPE, atom_feed
from shared.saved_searches.feed import etag, json_feed, not_modified
from shared.saved_searches.stored import StoredSearch
from shared.search.requests.input_forms import names_in
from shared.search.sizes.list_budget import fitted
from shared.validation import is_blank

if TYPE_CHECKING:
    from shared.answers.saved_searches import FeedAnswer

JSON = "application/json"
LIMIT = 50
PARAMETERS = ("format", "limit", "max_tokens", "cursor", "after")  # and `types`, a list
_CURSOR = re.compile("0*[1-9][0-9]{0,9}")
_EVENT_ID = re.compile(r"(?:(?P<search>[0-9a-f]{20})-)?(0*[0-9]{1,10})")


def feed_response(event: APIGatewayProxyEvent, saved: StoredSearch, searches: SavedSearches) -> Response[str]:
    """Return one page of the feed, or 304 if the reader has it already. Raises Unprocessable for invalid parameters."""
    given = {name: query_value(event, name) for name in PARAMETERS}
    given["types"] = ",".join(event.resolved_query_string_parameters.get("types", []))
    parameters = {name: value for name, value in given.items() if value is not None and not is_blank(value)}
    below, after = _number(parameters, "cursor", _CURSOR), _after(parameters, saved["id"])
    limit, max_tokens, types = limit_of(event, LIMIT), budget_of(event), _types(parameters, saved)
    page = searches.events(saved["id"], above=after or 0, below=below, limit=limit, types=types)
    marks = {}
    if _is_atom(parameters, event.headers.get("Accept")):
        parameters = {"format": "atom", **parameters}  # a reader that follows a link sends no Accept header
        text, left_out = _atom(saved, page, service_address(event) + event.path, parameters, max_tokens)
        cursor = _cursor_after(page, len(page.events) - left_out)
        more = {"Next-Cursor": cursor} if cursor else {}
        marks = {"Content-Trust": UNTRUSTED, **more, **left_out_header(left_out)}
        media_type = f"{MEDIA_TYPE}; charset=utf-8"
    else:
        text, media_type = compact_json(_json(saved, page, max_tokens)), JSON
    tag = etag(text)
    headers = {"ETag": tag, "Cache-Control": "private, no-cache", "Vary": "Accept", **marks}
    if not_modified(event.headers.get("If-None-Match"), tag):
        return Response(304, media_type, "", headers=headers)
    return Response(200, media_type, text, headers=headers)


def _json(saved: StoredSearch, page: EventPage, max_tokens: int | None) -> FeedAnswer:
    """Return the page as an answer, with as many of its events as fit into the budget."""

    def read(count: int) -> FeedAnswer:
        return json_feed(saved, page.events[:count], next_cursor=_cursor_after(page, count))

    return fitted(read, len(page.events), max_tokens, "events")


def _atom(
    saved: StoredSearch, page: EventPage, address: str, parameters: Mapping[str, str], max_tokens: int | None
) -> tuple[str, int]:
    """Return the page as a document, with as many of its events as fit into the budget, and how many do not."""
    events = page.events
    latest = events[0]["at"] if events else saved["created_at"]

    def write(count: int) -> str:
        cursor = _cursor_after(page, count)
        older = _with(address, {**parameters, "cursor": cursor}) if cursor else None
        return atom_feed(saved, events[:count], self_url=_with(address, parameters), next_url=older, updated=latest)

    return within_budget(write, len(events), max_tokens)


def _cursor_after(page: EventPage, count: int) -> str | None:
    """Return the cursor of the events behind the first so many of the page; None if there are none."""
    return str(page.events[count - 1]["number"]) if page.more or count < len(page.events) else None


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
