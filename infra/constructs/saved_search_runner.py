"""The function that runs saved searches and reconciles their schedules; Scheduler invokes it."""

from __future__ import annotations

from collections.abc import Mapping

from aws_cdk import Stack
from aws_cdk.aws_dynamodb import ITable
from aws_cdk.aws_lambda import Function
from aws_cdk.aws_s3 import Bucket
from aws_cdk.aws_sqs import Queue

from infra.constructs.cache_files import allow_files
from infra.constructs.lambda_functions import Functions, allow, live
from infra.constructs.providers import live_providers
from infra.functions import capabilities, providers_for, timeout_s


def new_saved_search_runner(
    functions: Functions,
    providers: Mapping[str, Function],
    cache: ITable,
    files: Bucket,
    budgets: ITable,
    papers: ITable,
    citations: Queue,
) -> Function:
    """Create it; what it may do with saved searches and their schedules is granted beside those.

    A run queries the providers that can be searched, and a watch those that look papers up. Both share replies by the
    cache as other searches do, and queue what they find for the graph.
    """
    queried = {name: providers[name] for name in sorted({*providers_for("search"), *providers_for("lookup")})}
    runner = functions.new(
        "saved_search_runner",
        "functions.saved_search_runner.handler.handler",
        {
            "PROVIDER_FUNCTIONS": live_providers(cache),
            "CAPABILITIES": capabilities(),
            "SEARCH_CACHE_TABLE": cache.table_name,
            "PROVIDER_BUDGETS_TABLE": budgets.table_name,
            "PAPERS_TABLE": papers.table_name,
            "CITATIONS_QUEUE_URL": citations.queue_url,
            "POWERTOOLS_METRICS_NAMESPACE": Stack.of(cache).stack_name,
        },
        timeout_s=timeout_s("saved_search_runner"),
        memory_mb=1024,  # merging needs CPU, which Lambda allots in proportion to memory
    )
    allow(runner, ["lambda:InvokeFunction"], on=[live(function).function_arn for function in queried.values()])
    # Replies, the leases of legs, and the claims of what is queued for the graph.
    legs = ["dynamodb:BatchGetItem", "dynamodb:BatchWriteItem", "dynamodb:PutItem", "dynamodb:UpdateItem"]
    allow(runner, legs, on=[cache.table_arn])
    allow_files(runner, files)
    # Which providers are switched off or have no permits left.
    allow(runner, ["dynamodb:BatchGetItem"], on=[budgets.table_arn])
    # A watch reads the context that it follows; a run claims the context that its search writes to.
    allow(runner, ["dynamodb:BatchGetItem", "dynamodb:Query", "dynamodb:PutItem"], on=[papers.table_arn])
    allow(runner, ["sqs:SendMessage"], on=[citations.queue_arn])
    return runner
