"""Where the events of a saved search are delivered, and the webhook's secrets, as they are stored."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict, final

WebhookStatus = Literal["active", "disabled"]


@final
class StoredWebhook(TypedDict):
    """A webhook and its state."""

    url: str
    status: WebhookStatus
    disabled_reason: str | None
    set_at: str  # ISO 8601; failed attempts are counted from this moment
    undelivered_from: NotRequired[int]  # of a disabled webhook: the first event that was not delivered


class DeliverySettings(TypedDict):
    """The channels in addition to the feed; `baseline` adds what existed when the search was saved."""

    webhook: StoredWebhook | None
    sns: bool
    baseline: bool


class Subscription(TypedDict):
    """The fields of a saved search that name its deliveries."""

    id: str
    owner: str
    delivery: DeliverySettings


class PreviousSecret(TypedDict):
    """A replaced secret, which signs deliveries until `valid_until` (ISO 8601)."""

    secret: str
    valid_until: str


class WebhookSecrets(TypedDict):
    """The secrets of a saved search; absent without a webhook."""

    secret: NotRequired[str]
    previous_secrets: NotRequired[list[PreviousSecret]]
