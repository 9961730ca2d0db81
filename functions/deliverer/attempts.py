"""The number of failed attempts of a delivery, stored beside its saved search.

The receive count of SQS is higher: it includes attempts that failed for other reasons than the receiver, such as a
throttled table or a function that timed out.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from shared.aws.dynamodb.saved_searches.keys import delivery_key, search_key
from shared.clock import epoch_s
from shared.delivery.deliveries import Delivery
from shared.delivery.settings import StoredWebhook

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import Table

TTL = timedelta(days=14)  # as long as a delivery may be sent again: dead letters are retained so long


def failed_attempts(table: Table, delivery: Delivery, webhook: StoredWebhook, now: datetime) -> int:
    """Count one more failed attempt; return how many there were since the webhook was set. Raises botocore's errors."""
    answer = table.update_item(
        Key={"pk": search_key(delivery.search_id), "sk": delivery_key(delivery.id, webhook["set_at"])},
        UpdateExpression="SET expires_at = :end ADD attempts :one",
        ExpressionAttributeValues={":one": 1, ":end": epoch_s(now + TTL)},
        ReturnValues="UPDATED_NEW",
    )
    return int(str(answer["Attributes"]["attempts"]))
