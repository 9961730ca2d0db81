"""Saved searches as they are stored: the attributes of their items in DynamoDB, and the JSON in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NotRequired, TypedDict

from shared.delivery.settings import DeliverySettings, PreviousSecret, WebhookSecrets
from shared.json_types import JsonObject

if TYPE_CHECKING:
    from shared.answers.graph import ContextRef
    from shared.answers.saved_search_runs import LastRun, WatchRun
    from shared.saved_searches.windows import StoredWindow


class StoredSchedule(TypedDict):
    """When a saved search runs, in the syntax of EventBridge Scheduler."""

    expression: str
    timezone: str  # an IANA name
    flexible_minutes: int | None  # how late a run may start; None: exactly on time


class ScheduledSearch(TypedDict):
    """The fields of a saved search that its schedule in EventBridge Scheduler depends on."""

    id: str
    owner: str
    schedule: StoredSchedule
    enabled: bool


class SearchItem(ScheduledSearch):
    """The fields that a saved search has from its creation. One of `search` and `watch` is None."""

    name: str
    search: JsonObject | None  # the search request, as the caller sent it
    watch: ContextRef | None
    delivery: DeliverySettings
    created_at: str  # ISO 8601, as all moments
    updated_at: str
    since: str  # when this `search` was set: papers published since are new
    asked: str  # the digest of the request that created it, for its Idempotency-Key


class NewSearch(SearchItem):
    """A saved search to be created."""

    windows: NotRequired[list[StoredWindow]]
    soon_at: NotRequired[str]


class StoredSearch(SearchItem, WebhookSecrets):
    """A stored saved search with its state."""

    pk: str
    sk: str
    listed: str
    version: int  # incremented by every change
    next_number: int  # of the next event
    queued_to: int  # events up to this number are in the delivery queue
    windows: list[StoredWindow] | None  # of a search
    watch_position: NotRequired[str]  # of a watch: the last id that an unfinished run has looked up
    last_run: LastRun | WatchRun | None
    soon_at: NotRequired[str]  # when a run beside the schedule is due
    last_started_at: NotRequired[str]
    last_due: NotRequired[str]  # the scheduled time of the last complete run
    lease_run: NotRequired[str]
    lease_until: NotRequired[int]  # Unix seconds


class SearchUpdate(TypedDict, total=False):
    """Attributes to replace."""

    name: str
    search: JsonObject
    watch: ContextRef
    schedule: StoredSchedule
    delivery: DeliverySettings
    enabled: bool
    updated_at: str
    since: str
    windows: list[StoredWindow]
    last_run: None
    soon_at: str
    previous_secrets: list[PreviousSecret]
