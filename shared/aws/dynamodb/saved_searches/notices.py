"""What is told of a saved search by others than its runs: that its webhook was switched off."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from shared.aws.dynamodb.saved_searches.runs import event_item
from shared.aws.dynamodb.saved_searches.searches import SavedSearches
from shared.aws.dynamodb.throttling import transact_write
from shared.delivery.deliveries import Delivery
from shared.errors import Conflict, WebhookError

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import Table

ATTEMPTS = 10


def disable_webhook(searches: SavedSearches, table: Table, delivery: Delivery, url: str, reason: str, at: str) -> None:
    """Switch a webhook off and tell its owner, once; a change or a run at the same moment is not written over.

    Raises Conflict when others were quicker ten times, and WebhookError when the webhook has another URL now, which
    knows nothing of it: the delivery comes again.
    """
    for _ in range(ATTEMPTS):
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
    raise Conflict("the saved search is being changed too often")


def keep_undelivered(searches: SavedSearches, table: Table, delivery: Delivery) -> None:
    """A delivery that waited while its webhook was disabled: enabling it brings these events too.

    Raises Conflict when the webhook was enabled meanwhile: the delivery comes again.
    """
    for _ in range(ATTEMPTS):
        saved = searches.get(delivery.owner, delivery.search_id)
        webhook = saved and saved["delivery"]["webhook"]
        if not saved or not webhook:
            return
        if webhook["status"] != "disabled":
            break
        reason, known = webhook["disabled_reason"], webhook["undelivered_from"]
        if known <= delivery.first or _write(table, saved, _disabled(webhook, reason, delivery.first), None):
            return
    raise Conflict("the saved search is being changed")


def _disabled(webhook: Mapping[str, Any], reason: str, first: int) -> dict[str, Any]:
    return {**webhook, "status": "disabled", "disabled_reason": reason, "undelivered_from": first}


def _notice(reason: str, at: str) -> dict[str, Any]:
    message = f"The webhook was disabled: {reason}. Nothing is lost: this feed has it; a PATCH of its url enables it."
    empty = {"run_id": None, "key": None, "preprint_key": None, "paper": None}
    return {"type": "delivery_disabled", "at": at, "message": message, **empty}


def _write(
    table: Table, saved: Mapping[str, Any], webhook: Mapping[str, Any], notice: Mapping[str, Any] | None
) -> bool:
    """False when somebody else has changed the search, or has taken the number of the notice."""
    number = saved["next_number"]
    update = {
        "TableName": table.name,
        "Key": {"pk": saved["pk"], "sk": saved["sk"]},
        "UpdateExpression": "SET delivery = :delivery, version = :version, next_number = :next",
        "ConditionExpression": "version = :seen AND next_number = :number",
        "ExpressionAttributeValues": {
            ":delivery": json.dumps({**saved["delivery"], "webhook": webhook}, ensure_ascii=False),
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
