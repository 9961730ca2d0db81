"""Messages of the local queues, in the form in which SQS gives them to Lambda."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import boto3

from infra.local.resources import PREFIX, REGION, queue_variable
from infra.tables import Queue


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
