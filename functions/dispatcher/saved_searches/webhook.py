"""The webhooks of saved searches, for the routes: activate, enable again, roll back, and rotate secrets."""

from __future__ import annotations

from typing import TypedDict

from functions.dispatcher.wiring import saved_searches as wiring
from functions.dispatcher.wiring.legs import SQS
from shared.aws.messaging.delivery_queue import queue_deliveries
from shared.clock import timestamp
from shared.delivery.addresses import check_url, permitted
from shared.delivery.deliveries import deliveries
from shared.delivery.errors import WebhookError
from shared.delivery.settings import DeliverySettings, StoredWebhook
from shared.delivery.webhook import new_secret, rotated_secrets
from shared.errors import Conflict, StorageUnavailable, Unprocessable
from shared.saved_searches.parts import DeliveryToSet
from shared.saved_searches.stored import SearchUpdate, StoredSearch

HINT = 'PATCH it with {"delivery": {"webhook": {"url": "https://…"}}}: that answer has a secret.'


class RotatedSecret(TypedDict):
    """A new secret, and until when its predecessor signs deliveries as well."""

    secret: str
    previous_valid_until: str


def activate_webhook(delivery: DeliveryToSet) -> DeliverySettings:
    """Return the delivery with its requested webhook active; a webhook that is stored already stays as it is.

    Raises Unprocessable if the webhook's host has no public address.
    """
    requested = delivery["webhook"]
    webhook: StoredWebhook | None
    if requested is None or "status" in requested:
        webhook = requested
    else:
        _check_addresses(requested["url"])
        webhook = {
            "url": requested["url"],
            "status": "active",
            "disabled_reason": None,
            "set_at": timestamp(wiring.now()),
        }
    return {"webhook": webhook, "sns": delivery["sns"], "baseline": delivery["baseline"]}


def _check_addresses(url: str) -> None:
    target = check_url(url)
    try:
        permitted(wiring.resolve(target.host, target.port))
    except (OSError, UnicodeError, WebhookError) as error:
        message = error.message if isinstance(error, WebhookError) else "the host's name leads to no address"
        raise Unprocessable.field("delivery.webhook.url", message) from None


def secret_for(delivery: DeliverySettings, before: DeliverySettings | None = None) -> str | None:
    """Return a secret for a new webhook URL; None without a webhook, or if its URL is the one before."""
    webhook, previous = delivery["webhook"], before and before["webhook"]
    if not webhook or (previous and previous["url"] == webhook["url"]):
        return None
    return new_secret(wiring.random_bytes())


def rotate_secret(saved: StoredSearch) -> RotatedSecret:
    """Replace the webhook's secret. Raises Conflict without a webhook."""
    if not saved["delivery"]["webhook"]:
        raise Conflict("this saved search has no webhook", hint=HINT)
    secret, previous = new_secret(wiring.random_bytes()), rotated_secrets(saved, wiring.now())
    wiring.SEARCHES.change(saved, {"previous_secrets": previous}, secret=secret)
    return {"secret": secret, "previous_valid_until": previous[-1]["valid_until"]}


def redeliver_missed(before: StoredSearch, after: StoredSearch) -> None:
    """Enqueue every event since the first failure for a webhook that was disabled, and is enabled now."""
    webhook = before["delivery"]["webhook"]
    if not webhook or webhook["status"] != "disabled":
        return
    missed = deliveries(after, webhook["undelivered_from"] - 1, after["next_number"] - 1)
    if not queue_deliveries(SQS, [it for it in missed if it.channel == "webhook"]):
        raise StorageUnavailable("what was not delivered could not be queued; send it again", retry_after_s=5.0)


def rollback_delivery(before: StoredSearch, after: StoredSearch) -> None:
    """Restore the delivery and its secrets after a failed change, whose new secret was not shown to anyone."""
    update: SearchUpdate = {"delivery": before["delivery"]}
    if previous := before.get("previous_secrets"):
        update["previous_secrets"] = previous
    secret = before.get("secret")
    wiring.SEARCHES.change(after, update, secret=secret, forget_secret=not secret)
