"""A saved search as its owner sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEvent

from functions.dispatcher.wiring import saved_searches as wiring
from shared.aws.rest_api.request_body import request_id, service_address
from shared.canonical_json import compact_json
from shared.clock import timestamp
from shared.saved_searches.feed import PATH, feed_links
from shared.saved_searches.schedule import Schedule, firings
from shared.saved_searches.stored import StoredSearch

if TYPE_CHECKING:
    from shared.answers.saved_searches import (
        Delivery,
        NewDelivery,
        NewSavedSearchAnswer,
        NewWebhook,
        SavedSearch,
        SavedSearchAnswer,
        SavedSearchFields,
    )


def saved_search(saved: StoredSearch) -> SavedSearch:
    """Return the search without its internal state, with its next run and the addresses of its feed."""
    return {**_fields(saved), "delivery": _delivery(saved)}


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
