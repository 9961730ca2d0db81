"""A request that is sent again under its Idempotency-Key while the first one is still being answered."""

from __future__ import annotations

import importlib
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import boto3
import pytest

from infra.local.gateway import rest_event
from infra.local.machine import Machine

BODY = json.dumps({"context": {"type": "debate", "id": "7"}, "text": "see 10.1000/abc"})


def cite(local: Machine) -> Any:
    return local.invoke(
        "dispatcher", rest_event("POST", "/v1/citations", body=BODY, headers={"Idempotency-Key": "mine"})
    )


def test_a_concurrent_second_request_must_be_retried_under_the_same_key(
    local: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    routes: Any = importlib.import_module("functions.dispatcher.routes.citations")
    queue, meanwhile = routes.queue, []

    def slowly(messages: Any) -> None:
        with ThreadPoolExecutor() as others:  # as another invocation would be
            meanwhile.append(others.submit(cite, local).result())
        queue(messages)

    with monkeypatch.context() as patch:
        patch.setattr(routes, "queue", slowly)
        first = cite(local)
    assert first["statusCode"] == 200
    (second,) = meanwhile
    problem = json.loads(second["body"])
    assert (second["statusCode"], problem["code"], problem["retryable"]) == (409, "still_under_way", True)
    assert (problem["retry_after_s"], second["multiValueHeaders"]["Retry-After"]) == (1.0, ["1"])
    assert "with the same key" in problem["hint"]
    again = json.loads(cite(local)["body"])
    assert {**again, "request_id": ""} == {**json.loads(first["body"]), "request_id": ""}
    waiting = boto3.client("sqs").get_queue_attributes(
        QueueUrl=boto3.client("sqs").get_queue_url(QueueName="local-citations")["QueueUrl"],
        AttributeNames=["ApproximateNumberOfMessages"],
    )
    assert waiting["Attributes"]["ApproximateNumberOfMessages"] == "1"


@pytest.mark.parametrize("key", ["", "x" * 256, "é", "a\tb"])
def test_an_invalid_key_is_refused(local: Machine, key: str) -> None:
    event = rest_event("POST", "/v1/citations", body=BODY, headers={"Idempotency-Key": key})
    answer = local.invoke("dispatcher", event)
    problem = json.loads(answer["body"])
    assert (answer["statusCode"], [it["field"] for it in problem["errors"]]) == (400, ["Idempotency-Key"])
