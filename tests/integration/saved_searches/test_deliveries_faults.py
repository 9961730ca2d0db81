"""Deliveries that fail: when they are tried again, when a webhook is disabled, and that nothing is lost by it."""

from __future__ import annotations

import importlib
import json
import logging
from typing import Any

import boto3
import pytest

from shared.delivery.errors import WebhookError
from shared.delivery.webhook import ATTEMPTS, BACKOFF_S
from shared.delivery.webhook_client import ReceiverResponse
from tests.integration.saved_searches.deliveries import (
    TOKEN,
    attempt,
    message,
    news,
    numbers,
    queue,
    reopened,
    save,
    saved_url,
)
from tests.integration.saved_searches.faults import Saved
from tests.integration.saved_searches.test_webhooks import documented_check, parse_request
from tests.integration.saved_searches.webhook_receiver import answer, receiver

pytestmark = pytest.mark.slow  # deliveries that are killed at each step


def test_each_failure_hides_the_message_for_longer_and_the_ninth_disables(saved: Saved, hidden: list[int]) -> None:
    with receiver(answer(500)) as running:
        search_id, _ = save(saved, running, baseline=True)
        ends = [attempt(saved, message(1, 2, search_id)) for _ in range(ATTEMPTS)]
        assert ends == [False] * 8 + [True]
        assert tuple(hidden) == BACKOFF_S
        assert attempt(saved, message(1, 2, search_id))  # disabled: nothing is sent
    assert len(running.requests) == ATTEMPTS
    assert len({parse_request(it)[1]["webhook-id"] for it in running.requests}) == 1
    assert len({parse_request(it)[2] for it in running.requests}) == 1
    webhook = saved.item(search_id)["delivery"]["webhook"]
    assert (webhook["status"], webhook["undelivered_from"]) == ("disabled", 1)
    assert webhook["disabled_reason"] == "the receiver answered HTTP 500"
    *_, notice = saved.feed(search_id)
    assert (notice["type"], notice["number"], notice["paper"]) == ("delivery_disabled", 3, None)
    assert "HTTP 500" in notice["message"]


@pytest.mark.parametrize("odd", [
    "Sun, 22 Nov 2026 08:00:00 +99999999999999999999", "9" * 400, chr(0xB2), "-1", "1" + "\t" * 5000 + "!",
], ids=lambda value: ascii(value)[:24])  # fmt: skip
def test_an_odd_retry_after_of_a_receiver_counts_as_an_attempt_and_the_ninth_disables(
    saved: Saved, hidden: list[int], odd: str
) -> None:
    with receiver(answer(503, f"Retry-After: {odd}")) as running:
        search_id, _ = save(saved, running, baseline=True)
        ends = [attempt(saved, message(1, 2, search_id)) for _ in range(ATTEMPTS)]
    assert ends == [False] * 8 + [True]
    assert len(running.requests) == ATTEMPTS
    assert all(wait >= backoff for wait, backoff in zip(hidden, BACKOFF_S, strict=True))
    assert max(hidden) <= 12 * 3600  # the longest that SQS hides a message
    assert saved.item(search_id)["delivery"]["webhook"]["status"] == "disabled"


def test_the_real_queue_hides_a_failed_delivery_as_long_as_the_table_says(saved: Saved) -> None:
    with receiver(answer(503)) as running:
        save(saved, running, baseline=True)
        assert saved.running.deliver() == 0
        attributes = boto3.client("sqs").get_queue_attributes(QueueUrl=queue(), AttributeNames=["All"])["Attributes"]
    assert attributes["ApproximateNumberOfMessagesNotVisible"] == "1"
    backend = importlib.import_module("moto.sqs.models").sqs_backends["123456789012"]["us-east-1"]
    (waiting,) = backend.queues["local-deliveries"]._messages
    now = importlib.import_module("moto.core.utils").unix_time_millis()
    assert 0 < waiting.visible_at - now <= 10_000


