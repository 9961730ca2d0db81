"""Answers about saved searches, their feed, and the payload of their webhooks."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from typing_extensions import TypedDict

from shared.answers.fields import Key, Moment, NextCursor, RequestId, Trust
from shared.answers.graph import ContextRef, CutByBudget
from shared.answers.saved_search_runs import LastRun, WatchRun
from shared.answers.search import Paper
from shared.field_schema import FieldSchema
from shared.json_types import JsonObject

SearchId = Annotated[str, FieldSchema(pattern="^[0-9a-f]{20}$")]


class Schedule(TypedDict):
    """When a saved search runs."""

    expression: Annotated[str, FieldSchema("In the syntax of EventBridge Scheduler.", examples=["rate(1 day)"])]
    timezone: str
    flexible_minutes: Annotated[
        int | None, FieldSchema("How many minutes late a run may start; null: exactly on time.")
    ]


class Webhook(TypedDict):
    """A webhook, and its current state."""

    url: str
    status: Annotated[Literal["active", "disabled"], FieldSchema("disabled: nothing more is sent.")]
    disabled_reason: str | None


class NewWebhook(Webhook):
    """A webhook, with its secret when that is new."""

    secret: NotRequired[Annotated[str, FieldSchema("Signs each delivery. It is shown only once.", pattern="^whsec_")]]


class Delivery(TypedDict):
    """Where new items are delivered, in addition to the feed."""

    webhook: Webhook | None
    sns: bool
    baseline: Annotated[bool, FieldSchema("Whether papers that existed when the search was saved are delivered too.")]


class NewDelivery(TypedDict):
    """Where new items are delivered, with a new webhook's secret."""

    webhook: NewWebhook | None
    sns: bool
    baseline: bool


class FeedLinks(TypedDict):
    """The addresses of the feed, in both formats."""

    json: str
    atom: str


class SavedSearchFields(TypedDict):
    """A search, or a watch, that runs on a schedule, without its delivery."""

    id: SearchId
    name: str
    search: Annotated[JsonObject | None, FieldSchema("As it was sent; null for a watch.")]
    watch: Annotated[ContextRef | None, FieldSchema("Null for a search.")]
    schedule: Schedule
    enabled: bool
    created_at: Moment
    updated_at: Moment
    next_run_at: Annotated[Moment | None, FieldSchema("The earliest time of the next run. Null: not enabled.")]
    last_started_at: Annotated[Moment | None, FieldSchema("Later than `last_run`: a run is in progress, or failed.")]
    last_run: LastRun | WatchRun | None
    feed: FeedLinks


class SavedSearch(SavedSearchFields):
    """A search that runs on a schedule."""

    delivery: Delivery


class SavedSearchAnswer(SavedSearch):
    """A saved search."""

    request_id: RequestId


class NewSavedSearchAnswer(SavedSearchFields):
    """A saved search, with the secret of a webhook that is new."""

    delivery: NewDelivery
    request_id: RequestId


class WebhookSecretAnswer(TypedDict):
    """A new secret of a webhook, shown only once."""

    secret: Annotated[str, FieldSchema(pattern="^whsec_")]
    previous_valid_until: Annotated[
        Moment, FieldSchema("Until then, deliveries are signed with the previous secret as well.")
    ]
    request_id: RequestId


class SavedSearchesAnswer(TypedDict):
    """A page of the saved searches of the caller, oldest first."""

    saved_searches: list[SavedSearch]
    next_cursor: NextCursor
    truncated: NotRequired[CutByBudget]
    request_id: RequestId


class Event(TypedDict):
    """One event: about a paper, or about the search itself."""

    id: Annotated[str, FieldSchema(pattern="^[0-9a-f]{20}-[0-9]{8,10}$")]
    number: Annotated[int, FieldSchema("Consecutive, in order of time.", minimum=1)]
    type: Annotated[
        Literal[
            "new_paper",
            "now_published",
            "retracted",
            "corrected",
            "expression_of_concern",
            "baseline",
            "delivery_disabled",
        ],
        FieldSchema(
            "now_published: reported, or cited, before as a preprint. baseline: existed when the search was saved. "
            "corrected, expression_of_concern: of a watch."
        ),
    ]
    at: Moment
    run_id: str | None
    key: Key | None
    preprint_key: Annotated[Key | None, FieldSchema("Of now_published: the key under which the preprint was reported.")]
    paper: Annotated[Paper | None, FieldSchema("As in a search result; null for a notice.")]
    message: Annotated[str | None, FieldSchema("The text of a notice.")]
    at_start: NotRequired[
        Annotated[bool, FieldSchema("Of a watch: whether it was so already when the paper was first looked up.")]
    ]


class FeedOf(TypedDict):
    """The saved search that a feed belongs to."""

    id: SearchId
    name: str


class FeedAnswer(TypedDict):
    """A page of a feed, newest first; byte-identical until a new event is added."""

    saved_search: FeedOf
    events: list[Event]
    next_cursor: NextCursor
    truncated: NotRequired[CutByBudget]
    content_trust: Trust


class NewsOf(FeedOf):
    """The saved search that a delivery belongs to."""

    feed: FeedLinks


class News(TypedDict):
    """Up to fifty events, oldest first."""

    saved_search: NewsOf
    events: Annotated[list[Event], FieldSchema(minItems=1)]
    content_trust: Trust


class WebhookPayload(TypedDict):
    """The payload of a webhook: byte-identical on every attempt."""

    type: Literal["saved_search.events"]
    timestamp: Annotated[Moment, FieldSchema("Of the newest event.")]
    data: News
