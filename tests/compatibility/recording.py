"""Records what the service answers, queues and writes, as JSON that can be compared byte for byte.

Only surfaces that outlive a refactoring are used: `Machine.invoke`, the sandbox, and boto3 with the names of tables and
queues from the environment. The clock stands still and moves on by a minute before each call, so that every timestamp
is the same in each recording; `normalised` replaces the little that still varies.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any
from unittest.mock import patch
from urllib.parse import quote

import boto3
import time_machine

from infra.functions import function_of_path
from infra.local.machine import Machine, machine
from infra.local.sandbox.server import Sandbox
from shared.aws.dynamodb import large_items
from tests.source_limits import unlimited_sources

START = "2026-11-20T06:00:00Z"
STEP_S = 60.0
LONGEST_TEXT = 400  # of a value in a table; a longer one is recorded as its digest and its beginning
PROVIDERS = (
    "ARXIV", "CROSSREF", "EUROPE_PMC", "OPENALEX", "OPENCITATIONS", "PAPERCLIP", "PUBMED", "SEMANTIC_SCHOLAR",
    "UNPAYWALL",
)  # fmt: skip
TABLES = ("SEARCH_CACHE", "PROVIDER_BUDGETS", "PAPERS", "IDEMPOTENCY", "SAVED_SEARCHES")
# Not compared after each call: its items say how fast the machine was. Its shape is recorded once, by `resources`.
TIMED_TABLE = "PROVIDER_BUDGETS"
VOLATILE = (
    # Durations, also in JSON inside of JSON, where the quotation marks are escaped.
    (re.compile(r'((?:search_time_ms|elapsed_ms|duration_ms)\\*":\s?)\d+'), r"\1<ms>"),
    # The sandbox's port, which the system chooses.
    (re.compile(r"127\.0\.0\.1:\d+"), "127.0.0.1:<port>"),
    # Secrets of webhooks and what is signed with them: random by design.
    (re.compile(r"whsec_[A-Za-z0-9+/]{43}="), "whsec_<secret>"),
    # Who has a claim: random by design.
    (re.compile(r'("claimant": \{\s*"S": ")[0-9a-f]{16}"'), r'\1<claimant>"'),
    # The digest of a body with random ids.
    (re.compile(r'("ETag": \[\s*"\\")[0-9a-f]{32}'), r"\1<digest>"),
    # The length of an answer that contains durations, and the moment until which a request may be under way.
    (re.compile(r'("content-length": \[\s*")\d+'), r"\1<length>"),
    (re.compile(r'("in_progress_expiration": \{\s*"N": ")\d+'), r"\1<ms>"),
    (re.compile(r"v1,[A-Za-z0-9+/]{43}="), "v1,<signature>"),
    # The digest in the name of a file of the cache, whose content has durations.
    (re.compile(r'("(?:leg|result)[0-9a-f-]+/[^"]{1,200}/)[0-9a-f]{16}"'), r'\1<digest>"'),
)
UUID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b")


def normalised(text: str) -> str:
    """The text of one case without what varies from run to run; nothing else is replaced.

    Random UUIDs are numbered in their order of appearance, so that equal ones stay equal.
    """
    for pattern, placeholder in VOLATILE:
        text = pattern.sub(placeholder, text)
    numbers: dict[str, str] = {}
    return UUID.sub(lambda found: numbers.setdefault(found[0], f"<uuid {len(numbers) + 1}>"), text)


def readable(text: str) -> Any:
    """A body that loses nothing: JSON as data where writing it again gives the same bytes, else its lines."""
    with suppress(ValueError):
        data = json.loads(text)
        for form, separators in {"compact": (",", ":"), "spaced": (", ", ": ")}.items():
            for escaped in (False, True):
                if json.dumps(data, ensure_ascii=escaped, separators=separators) == text:
                    return {f"{form} JSON{', ASCII' if escaped and not text.isascii() else ''}": data}
    return text.splitlines(keepends=True) if "\n" in text else text


class Recorder:
    """One machine on a still clock, and the cases that were recorded on it, as normalised text by name."""

    def __init__(self, running: Machine, clock: Any) -> None:
        self.machine = running
        self.clock = clock
        self.cases: dict[str, str] = {}
        self._calls = 0
        self._items = _items()
        self._stale = False  # whether something ran since the tables were read

    @property
    def sandbox(self) -> Sandbox:
        assert self.machine.sandbox
        return self.machine.sandbox

    def keep(self, name: str, case: Any) -> None:
        """Keep a case under a name, which is that of its file."""
        assert name not in self.cases, f"two cases are called {name}"
        self.cases[name] = normalised(json.dumps(case, ensure_ascii=False, indent=1)) + "\n"

    def invoke(self, function: str, event: dict[str, Any]) -> Any:
        """What the function answers, a minute after the call before; or the error that it raises."""
        self.clock.shift(STEP_S)
        self._stale = True
        try:
            return _answer(self.machine.invoke(function, event))
        except Exception as error:
            return {"raised": type(error).__name__, "message": str(error)}

    def event(self, name: str, function: str, event: dict[str, Any]) -> None:
        """A case of one event: what the function answers, queues and writes."""
        self._look()
        answer = self.invoke(function, event)
        self.keep(name, {"function": function, "answer": answer, **self.effects()})

    def http(
        self, name: str, method: str, path: str, body: Any = None, *, raw: str | None = None, effects: bool = False,
        query: Mapping[str, str] | None = None, headers: Mapping[str, str] | None = None, key: str | None = None,
        function: str | None = None, keep: bool = True,
    ) -> Any:  # fmt: skip
        """A case of one HTTP request; the JSON of its answer. With `effects`, also what it queued and wrote."""
        self._calls += 1
        if effects:
            self._look()
        text = json.dumps(body, ensure_ascii=False) if raw is None and body is not None else raw
        event = rest_event(method, path, self._calls, query or {}, headers or {}, text, key)
        answer = self.invoke(function or function_of_path(path), event)
        parts_sent = {"query": query, "headers": headers, "body": body if raw is None else raw[:100]}
        request = {"call": f"{method} {path}", **{part: it for part, it in parts_sent.items() if it is not None}}
        if keep:
            self.keep(name, {"request": request, "answer": answer, **(self.effects() if effects else {})})
        content = answer.get("body")
        return next(iter(content.values())) if isinstance(content, dict) else content

    def effects(self) -> dict[str, Any]:
        """What waits in the queues, which is handed on to its readers; what changed in the tables until now."""
        queued = {name: self.drain(name) for name in ("CITATIONS", "DELIVERIES")}
        before, self._items, self._stale = self._items, _items(), False
        written = {
            table: [_shown(item) for key, item in after.items() if before[table].get(key) != item]
            for table, after in self._items.items()
        }
        deleted = {table: [key for key in there if key not in self._items[table]] for table, there in before.items()}
        content = {"queued": queued, "written": written, "deleted": deleted}
        return {part: {name: it for name, it in by_name.items() if it} for part, by_name in content.items()}

    def _look(self) -> None:
        if self._stale:
            self._items, self._stale = _items(), False

    def drain(self, queue: str) -> list[Any]:
        """Each message of a queue with the answer of its reader, which is invoked as SQS would; the queue is empty."""
        sqs, url = boto3.client("sqs"), os.environ[f"{queue}_QUEUE_URL"]
        parts_sent = {
            "MaxNumberOfMessages": 10,
            "MessageSystemAttributeNames": ["All"],
            "MessageAttributeNames": ["All"],
        }
        done = []
        while received := sqs.receive_message(QueueUrl=url, **parts_sent).get("Messages"):  # type: ignore[arg-type]
            for message in received:
                record = sqs_record(message, queue.lower())
                reader = {"CITATIONS": "citation_writer", "DELIVERIES": "deliverer"}[queue]
                answer = self.machine.invoke(reader, {"Records": [record]})
                sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
                failed = bool(answer["batchItemFailures"])
                shown = {"body": readable(message["Body"]), "attributes": record["messageAttributes"], "failed": failed}
                done.append(shown)
        return done


@contextmanager
def recorder() -> Iterator[Recorder]:
    """A machine of its own, on the still clock."""
    given = {"POWERTOOLS_LOG_LEVEL": "CRITICAL", "CONTACT_EMAIL": "sandbox@example.org"}
    # While the clock stands still no request would be allowed again: a minute's must do for each call.
    given |= {f"{name}_REQUESTS_PER_SECOND": "10000" for name in PROVIDERS}
    # One result set is as large as the most that is stored in an item, a few bytes more or less with its durations.
    inline = patch.object(large_items, "INLINE_BYTES", large_items.INLINE_BYTES + 100)
    with unlimited_sources(), inline, patch.dict(os.environ, given), time_machine.travel(START, tick=False) as clock:
        for name in [name for name in os.environ if name.endswith(("_API_KEY", "_BASE_URL"))]:
            del os.environ[name]
        with machine(sandbox=Sandbox(faults={})) as running:
            yield Recorder(running, clock)


def rest_event(
    method: str, path: str, number: int, query: Mapping[str, str], headers: Mapping[str, str], body: str | None,
    key: str | None,
) -> dict[str, Any]:  # fmt: skip
    """A REST API proxy event, with a request id that contains the number of the call."""
    given = {"Host": "api.example.org", "X-Forwarded-Proto": "https", **headers}
    return {
        "resource": "/{proxy+}", "path": path, "httpMethod": method, "headers": given,
        "multiValueHeaders": {name: [value] for name, value in given.items()},
        "queryStringParameters": dict(query) or None,
        "multiValueQueryStringParameters": {name: [value] for name, value in query.items()} or None,
        "pathParameters": {"proxy": path.lstrip("/")}, "stageVariables": None,
        "requestContext": {
            "accountId": "000000000000", "apiId": "local", "httpMethod": method, "path": path, "protocol": "HTTP/1.1",
            "identity": {"apiKeyId": key, "sourceIp": "127.0.0.1", "userAgent": ""},
            "requestId": f"request-{number}", "resourcePath": "/{proxy+}", "stage": "local",
        },
        "body": body, "isBase64Encoded": False,
    }  # fmt: skip


def sqs_record(message: Mapping[str, Any], queue: str) -> dict[str, Any]:
    """A received message as SQS hands it to Lambda."""
    attributes = message.get("MessageAttributes", {})
    return {
        "messageId": message["MessageId"], "receiptHandle": message["ReceiptHandle"], "body": message["Body"],
        "attributes": message["Attributes"],
        "messageAttributes": {
            name: {"stringValue": it["StringValue"], "stringListValues": [], "binaryListValues": [],
                   "dataType": it["DataType"]}
            for name, it in sorted(attributes.items())
        },
        "md5OfBody": message["MD5OfBody"], "eventSource": "aws:sqs", "awsRegion": "us-east-1",
        "eventSourceARN": f"arn:aws:sqs:us-east-1:000000000000:local-{queue}",
    }  # fmt: skip


def path_of(template: str, name: str) -> str:
    """A path with a name in it, percent-encoded."""
    return template.replace("{id}", quote(name, safe=""))


def _answer(answer: Any) -> Any:
    """The answer with its body made readable."""
    if isinstance(answer, dict) and isinstance(answer.get("body"), str):
        return {**answer, "body": readable(answer["body"])}
    return answer


def _items() -> dict[str, dict[str, Any]]:
    """Every item of every table, in DynamoDB's own notation, by its key."""
    client = boto3.client("dynamodb")
    found: dict[str, dict[str, Any]] = {}
    for table in TABLES:
        if table == TIMED_TABLE:
            continue
        pages = client.get_paginator("scan").paginate(TableName=os.environ[f"{table}_TABLE"])
        items = {f"{it['pk']['S']} | {it['sk']['S']}": it for page in pages for it in page["Items"]}
        found[table] = dict(sorted(items.items()))
    return found


def _shown(item: Mapping[str, Any]) -> Any:
    """An item with its attributes in the order of their names, which DynamoDB does not keep."""
    return {name: _value(item[name]) for name in sorted(item)}


def _value(value: Mapping[str, Any]) -> Any:
    (kind, it), *_ = value.items()
    if kind == "B":
        return {"B, zlib": _short(zlib.decompress(bytes(it)).decode())}
    if kind == "S":
        return {"S": _short(it)}
    if kind == "M":
        return {"M": {name: _value(it[name]) for name in sorted(it)}}
    return {kind: [_value(part) for part in it]} if kind == "L" else {kind: sorted(it) if kind in ("SS", "NS") else it}


def _short(text: str) -> Any:
    if len(text) <= LONGEST_TEXT:
        return text
    text = normalised(text)
    digest = hashlib.sha256(text.encode()).hexdigest()
    return {"characters": len(text), "sha256": digest, "begins": text[:200]}
