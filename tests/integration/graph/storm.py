"""A load of messages through SQS, the poller and the real handler, with a fault injected into a tenth of them.

Used by the tests and, with more messages, by the benchmark.
"""

from __future__ import annotations

import logging
import random
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import boto3
import pytest
from botocore.client import BaseClient
from botocore.exceptions import ClientError, ReadTimeoutError

from infra.local.machine import Machine
from shared.graph.items import Item, Key
from shared.graph.messages import Message
from shared.graph.received import read_message
from shared.graph.writes import write_message
from tests.unit.graph.examples import citations_body, papers_body, result
from tests.unit.graph.memory_table import Crash, MemoryTable

FAULTS = ("throttle", "timeout", "crash before the write", "crash after the write")
POISON = ("{", '{"version": 1}', '{"version": 2, "kind": "books"}', "[]")
SHARE = 0.1
WAVE = 50
WRITER = "local-citation_writer"
_PLAIN: Mapping[str, Any] = {"where": int, "cited": bytes, "edges": bytes}


@dataclass
class Storm:
    """The messages sent, the faults injected by kind, and the outcome."""

    good: list[str]
    poison: list[str]
    injected: dict[str, int] = field(default_factory=dict)
    dead: list[str] = field(default_factory=list)
    reasons: dict[str, str] = field(default_factory=dict)  # body -> why it was refused
    left: int = 0


def make(count: int, seed: int = 1) -> tuple[list[str], dict[str, str]]:
    """Message bodies, and the fault that some of them meet once; an invalid message counts as a fault, "poison"."""
    chance = random.Random(seed)
    bodies, faults = [], {}
    for number in range(count):
        body = _good(number, chance)
        if chance.random() < SHARE:
            kind = chance.choice((*FAULTS, "poison"))
            if kind == "poison":
                # Its length makes it unique among the invalid messages.
                body = chance.choice(POISON) + " " * (number + 1)
            faults[body] = kind
        bodies.append(body)
    return bodies, faults


def _good(number: int, chance: random.Random) -> str:
    """A paper that cites another one, stored before, later or never; every tenth message is a citation in a debate."""
    other = f"doi:10.5555/{chance.randrange(number + 20)}"
    if number % 10 == 9:
        return citations_body(other, f"pmid:{number}", context={"type": "debate", "id": str(number % 50)}, start=number)
    twin = number - 1 if number % 10 == 4 else number  # another record of the paper before
    ids: dict[str, Any] = {"doi": None, "pmid": str(number)} if number % 3 == 1 else {"doi": f"10.5555/{number}"}
    found = result(**ids, openalex=f"W{twin}", title=f"Paper {number}", references={"openalex": [other]})
    return papers_body(found, context={"type": "debate", "id": "1"} if number % 7 == 0 else None)


def expected(good: list[str]) -> dict[Key, Item]:
    """The table after every valid message was written once, in order."""
    table = MemoryTable()
    for body in good:
        write_message(read_message(body), table)
    return {key: item.copy() for key, item in table.items.items()}


def as_table(items: dict[Key, Item]) -> MemoryTable:
    """The items as a table in memory."""
    table = MemoryTable()
    table.items = items
    return table


def stored() -> dict[Key, Item]:
    """The items of the table."""
    table = boto3.resource("dynamodb").Table("local-papers")
    found: dict[Key, Item] = {}
    options: dict[str, Any] = {}
    while True:
        response: Any = table.scan(**options)
        for item in response["Items"]:
            plain: Any = {name: _PLAIN.get(name, lambda it: it)(value) for name, value in item.items()}
            found[str(item["pk"]), str(item["sk"])] = plain
        if "LastEvaluatedKey" not in response:
            return found
        options = {"ExclusiveStartKey": response["LastEvaluatedKey"]}


