"""Hands papers to the graph's queue; an answer never waits for the graph and never fails because of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from botocore.exceptions import BotoCoreError, ClientError

from shared.aws.observability import logger
from shared.graph import belongs, messages
from shared.provider import timestamp

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

ENTRIES_IN_A_BATCH = 10  # SQS SendMessageBatch


def publisher(
    sqs: SQSClient, queue_url: str, now: Callable[[], datetime]
) -> Callable[[Sequence[Mapping[str, Any]], Mapping[str, str] | None], dict[str, int]]:
    """A function that queues results and tells `{"queued": n, "skipped": m}`."""

    def publish(results: Sequence[Mapping[str, Any]], context: Mapping[str, str] | None) -> dict[str, int]:
        waiting = list(messages((result for result in results if belongs(result)), context, timestamp(now())))
        queued = 0
        for start in range(0, len(waiting), ENTRIES_IN_A_BATCH):
            queued += _send(sqs, queue_url, waiting[start : start + ENTRIES_IN_A_BATCH])
        return {"queued": queued, "skipped": len(results) - queued}

    return publish


def _send(sqs: SQSClient, queue_url: str, batch: Sequence[Mapping[str, Any]]) -> int:
    """How many papers the queue took."""
    entries = [
        {"Id": str(number), "MessageBody": json.dumps(message, ensure_ascii=False)}
        for number, message in enumerate(batch)
    ]
    try:
        answer = sqs.send_message_batch(QueueUrl=queue_url, Entries=entries)  # type: ignore[arg-type]
    except (ClientError, BotoCoreError) as error:
        logger.error("the citation queue refused a batch", error=type(error).__name__, messages=len(batch))
        return 0
    if answer.get("Failed"):
        logger.error("the citation queue refused messages", messages=len(answer["Failed"]))
    return sum(len(batch[int(entry["Id"])]["papers"]) for entry in answer.get("Successful", []))
