"""Everything that is deployed: API key -> REST API -> dispatcher -> a Lambda per provider; queue -> writer -> graph.

The MCP server asks the dispatcher, in its caller's name. Tables and queues are defined in `infra/tables.py`, providers
by the folder `functions/providers`. Each permission is written out here: the actions that the code calls, on the one
resource that it calls them on.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

from aws_cdk import ArnFormat, CfnOutput, Stack
from aws_cdk.aws_dynamodb import Table
from aws_cdk.aws_lambda import Function
from aws_cdk.aws_lambda_event_sources import SqsEventSource
from aws_cdk.aws_sqs import Queue
from constructs import Construct

from infra.constructs import front_door
from infra.constructs.lambda_functions import Functions, allow
from infra.constructs.storage import new_queue, new_table
from infra.functions import provider_entry, provider_names, provider_spec
from infra.tables import BY_TARGET, CITATIONS, IDEMPOTENCY, PAPERS, PROVIDER_BUDGETS, SEARCH_CACHE

WRITER_TIMEOUT_S = CITATIONS.visibility_timeout_s // 6  # AWS asks for six times the consumer's time-out
# A leg ends by its own deadline; Lambda's is behind it, so that a late leg still tells what became of it.
LEG_GRACE_S = 2


class LiteratureSearch(Stack):
    """One deployment of the service. In the stage `prod` the tables outlive it."""

    def __init__(self, scope: Construct, name: str, *, stage: str, contact: str | None, layer: Path) -> None:
        super().__init__(scope, name, description="Literature search: one call asks every source")
        cache, budgets, papers, repeats = (
            new_table(self, table, kept=stage == "prod")
            for table in (SEARCH_CACHE, PROVIDER_BUDGETS, PAPERS, IDEMPOTENCY)
        )
        citations = new_queue(self, CITATIONS)
        self._functions = Functions(self, layer)
        self._secrets = f"literature-search/{stage}"
        providers = {provider: self._provider(provider, contact, budgets) for provider in provider_names()}
        self._writer(citations, papers)
        dispatcher = self._dispatcher(providers, cache, budgets, citations)
        self._let_ask_the_graph(dispatcher, papers, repeats)
        api, key = front_door.new_front_door(self, name, stage, dispatcher, self._mcp_server(dispatcher))
        CfnOutput(self, "Url", value=api.url, description="LITERATURE_SEARCH_URL")
        CfnOutput(
            self, "ApiKeyId", value=key.key_id, description="aws apigateway get-api-key --include-value --api-key"
        )

    def _dispatcher(
        self, providers: Mapping[str, Function], cache: Table, budgets: Table, citations: Queue
    ) -> Function:
        known = {name: provider_entry(name, function.function_name) for name, function in providers.items()}
        environment = {
            "PROVIDERS": self.to_json_string(known),
            "SEARCH_CACHE_TABLE": cache.table_name,
            "PROVIDER_BUDGETS_TABLE": budgets.table_name,
            "CITATIONS_QUEUE_URL": citations.queue_url,
        }
        dispatcher = self._functions.new(
            "dispatcher",
            "functions.dispatcher.handler.handler",
            environment,
            timeout_s=front_door.TIMEOUT_S,
            memory_mb=1024,  # merging and ranking want a processor, which comes with memory
        )
        allow(dispatcher, ["lambda:InvokeFunction"], on=[function.function_arn for function in providers.values()])
        allow(
            dispatcher,
            ["dynamodb:BatchGetItem", "dynamodb:BatchWriteItem", "dynamodb:UpdateItem"],
            on=[cache.table_arn],
        )
        allow(dispatcher, ["dynamodb:BatchGetItem"], on=[budgets.table_arn])
        allow(dispatcher, ["sqs:SendMessage"], on=[citations.queue_arn])
        return dispatcher

    def _let_ask_the_graph(self, dispatcher: Function, papers: Table, repeats: Table) -> None:
        dispatcher.add_environment("PAPERS_TABLE", papers.table_name)
        dispatcher.add_environment("IDEMPOTENCY_TABLE", repeats.table_name)
        allow(dispatcher, ["dynamodb:BatchGetItem", "dynamodb:Query", "dynamodb:Scan"], on=[papers.table_arn])
        allow(dispatcher, ["dynamodb:Query"], on=[f"{papers.table_arn}/index/{BY_TARGET.name}"])
        allow(dispatcher, ["dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem"], on=[repeats.table_arn])

    def _provider(self, name: str, contact: str | None, budgets: Table) -> Function:
        spec = provider_spec(name)
        provider = self._functions.new(
            name,
            f"functions.providers.{name}.handler",
            {"SECRETS_PREFIX": self._secrets, "PROVIDER_BUDGETS_TABLE": budgets.table_name}
            | ({"CONTACT_EMAIL": contact} if contact else {}),
            timeout_s=math.ceil(spec.timeout_s) + LEG_GRACE_S,
            memory_mb=spec.memory_mb,
        )
        allow(provider, ["dynamodb:GetItem", "dynamodb:PutItem"], on=[budgets.table_arn])
        secret = self.format_arn(
            service="secretsmanager",
            resource="secret",
            resource_name=f"{self._secrets}/{name}",
            arn_format=ArnFormat.COLON_RESOURCE_NAME,
        )
        # Secrets Manager ends a stored secret's ARN with six characters of its own; one that is not there has none,
        # and must be "not found" rather than "denied": that is how a provider learns that it has no key.
        allow(provider, ["secretsmanager:GetSecretValue"], on=[secret, f"{secret}-??????"])
        return provider

    def _mcp_server(self, dispatcher: Function) -> Function:
        server = self._functions.new(
            "mcp_server",
            "functions.mcp_server.handler.handler",
            {"DISPATCHER_FUNCTION": dispatcher.function_name},
            timeout_s=front_door.TIMEOUT_S,
            memory_mb=512,
        )
        allow(server, ["lambda:InvokeFunction"], on=[dispatcher.function_arn])
        return server

    def _writer(self, citations: Queue, papers: Table) -> None:
        writer = self._functions.new(
            "citation_writer",
            "functions.citation_writer.handler.handler",
            {"PAPERS_TABLE": papers.table_name},
            timeout_s=WRITER_TIMEOUT_S,
            memory_mb=512,
        )
        allow(
            writer, ["dynamodb:BatchGetItem", "dynamodb:BatchWriteItem", "dynamodb:UpdateItem"], on=[papers.table_arn]
        )
        # Lets the function receive from the queue and delete what it has written.
        writer.add_event_source(SqsEventSource(citations, batch_size=10, report_batch_item_failures=True))
