"""Queues the next step of a reference check."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from shared.aws.messaging.queues import message_attributes

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient


def send_check(sqs: SQSClient, queue_url: str, check_id: str, *, delay_s: int = 0) -> None:
    """Send the message after which the next references of a check are checked. Raises botocore's errors."""
    body, ids = json.dumps({"check_id": check_id}), message_attributes()
    sqs.send_message(QueueUrl=queue_url, MessageBody=body, MessageAttributes=ids, DelaySeconds=delay_s)
