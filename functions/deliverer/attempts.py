"""How often a delivery was tried in vain, kept beside its saved search.

SQS counts how often it has shown a message, which is more: a table that does not answer, or a function that died, is
no fault of the receiver.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from shared.aws.dynamodb.saved_searches.keys import delivery_key, search_key
from shared.delivery.deliveries import Delivery

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import Table

KEPT = timedelta(days=14)  # as long as the queue keeps a message


def failed_attempts(table: Table, delivery: Delivery, webhook: Mapping[str, Any], now: datetime) -> int:
    """Count one more, and tell how many there were since the webhook was set. Raises botocore's errors."""
    answer = table.update_item(
        Key={"pk": search_key(delivery.search_id), "sk": delivery_key(delivery.id, webhook["set_at"])},
        UpdateExpression="SET expires_at = :end ADD attempts :one",
        ExpressionAttributeValues={":one": 1, ":end": round((now + KEPT).timestamp())},
        ReturnValues="UPDATED_NEW",
    )
    return int(str(answer["Attributes"]["attempts"]))
