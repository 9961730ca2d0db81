"""A saved search as its owner sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEvent

from functions.dispatcher.request_body import request_id, service_address
from functions.dispatcher.wiring import saved_searches as wiring
from shared.aws.dynamodb.saved_searches.searches import view
from shared.canonical_json import compact_json
from shared.clock import timestamp
from shared.saved_searches.feed import PATH, feed_links
from shared.saved_searches.schedule import Schedule, firings

WEBHOOK = ("url", "status", "disabled_reason")


def shown(saved: Mapping[str, Any]) -> dict[str, Any]:
    """The search without its state, with its next run and where its feed is."""
    told = {**view(saved), "next_run_at": _next_run_at(saved) if saved["enabled"] else None}
    if webhook := saved["delivery"]["webhook"]:
        told["delivery"] = {**saved["delivery"], "webhook": {name: webhook[name] for name in WEBHOOK}}
    return {"last_run": None, **told, "feed": feed_links(saved["id"])}


def _next_run_at(saved: Mapping[str, Any]) -> str | None:
    """Of its schedule, or of the one run that is to come before: a first one, or what that had no time for."""
    now = wiring.now()
    schedule = Schedule(saved["schedule"]["expression"], saved["schedule"]["timezone"])
    following = next(firings(schedule, now, wiring.moment(saved["created_at"])), None)
    moments = [timestamp(following)] if following else []
    if saved.get("soon_at", "") > timestamp(now):
        moments.append(saved["soon_at"])
    return min(moments, default=None)


def answered(
    event: APIGatewayProxyEvent, status: int, saved: Mapping[str, Any], secret: str | None = None
) -> Response[str]:
    """The search as the answer to its request; with a webhook's secret, which is told this once."""
    told = shown(saved)
    if secret:
        told["delivery"] = {**told["delivery"], "webhook": {**told["delivery"]["webhook"], "secret": secret}}
    headers = {"Location": f"{service_address(event)}{PATH}/{saved['id']}"} if status == 201 else {}
    return Response(
        status, "application/json", compact_json({**told, "request_id": request_id(event)}), headers=headers
    )
