"""Saved searches and watches as a tool's arguments: saving, changing, stopping and deleting one.

A tool has one argument, `schedule`, for what the API has in several fields and routes.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote

from .errors import ToolError, bad_request, in_arguments
from .json_types import JsonObject, ToolAnswer
from .transport import call, idempotent, send_for_answer

PATH = "/v1/saved-searches"
DELETE = "delete"
# What stops a saved search for a while, and lets it run again.
SWITCHES = {"off": False, "on": True}
RENEWAL = "new_secret"
WORDS = (*SWITCHES, DELETE, RENEWAL)
# What an object given as `schedule` may have beside the schedule's own fields: fields of the saved search.
_BESIDE = ("name", "delivery")
# The arguments that have what is sent in these fields; those of a search are arguments by themselves.
_ARGUMENTS = {"search": "", "watch": "context", **{name: f"schedule.{name}" for name in _BESIDE}}


def save_search(search: JsonObject, schedule: str | Mapping[str, object], saved_search: str) -> ToolAnswer:
    """Saves the search to run by the schedule; or changes, stops, resumes or deletes the one with this id.

    A `search` that has nothing but a `context` is a watch of the papers that this context cites.
    `schedule`: rate(1 day), a cron expression, or an object with its `expression` and `timezone`, the search's `name`
    and its `delivery`; of a saved one also off, on, delete, or new_secret for the webhook.
    Raises ToolError for every status but 2xx.
    """
    try:
        return _saved(search, schedule, saved_search)
    except ToolError as error:
        raise in_arguments(error, _argument_of) from None


def _saved(search: JsonObject, schedule: str | Mapping[str, object], saved_search: str) -> ToolAnswer:
    what = _what(search)
    if isinstance(schedule, Mapping):
        what |= {name: schedule[name] for name in _BESIDE if name in schedule}
        schedule = {name: it for name, it in schedule.items() if name not in _BESIDE}
    if not saved_search:
        if schedule in WORDS:
            raise bad_request("saved_search", f"required where schedule is {schedule}", f"GET {PATH} lists yours.")
        if not search:
            raise bad_request("query", "required, unless `author`, `queries` or a `context` to watch is given")
        if not schedule:
            raise bad_request("schedule", "has no `expression`, such as rate(1 day)")
        body: JsonObject = {"schedule": schedule, **what}
        return {**call(PATH, body, idempotent(body)), "complete": True}
    if isinstance(schedule, str) and schedule and schedule not in WORDS and "(" not in schedule:
        words = ", ".join(WORDS)
        raise bad_request("schedule", f"{schedule[:50]!r} is neither a schedule such as rate(1 day) nor one of {words}")
    path = f"{PATH}/{quote(str(saved_search), safe='', errors='replace')}"
    if schedule == DELETE:
        send_for_answer("DELETE", path, {})
        return {"deleted": saved_search, "complete": True}
    if schedule == RENEWAL:
        return {**call(f"{path}/webhook-secret", {}), "complete": True}
    change: dict[str, object] = {**what}
    if isinstance(schedule, str) and schedule in SWITCHES:
        change["enabled"] = SWITCHES[schedule]
    elif schedule:
        change["schedule"] = schedule
    return {**send_for_answer("PATCH", path, change), "complete": True}


def _argument_of(field: str) -> str:
    """The argument that has what is sent in a field: `query` for `search.query`."""
    whole, _, part = field.partition(".")
    return f"{_ARGUMENTS.get(whole, whole)}.{part}".strip(".") or whole


def _what(search: JsonObject) -> dict[str, object]:
    """The fields of the body that say what is saved."""
    if search.keys() == {"context"}:
        return {"watch": search["context"]}
    return {"search": search} if search else {}