def run(local: Machine, bodies: list[str], faults: Mapping[str, str], seed: int = 1) -> Storm:
    """Send everything, in waves, and poll until the queue is empty."""
    poison = [body for body in bodies if faults.get(body) == "poison"]
    storm = Storm([body for body in bodies if faults.get(body) != "poison"], poison)
    sqs = boto3.client("sqs")
    url, dead_url = (
        sqs.get_queue_url(QueueName=name)["QueueUrl"] for name in ("local-citations", "local-citations-dead")
    )
    sqs.set_queue_attributes(
        QueueUrl=url, Attributes={"VisibilityTimeout": "0"}
    )  # failed messages are redelivered at once
    with _listening() as refused, _faults(faults, storm, seed), _written(local) as sent:
        for start in range(0, len(bodies), WAVE):
            for at in range(start, min(start + WAVE, len(bodies)), 10):
                entries = [{"Id": str(n), "MessageBody": body} for n, body in enumerate(bodies[at : at + 10])]
                sqs.send_message_batch(QueueUrl=url, Entries=entries)  # type: ignore[arg-type]
            local.drain_queue()
    storm.reasons = {sent[message_id]: reason for message_id, reason in refused.items()}
    storm.left = sum(_waiting(sqs, url))
    while received := sqs.receive_message(QueueUrl=dead_url, MaxNumberOfMessages=10).get("Messages"):
        storm.dead += [message["Body"] for message in received]
        for message in received:
            sqs.delete_message(QueueUrl=dead_url, ReceiptHandle=message["ReceiptHandle"])
    return storm


def _waiting(sqs: Any, url: str) -> Iterator[int]:
    names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
    attributes = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=names)["Attributes"]
    return (int(attributes[name]) for name in names)


@contextmanager
def _written(local: Machine) -> Iterator[dict[str, str]]:
    """The bodies that reach the writer, by message id. As in Lambda, a crash fails the whole batch."""
    writer, bodies = local.functions[WRITER], dict[str, str]()

    def write(event: dict[str, Any], context: Any) -> Any:
        bodies.update({record["messageId"]: record["body"] for record in event["Records"]})
        try:
            return writer(event, context)
        except Crash:
            return {"batchItemFailures": [{"itemIdentifier": record["messageId"]} for record in event["Records"]]}

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(local.functions, WRITER, write)
        yield bodies


@contextmanager
def _listening() -> Iterator[dict[str, str]]:
    """The reasons that are logged for refused messages, by message id."""
    refused: dict[str, str] = {}

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if record.getMessage() == "message refused":
                refused[vars(record)["message_id"]] = vars(record)["reason"]

    listener, log = Listener(), logging.getLogger("literature-search")
    log.addHandler(listener)
    try:
        yield refused
    finally:
        log.removeHandler(listener)


@contextmanager
def _faults(faults: Mapping[str, str], storm: Storm, seed: int) -> Iterator[None]:
    """When a message with a fault is written for the first time, its first or second request to DynamoDB fails."""
    chance = random.Random(seed)
    waiting = {repr(read_message(body)): kind for body, kind in faults.items() if kind != "poison"}
    armed: list[tuple[str, int]] = []
    call = vars(BaseClient)["_make_api_call"]

    def armed_write(message: Message, table: Any) -> int:
        kind = waiting.pop(repr(message), None)
        armed[:] = [(kind, chance.randrange(2))] if kind else []
        return write_message(message, table)

    def injected(client: Any, operation: str, arguments: Any) -> Any:
        if not armed or client.meta.service_model.service_name != "dynamodb":
            return call(client, operation, arguments)
        kind, requests_left = armed.pop()
        if requests_left:
            armed.append((kind, requests_left - 1))
            return call(client, operation, arguments)
        storm.injected[kind] = storm.injected.get(kind, 0) + 1
        return _strike(kind, lambda: call(client, operation, arguments), operation)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BaseClient, "_make_api_call", injected)
        patch.setattr(sys.modules["functions.citation_writer.handler"], "write_message", armed_write)
        yield


def _strike(kind: str, carry_out: Any, operation: str) -> Any:
    if kind == "throttle":
        raise ClientError({"Error": {"Code": "ThrottlingException", "Message": "slow down"}}, operation)
    if kind == "crash before the write":
        raise Crash
    carry_out()
    if kind == "timeout":  # the response is lost, the write is not
        raise ReadTimeoutError(endpoint_url="https://dynamodb.example.org")
    raise Crash
