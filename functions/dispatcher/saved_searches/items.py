"""What a request writes of a saved search: its first item, and the attributes that a change replaces."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from functions.dispatcher.saved_searches.webhook import activate_webhook
from shared.aws.messaging.schedules import first_run_at
from shared.clock import timestamp
from shared.saved_searches.request import Change, NewRequest
from shared.saved_searches.stored import NewSearch, SearchUpdate, StoredSearch
from shared.saved_searches.windows import StoredWindow, Window, to_json


def new_item(search_id: str, owner: str, request: NewRequest, now: datetime) -> NewSearch:
    """Return the item of a new saved search. Raises Unprocessable if its webhook's host has no public address."""
    at = timestamp(now)
    saved: NewSearch = {
        "id": search_id,
        "owner": owner,
        "name": request.name,
        "search": request.search,
        "watch": request.watch,
        "schedule": request.schedule,
        "delivery": activate_webhook(request.delivery),
        "enabled": request.enabled,
        "created_at": at,
        "updated_at": at,
        "since": at,
        "asked": request.digest(),
    }
    if request.search is not None:
        saved["windows"] = [to_json(Window())]
    if request.enabled:
        saved["soon_at"] = timestamp(first_run_at(now))
    return saved


def update_of(wanted: Change, saved: StoredSearch, now: datetime) -> SearchUpdate:
    """Return the attributes to write. Raises Unprocessable as `new_item` does."""
    update: SearchUpdate = {"updated_at": timestamp(now)}
    if wanted.name is not None:
        update["name"] = wanted.name
    if wanted.schedule is not None:
        update["schedule"] = wanted.schedule
    if wanted.enabled is not None:
        update["enabled"] = wanted.enabled
    if wanted.delivery is not None:
        update["delivery"] = activate_webhook(wanted.delivery)
    begins = _begin_anew(update, wanted, saved)
    unfinished = _has_unsearched(saved["windows"] or []) if saved["search"] else not saved["last_run"]
    if (begins or (unfinished and not saved["enabled"])) and update.get("enabled", saved["enabled"]):
        update["soon_at"] = timestamp(first_run_at(now))
    return update


def _begin_anew(update: SearchUpdate, wanted: Change, saved: StoredSearch) -> bool:
    """Add what another search, or another context, replaces; return whether it is another."""
    if wanted.search is not None and wanted.search != saved["search"]:
        update["search"], update["windows"] = wanted.search, [to_json(Window())]
    elif wanted.watch is not None and wanted.watch != saved["watch"]:
        update["watch"] = wanted.watch
    else:
        return False
    update["last_run"], update["since"] = None, update["updated_at"]
    return True


def _has_unsearched(windows: Sequence[StoredWindow]) -> bool:
    """Return whether the first run has not started, or not reached the last window."""
    return any(window["asked_at"] is None for window in windows)
