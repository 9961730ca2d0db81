"""Hands papers and citations to the graph's queue; an answer never waits for the graph, nor fails because of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from botocore.exceptions import BotoCoreError, ClientError

from shared.aws.observability import code_of, followed, logger
from shared.graph.messages import belongs, json_bytes, messages, packed
from shared.provider import timestamp

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

# SQS SendMessageBatch: ten messages, 256 kB together.
ROOM_IN_A_BATCH = (10, 250_000)
Message = Mapping[str, Any]


def publisher(
    sqs: SQSClient, queue_url: str, now: Callable[[], datetime]
) -> Callable[[Sequence[Mapping[str, Any]], Mapping[str, str] | None], dict[str, int]]:
    """A function that queues results and tells `{"queued": n, "skipped": m}`, in papers.

    A paper is queued when the queue took every message that has a part of it.
    """

    def publish(results: Sequence[Mapping[str, Any]], context: Mapping[str, str] | None) -> dict[str, int]:
        refused = send(sqs, queue_url, messages(results, context, timestamp(now())))
        lost = {paper["key"] for message in refused for paper in message["papers"]}
        queued = sum(belongs(result) and result["key"] not in lost for result in results)
        return {"queued": queued, "skipped": len(results) - queued}

    return publish


def send(sqs: SQSClient, queue_url: str, told: Iterable[Message]) -> list[Message]:
    """Queue messages; those that the queue did not take are handed back."""
    batches = packed(told, lambda message: (1, json_bytes(message)), ROOM_IN_A_BATCH)
    return [refused for batch in batches for refused in _send_batch(sqs, queue_url, batch)]


def _send_batch(sqs: SQSClient, queue_url: str, batch: Sequence[Message]) -> Sequence[Message]:
    # ASCII: SQS refuses a few characters that JSON allows.
    ids = {name: {"DataType": "String", "StringValue": value} for name, value in followed().items()}
    entries = [
        {"Id": str(number), "MessageBody": json.dumps(message), "MessageAttributes": ids}
        for number, message in enumerate(batch)
    ]
    try:
        answer = sqs.send_message_batch(QueueUrl=queue_url, Entries=entries)  # type: ignore[arg-type]
    except (ClientError, BotoCoreError) as error:
        logger.error("the citation queue refused a batch", error=code_of(error), messages=len(batch))
        return batch
    taken = {int(entry["Id"]) for entry in answer.get("Successful", [])}
    if len(taken) < len(batch):
        logger.error("the citation queue refused messages", messages=len(batch) - len(taken))
    return [message for number, message in enumerate(batch) if number not in taken]
