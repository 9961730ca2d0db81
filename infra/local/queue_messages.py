"""Messages of the local queues, in the form in which SQS gives them to Lambda."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import boto3
from moto.core.utils import unix_time
from moto.sqs.models import Message, SQSBackend

from infra.local.resources import PREFIX, REGION, queue_variable
from infra.tables import Queue


@contextmanager
def retention_read_from_the_queue() -> Iterator[None]:
    """While inside, moto reads how long a queue keeps its messages from the queue itself.

    For each message that it receives it collects every attribute of the queue instead, some of which are counted over
    all messages: the time of emptying a queue grows with the square of its length.
    """

    def kept(backend: SQSBackend, queue_name: str, message: Message) -> bool:
        seconds: int = backend.get_queue(queue_name).message_retention_period  # type: ignore[attr-defined]
        return (message.sent_timestamp or 0) / 1000 + seconds > unix_time()

    with patch.object(SQSBackend, "is_message_valid_based_on_retention_period", kept):
        yield


def received_from(queue: Queue) -> list[Any]:
    """Up to ten messages, which are hidden for a while."""
    received = boto3.client("sqs").receive_message(
        QueueUrl=os.environ[queue_variable(queue)],
        MaxNumberOfMessages=10,
        MessageSystemAttributeNames=["All"],
        MessageAttributeNames=["All"],
    )
    return list(received.get("Messages", []))


def _attribute(attribute: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "stringValue": attribute["StringValue"],
        "stringListValues": [],
        "binaryListValues": [],
        "dataType": "String",
    }


def record_of(message: Mapping[str, Any], queue: Queue) -> dict[str, Any]:
    """A received message in the form in which SQS gives it to Lambda."""
    return {
        "messageId": message["MessageId"],
        "receiptHandle": message["ReceiptHandle"],
        "body": message["Body"],
        "attributes": message.get("Attributes", {}),
        "messageAttributes": {name: _attribute(it) for name, it in message.get("MessageAttributes", {}).items()},
        "md5OfBody": message["MD5OfBody"],
        "eventSource": "aws:sqs",
        "eventSourceARN": f"arn:aws:sqs:{REGION}:000000000000:{PREFIX}-{queue.name}",
        "awsRegion": REGION,
    }
