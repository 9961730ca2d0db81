"""Sending messages to a queue: those that it does not accept are returned and logged with the name of the queue."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest
from botocore.exceptions import EndpointConnectionError

from shared.aws.messaging.queues import send

URL = "https://sqs.us-east-1.amazonaws.com/123456789012/literature-search-dev-deliveries"
MESSAGES = [{"number": number} for number in range(12)]


class Queue:
    """SQS that accepts the first batch, rejects one message of it, or cannot be reached."""

    def __init__(self, first: str) -> None:
        self.first, self.messages = first, list[Any]()

    def send_message_batch(self, QueueUrl: str, Entries: list[dict[str, Any]]) -> dict[str, Any]:  # noqa: N803  boto3's
        first, self.first = self.first, "accepted"
        if first == "unreachable":
            raise EndpointConnectionError(endpoint_url=QueueUrl)
        accepted = Entries[1:] if first == "one rejected" else Entries
        self.messages += [json.loads(entry["MessageBody"]) for entry in accepted]
        return {"Successful": [{"Id": entry["Id"]} for entry in accepted]}


@pytest.mark.parametrize(
    ("first", "rejected", "line"),
    [
        ("accepted", [], None),
        ("one rejected", MESSAGES[:1], ("a queue rejected messages", 1)),
        ("unreachable", MESSAGES[:10], ("a queue rejected a batch", 10)),
    ],
)
def test_rejected_messages_are_returned_and_logged_with_the_name_of_the_queue(
    caplog: pytest.LogCaptureFixture, first: str, rejected: list[Any], line: tuple[str, int] | None
) -> None:
    caplog.set_level(logging.INFO)
    queue: Any = Queue(first)
    assert send(queue, URL, MESSAGES) == rejected
    assert queue.messages == [message for message in MESSAGES if message not in rejected]
    logged = [(it.getMessage(), it.__dict__["messages"], it.__dict__["queue"]) for it in caplog.records]
    assert logged == ([(*line, "literature-search-dev-deliveries")] if line else [])
