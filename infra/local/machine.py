"""The whole cloud on one machine: moto's tables and queue, the real handlers, and the sandbox or the live APIs.

Handlers read their settings from the environment when they are imported, as in Lambda; so they are imported here,
after the environment is made.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache, partial
from typing import Any
from unittest.mock import patch

import boto3
from moto import mock_aws
from moto.core import models as moto_models
from moto.core.models import botocore_stubber

from infra.functions import function_of_path, provider_names, provider_spec
from infra.local.background import repeated
from infra.local.clients import ReusingSession
from infra.local.completions import completing
from infra.local.dynamodb_expressions import expressions_read_once
from infra.local.dynamodb_hook import LOCK, answer_item_operations, queries_by_text_keys
from infra.local.dynamodb_transactions import small_transaction_copies
from infra.local.handlers import import_handlers
from infra.local.lambda_hook import Handler, InvocationContext, invoke_locally
from infra.local.queue_messages import received_from, record_of, retention_read_from_the_queue
from infra.local.resources import PREFIX, REGION, create_resources, create_tables, queue_variable
from infra.local.s3_hook import answer_file_operations
from infra.local.sandbox.server import Sandbox
from infra.local.schedules import LocalScheduler
from infra.tables import CHECKS, CITATIONS, COMPLETIONS, DELIVERIES, EXHAUSTIVE, Queue
from shared.aws.dynamodb.graph_table import GraphTable
from shared.aws.dynamodb.saved_searches.searches import SavedSearches
from shared.aws.runtime.observability import logger
from shared.graph.store import GraphStore
from shared.rate_limits.slots import HIGH_RATE

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
        answer = self.functions[function](json.loads(json.dumps(event)), InvocationContext(function))
        return json.loads(json.dumps(answer))

    def request(self, event: dict[str, Any]) -> Any:
        """Run the function to which API Gateway would lead this REST API event."""
        return self.invoke(function_of_path(event["path"]), event)

    def restart(self) -> None:
        """Start every function anew; what is stored stays."""
        _INVOKED.update(import_handlers())

    def graph_store(self) -> GraphStore:
        """The graph's papers, for looking at."""
        return GraphStore(GraphTable(boto3.resource("dynamodb").Table(os.environ["PAPERS_TABLE"])))

    def drain_queue(self) -> int:
        """Feed what waits in the citation queue to the writer; the number of messages written."""
        return self._drain(CITATIONS, "citation_writer")

    def deliver(self) -> int:
        """Feed what waits in the queue of deliveries to the deliverer; the number of those that ended."""
        return self._drain(DELIVERIES, "deliverer")

    def check_references(self) -> int:
        """Feed what waits in the queue of reference checks to the checker; the number of messages that it handled."""
        return self._drain(CHECKS, "reference_checker")

    def search_exhaustively(self) -> int:
        """Feed what waits in the queue of exhaustive searches to their worker; the number of turns that it did."""
        return self._drain(EXHAUSTIVE, "exhaustive_searcher")

    def schedules(self) -> LocalScheduler:
        """What fires the schedules of saved searches when they are due."""

        def invoke(function: str, event: dict[str, Any]) -> Any:
            return self.invoke(function.removeprefix(f"{PREFIX}-"), event)

        return LocalScheduler(boto3.client("scheduler"), invoke, os.environ["SCHEDULE_GROUP"])

    def save(self, detail: Mapping[str, Any]) -> None:
        """The saved search that a scheduled event is about, as an event file tells it: a new machine has none."""
        if not {"owner", "search_id", "search"} <= set(detail):
            return
        at = "2026-01-01T00:00:00Z"
        schedule = {"expression": "rate(1 day)", "timezone": "UTC", "flexible_minutes": None}
        saved: Any = {
            "id": detail["search_id"], "owner": detail["owner"], "name": detail["search"]["query"], "enabled": True,
            "search": detail["search"], "schedule": schedule, "created_at": at, "updated_at": at, "since": at,
            "asked": "",
            "delivery": {"webhook": None, "sns": False, "baseline": True},
        }  # fmt: skip
        SavedSearches(boto3.resource("dynamodb").Table(os.environ["SAVED_SEARCHES_TABLE"])).create(saved, None)

    def complete(self) -> int:
        """Complete the pending result sets, one after the other; the number of those that ended."""
        return self._drain(COMPLETIONS, "dispatcher")

    def _drain(self, queue: Queue, function: str) -> int:
        done = 0
        while received := received_from(queue):
            done += self._consumed(queue, function, received)
        return done

    def _consumed(self, queue: Queue, function: str, received: Sequence[Mapping[str, Any]]) -> int:
        event = {"Records": [record_of(message, queue) for message in received]}
        failed = {item["itemIdentifier"] for item in self.invoke(function, event)["batchItemFailures"]}
        ended = [message for message in received if message["MessageId"] not in failed]
        for message in ended:
            url = os.environ[queue_variable(queue)]
            boto3.client("sqs").delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
        return len(ended)

    @contextmanager
    def writing(self, every_s: float = 0.5) -> Iterator[None]:
        """While inside, all queues are fed to their consumers in the background."""
        with self.feeding(every_s), self.completing():
            yield
        self.drain_queue()

    @contextmanager
    def feeding(self, every_s: float = 0.5) -> Iterator[None]:
        """While inside, the queues of what nobody waits for are fed to their consumers, one message after the other."""

        def feed() -> None:
            self.drain_queue()
            self.deliver()
            self.check_references()
            self.search_exhaustively()

        with repeated(feed, every_s=every_s, name="queues"):
            yield

    @contextmanager
    def completing(self) -> Iterator[None]:
        """While inside, pending result sets are completed."""

        def complete(message: Mapping[str, Any]) -> None:
            self._consumed(COMPLETIONS, "dispatcher", [message])

        with completing(partial(received_from, COMPLETIONS), complete):
            yield


