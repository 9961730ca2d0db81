"""The stack: API key or token -> REST API -> dispatcher -> one Lambda per provider; queue -> citation writer -> graph.

The MCP server invokes the dispatcher on behalf of its caller. EventBridge Scheduler -> runner of saved searches ->
providers; queue -> deliverer -> webhooks and an SNS topic; queue -> reference checker -> dispatcher;
queue -> exhaustive searcher -> providers. The dispatcher
completes answers that did not wait for every provider: queue -> dispatcher. Alarms and a dashboard monitor all of it.

Tables and queues are defined in `infra/tables.py`, providers by the folder `functions/providers`, and a deployment's
settings in `infra/settings.py`; a setting adds the re-ranker. Permissions are granted beside each function: the actions
that its code calls, on the one resource that it calls them on.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from aws_cdk import CfnOutput, Stack, Tags
from aws_cdk.aws_apigateway import IApiKey, RestApi, UsagePlan
from aws_cdk.aws_lambda import Function
from aws_cdk.aws_sqs import Queue
from constructs import Construct

from infra.constructs.access_tokens import accept_tokens
from infra.constructs.cache_files import new_cache_files
from infra.constructs.canary import deploy_with_canary
from infra.constructs.dashboard import MonitoredResources, new_dashboard
from infra.constructs.jobs import new_exhaustive_searches, new_reference_checks
from infra.constructs.lambda_functions import Functions
from infra.constructs.monitoring import new_alarms
from infra.constructs.providers import new_providers
from infra.constructs.reranker import new_rerankers
from infra.constructs.rest_api import new_rest_api
from infra.constructs.saved_search_runner import new_saved_search_runner
from infra.constructs.saved_searches import new_saved_searches
from infra.constructs.search_functions import (
    grant_graph_read,
    new_authorizer,
    new_citation_writer,
    new_dispatcher,
    new_mcp_server,
    new_public_pages,
)
from infra.constructs.storage import new_queue, new_table
from infra.settings import Settings
from infra.source_switch import OUTPUT
from infra.tables import CITATIONS, COMPLETIONS, IDEMPOTENCY, PAPERS, PROVIDER_BUDGETS, SEARCH_CACHE
from infra.uploaded_code import StagedCode

DESCRIPTION = "Literature search: one call asks every source"
READ_KEY = "aws apigateway get-api-key --include-value --query value --output text"


class LiteratureSearch(Stack):
    """One deployment of the service. In `prod`, tables that cannot be recreated outlive the stack."""

    def __init__(
        self, scope: Construct, name: str, *, settings: Settings, layer: Path, reranker_layer: Path, code: StagedCode
    ) -> None:
        # Deleting prod takes its address, keys and schedules at once.
        super().__init__(scope, name, description=DESCRIPTION, termination_protection=settings.production)
        _tag(self, settings)
        cache, budgets, papers, idempotency = (
            new_table(self, table, settings) for table in (SEARCH_CACHE, PROVIDER_BUDGETS, PAPERS, IDEMPOTENCY)
        )
        citations, completions = new_queue(self, CITATIONS), new_queue(self, COMPLETIONS)
        functions = Functions(self, layer, code.functions)
        files = new_cache_files(self)
        providers = new_providers(functions, budgets, cache, files, settings)
        dispatcher = new_dispatcher(functions, providers, cache, files, budgets, citations, completions, settings)
        grant_graph_read(dispatcher, papers, idempotency)
        mcp_server = new_mcp_server(functions, dispatcher)
        writer = new_citation_writer(functions, citations, papers)
        runner = new_saved_search_runner(functions, providers, cache, files, budgets, papers, citations)
        saved = new_saved_searches(self, functions, dispatcher, runner, settings)
        checks = new_reference_checks(self, functions, dispatcher, settings)
        exhaustive = new_exhaustive_searches(self, functions, dispatcher, providers, cache, files, budgets, settings)
        authorizer, pages = new_authorizer(functions), new_public_pages(functions, code.public_pages)
        api, plan, key = new_rest_api(self, name, settings, dispatcher, mcp_server, pages, authorizer)
        accept_tokens(self, settings, authorizer, api, plan)
        answering = (dispatcher, mcp_server, pages)
        rerankers = new_rerankers(functions, dispatcher, settings, reranker_layer)
        others = (authorizer, writer, runner, saved.deliverer, checks.worker, exhaustive.worker, *rerankers)
        queues = {it.node.id: it for it in (citations, saved.deliveries, completions, checks.queue, exhaustive.queue)}
        monitored = MonitoredResources(
            name=name,
            api=api,
            functions={it.node.id: it for it in (*answering, *others)},
            providers=tuple(providers),
            tables=(cache, budgets, papers, idempotency, saved.table, checks.table, exhaustive.table),
            queues=queues,
            schedule_groups=saved.schedule_groups,
        )
        _add_outputs(self, settings, api, key, plan)
        _monitor(self, settings, monitored, answering)
        _output(self, "NewsTopicArn", saved.news.topic_arn, "New items of the saved searches with delivery.sns")
        _output(self, OUTPUT, budgets.table_name, "The rate limits, and the sources that are switched off")
        _add_queue_outputs(self, monitored.queues)


def _monitor(stack: Stack, settings: Settings, monitored: MonitoredResources, answering: tuple[Function, ...]) -> None:
    """Create, if wanted, the dashboard and the alarms, and guard deployments of the functions that answer callers."""
    if settings.dashboard:
        _output(stack, "Dashboard", new_dashboard(stack, monitored), "Requests, providers, queues and errors")
    if not settings.alarms:
        return
    alarms = new_alarms(stack, monitored, settings)
    _output(stack, "AlarmsTopicArn", alarms.topic.topic_arn, "Publishes alarms; subscribe the operators")
    if settings.canary:
        deploy_with_canary(stack, answering, alarms.answers_fail)


def _tag(stack: Stack, settings: Settings) -> None:
    """Tag every resource, for the account's cost reports."""
    for tag, value in (("project", "literature-search"), ("stage", settings.stage)):
        Tags.of(stack).add(tag, value)


def _add_queue_outputs(stack: Stack, queues: Mapping[str, Queue]) -> None:
    commands = "make dead-letters QUEUE_URL=<this>, or make redrive"
    for name, queue in queues.items():
        if name != COMPLETIONS.name:  # of use for minutes: nothing of it is sent back
            _output(stack, f"{queue.node.id.capitalize()}QueueUrl", queue.queue_url, commands)


def _add_outputs(stack: Stack, settings: Settings, api: RestApi, key: IApiKey, plan: UsagePlan) -> None:
    """What a caller needs."""
    _output(stack, "Url", api.url, "LITERATURE_SEARCH_URL")
    _output(stack, "ApiKeyId", key.key_id, "The id of the first caller's API key")
    _output(stack, "ApiKeyCommand", f"{READ_KEY} --api-key {key.key_id}", "Prints the first caller's API key")
    _output(stack, "UsagePlanId", plan.usage_plan_id, "The usage plan to add further API keys to")
    secrets = "A provider's key is the secret <prefix>/<provider>; without it the provider is off"
    _output(stack, "SecretsPrefix", settings.secrets, secrets)


def _output(stack: Stack, name: str, value: str, description: str) -> None:
    CfnOutput(stack, name, value=value, description=description)
