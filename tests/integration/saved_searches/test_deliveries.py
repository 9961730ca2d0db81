"""From a run to its receivers: the queue, the deliverer, webhooks over real TLS, and the topic."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError

from infra.tables import DELIVERIES
from tests.integration.saved_searches.deliveries import (
    attempt,
    message,
    news,
    numbers,
    queue,
    save,
)
from tests.integration.saved_searches.faults import Saved, around_calls
from tests.integration.saved_searches.test_webhooks import documented_check, parse_request
from tests.integration.saved_searches.webhook_receiver import answer, receiver


def test_a_new_paper_is_delivered_signed_and_the_baseline_is_not(saved: Saved) -> None:
    with receiver(answer(204)) as running:
        search_id, secret = save(saved, running)
        news(saved, search_id, 3)
        assert saved.running.deliver() == 2
    _, headers, body = parse_request(running.requests[0])
    assert len(running.requests) == 1
    assert documented_check()(secret, headers, body, set()) == "new"
    data = json.loads(body)["data"]
    assert [(it["type"], it["paper"]["doi"]) for it in data["events"]] == [("new_paper", "10.1000/3")]
    assert data["saved_search"]["id"] == search_id
    assert saved.running.deliver() == 0


@pytest.mark.parametrize("baseline", [True, False])
def test_the_baseline_is_delivered_on_request_only(saved: Saved, baseline: bool) -> None:
    with receiver(answer(200)) as running:
        save(saved, running, baseline=baseline)
        saved.running.deliver()
    assert [numbers(it) for it in running.requests] == ([[1, 2]] if baseline else [])


REFUSED: list[Any] = [
    "{", "[]", "7", {}, {"owner": "local"}, message(1, 99, "x"), message(2, 1, "x"), message(1, 1, "x", "mail"),
    {**message(1, 1, "x"), "first": "1"}, {**message(1, 1, "x"), "more": 1}, {**message(1, 1, "x"), "owner": None},
]  # fmt: skip


def test_a_message_of_another_form_is_refused(saved: Saved) -> None:
    assert [body for body in REFUSED if attempt(saved, body)] == []


def test_a_refused_message_becomes_a_dead_letter_and_the_others_go_on(saved: Saved) -> None:
    sqs = boto3.client("sqs")
    with receiver(answer(200)) as running:
        search_id, _ = save(saved, running)
        news(saved, search_id, 3)
        sqs.send_message(QueueUrl=queue(), MessageBody="{")
        for _ in range(DELIVERIES.max_receive_count + 1):
            saved.running.deliver()
            # Its time of hiding is over.
            backend = importlib.import_module("moto.sqs.models").sqs_backends["123456789012"]["us-east-1"]
            for it in backend.queues["local-deliveries"]._messages:
                it.visible_at = 0
        saved.running.deliver()
    assert len(running.requests) == 1
    dead = sqs.receive_message(QueueUrl=queue("deliveries-dead")).get("Messages", [])
    assert [it["Body"] for it in dead] == ["{"]


def test_a_delivery_of_a_deleted_search_is_done(saved: Saved) -> None:
    with receiver(answer(200)) as running:
        search_id, _ = save(saved, running, baseline=True)
        saved.wiring.SEARCHES.delete(saved.item(search_id))
        assert attempt(saved, message(1, 2, search_id))
    assert running.connections == 0


def test_a_topic_has_the_events_with_what_subscribers_choose_by(saved: Saved) -> None:
    sqs, sns = boto3.client("sqs"), boto3.client("sns")
    url = sqs.create_queue(QueueName="subscriber")["QueueUrl"]
    arn = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    topic = sns.list_topics()["Topics"][0]["TopicArn"]
    sns.subscribe(TopicArn=topic, Protocol="sqs", Endpoint=arn)
    search_id, _ = save(saved, sns=True)
    news(saved, search_id, 3)
    assert saved.running.deliver() == 2
    (it,) = [json.loads(it["Body"]) for it in sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10)["Messages"]]
    data = json.loads(it["Message"])
    assert [event["number"] for event in data["data"]["events"]] == [3]
    assert {name: value["Value"] for name, value in it["MessageAttributes"].items()} == {
        "saved_search": search_id, "owner": "local", "types": '["new_paper"]',
    }  # fmt: skip


def test_nothing_is_published_of_a_search_whose_owner_has_switched_the_topic_off(
    saved: Saved, monkeypatch: pytest.MonkeyPatch
) -> None:
    published: list[str] = []

    def noted(operation: str, arguments: dict[str, Any], call: Callable[[], Any]) -> Any:
        published.extend([operation] if operation == "Publish" else [])
        return call()

    around_calls(monkeypatch, noted)
    search_id, _ = save(saved, sns=True)
    news(saved, search_id, 3)
    saved.call("PATCH", f"/{search_id}", {"delivery": {"sns": False}})
    assert saved.running.deliver() > 0
    assert published == []


def test_messages_that_the_queue_refused_are_sent_by_the_next_run(
    saved: Saved, monkeypatch: pytest.MonkeyPatch
) -> None:
    away = [False]

    def refuse(operation: str, arguments: dict[str, Any], call: Callable[[], Any]) -> Any:
        if operation == "SendMessageBatch" and away[0] and "deliveries" in arguments["QueueUrl"]:
            raise ClientError({"Error": {"Code": "ServiceUnavailable", "Message": "away"}}, operation)
        return call()

    around_calls(monkeypatch, refuse)
    with receiver(answer(200)) as running:
        search_id, _ = save(saved, running)
        away[0] = True
        news(saved, search_id, 3)
        assert saved.item(search_id)["queued_to"] == 2
        saved.running.deliver()
        away[0] = False
        saved.run(search_id)
        assert saved.item(search_id)["queued_to"] == 3
        saved.running.deliver()
    assert [numbers(it) for it in running.requests] == [[3]]