@contextmanager
def machine(
    *, sandbox: Sandbox | None, sandbox_urls: Mapping[str, str] | None = None, dynamodb_url: str | None = None
) -> Iterator[Machine]:
    """Everything running; taken down, with the environment as it was, at the end.

    `sandbox_urls` are those of a sandbox that runs in another process. With `dynamodb_url`, DynamoDB and S3 are
    a server that several machines share, and its tables are there already.
    """
    with ExitStack() as stack:
        before = dict(os.environ)
        stack.callback(_restore_environment, before)
        os.environ.update(CREDENTIALS)
        os.environ.setdefault("POWERTOOLS_METRICS_DISABLED", "true")  # they are for CloudWatch, and go to stdout
        # Registers no handlers for the library `requests`, 1,300 each time: botocore does not use it.
        stack.enter_context(patch.object(moto_models, "RESPONSES_METHODS", ()))
        stack.enter_context(mock_aws())
        stack.enter_context(_one_at_a_time())
        stack.enter_context(queries_by_text_keys())
        stack.enter_context(small_transaction_copies())
        stack.enter_context(expressions_read_once())
        stack.enter_context(retention_read_from_the_queue())
        session = _session()
        boto3.DEFAULT_SESSION = session
        stack.callback(setattr, boto3, "DEFAULT_SESSION", None)
        if sandbox:
            sandbox_urls = stack.enter_context(sandbox).base_urls
        if sandbox_urls:
            os.environ.update(sandbox_urls)
            os.environ.setdefault("CONTACT_EMAIL", "sandbox@example.org")  # some answer only to those who give one
            os.environ.update(
                {f"{name.upper()}_API_KEY": SANDBOX_KEY for name in provider_names() if provider_spec(name).needs_key}
            )
            # What the sandbox allows costs one write a permit. The declared rate tells which requests are light.
            for name in (it for it in provider_names() if not provider_spec(it).light_paths):
                os.environ.setdefault(f"{name.upper()}_REQUESTS_PER_SECOND", f"{HIGH_RATE:.0f}")
        if dynamodb_url:
            os.environ |= {"AWS_ENDPOINT_URL_DYNAMODB": dynamodb_url, "AWS_ENDPOINT_URL_S3": dynamodb_url}
        else:
            create_tables(session)
        create_resources()
        if level := os.environ.get("POWERTOOLS_LOG_LEVEL"):  # the logger may be older than this wish
            stack.callback(logger.setLevel, logger.log_level)
            logger.setLevel(level)
        stack.enter_context(patch.dict(_INVOKED, import_handlers(), clear=True))
        yield Machine(_INVOKED, sandbox)


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """What moto does is atomic, as in AWS. Invocations are not moto's: lambda_hook answers them."""
    process = botocore_stubber.process_request

    def locked(request: Any) -> Any:
        if request.url.endswith("/invocations"):
            return None
        with LOCK:
            return process(request)

    with patch.object(botocore_stubber, "process_request", locked):
        yield


_INVOKED: dict[str, Handler] = {}  # what `lambda.invoke` reaches: the functions of the running machine


@cache
def _session() -> ReusingSession:
    session = ReusingSession(REGION)
    answer_item_operations(session)
    answer_file_operations(session)
    invoke_locally(session, _INVOKED)
    return session


def _restore_environment(before: Mapping[str, str]) -> None:
    os.environ.clear()
    os.environ.update(before)
