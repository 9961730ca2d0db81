"""The operator's commands for dead letters, on the queue of deliveries."""

from __future__ import annotations

import json
import os

import boto3
import pytest

from infra.local import dead_letters
from infra.local.dead_letters import Queues, main, queues, waiting
from infra.local.machine import Machine
from shared.delivery.deliveries import Delivery, to_message
from tests.integration.commands.test_dead_letters import put_dead_letters


@pytest.fixture
def held(local: Machine, monkeypatch: pytest.MonkeyPatch) -> Queues:
    """The deliverer's queues; QUEUE_URL names the first."""
    url = os.environ["DELIVERIES_QUEUE_URL"]
    monkeypatch.setenv("QUEUE_URL", url)
    monkeypatch.setattr(dead_letters, "RECEIVE_S", 0)
    return queues(boto3.client("sqs"), url)


@pytest.mark.slow
def test_a_dead_letter_of_the_deliverer_is_checked_as_a_delivery(
    held: Queues, capsys: pytest.CaptureFixture[str]
) -> None:
    good = to_message(Delivery("an owner", "a search", 1, 2, "sns"))
    poison = [{**good, "last": "a secret"}, {**good, "channel": "telegraph"}, {"search_id": "a"}]
    bodies = [json.dumps(it) for it in (good, *poison)]
    put_dead_letters(held, *bodies, "[" * 100_000)
    assert main(["look"]) == 0
    reasons = {int(line.split("\t")[2]): line.split("\t")[3] for line in capsys.readouterr().out.splitlines()[2:]}
    assert [reasons[len(body)] for body in bodies] == [
        "a valid delivery that failed; redrive it when the cause is fixed (see the log of deliverer)",
        "in a delivery message, owner and search_id are texts, first and last are integers",
        "a delivery message has an unknown channel, or an invalid range of events",
        "not a delivery message: it must have the fields owner, search_id, first, last, channel",
    ]
    assert reasons[100_000] == "invalid message (body: json_invalid)"


def test_a_delivery_that_is_sent_back_reaches_the_deliverer(local: Machine, held: Queues) -> None:
    put_dead_letters(held, json.dumps(to_message(Delivery("an owner", "gone", 1, 2, "sns"))))
    assert main(["redrive"]) == 0
    assert (local.deliver(), waiting(boto3.client("sqs"), held.dead_url)) == (1, 0)
