"""A saved search as its owner sees it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEvent

from functions.dispatcher.wiring import saved_searches as wiring
from shared.aws.rest_api.request_body import request_id, service_address
from shared.canonical_json import compact_json
from shared.clock import timestamp
from shared.cursors import read_cursor, write_cursor
from shared.saved_searches.feed import PATH, feed_links
from shared.saved_searches.schedule import Schedule, firings
from shared.saved_searches.stored import StoredSearch
from shared.search.sizes.list_budget import fitted

if TYPE_CHECKING:
    from shared.answers.saved_searches import (
        Delivery,
        NewDelivery,
        NewSavedSearchAnswer,
        NewWebhook,
        SavedSearchAnswer,
        SavedSearchesAnswer,
        SavedSearchFields,
    )

_LIST = "saved-searches"  # in cursors


def saved_searches_answer(
    searches: Sequence[StoredSearch], cursor: str | None, limit: int, max_tokens: int | None, *, request: str
) -> SavedSearchesAnswer:
    """Return the page that begins at the cursor, of all searches of one owner; `request` is the request id.

    Raises Unprocessable for another list's cursor, and with a budget that is enough if not even one search fits.
    """
    after = read_cursor(_LIST, cursor)
    left = [it for it in searches if _position(it) > after]

    def read(count: int) -> SavedSearchesAnswer:
        return {
            "saved_searches": [{**_fields(it), "delivery": _delivery(it)} for it in left[:count]],
            "next_cursor": write_cursor(_LIST, _position(left[count - 1])) if count < len(left) else None,
            "request_id": request,
        }

    return fitted(read, limit, max_tokens, "saved_searches")


def _position(saved: StoredSearch) -> str:
    """Return the place of a search in the list of its owner, which no other search changes."""
    return f"{saved['created_at']} {saved['id']}"


def saved_search_answer(saved: StoredSearch, request: str) -> SavedSearchAnswer:
    """Return the answer about one search; `request` is the request id."""
    return {**_fields(saved), "delivery": _delivery(saved), "request_id": request}


def saved_search_response(
    event: APIGatewayProxyEvent, status: int, saved: StoredSearch, secret: str | None = None
) -> Response[str]:
    """Return the HTTP response to a request that created or changed the search, with a new webhook secret if any."""
    shown = _delivery(saved)
    webhook: NewWebhook | None = None
    if current := shown["webhook"]:
        renewed: NewWebhook = {
            "url": current["url"],
            "status": current["status"],
            "disabled_reason": current["disabled_reason"],
        }
        if secret:
            renewed["secret"] = secret
        webhook = renewed
    delivery: NewDelivery = {"webhook": webhook, "sns": shown["sns"], "baseline": shown["baseline"]}
    answer: NewSavedSearchAnswer = {**_fields(saved), "delivery": delivery, "request_id": request_id(event)}
    headers = {"Location": f"{service_address(event)}{PATH}/{saved['id']}"} if status == 201 else {}
    return Response(status, "application/json", compact_json(answer), headers=headers)


def _fields(saved: StoredSearch) -> SavedSearchFields:
    return {
        "id": saved["id"],
        "name": saved["name"],
        "search": {**saved["search"]} if saved["search"] else None,
        "watch": {**saved["watch"]} if saved["watch"] else None,
        "schedule": saved["schedule"],
        "enabled": saved["enabled"],
        "created_at": saved["created_at"],
        "updated_at": saved["updated_at"],
        "next_run_at": _next_run_at(saved) if saved["enabled"] else None,
        "last_started_at": saved.get("last_started_at"),
        "last_run": saved["last_run"],
        "feed": feed_links(saved["id"]),
    }


def _delivery(saved: StoredSearch) -> Delivery:
    delivery = saved["delivery"]
    webhook = delivery["webhook"]
    return {
        "webhook": webhook
        and {"url": webhook["url"], "status": webhook["status"], "disabled_reason": webhook["disabled_reason"]},
        "sns": delivery["sns"],
        "baseline": delivery["baseline"],
    }


def _next_run_at(saved: StoredSearch) -> str | None:
    """Return the next scheduled run, or an earlier one-time run: the first, or the rest of an unfinished one."""
    now = wiring.now()
    schedule = Schedule(saved["schedule"]["expression"], saved["schedule"]["timezone"])
    following = next(firings(schedule, now, wiring.moment(saved["created_at"])), None)
    moments = [timestamp(following)] if following else []
    soon_at = saved.get("soon_at", "")
    if soon_at > timestamp(now):
        moments.append(soon_at)
    return min(moments, default=None)
