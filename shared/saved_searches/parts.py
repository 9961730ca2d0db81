"""The schedule and the delivery of a saved search as they shall be: what a caller names, over what there is.

A change is a JSON Merge Patch (RFC 7396): what it does not name stays. But an empty value is an absent one, here as
elsewhere; only `"webhook": null` removes something.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, TypeVar

from shared.delivery.addresses import check_url
from shared.errors import BadRequest, FieldError
from shared.saved_searches.fields import READ_ONLY_OF_WEBHOOK, AskedDelivery, AskedSchedule, AskedWebhook
from shared.saved_searches.schedule import Schedule, flexible_minutes, interval_s, read_schedule
from shared.validation import is_blank, validated

Read = TypeVar("Read")


def inside(part: str, read: Callable[[], Read]) -> Read:
    """What `read` returns; its refusal names the fields as fields of the part."""
    try:
        return read()
    except BadRequest as error:
        faults = [FieldError(f"{part}.{fault.field}", fault.message) for fault in error.errors]
        raise type(error)("; ".join(f"{it.field}: {it.message}" for it in faults), faults, hint=error.hint) from None


def schedule_of(given: Mapping[str, Any], now: datetime, kept: Mapping[str, Any] | None) -> dict[str, Any]:
    """`{expression, timezone, flexible_minutes: int | None}`; `kept` is that of a search which is there already.

    Raises BadRequest or Unprocessable.
    """
    named = {name: it for name, it in given.items() if not is_blank(it) or name not in AskedSchedule.model_fields}
    stays = {name: kept[name] for name in ("expression", "timezone")} if kept else {}
    asked = inside("schedule", lambda: validated(AskedSchedule, {**stays, **named}))
    read = read_schedule(asked.expression, asked.timezone, now=now)
    minutes = asked.flexible_minutes
    if minutes is None:
        minutes = _kept_minutes(kept, read, now) if kept else flexible_minutes(read, now)
    return {"expression": read.expression, "timezone": read.timezone, "flexible_minutes": minutes or None}


def _kept_minutes(kept: Mapping[str, Any], after: Schedule, now: datetime) -> int | None:
    """The window that there is, unless it is longer than the new interval.

    One that nobody chose is no longer than the new schedule's own: who names an hour now did not ask for a day's delay.
    """
    minutes, before = kept["flexible_minutes"], Schedule(kept["expression"], kept["timezone"])
    if minutes is None or after.expression == before.expression:
        return minutes  # type: ignore[no-any-return]
    own = flexible_minutes(after, now)
    longest = own or 0 if minutes == flexible_minutes(before, now) else interval_s(after, now) / 60
    return minutes if minutes <= longest else own


def delivery_of(given: Mapping[str, Any], kept: Mapping[str, Any] | None) -> dict[str, Any]:
    """`{webhook, sns, baseline}`; `kept` is that of a search which is there already.

    Of a webhook that is to be set, or enabled again, `{url}`; else the one that there is, whole, or None. Raises
    BadRequest or Unprocessable.
    """
    asked = inside("delivery", lambda: validated(AskedDelivery, given))
    whole = {**(kept or AskedDelivery().model_dump()), **asked.model_dump(include=asked.model_fields_set)}
    if "webhook" in given and given["webhook"] is None:
        whole["webhook"] = None
    elif asked.webhook is not None:
        whole["webhook"] = _webhook(asked.webhook, kept)
    return whole


def _webhook(given: Mapping[str, Any], kept: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """A disabled one is enabled by naming its URL, unless it is sent back as the disabled one that GET shows."""
    there: Mapping[str, Any] | None = kept["webhook"] if kept else None
    unheard = READ_ONLY_OF_WEBHOOK if kept else ()
    named = {name: it for name, it in given.items() if name not in unheard and not (name == "url" and is_blank(it))}
    if kept and not named:
        return there
    whole = {**({"url": there["url"]} if there else {}), **named}
    asked = inside("delivery.webhook", lambda: validated(AskedWebhook, whole))
    if there and asked.url == there["url"] and (there["status"] == "active" or given.get("status") == "disabled"):
        return there
    check_url(asked.url)
    return asked.model_dump()
