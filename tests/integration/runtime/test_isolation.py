"""A machine leaves nothing behind: what one test did, the next one does not see, though they share AWS clients."""

from __future__ import annotations

import json
import logging
import os
import sys
from typing import Any

import boto3
import pytest

from infra.local.gateway import rest_event
from infra.local.machine import Machine, machine
from infra.local.sandbox.server import Sandbox
from infra.tables import TABLES
from shared.aws.runtime.observability import logger

QUEUES = ("CITATIONS_QUEUE_URL", "DELIVERIES_QUEUE_URL")


def use(running: Machine) -> None:
    """Leave something in every place that a machine has."""
    assert running.sandbox is not None
    running.sandbox.faults["crossref"] = {"status": 503, "retry_after": 0}
    search = {"query": "TREM2", "providers": "crossref,openalex"}
    saved = {"search": search, "schedule": "rate(1 day)"}
    for path, body in (("/v1/literature-search", search), ("/v1/saved-searches", saved)):
        answer = running.invoke("dispatcher", rest_event("POST", path, body=json.dumps(body)))
        assert answer["statusCode"] < 300, answer["body"]
    running.drain_queue()
    boto3.client("sqs").send_message(QueueUrl=os.environ[QUEUES[0]], MessageBody="{")
    boto3.client("secretsmanager").create_secret(Name="left behind", SecretString="key")
    os.environ["LEFT_BEHIND"] = "by a test"
    os.environ["CONTACT_EMAIL"] = "left-behind@example.org"
    logging.getLogger(logger.service).setLevel("ERROR")


def state(running: Machine) -> dict[str, Any]:
    """What the places hold; `use` has changed all of it."""
    assert running.sandbox is not None
    sqs: Any = boto3.client("sqs")
    counted = ["ApproximateNumberOfMessages"]
    queues = [sqs.get_queue_attributes(QueueUrl=os.environ[it], AttributeNames=counted)["Attributes"] for it in QUEUES]
    tables = {table.name: boto3.resource("dynamodb").Table(f"local-{table.name}").scan()["Items"] for table in TABLES}
    return {
        "tables": tables,
        "queues": queues,
        "schedules": boto3.client("scheduler").list_schedules()["Schedules"],
        "secrets": boto3.client("secretsmanager").list_secrets()["SecretList"],
        "faults": dict(running.sandbox.faults),
        "requests": len(running.sandbox.requests),
        "log level": logging.getLogger(logger.service).level,
        "contact": os.environ.get("CONTACT_EMAIL"),
        "other variables": os.environ.get("LEFT_BEHIND"),
    }


def test_a_machine_sees_no_state_of_the_previous_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POWERTOOLS_LOG_LEVEL", "CRITICAL")
    environment, session = dict(os.environ), boto3.DEFAULT_SESSION
    with machine(sandbox=Sandbox(faults={})) as first:
        fresh = state(first)
        handlers = sys.modules["functions.dispatcher.handler"]
        use(first)
        used = state(first)
    assert [name for name in fresh if fresh[name] == used[name]] == []
    assert (dict(os.environ), boto3.DEFAULT_SESSION) == (environment, session)
    with machine(sandbox=Sandbox(faults={})) as second:
        assert state(second) == fresh
        assert sys.modules["functions.dispatcher.handler"] is not handlers  # and with it all that a process remembers
