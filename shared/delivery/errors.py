"""Why a webhook was not delivered, where no HTTP status says it."""

from __future__ import annotations

from shared.errors import LiteratureError


class WebhookError(LiteratureError):
    """The delivery attempt failed before an HTTP status was received; the message says why."""

    code = "webhook_undelivered"
    retryable = True


class AddressRefused(WebhookError):
    """The webhook's host resolves to an address that is not public; no connection was made."""
