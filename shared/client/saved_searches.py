"""Saved searches and watches as a tool's arguments: saving, changing, stopping and deleting one."""

from __future__ import annotations

from collections.abc import Mapping

from .json_types import JsonObject, ToolAnswer
from .transport import call, idempotent, send_for_answer

PATH = "/v1/saved-searches"
DELETE = "delete"
# What stops a saved search for a while, and lets it run again.
SWITCHES = {"off": False, "on": True}


def save_search(search: JsonObject, schedule: str | Mapping[str, object], saved_search: str) -> ToolAnswer:
    """Saves the search to run by the schedule; or changes, stops, resumes or deletes the one with this id.

    A `search` that has nothing but a `context` is a watch of the papers that this context cites.
    `schedule`: rate(1 day), a cron expression or an object with its `timezone`; of a saved one also off, on or delete.
    Raises ToolError for every status but 2xx.
    """
    what = _what(search)
    if not saved_search:
        body: JsonObject = {**(what or {"search": {}}), "schedule": schedule}
        return {**call(PATH, body, idempotent(body)), "complete": True}
    path = f"{PATH}/{saved_search}"
    if schedule == DELETE:
        send_for_answer("DELETE", path, {})
        return {"deleted": saved_search, "complete": True}
    change: dict[str, object] = {**what}
    if isinstance(schedule, str) and schedule in SWITCHES:
        change["enabled"] = SWITCHES[schedule]
    elif schedule:
        change["schedule"] = schedule
    return {**send_for_answer("PATCH", path, change), "complete": True}


def _what(search: JsonObject) -> JsonObject:
    """The fields of the body that say what is saved."""
    if search.keys() == {"context"}:
        return {"watch": search["context"]}
    return {"search": search} if search else {}
