"""The whole cloud on one machine: moto's tables and queue, the real handlers, and the sandbox or the live APIs.

Handlers read their settings from the environment when they are imported, as in Lambda; so they are imported here,
after the environment is made.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any
from unittest.mock import patch

import boto3
from moto import mock_aws
from moto.core.models import botocore_stubber

from infra.functions import provider_entry, provider_names, provider_spec
from infra.local.lambda_hook import Context, Handler, invoke_locally
from infra.local.sandbox.server import Sandbox
from infra.tables import CITATIONS, TABLES, Queue, Table
from shared.aws.graph_store import GraphStore
from shared.aws.graph_table import GraphTable

PREFIX = "local"
REGION = "us-east-1"
# What is needed to talk to moto; never sent anywhere.
CREDENTIALS = {
    "AWS_ACCESS_KEY_ID": "local",
    "AWS_SECRET_ACCESS_KEY": "local",
    "AWS_SESSION_TOKEN": "local",
    "AWS_DEFAULT_REGION": REGION,
}
SANDBOX_KEY = "sandbox-key"


@dataclass(frozen=True, slots=True)
class Machine:
    """The running functions. `sandbox` is None when the live APIs are asked."""

    functions: Mapping[str, Handler]
    sandbox: Sandbox | None

    def invoke(self, name: str, event: dict[str, Any]) -> Any:
        """Run a function, named after its file or folder, as Lambda would: JSON in, JSON out."""
        function = f"{PREFIX}-{name}"
        answer = self.functions[function](json.loads(json.dumps(event)), Context(function))
        return json.loads(json.dumps(answer))

    def graph_store(self) -> GraphStore:
        """The graph's papers, for looking at."""
        return GraphStore(GraphTable(boto3.resource("dynamodb").Table(os.environ["PAPERS_TABLE"])))

    def drain_queue(self) -> int:
        """Feed what waits in the citation queue to the writer; the number of messages written."""
        sqs = boto3.client("sqs")
        url = os.environ["CITATIONS_QUEUE_URL"]
        written = 0
        while received := sqs.receive_message(
            QueueUrl=url, MaxNumberOfMessages=10, MessageSystemAttributeNames=["All"]
        ).get("Messages"):
            event = {"Records": [_record(message) for message in received]}
            failed = {item["itemIdentifier"] for item in self.invoke("citation_writer", event)["batchItemFailures"]}
            for message in received:
                if message["MessageId"] not in failed:
                    sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
                    written += 1
        return written

    @contextmanager
    def writing(self, every_s: float = 0.5) -> Iterator[None]:
        """While inside, the queue is fed to the writer in the background."""
        stop = threading.Event()

        def loop() -> None:
            while not stop.wait(every_s):
                self.drain_queue()

        thread = threading.Thread(target=loop, name="citation-queue", daemon=True)
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()
            self.drain_queue()


def _record(message: Mapping[str, Any]) -> dict[str, Any]:
    """A received message in the form in which SQS gives it to Lambda."""
    return {
        "messageId": message["MessageId"],
        "receiptHandle": message["ReceiptHandle"],
        "body": message["Body"],
        "attributes": message.get("Attributes", {}),
        "messageAttributes": {},
        "md5OfBody": message["MD5OfBody"],
        "eventSource": "aws:sqs",
        "eventSourceARN": f"arn:aws:sqs:{REGION}:000000000000:{PREFIX}-{CITATIONS.name}",
        "awsRegion": REGION,
    }


@contextmanager
def machine(*, sandbox: Sandbox | None, dynamodb_url: str | None = None) -> Iterator[Machine]:
    """Everything running; taken down, with the environment as it was, at the end.

    With `dynamodb_url`, DynamoDB is a server that several machines share, and its tables are there already.
    """
    with ExitStack() as stack:
        before = dict(os.environ)
        stack.callback(_restore_environment, before)
        os.environ.update(CREDENTIALS)
        os.environ.setdefault("POWERTOOLS_METRICS_DISABLED", "true")  # they are for CloudWatch, and go to stdout
        stack.enter_context(mock_aws())
        stack.enter_context(_one_at_a_time())
        session = boto3.Session(region_name=REGION)
        boto3.DEFAULT_SESSION = session
        stack.callback(setattr, boto3, "DEFAULT_SESSION", None)
        if sandbox:
            stack.enter_context(sandbox)
            os.environ.update(sandbox.base_urls)
            os.environ.setdefault("CONTACT_EMAIL", "sandbox@example.org")  # some answer only to those who give one
            os.environ.update({f"{name.upper()}_API_KEY": SANDBOX_KEY for name in _in_need_of_a_key()})
            for name in provider_names():  # the sandbox asks for no patience
                os.environ.setdefault(f"{name.upper()}_REQUESTS_PER_SECOND", "500")
        if dynamodb_url:
            os.environ["AWS_ENDPOINT_URL_DYNAMODB"] = dynamodb_url
        else:
            create_tables(session)
        _create(session)
        functions: dict[str, Handler] = {}
        invoke_locally(session, functions)
        functions.update(_handlers())
        yield Machine(functions, sandbox)


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """moto checks a condition and writes in two steps that other threads may come between; AWS does it in one.

    Invocations are not moto's: botocore asks every hook, and lambda_hook answers them.
    """
    lock = threading.Lock()
    process = botocore_stubber.process_request

    def locked(request: Any) -> Any:
        if request.url.endswith("/invocations"):
            return None
        with lock:
            return process(request)

    with patch.object(botocore_stubber, "process_request", locked):
        yield


