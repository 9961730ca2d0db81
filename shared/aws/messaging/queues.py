"""Sends messages to an SQS queue in batches, and returns those that the queue did not accept."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from botocore.exceptions import BotoCoreError, ClientError

from shared.aws.runtime.observability import current_request_ids, error_code, logger
from shared.canonical_json import chunked, json_bytes

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_sqs.type_defs import MessageAttributeValueTypeDef, SendMessageBatchRequestEntryTypeDef

# SQS SendMessageBatch: ten messages, 256 kB in all.
BATCH_LIMITS = (10, 250_000)
Message = TypeVar("Message", bound=Mapping[str, object])


def send(sqs: SQSClient, queue_url: str, messages: Iterable[Message]) -> list[Message]:
    """Send messages as JSON with the current request ids; returns those that the queue did not accept."""
    batches = chunked(messages, lambda message: (1, json_bytes(message)), BATCH_LIMITS)
    return [rejected for batch in batches for rejected in _send_batch(sqs, queue_url, batch)]


def message_attributes() -> dict[str, MessageAttributeValueTypeDef]:
    """The current request ids, as attributes of a message."""
    return {name: {"DataType": "String", "StringValue": value} for name, value in current_request_ids().items()}


def _send_batch(sqs: SQSClient, queue_url: str, batch: Sequence[Message]) -> Sequence[Message]:
    ids = message_attributes()
    # Bodies are ASCII: SQS rejects a few characters that JSON allows.
    entries: list[SendMessageBatchRequestEntryTypeDef] = [
        {"Id": str(number), "MessageBody": json.dumps(message), "MessageAttributes": ids}
        for number, message in enumerate(batch)
    ]
    queue = queue_url.rpartition("/")[2]
    try:
        response = sqs.send_message_batch(QueueUrl=queue_url, Entries=entries)
    except (ClientError, BotoCoreError) as error:
        logger.error("a queue rejected a batch", queue=queue, error=error_code(error), messages=len(batch))
        return batch
    accepted = {int(entry["Id"]) for entry in response.get("Successful", [])}
    if len(accepted) < len(batch):
        logger.error("a queue rejected messages", queue=queue, messages=len(batch) - len(accepted))
    return [message for number, message in enumerate(batch) if number not in accepted]