def test_410_disables_at_once_and_enabling_delivers_everything_since(saved: Saved, hidden: list[int]) -> None:
    with receiver(answer(410)) as running:
        search_id, secret = save(saved, running)
        news(saved, search_id, 3)
        news(saved, search_id, 4)
        first, second = message(3, 3, search_id), message(4, 4, search_id)
        assert attempt(saved, second)
        assert not hidden
        assert attempt(saved, first)  # it waited while the webhook was disabled
        assert len(running.requests) == 1
    news(saved, search_id, 5)
    assert saved.item(search_id)["delivery"]["webhook"]["undelivered_from"] == 3
    boto3.client("sqs").purge_queue(QueueUrl=queue())
    with receiver(answer(200)) as running:
        reopened(saved, search_id, running.port)
        saved.call("PATCH", f"/{search_id}", {"delivery": {"webhook": saved_url(saved, search_id)}})
        saved.running.deliver()
    assert [numbers(it) for it in running.requests] == [[3, 4, 5, 6]]
    assert documented_check()(secret, *parse_request(running.requests[0])[1:], set()) == "new"
    kinds = [it["type"] for it in json.loads(parse_request(running.requests[0])[2])["data"]["events"]]
    assert kinds == ["new_paper", "new_paper", "delivery_disabled", "new_paper"]
    assert saved.item(search_id)["delivery"]["webhook"]["status"] == "active"


def test_a_webhook_enabled_during_a_run_receives_that_runs_events(saved: Saved) -> None:
    with receiver(answer(410)) as running:
        search_id, _ = save(saved, running, baseline=True)
        saved.running.deliver()
    assert saved.item(search_id)["delivery"]["webhook"]["status"] == "disabled"
    with receiver(answer(200)) as running:
        reopened(saved, search_id, running.port)
        change = {"delivery": {"webhook": saved_url(saved, search_id), "baseline": True}}
        saved.meanwhile = lambda: saved.call("PATCH", f"/{search_id}", change)
        news(saved, search_id, 3)
        saved.running.deliver()
    assert sorted({number for it in running.requests for number in numbers(it)}) == [1, 2, 3, 4]


@pytest.mark.parametrize(
    "fault", [WebhookError("the receiver could not be reached"), ReceiverResponse(302), ReceiverResponse(404)]
)
def test_every_status_but_success_is_retried(
    saved: Saved, hidden: list[int], monkeypatch: pytest.MonkeyPatch, fault: Any
) -> None:
    def post(*args: Any, **more: Any) -> ReceiverResponse:
        if isinstance(fault, WebhookError):
            raise fault
        return fault  # type: ignore[no-any-return]

    with receiver(answer(200)) as running:
        search_id, _ = save(saved, running, baseline=True)
        monkeypatch.setattr("functions.deliverer.handler.post", post)
        assert not attempt(saved, message(1, 2, search_id))
    assert hidden == [10]
    assert saved.item(search_id)["delivery"]["webhook"]["status"] == "active"


def test_the_secret_and_the_urls_token_are_in_no_log_and_no_message(
    saved: Saved, caplog: pytest.LogCaptureFixture, hidden: list[int]
) -> None:
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.DEBUG, logger="literature-search")  # an earlier machine may have made it quieter
    with receiver(answer(500)) as running:
        search_id, secret = save(saved, running, baseline=True)
        sent = boto3.client("sqs").receive_message(QueueUrl=queue())["Messages"][0]["Body"]
        caplog.clear()
        for _ in range(ATTEMPTS):
            attempt(saved, message(1, 2, search_id))
    # Only this test switches on botocore's own log records of its requests to DynamoDB.
    ours = [it for it in caplog.records if not it.name.startswith(("boto", "urllib3"))]
    assert "webhook" in [it.getMessage() for it in ours]
    shown = f"{[vars(it) for it in ours]} {sent} {saved.feed(search_id)} {saved.item(search_id)['last_run']}"
    for hint in (secret, secret.removeprefix("whsec_"), TOKEN):
        assert hint not in shown
    assert secret.encode() not in b"".join(running.requests)