def _restore_environment(before: Mapping[str, str]) -> None:
    os.environ.clear()
    os.environ.update(before)


def _in_need_of_a_key() -> list[str]:
    return [name for name in provider_names() if provider_spec(name).needs_key]


def create_tables(session: boto3.Session) -> None:
    """The tables, from their one definition."""
    for table in TABLES:
        _create_table(session, table)


def _create(session: boto3.Session) -> None:
    """The queue from its one definition, and the environment that names it and the tables."""
    for table in TABLES:
        os.environ[f"{table.name.upper().replace('-', '_')}_TABLE"] = f"{PREFIX}-{table.name}"
    os.environ["DISPATCHER_FUNCTION"] = f"{PREFIX}-dispatcher"
    os.environ["CITATIONS_QUEUE_URL"] = _create_queue(session, CITATIONS)
    os.environ["PROVIDERS"] = json.dumps({name: provider_entry(name, f"{PREFIX}-{name}") for name in provider_names()})


def _create_table(session: boto3.Session, table: Table) -> None:
    name = f"{PREFIX}-{table.name}"
    dynamodb: Any = session.client("dynamodb")
    keys = {"pk", "sk"} | {key for index in table.indexes for key in (index.partition, index.sort)}
    indexes = [
        {
            "IndexName": index.name,
            "KeySchema": _keys(index.partition, index.sort),
            "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": list(index.projected)},
        }
        for index in table.indexes
    ]
    dynamodb.create_table(
        TableName=name,
        KeySchema=_keys("pk", "sk"),
        AttributeDefinitions=[{"AttributeName": key, "AttributeType": "S"} for key in sorted(keys)],
        BillingMode="PAY_PER_REQUEST",
        **({"GlobalSecondaryIndexes": indexes} if indexes else {}),
    )
    if table.expires:
        dynamodb.update_time_to_live(
            TableName=name, TimeToLiveSpecification={"Enabled": True, "AttributeName": "expires_at"}
        )


def _keys(partition: str, sort: str) -> list[dict[str, str]]:
    return [{"AttributeName": partition, "KeyType": "HASH"}, {"AttributeName": sort, "KeyType": "RANGE"}]


def _create_queue(session: boto3.Session, queue: Queue) -> str:
    sqs = session.client("sqs")
    dead = sqs.create_queue(QueueName=f"{PREFIX}-{queue.name}-dead")["QueueUrl"]
    dead_arn = sqs.get_queue_attributes(QueueUrl=dead, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    redrive = {"deadLetterTargetArn": dead_arn, "maxReceiveCount": queue.max_receive_count}
    return sqs.create_queue(
        QueueName=f"{PREFIX}-{queue.name}",
        Attributes={
            "VisibilityTimeout": str(queue.visibility_timeout_s),
            "MessageRetentionPeriod": str(queue.retention_s),
            "RedrivePolicy": json.dumps(redrive),
        },
    )["QueueUrl"]


def _handlers() -> dict[str, Handler]:
    """Every handler, imported anew with whatever remembers clients or states: each machine is a cold start."""
    for module in [name for name in sys.modules if name.startswith(("functions.", "shared.aws.provider_lambda"))]:
        del sys.modules[module]
    modules = {
        "dispatcher": "functions.dispatcher.handler",
        "citation_writer": "functions.citation_writer.handler",
        **{name: f"functions.providers.{name}" for name in provider_names()},
    }
    handlers = {name: import_module(path).handler for name, path in modules.items()}
    return {f"{PREFIX}-{name}": it for name, it in handlers.items()} | {f"{PREFIX}-mcp_server": _mcp_server}


def _mcp_server(event: dict[str, Any], context: Any) -> Any:
    """Imported when it is first asked: the SDK takes half a second, which a search need not wait for."""
    return import_module("functions.mcp_server.handler").handler(event, context)
