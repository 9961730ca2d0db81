"""Jobs: for each kind its table, its queue, and the function that works through it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from aws_cdk import Stack
from aws_cdk.aws_dynamodb import ITable
from aws_cdk.aws_lambda import Function
from aws_cdk.aws_s3 import Bucket
from aws_cdk.aws_sqs import Queue
from constructs import Construct

from infra import tables
from infra.constructs.cache_files import allow_files
from infra.constructs.lambda_functions import Functions, allow, live, live_name
from infra.constructs.providers import live_providers
from infra.constructs.storage import add_event_source, new_queue, new_table
from infra.functions import capabilities, providers_for, timeout_s
from infra.settings import Settings


@dataclass(frozen=True, slots=True)
class Jobs:
    """The resources of one kind of job."""

    table: ITable
    queue: Queue
    worker: Function


def new_reference_checks(scope: Construct, functions: Functions, dispatcher: Function, settings: Settings) -> Jobs:
    """Create the resources of checks of long lists of references.

    The checker resolves references by invoking the dispatcher, so that it needs neither providers nor their budgets.
    """
    table = new_table(scope, tables.REFERENCE_CHECKS, settings)
    queue = new_queue(scope, tables.CHECKS)
    shared = {"REFERENCE_CHECKS_TABLE": table.table_name, "CHECKS_QUEUE_URL": queue.queue_url}
    own = {"DISPATCHER_FUNCTION": live_name(dispatcher)}
    checker = _new_worker(functions, "reference_checker", {**shared, **own}, memory_mb=512)
    allow(checker, ["lambda:InvokeFunction"], on=[live(dispatcher).function_arn])
    return _connected(Jobs(table, queue, checker), dispatcher, shared)


def new_exhaustive_searches(
    scope: Construct,
    functions: Functions,
    dispatcher: Function,
    providers: Mapping[str, Function],
    cache: ITable,
    files: Bucket,
    budgets: ITable,
    settings: Settings,
) -> Jobs:
    """Create the resources of exhaustive searches.

    The searcher invokes the providers that can be searched, and shares their replies by the cache as the dispatcher
    does.
    """
    table = new_table(scope, tables.EXHAUSTIVE_SEARCHES, settings)
    queue = new_queue(scope, tables.EXHAUSTIVE)
    shared = {"EXHAUSTIVE_SEARCHES_TABLE": table.table_name, "EXHAUSTIVE_QUEUE_URL": queue.queue_url}
    searched = {name: providers[name] for name in providers_for("search")}
    own = {
        "PROVIDER_FUNCTIONS": live_providers(table),
        "CAPABILITIES": capabilities(),
        "SEARCH_CACHE_TABLE": cache.table_name,
        "PROVIDER_BUDGETS_TABLE": budgets.table_name,
        "POWERTOOLS_METRICS_NAMESPACE": Stack.of(table).stack_name,
    }
    # All records of a search are merged in memory.
    searcher = _new_worker(functions, "exhaustive_searcher", {**shared, **own}, memory_mb=2048)
    allow(searcher, ["lambda:InvokeFunction"], on=[live(function).function_arn for function in searched.values()])
    legs = ["dynamodb:BatchGetItem", "dynamodb:BatchWriteItem", "dynamodb:UpdateItem"]
    allow(searcher, legs, on=[cache.table_arn])
    allow_files(searcher, files)
    allow(searcher, ["dynamodb:BatchGetItem"], on=[budgets.table_arn])
    return _connected(Jobs(table, queue, searcher), dispatcher, shared)


def _new_worker(functions: Functions, name: str, environment: Mapping[str, str], *, memory_mb: int) -> Function:
    handler = f"functions.{name}.handler.handler"
    return functions.new(name, handler, environment, timeout_s=timeout_s(name), memory_mb=memory_mb)


def _connected(jobs: Jobs, dispatcher: Function, environment: Mapping[str, str]) -> Jobs:
    """Let the worker receive messages, and the dispatcher and the worker store jobs and enqueue their next steps."""
    add_event_source(jobs.worker, jobs.queue, batch_size=1)
    writes = ["dynamodb:BatchGetItem", "dynamodb:BatchWriteItem", "dynamodb:PutItem"]
    for function in (jobs.worker, dispatcher):
        allow(function, writes, on=[jobs.table.table_arn])
        allow(function, ["sqs:SendMessage"], on=[jobs.queue.queue_arn])
    for name, value in environment.items():
        dispatcher.add_environment(name, value)
    return jobs
