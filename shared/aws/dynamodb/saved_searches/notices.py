"""Notices in the feed of a saved search that do not come from its runs: its webhook was disabled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shared.aws.dynamodb.saved_searches.keys import WRITE_ATTEMPTS, changed_too_often, event_item, json_text
from shared.aws.dynamodb.saved_searches.searches import SavedSearches
from shared.aws.dynamodb.throttling import transact_write
from shared.delivery.deliveries import Delivery
from shared.delivery.errors import WebhookError
from shared.delivery.settings import StoredWebhook
from shared.errors import Conflict
from shared.saved_searches.new_events import NewEvent
from shared.saved_searches.stored import StoredSearch

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import Table


def disable_webhook(searches: SavedSearches, table: Table, delivery: Delivery, url: str, reason: str, at: str) -> None:
    """Disable a webhook and add one notice to the feed, without overwriting a concurrent change or run.

    Raises Conflict after ten concurrent changes, and WebhookError when the webhook has another URL by now, which has
    not received the delivery: SQS redelivers the message.
    """
    for _ in range(WRITE_ATTEMPTS):
        saved = searches.get(delivery.owner, delivery.search_id)
        webhook = saved and saved["delivery"]["webhook"]
        if not saved or not webhook:
            return
        if webhook["url"] != url:
            raise WebhookError("the webhook's URL was changed meanwhile")
        if webhook["status"] == "disabled":
            keep_undelivered(searches, table, delivery)
            return
        if _write(table, saved, _disabled(webhook, reason, delivery.first), _notice(reason, at)):
            return
    raise changed_too_often()


def keep_undelivered(searches: SavedSearches, table: Table, delivery: Delivery) -> None:
    """Record a delivery to a disabled webhook as undelivered, so that enabling the webhook sends its events.

    Raises Conflict when the webhook was enabled meanwhile: SQS redelivers the message.
    """
    for _ in range(WRITE_ATTEMPTS):
        saved = searches.get(delivery.owner, delivery.search_id)
        webhook = saved and saved["delivery"]["webhook"]
        if not saved or not webhook:
            return
        if webhook["status"] != "disabled":
            break
        reason, first = webhook["disabled_reason"] or "", webhook["undelivered_from"]
        if first <= delivery.first or _write(table, saved, _disabled(webhook, reason, delivery.first), None):
            return
    raise Conflict("the saved search is being changed")


def _disabled(webhook: StoredWebhook, reason: str, first: int) -> StoredWebhook:
    return {**webhook, "status": "disabled", "disabled_reason": reason, "undelivered_from": first}


def _notice(reason: str, at: str) -> NewEvent:
    return {
        "type": "delivery_disabled",
        "at": at,
        "message": f"The webhook was disabled: {reason}. No event is lost: this feed has them all. "
        "A PATCH with the webhook's url enables it again.",
        "run_id": None,
        "key": None,
        "preprint_key": None,
        "paper": None,
    }


def _write(table: Table, saved: StoredSearch, webhook: StoredWebhook, notice: NewEvent | None) -> bool:
    """Return False if the search was changed meanwhile, or the notice's number was taken."""
    number = saved["next_number"]
    update = {
        "TableName": table.name,
        "Key": {"pk": saved["pk"], "sk": saved["sk"]},
        "UpdateExpression": "SET delivery = :delivery, version = :version, next_number = :next",
        "ConditionExpression": "version = :seen AND next_number = :number",
        "ExpressionAttributeValues": {
            ":delivery": json_text({**saved["delivery"], "webhook": webhook}),
            ":version": saved["version"] + 1,
            ":seen": saved["version"],
            ":number": number,
            ":next": number + (notice is not None),
        },
    }
    items: list[Any] = [{"Update": update}]
    if notice:
        item = event_item(saved["id"], notice, number)
        items.append({"Put": {"TableName": table.name, "Item": item}})
    return transact_write(table, items)
