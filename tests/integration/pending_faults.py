"""A search that responds before a slow source, with real functions and tables, and what dies or fails after that."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError

from infra.local.gateway import rest_event
from infra.local.lambda_hook import Handler, InvocationContext
from infra.local.machine import Machine
from infra.local.queue_messages import received_from, record_of
from infra.tables import COMPLETIONS
from tests.integration.saved_searches.faults import around_calls
from tests.results import keys

SLOW, FAST = "crossref", "openalex"
PROVIDERS = [SLOW, FAST]
PATH = "/v1/literature-search"
CACHE, LIMITS = "local-search-cache", "local-provider-budgets"
REAL_S = 30.0  # to wait for another thread, at most


class Killed(BaseException):
    """The process is gone."""


@dataclass
class Gate:
    """The slow source's function: its first invocation goes on when `opened`, and outlives the search."""

    handler: Handler
    opened: threading.Event = field(default_factory=threading.Event)
    ended: threading.Event = field(default_factory=threading.Event)
    thread: threading.Thread | None = None
    asked: int = 0

    def __call__(self, event: dict[str, Any], context: Any) -> Any:
        self.asked += 1
        if self.asked > 1:
            return self.handler(event, context)
        assert self.opened.wait(REAL_S)
        self.thread = threading.current_thread()
        try:
            self.handler(event, context)
        finally:
            self.ended.set()
        raise Killed  # nobody is there to take its reply: the search that responded early is frozen

    def open(self) -> None:
        """The source answers; its function ends, or is killed."""
        self.opened.set()
        assert self.ended.wait(REAL_S)


@dataclass
class Fault:
    """What happens at the call of AWS with number `at`, of those that `counts` picks: none if `at` is negative.

    `how`: killed `after` the call; `throttled`, once; `down`, from there on; `lost`: made, its answer lost,
    and no time to repeat it; `repeated`: made, its answer lost, and made again.
    """

    how: str
    at: int
    counts: Callable[[str, Any], bool]
    calls: list[str] = field(default_factory=list)
    on: bool = True

    def __call__(self, operation: str, arguments: dict[str, Any], call: Callable[[], Any]) -> Any:
        if not self.on or _is_a_limit(arguments) or not self.counts(operation, arguments):
            return call()
        number, self.calls = len(self.calls), [*self.calls, operation]
        if self.at < 0 or number < self.at or (number > self.at and self.how != "down"):
            return call()
        if self.how in ("after", "lost", "repeated"):
            call()
        if self.how == "repeated":
            return call()
        if self.how == "after":
            raise Killed
        code = "RequestTimeout" if self.how == "lost" else "ThrottlingException"
        raise ClientError({"Error": {"Code": code, "Message": "the test wants it"}}, operation)

    @property
    def met(self) -> bool:
        """Whether there was such a call."""
        return len(self.calls) > self.at


def _is_a_limit(arguments: dict[str, Any]) -> bool:
    """Whether a call is for the rate limits: without their table a source is not asked (tests of rate_limits)."""
    return LIMITS in (arguments.get("TableName"), *arguments.get("RequestItems", ()))


@dataclass
class EarlyResponded:
    """A machine with empty caches, one search of which has responded before its slow source."""

    running: Machine
    patch: pytest.MonkeyPatch

    def __post_init__(self) -> None:
        for table in (CACHE, LIMITS):
            _empty(boto3.resource("dynamodb").Table(table))
        while self.messages():
            pass
        name = f"local-{SLOW}"
        functions: Any = self.running.functions
        handler = functions[name].handler if isinstance(functions[name], Gate) else functions[name]
        self.gate = Gate(handler)
        self.patch.setitem(functions, name, self.gate)

    def during(self, fault: Fault) -> Fault:
        """The fault, which calls of AWS meet from now on."""
        around_calls(self.patch, fault)
        return fault

    def post(self, **fields: Any) -> Any:
        """The answer of a search."""
        body = json.dumps({"query": "TREM2 microglia", "providers": PROVIDERS, "cite_in_kg": False, **fields})
        answer = self.running.invoke("dispatcher", rest_event("POST", PATH, body=body))
        assert answer["statusCode"] == 200, answer["body"]
        return json.loads(answer["body"])

    def respond_early(self) -> Any:
        """The answer of the search that does not wait for the slow source."""
        answer = self.post(patience_ms=0, max_results=3)
        assert answer["providers"][SLOW]["outcome"] == "pending"
        return answer

    def messages(self) -> list[dict[str, Any]]:
        """What waits in the queue of completions, taken."""
        records, sqs, url = [], boto3.client("sqs"), os.environ["COMPLETIONS_QUEUE_URL"]
        for message in received_from(COMPLETIONS):
            records.append(record_of(message, COMPLETIONS))
            sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
        return records

    def deliver(self, record: Any) -> bool:
        """One attempt of a completion; whether the message is done with."""
        try:
            answer = self.running.functions["local-dispatcher"](
                {"Records": [record]}, InvocationContext("local-dispatcher")
            )
        except Killed:
            return False
        return not answer["batchItemFailures"]

    def state(self, result_set_id: str, **query: Any) -> Any:
        """`GET /v1/result-sets/{id}`."""
        given = {name: [str(value)] for name, value in query.items()}
        answer = self.running.invoke("dispatcher", rest_event("GET", f"/v1/result-sets/{result_set_id}", query=given))
        assert answer["statusCode"] == 200, answer["body"]
        return json.loads(answer["body"])

    def pages(self, cursor: str | None, size: int) -> list[str]:
        """The keys of all papers behind a cursor, in order."""
        found: list[str] = []
        while cursor:
            page = self.post(cursor=cursor, max_results=size)
            found, cursor = found + keys(page), page["next_cursor"]
        return found

    def end_leases(self) -> None:
        """The time of every lease, and of every failure that is shared, is over."""
        table = boto3.resource("dynamodb").Table(CACHE)
        for item in table.scan()["Items"]:
            for name in {"lease_until", "failed_until"} & item.keys():
                table.update_item(
                    Key={"pk": item["pk"], "sk": item["sk"]},
                    UpdateExpression=f"SET {name} = :zero",
                    ExpressionAttributeValues={":zero": 0},
                )


def _empty(table: Any) -> None:
    for item in table.scan()["Items"]:
        table.delete_item(Key={name["AttributeName"]: item[name["AttributeName"]] for name in table.key_schema})


def assert_complete(early: EarlyResponded, first: Any) -> None:
    """The set is complete, all read one order, and an equal search finds a complete set of the same papers."""
    whole = early.state(first["result_set_id"], max_results=100)
    assert (whole["state"], whole["missing"], whole["complete"]) == ("complete", [], True)
    assert len(set(keys(whole))) == len(keys(whole)) > first["total_count"]
    assert keys(first) + early.pages(first["next_cursor"], 7) == keys(whole)
    assert keys(first) + early.pages(first["next_cursor"], 40) == keys(whole)
    again = early.post(max_results=100)
    assert again["complete"]
    assert sorted(keys(again)) == sorted(keys(whole))
    assert whole["completed_by"] in (None, again["result_set_id"])
