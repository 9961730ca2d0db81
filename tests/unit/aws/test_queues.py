"""Messages on their way into a queue: what it does not take is handed back, and logged under its name."""

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
    """SQS in which the first batch goes as told: all taken, all but one, or no answer at all."""

    def __init__(self, first: str) -> None:
        self.first, self.held = first, list[Any]()

    def send_message_batch(self, QueueUrl: str, Entries: list[dict[str, Any]]) -> dict[str, Any]:  # noqa: N803  boto3's
        first, self.first = self.first, "taken"
        if first == "away":
            raise EndpointConnectionError(endpoint_url=QueueUrl)
        taken = Entries[1:] if first == "one refused" else Entries
        self.held += [json.loads(entry["MessageBody"]) for entry in taken]
        return {"Successful": [{"Id": entry["Id"]} for entry in taken]}


@pytest.mark.parametrize(
    ("first", "refused", "line"),
    [
        ("taken", [], None),
        ("one refused", MESSAGES[:1], ("a queue refused messages", 1)),
        ("away", MESSAGES[:10], ("a queue refused a batch", 10)),
    ],
)
def test_what_a_queue_does_not_take_is_handed_back_and_logged_under_its_name(
    caplog: pytest.LogCaptureFixture, first: str, refused: list[Any], line: tuple[str, int] | None
) -> None:
    caplog.set_level(logging.INFO)
    queue: Any = Queue(first)
    assert send(queue, URL, MESSAGES) == refused
    assert queue.held == [message for message in MESSAGES if message not in refused]
    told = [(it.getMessage(), it.__dict__["messages"], it.__dict__["queue"]) for it in caplog.records]
    assert told == ([(*line, "literature-search-dev-deliveries")] if line else [])
