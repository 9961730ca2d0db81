"""A local queue keeps a message for as long as SQS does."""

from __future__ import annotations

import os

import boto3
import pytest
from moto.core.models import DEFAULT_ACCOUNT_ID
from moto.sqs.models import sqs_backends

from infra.local.machine import Machine
from infra.local.queue_messages import received_from
from infra.local.resources import PREFIX, REGION, queue_variable
from infra.tables import CITATIONS


@pytest.mark.parametrize(("age_s", "received"), [(-60, 1), (60, 0)])
def test_a_message_is_received_until_its_queue_forgets_it(
    local: Machine, monkeypatch: pytest.MonkeyPatch, age_s: int, received: int
) -> None:
    boto3.client("sqs").send_message(QueueUrl=os.environ[queue_variable(CITATIONS)], MessageBody="{}")
    queue = sqs_backends[DEFAULT_ACCOUNT_ID][REGION].get_queue(f"{PREFIX}-{CITATIONS.name}")
    [message] = queue.messages
    sent: int = message.sent_timestamp  # type: ignore[assignment]  # declared None until it is sent
    monkeypatch.setattr(message, "sent_timestamp", sent - (CITATIONS.retention_s + age_s) * 1000)

    assert len(received_from(CITATIONS)) == received
