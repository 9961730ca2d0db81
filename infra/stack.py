"""Everything that is deployed: API key -> REST API -> dispatcher -> a Lambda per provider; queue -> writer -> graph.

The MCP server asks the dispatcher, in its caller's name. Schedules bring the dispatcher the runs of saved searches;
queue -> deliverer -> webhooks and a topic. Alarms and a dashboard show what users feel.

Tables and queues are defined in `infra/tables.py`, providers by the folder `functions/providers`; what a deployment may
choose is in `infra/settings.py`. Each permission is written out beside its function: the actions that the code calls,
on the one resource that it calls them on.
"""

from __future__ import annotations

from pathlib import Path

from aws_cdk import CfnOutput, Stack
from constructs import Construct

from infra.constructs.dashboard import Watched
from infra.constructs.lambda_functions import Functions
from infra.constructs.monitoring import watch
from infra.constructs.providers import new_providers
from infra.constructs.rest_api import new_front_door
from infra.constructs.saved_searches import new_saved_searches
from infra.constructs.search_functions import let_ask_the_graph, new_citation_writer, new_dispatcher, new_mcp_server
from infra.constructs.storage import new_queue, new_table
from infra.settings import Settings
from infra.tables import CITATIONS, DELIVERIES, IDEMPOTENCY, PAPERS, PROVIDER_BUDGETS, SEARCH_CACHE

READ_KEY = "aws apigateway get-api-key --include-value --query value --output text"


class LiteratureSearch(Stack):
    """One deployment of the service. In the stage `prod` the tables outlive it."""

    def __init__(self, scope: Construct, name: str, *, settings: Settings, layer: Path, code: Path) -> None:
        super().__init__(scope, name, description="Literature search: one call asks every source")
        cache, budgets, papers, repeats = (
            new_table(self, table, kept=settings.production)
            for table in (SEARCH_CACHE, PROVIDER_BUDGETS, PAPERS, IDEMPOTENCY)
        )
        citations = new_queue(self, CITATIONS)
        functions = Functions(self, layer, code)
        providers = new_providers(functions, budgets, settings)
        dispatcher = new_dispatcher(functions, providers, cache, budgets, citations)
        let_ask_the_graph(dispatcher, papers, repeats)
        mcp_server = new_mcp_server(functions, dispatcher)
        writer = new_citation_writer(functions, citations, papers)
        saved = new_saved_searches(self, functions, dispatcher, settings)
        api, plan, key = new_front_door(self, name, settings, dispatcher, mcp_server)
        watched = Watched(
            name=name,
            api=api,
            functions={it.node.id: it for it in (dispatcher, mcp_server, writer, saved.deliverer)},
            providers=tuple(providers),
            tables=(cache, budgets, papers, repeats, saved.table),
            queues={CITATIONS.name: citations, DELIVERIES.name: saved.deliveries},
            schedules=saved.groups,
        )
        watching = watch(self, watched, settings.alarm_email)
        _tell(self, "Url", api.url, "LITERATURE_SEARCH_URL")
        _tell(self, "ApiKeyId", key.key_id, "The first caller's key, by its id")
        _tell(self, "ApiKeyCommand", f"{READ_KEY} --api-key {key.key_id}", "Prints the first caller's key")
        _tell(self, "UsagePlanId", plan.usage_plan_id, "What further keys are put under")
        _tell(self, "Dashboard", watching.dashboard_url, "What users feel")
        _tell(self, "AlarmsTopicArn", watching.alarms.topic_arn, "Subscribe who shall hear of alarms")
        _tell(self, "NewsTopicArn", saved.news.topic_arn, "News of saved searches whose owners chose SNS")
        _tell(self, "CitationsQueueUrl", citations.queue_url, "make dead-letters QUEUE_URL=<this>, or make redrive")
        _tell(self, "DeliveriesQueueUrl", saved.deliveries.queue_url, "The same of deliveries to webhooks")
        _tell(
            self, "SecretsPrefix", settings.secrets, "A provider's key is the secret <prefix>/<provider>; absent = off"
        )


def _tell(stack: Stack, name: str, value: str, what: str) -> None:
    CfnOutput(stack, name, value=value, description=what)
