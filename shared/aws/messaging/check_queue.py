"""Queues the next step of a reference check."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from shared.aws.runtime.observability import current_request_ids

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_sqs.type_defs import MessageAttributeValueTypeDef


def send_check(sqs: SQSClient, queue_url: str, check_id: str, *, delay_s: int = 0) -> None:
    """Send the message after which the next references of a check are checked. Raises botocore's errors."""
    ids: dict[str, MessageAttributeValueTypeDef] = {
        name: {"DataType": "String", "StringValue": value} for name, value in current_request_ids().items()
    }
    body = json.dumps({"check_id": check_id})
    sqs.send_message(QueueUrl=queue_url, MessageBody=body, MessageAttributes=ids, DelaySeconds=delay_s)
