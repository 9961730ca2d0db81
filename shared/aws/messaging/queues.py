"""Hands messages to a queue, in batches; what the queue did not take is handed back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from botocore.exceptions import BotoCoreError, ClientError

from shared.aws.runtime.observability import current_request_ids, error_code, logger
from shared.canonical_json import chunked, json_bytes

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

# SQS SendMessageBatch: ten messages, 256 kB together.
ROOM_IN_A_BATCH = (10, 250_000)
Message = Mapping[str, Any]


def send(sqs: SQSClient, queue_url: str, told: Iterable[Message]) -> list[Message]:
    """Queue messages; those that the queue did not take are handed back."""
    batches = chunked(told, lambda message: (1, json_bytes(message)), ROOM_IN_A_BATCH)
    return [refused for batch in batches for refused in _send_batch(sqs, queue_url, batch)]


def _send_batch(sqs: SQSClient, queue_url: str, batch: Sequence[Message]) -> Sequence[Message]:
    # ASCII: SQS refuses a few characters that JSON allows.
    ids = {name: {"DataType": "String", "StringValue": value} for name, value in current_request_ids().items()}
    entries = [
        {"Id": str(number), "MessageBody": json.dumps(message), "MessageAttributes": ids}
        for number, message in enumerate(batch)
    ]
    queue = queue_url.rpartition("/")[2]
    try:
        answer = sqs.send_message_batch(QueueUrl=queue_url, Entries=entries)  # type: ignore[arg-type]
    except (ClientError, BotoCoreError) as error:
        logger.error("a queue refused a batch", queue=queue, error=error_code(error), messages=len(batch))
        return batch
    taken = {int(entry["Id"]) for entry in answer.get("Successful", [])}
    if len(taken) < len(batch):
        logger.error("a queue refused messages", queue=queue, messages=len(batch) - len(taken))
    return [message for number, message in enumerate(batch) if number not in taken]
