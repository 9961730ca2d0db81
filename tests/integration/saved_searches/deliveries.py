"""What the tests of deliveries share: a deliverer that trusts a receiver on loopback, and messages given by hand."""

from __future__ import annotations

import importlib
import json
import ssl
from collections.abc import Callable
from functools import partial
from typing import Any

import boto3
import pytest

from tests.integration.saved_searches.faults import Saved, around_calls, paper
from tests.integration.saved_searches.test_webhooks import parse_request
from tests.integration.saved_searches.webhook_receiver import AUTHORITY, HOST, Receiver

TOKEN = "token-of-the-url"


def trust_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on every host of a webhook is this machine, and the receiver's authority is trusted."""
    trust = ssl.create_default_context()
    AUTHORITY.configure_trust(trust)
    deliverer = importlib.import_module("functions.deliverer.handler")
    loopback = {"resolve": lambda host, port: ["127.0.0.1"], "permit": lambda addresses: addresses[0]}
    monkeypatch.setattr(deliverer, "post", partial(deliverer.post, trust=trust, timeout_s=5.0, **loopback))
    monkeypatch.setattr(deliverer, "chance", lambda: 0.0)


def hidden_for(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """For how long each message is hidden from now on, in seconds."""
    seen: list[int] = []

    def hide(operation: str, arguments: dict[str, Any], call: Callable[[], Any]) -> Any:
        if operation != "ChangeMessageVisibility":
            return call()
        seen.append(arguments["VisibilityTimeout"])
        return {}

    around_calls(monkeypatch, hide)
    return seen


def save(saved: Saved, running: Receiver | None = None, **delivery: Any) -> tuple[str, str]:
    """A search whose first run is over, with a webhook at the receiver; its id and the webhook's secret."""
    url = f"https://{HOST}:{running.port}/new?key={TOKEN}" if running else None
    made = saved.create(delivery={"webhook": {"url": url} if url else None, **delivery})
    saved.run(made["id"])
    return made["id"], made["delivery"]["webhook"]["secret"] if url else ""


def news(saved: Saved, search_id: str, number: int) -> None:
    """A run that reports one more paper."""
    saved.papers.append(paper(number))
    assert saved.run(search_id)["events"]["new_paper"] == 1


def queue(name: str = "deliveries") -> str:
    return str(boto3.client("sqs").get_queue_url(QueueName=f"local-{name}")["QueueUrl"])


def message(first: int, last: int, search_id: str, channel: str = "webhook") -> dict[str, Any]:
    return {"owner": "local", "search_id": search_id, "first": first, "last": last, "channel": channel}


def attempt(saved: Saved, body: Any, number: int = 1) -> bool:
    """Give the deliverer a message, which SQS has shown so often; whether it was done with it."""
    event = {
        "Records": [
            {
                "messageId": "m", "receiptHandle": "h", "eventSource": "aws:sqs", "attributes":
                {"ApproximateReceiveCount": str(number)}, "body": body if isinstance(body, str) else json.dumps(body),
            }
        ]
    }  # fmt: skip
    failures = saved.running.invoke("deliverer", event)["batchItemFailures"]
    assert failures in ([], [{"itemIdentifier": "m"}])
    return not failures


def numbers(request: bytes) -> list[int]:
    return [it["number"] for it in json.loads(parse_request(request)[2])["data"]["events"]]


def saved_url(saved: Saved, search_id: str) -> dict[str, str]:
    return {"url": saved.item(search_id)["delivery"]["webhook"]["url"]}


def reopened(saved: Saved, search_id: str, port: int) -> None:
    """The receiver is back at its URL: each one of the tests has another port, which is written into the URL here."""
    item = saved.item(search_id)
    webhook = {**item["delivery"]["webhook"], "url": f"https://{HOST}:{port}/new?key={TOKEN}"}
    saved.wiring.SEARCHES.change(item, {"delivery": {**item["delivery"], "webhook": webhook}})
