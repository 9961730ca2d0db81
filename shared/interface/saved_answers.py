"""Answers of saved searches, their feed, and what a webhook is sent."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from shared.interface.answers import Complete, Count, Key, Moment, NextCursor, Paper, Providers, RequestId, Told, Trust
from shared.interface.answers import always as only

SearchId = Annotated[str, Field(pattern="^[0-9a-f]{20}$")]


class Schedule(Told):
    """When a saved search runs."""

    expression: Annotated[str, Field(description="As EventBridge Scheduler writes it.", examples=["rate(1 day)"])]
    timezone: str
    flexible_minutes: Annotated[int | None, Field(description="How late a run may begin; null: on the minute.")]


class Webhook(Told):
    """A receiver of news, and how it is doing."""

    url: str
    status: Annotated[Literal["active", "disabled"], Field(description="disabled: nothing is sent any more.")]
    disabled_reason: str | None


class NewWebhook(Webhook):
    """A receiver, with its secret when that is new."""

    model_config = only("url", "status", "disabled_reason")

    secret: Annotated[str, Field(pattern="^whsec_", description="Signs what is sent. It is told this once.")]


class Delivery(Told):
    """Where news goes beside the feed."""

    webhook: Webhook | None
    sns: bool
    baseline: Annotated[bool, Field(description="Whether also what was there already.")]


class NewDelivery(Delivery):
    """Where news goes, with a new webhook's secret."""

    webhook: NewWebhook | None


class FeedLinks(Told):
    """Where its feed is, in both forms."""

    json_form: Annotated[str, Field(alias="json")]
    atom: str


class EventCounts(Told):
    """How many events of each type a run has told."""

    new_paper: Count
    now_published: Count
    retracted: Count
    baseline: Count


class Windows(Told):
    """The windows of days in which a search is asked, so that every source can show each of them whole."""

    asked: Annotated[Count, Field(description="In this run.")]
    all: Count
    left: Annotated[Count, Field(description="Not asked yet: a further run comes soon.")]


class LastRun(Told):
    """What became of a run."""

    run_id: str
    started_at: Moment
    ended_at: Moment
    first_run: bool
    complete: Complete
    events: EventCounts
    providers: Providers
    windows: Windows
    overfull: Annotated[list[str], Field(description="Sources with more on one day than they show.")]
    watched_from: Annotated[str | None, Field(description="Where the search is too broad: the first day watched.")]
    undecided: Annotated[Count, Field(description="Papers left out because a filter could not be applied to them.")]


class SavedSearch(Told):
    """A search that runs by itself."""

    id: SearchId
    name: str
    search: Annotated[dict[str, Any], Field(description="As it was given.")]
    schedule: Schedule
    delivery: Delivery
    enabled: bool
    created_at: Moment
    updated_at: Moment
    next_run_at: Annotated[Moment | None, Field(description="From when on it may run next. Null: not enabled.")]
    last_started_at: Annotated[Moment | None, Field(description="Later than `last_run`: one is under way, or died.")]
    last_run: LastRun | None
    feed: FeedLinks


class SavedSearchAnswer(SavedSearch):
    """A saved search."""

    request_id: RequestId


class NewSavedSearchAnswer(SavedSearchAnswer):
    """A saved search, with the secret of a webhook that is new."""

    delivery: NewDelivery


class WebhookSecretAnswer(Told):
    """A new secret of a webhook, told this once."""

    secret: Annotated[str, Field(pattern="^whsec_")]
    previous_valid_until: Annotated[Moment, Field(description="Until then the secret before it signs too.")]
    request_id: RequestId


class SavedSearchesAnswer(Told):
    """All that the caller has saved, the oldest first."""

    saved_searches: list[SavedSearch]
    request_id: RequestId


class Event(Told):
    """What was told once: of a paper, or of the search itself."""

    id: Annotated[str, Field(pattern="^[0-9a-f]{20}-[0-9]{8,10}$")]
    number: Annotated[int, Field(ge=1, description="Without gaps, in order of time.")]
    type: Annotated[
        Literal["new_paper", "now_published", "retracted", "baseline", "delivery_disabled"],
        Field(description="now_published: told before as a preprint. baseline: there already when it was saved."),
    ]
    at: Moment
    run_id: str | None
    key: Key | None
    preprint_key: Annotated[Key | None, Field(description="Of now_published: how the preprint was told.")]
    paper: Annotated[Paper | None, Field(description="As a search shows it; null of a notice.")]
    message: Annotated[str | None, Field(description="Of a notice.")]


class FeedOf(Told):
    """Whose feed it is."""

    id: SearchId
    name: str


class FeedAnswer(Told):
    """A page of a feed, the newest first; the same bytes as long as nothing new is told."""

    saved_search: FeedOf
    events: list[Event]
    next_cursor: NextCursor
    content_trust: Trust


class NewsOf(FeedOf):
    """Whose news it is."""

    feed: FeedLinks


class News(Told):
    """Up to fifty events, the oldest first."""

    saved_search: NewsOf
    events: Annotated[list[Event], Field(min_length=1)]
    content_trust: Trust


class WebhookPayload(Told):
    """What a webhook is sent: the same bytes at every attempt."""

    type: Literal["saved_search.events"]
    timestamp: Annotated[Moment, Field(description="Of the newest event.")]
    data: News
