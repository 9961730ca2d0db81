"""The dispatcher, the MCP server that invokes it, the public pages, and the citation writer behind its queue."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from aws_cdk import Stack
from aws_cdk.aws_dynamodb import ITable
from aws_cdk.aws_lambda import Function
from aws_cdk.aws_s3 import Bucket
from aws_cdk.aws_sqs import Queue

from infra.constructs.cache_files import allow_files
from infra.constructs.lambda_functions import Functions, allow, live, live_name
from infra.constructs.providers import live_providers
from infra.constructs.storage import add_event_source
from infra.functions import capabilities, providers_for, timeout_s
from infra.settings import Settings
from infra.tables import BY_TARGET

# A completion waits for a provider: as many as may be under way at once without being late.
MAX_COMPLETIONS = 50


def new_dispatcher(
    functions: Functions,
    providers: Mapping[str, Function],
    cache: ITable,
    files: Bucket,
    budgets: ITable,
    citations: Queue,
    completions: Queue,
    settings: Settings,
) -> Function:
    """Create the dispatcher; it may invoke every provider and share cached replies between callers.

    It completes the result sets that it has left pending: the queue invokes it with one at a time.
    """
    dispatcher = functions.new(
        "dispatcher",
        "functions.dispatcher.handler.handler",
        {
            "PROVIDER_FUNCTIONS": live_providers(cache),
            "CAPABILITIES": capabilities(),
            "SEARCH_CACHE_TABLE": cache.table_name,
            "PROVIDER_BUDGETS_TABLE": budgets.table_name,
            "CITATIONS_QUEUE_URL": citations.queue_url,
            "COMPLETIONS_QUEUE_URL": completions.queue_url,
            "POWERTOOLS_METRICS_NAMESPACE": Stack.of(cache).stack_name,
            **settings.fresh_limits,
        },
        timeout_s=timeout_s("dispatcher"),
        memory_mb=1024,  # merging and ranking need CPU, which Lambda allots in proportion to memory
    )
    allow(dispatcher, ["lambda:InvokeFunction"], on=[live(function).function_arn for function in providers.values()])
    writes = ["dynamodb:BatchWriteItem", "dynamodb:PutItem", "dynamodb:UpdateItem"]
    allow(dispatcher, ["dynamodb:BatchGetItem", *writes], on=[cache.table_arn])
    allow_files(dispatcher, files)
    allow(dispatcher, ["dynamodb:BatchGetItem"], on=[budgets.table_arn])
    allow(dispatcher, ["sqs:SendMessage"], on=[citations.queue_arn, completions.queue_arn])
    add_event_source(dispatcher, completions, batch_size=1, max_concurrency=MAX_COMPLETIONS)
    return dispatcher


def grant_graph_read(dispatcher: Function, papers: ITable, idempotency: ITable) -> None:
    """Let the dispatcher read the graph, claim contexts, and store responses under their Idempotency-Keys."""
    dispatcher.add_environment("PAPERS_TABLE", papers.table_name)
    dispatcher.add_environment("IDEMPOTENCY_TABLE", idempotency.table_name)
    reads = ["dynamodb:BatchGetItem", "dynamodb:Query", "dynamodb:Scan"]
    allow(dispatcher, [*reads, "dynamodb:PutItem"], on=[papers.table_arn])
    allow(dispatcher, ["dynamodb:Query"], on=[f"{papers.table_arn}/index/{BY_TARGET.name}"])
    allow(dispatcher, ["dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem"], on=[idempotency.table_arn])


def new_mcp_server(functions: Functions, dispatcher: Function) -> Function:
    """Create the MCP server; it may only invoke the dispatcher, on behalf of its caller."""
    server = functions.new(
        "mcp_server",
        "functions.mcp_server.handler.handler",
        {"DISPATCHER_FUNCTION": live_name(dispatcher), "SEARCHED_PROVIDERS": ",".join(providers_for("search"))},
        timeout_s=timeout_s("mcp_server"),
        memory_mb=512,
    )
    allow(server, ["lambda:InvokeFunction"], on=[live(dispatcher).function_arn])
    return server


def new_public_pages(functions: Functions, code: Path) -> Function:
    """Create the function that answers the public paths, from code of its own; it may call nothing."""
    return functions.new(
        "public_pages",
        "functions.public_pages.handler.handler",
        {"CAPABILITIES": capabilities()},
        timeout_s=timeout_s("public_pages"),
        memory_mb=512,
        code=code,
    )


def new_authorizer(functions: Functions) -> Function:
    """Create the function that tells API Gateway whose request it is; it may call nothing."""
    return functions.new(
        "authorizer",
        "functions.authorizer.handler.handler",
        {},
        timeout_s=timeout_s("authorizer"),
        memory_mb=256,
    )


def new_citation_writer(functions: Functions, citations: Queue, papers: ITable) -> Function:
    """Create the function that writes queued papers to the graph."""
    writer = functions.new(
        "citation_writer",
        "functions.citation_writer.handler.handler",
        {"PAPERS_TABLE": papers.table_name},
        timeout_s=timeout_s("citation_writer"),
        memory_mb=512,
    )
    allow(
        writer,
        [*(f"dynamodb:{it}" for it in ("BatchGetItem", "BatchWriteItem", "Query", "UpdateItem"))],
        on=[papers.table_arn],
    )
    add_event_source(writer, citations, batch_size=10)
    return writer
