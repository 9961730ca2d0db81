"""The schedule and the delivery of a saved search: the caller's fields, merged over the stored ones.

A change is a JSON Merge Patch (RFC 7396): fields that are not named keep their values. An empty value counts as absent,
as everywhere in this API; only `"webhook": null` removes something.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TypedDict, TypeVar, final

from shared.delivery.addresses import check_url
from shared.delivery.settings import DeliverySettings, StoredWebhook
from shared.errors import BadRequest, FieldError
from shared.json_types import JsonObject
from shared.saved_searches.fields import READ_ONLY_OF_WEBHOOK, AskedDelivery, AskedSchedule, AskedWebhook
from shared.saved_searches.schedule import Schedule, flexible_minutes, interval_s, read_schedule
from shared.saved_searches.stored import StoredSchedule
from shared.validation import is_blank, validated

Part = TypeVar("Part")


@final
class WebhookToSet(TypedDict):
    """A webhook to be set, or to be enabled again."""

    url: str


class DeliveryToSet(TypedDict):
    """Delivery settings with a webhook to be activated, with the stored webhook unchanged, or without one."""

    webhook: WebhookToSet | StoredWebhook | None
    sns: bool
    baseline: bool


NO_DELIVERY: DeliveryToSet = {"webhook": None, "sns": False, "baseline": False}


def inside(part: str, read: Callable[[], Part]) -> Part:
    """Return what `read` returns; prefix the fields of a BadRequest that it raises with the part's name."""
    try:
        return read()
    except BadRequest as error:
        errors = [FieldError(f"{part}.{it.field}", it.message) for it in error.errors]
        raise type(error)("; ".join(f"{it.field}: {it.message}" for it in errors), errors, hint=error.hint) from None


def schedule_of(given: JsonObject, now: datetime, stored: StoredSchedule | None) -> StoredSchedule:
    """Return the schedule with the caller's fields over the stored ones; `stored` is None for a new saved search.

    Raises BadRequest or Unprocessable.
    """
    named = {name: it for name, it in given.items() if not is_blank(it) or name not in AskedSchedule.model_fields}
    unchanged = {"expression": stored["expression"], "timezone": stored["timezone"]} if stored else {}
    requested = inside("schedule", lambda: validated(AskedSchedule, {**unchanged, **named}))
    schedule = read_schedule(requested.expression, requested.timezone, now=now)
    minutes = requested.flexible_minutes
    if minutes is None:
        minutes = _unchanged_minutes(stored, schedule, now) if stored else flexible_minutes(schedule, now)
    return {"expression": schedule.expression, "timezone": schedule.timezone, "flexible_minutes": minutes or None}


def _unchanged_minutes(stored: StoredSchedule, after: Schedule, now: datetime) -> int | None:
    """Return the stored flexible window, shortened if it is longer than the new interval.

    A default window becomes no longer than the new schedule's default: a caller who changes a daily schedule to a
    fixed hour did not request a delay of up to a day.
    """
    minutes, before = stored["flexible_minutes"], Schedule(stored["expression"], stored["timezone"])
    if minutes is None or after.expression == before.expression:
        return minutes
    default = flexible_minutes(after, now)
    longest = default or 0 if minutes == flexible_minutes(before, now) else interval_s(after, now) / 60
    return minutes if minutes <= longest else default


def delivery_of(given: JsonObject, stored: DeliverySettings | None) -> DeliveryToSet:
    """Return the delivery with the caller's fields over the stored ones; `stored` is None for a new saved search.

    A webhook to be set, or enabled again, has only `url`; a stored one that does not change is returned whole. Raises
    BadRequest or Unprocessable.
    """
    requested = inside("delivery", lambda: validated(AskedDelivery, given))
    before: DeliveryToSet = {**stored} if stored else NO_DELIVERY
    webhook = before["webhook"]
    if "webhook" in given and given["webhook"] is None:
        webhook = None
    elif requested.webhook is not None:
        webhook = _webhook(requested.webhook, stored)
    named = requested.model_fields_set
    return {
        "webhook": webhook,
        "sns": requested.sns if "sns" in named else before["sns"],
        "baseline": requested.baseline if "baseline" in named else before["baseline"],
    }


def _webhook(given: JsonObject, stored: DeliverySettings | None) -> WebhookToSet | StoredWebhook | None:
    """A disabled webhook is enabled by its URL, unless it is sent back as the disabled one that GET returns."""
    current = stored["webhook"] if stored else None
    read_only = READ_ONLY_OF_WEBHOOK if stored else ()
    named = {name: it for name, it in given.items() if name not in read_only and not (name == "url" and is_blank(it))}
    if stored and not named:
        return current
    fields = {**({"url": current["url"]} if current else {}), **named}
    requested = inside("delivery.webhook", lambda: validated(AskedWebhook, fields))
    unchanged = current is not None and requested.url == current["url"]
    if current and unchanged and (current["status"] == "active" or given.get("status") == "disabled"):
        return current
    check_url(requested.url)
    return {"url": requested.url}
