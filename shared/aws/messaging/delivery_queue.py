"""Queues the deliveries of saved searches for the deliverer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shared.aws.messaging.queues import send
from shared.aws.runtime.settings import required
from shared.delivery.deliveries import Delivery, to_message

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient


def queue_deliveries(sqs: SQSClient, deliveries: Sequence[Delivery]) -> bool:
    """Send the deliveries to the deliverer's queue; return whether it accepted all of them."""
    return not send(sqs, required("DELIVERIES_QUEUE_URL"), [{**to_message(it)} for it in deliveries])
