"""The messages that a function receives from SQS: each is handled alone, and only those that fail return to the queue.

https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html#services-sqs-batchfailurereporting
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NotRequired, TypedDict

from shared.aws.runtime.observability import bind_attribute_ids

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.batch.types import PartialItemFailureResponse


class ReceivedMessage(TypedDict):
    """A record of an event of SQS."""

    messageId: str
    receiptHandle: str
    body: str
    attributes: NotRequired[Mapping[str, str]]
    messageAttributes: NotRequired[Mapping[str, Mapping[str, str]]]


class ReceivedMessages(TypedDict):
    """An event of SQS."""

    Records: list[ReceivedMessage]


def handle_each(event: ReceivedMessages, handled: Callable[[ReceivedMessage], bool]) -> PartialItemFailureResponse:
    """Handle every message under its own request ids; those not `handled` are delivered again or, at last, put aside.

    `handled` must not raise: an error would return the whole batch to the queue.
    """
    failed = [message["messageId"] for message in event["Records"] if not _is_handled(message, handled)]
    return {"batchItemFailures": [{"itemIdentifier": message_id} for message_id in failed]}


def _is_handled(message: ReceivedMessage, handled: Callable[[ReceivedMessage], bool]) -> bool:
    bind_attribute_ids(message.get("messageAttributes", {}))
    return handled(message)
