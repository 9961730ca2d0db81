"""What the routes of saved searches do with webhooks: set, enabled again, put back, and their secrets made anew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from functions.dispatcher.wiring import saved_searches as wiring
from shared.clock import timestamp
from shared.delivery.addresses import check_url, permitted
from shared.delivery.deliveries import deliveries
from shared.delivery.webhook import new_secret, rotated_secrets
from shared.errors import Conflict, StorageUnavailable, WebhookError, Unprocessable

HINT = 'PATCH it with {"delivery": {"webhook": {"url": "https://…"}}}: that answer has a secret.'


def activate_webhook(delivery: Mapping[str, Any]) -> dict[str, Any]:
    """The delivery with a webhook that begins as active, also one that was disabled; one that stays is as it was.

    Raises Unprocessable for one that leads inward.
    """
    webhook = delivery["webhook"]
    if not webhook or "status" in webhook:
        return dict(delivery)
    target = check_url(webhook["url"])
    try:
        permitted(wiring.resolve(target.host, target.port))
    except (OSError, UnicodeError, WebhookError) as error:
        message = error.message if isinstance(error, WebhookError) else "the host's name leads to no address"
        name = "delivery.webhook.url"
        raise Unprocessable.field(name, message) from None
    # Attempts are counted from the moment at which it was set.
    begun = {"status": "active", "disabled_reason": None, "set_at": timestamp(wiring.now())}
    return {**delivery, "webhook": {"url": webhook["url"], **begun}}


def secret_for(delivery: Mapping[str, Any], before: Mapping[str, Any] | None = None) -> str | None:
    """A secret for a receiver that is not the one before; None where there is none, or the same."""
    webhook, known = delivery["webhook"], before and before["webhook"]
    if not webhook or (known and known["url"] == webhook["url"]):
        return None
    return new_secret(wiring.random_bytes())


def new_secret_for(saved: Mapping[str, Any]) -> dict[str, Any]:
    """`{secret, previous_valid_until}`: until then the one before signs too. Raises Conflict without a webhook."""
    if not saved["delivery"]["webhook"]:
        raise Conflict("this saved search has no webhook", hint=HINT)
    secret, previous = new_secret(wiring.random_bytes()), rotated_secrets(saved, wiring.now())
    wiring.SEARCHES.change(saved, {"previous_secrets": previous}, secret=secret)
    return {"secret": secret, "previous_valid_until": previous[-1]["valid_until"]}


def redeliver_missed(before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    """To a webhook that was disabled and is so no longer, everything since its first failure."""
    webhook = before["delivery"]["webhook"]
    if not webhook or webhook["status"] != "disabled":
        return
    waiting = deliveries(after, webhook["undelivered_from"] - 1, after["next_number"] - 1)
    if wiring.enqueue([it for it in waiting if it.channel == "webhook"]):
        raise StorageUnavailable("what was not delivered could not be queued; send it again", retry_after_s=5.0)


def rollback_delivery(before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    """The delivery as it was, with its secrets: nobody was told of the new one."""
    sets = {"delivery": before["delivery"]}
    sets |= {"previous_secrets": before["previous_secrets"]} if before.get("previous_secrets") else {}
    secret = before.get("secret")
    wiring.SEARCHES.change(after, sets, secret=secret, forget_secret=not secret)
