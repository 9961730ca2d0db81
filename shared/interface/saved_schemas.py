"""What requests for saved searches may hold: new ones whole, changes as JSON Merge Patches."""

from __future__ import annotations

from collections.abc import Callable

from shared.interface.accepted_forms import SPECIAL, Schema, ref
from shared.interface.meanings import MEANINGS
from shared.saved.asked import (
    READ_ONLY,
    READ_ONLY_OF_WEBHOOK,
    AskedDelivery,
    AskedSchedule,
    AskedWebhook,
    SavedSearchRequest,
)

_NEEDED = ("search", "schedule")
# The schema of a model as a body; with `partial=True`, of a change of it.
Body = Callable[..., Schema]
_TOLD = {"description": "Read-only: what comes here is passed over."}


def saved_schemas(body: Body, searched: Schema) -> dict[str, Schema]:
    """The schemas by name; `searched` is that of a search."""
    whole = body(SavedSearchRequest)
    needed = {name: {"description": MEANINGS[name], **SPECIAL[name]} for name in _NEEDED}
    fields = {name: it for name, it in searched["properties"].items() if name != "format"}
    no_cursor = {"description": "Not in a saved search.", **ref("Absent")}
    return {
        **{model.__name__: body(model) for model in (AskedSchedule, AskedDelivery, AskedWebhook)},
        "SavedSearchRequest": {**whole, "properties": {**whole["properties"], **needed}, "required": list(_NEEDED)},
        **_changes(body),
        "WatchedSearch": {
            **searched,
            "description": "A search, as it is made again and again.",
            "properties": {**fields, "cursor": no_cursor},
            "anyOf": [it for it in searched["anyOf"] if it["required"] != ["cursor"]],
        },
    }


def _changes(body: Body) -> dict[str, Schema]:
    """The parts as a change names them, and what GET shows beside, which is passed over."""
    delivery, webhook = body(AskedDelivery, partial=True), body(AskedWebhook, partial=True)
    webhook["properties"] |= dict.fromkeys(READ_ONLY_OF_WEBHOOK, _TOLD)
    removed = "Its URL; null: none any more."
    delivery["properties"]["webhook"] = {"description": removed, "anyOf": [ref("WebhookChange"), ref("Absent")]}
    whole = body(SavedSearchRequest)
    own = {
        "schedule": [ref("ScheduleChange"), *SPECIAL["schedule"]["anyOf"][1:], ref("Absent")],
        "delivery": [ref("DeliveryChange"), ref("Absent")],
    }
    fields = {name: {"description": MEANINGS[name], "anyOf": forms} for name, forms in own.items()}
    meaning = "What shall be another way; the rest stays, also of `schedule` and `delivery`."
    return {
        "ScheduleChange": body(AskedSchedule, partial=True),
        "WebhookChange": webhook,
        "DeliveryChange": delivery,
        "SavedSearchChange": {
            **whole,
            "description": meaning,
            "properties": {**whole["properties"], **fields, **dict.fromkeys(READ_ONLY, _TOLD)},
        },
    }
