"""One page for who looks after the service: what callers feel, each provider, what waits, what was turned away.

Providers are found by searching the metrics, so that a new one is there by itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aws_cdk import Duration, Stack
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk.aws_apigateway import RestApi
from aws_cdk.aws_cloudwatch import IMetric, MathExpression, Metric, Stats
from aws_cdk.aws_dynamodb import Table
from aws_cdk.aws_lambda import Function
from aws_cdk.aws_sqs import Queue
from constructs import Construct

from infra.tables import TABLES

FIVE_MINUTES = Duration.minutes(5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """What there is to watch; `name` is the stack's and its metrics' namespace, `schedules` its schedules' groups."""

    name: str
    api: RestApi
    functions: Mapping[str, Function]
    providers: Sequence[str]
    tables: Sequence[Table]
    queues: Mapping[str, Queue]
    schedules: Sequence[str]


def new_dashboard(scope: Construct, watched: Watched) -> str:
    """The address of the page."""
    cloudwatch.Dashboard(
        scope,
        "dashboard",
        dashboard_name=watched.name,
        default_interval=Duration.hours(12),
        widgets=[
            _answers(watched.api),
            _legs(watched.name),
            _budgets(watched.name),
            _queues(watched.queues),
            _turned_away(watched),
        ],
    )
    region = Stack.of(scope).region
    return (
        f"https://{region}.console.aws.amazon.com/cloudwatch/home?region={region}#dashboards/dashboard/{watched.name}"
    )


def _answers(api: RestApi) -> list[cloudwatch.IWidget]:
    counts = [api.metric_count(), api.metric_client_error(), api.metric_server_error()]
    latency = [api.metric_latency(statistic=Stats.percentile(share)) for share in (50, 95, 99)]
    return [_graph("Requests, and those refused or failed", counts), _graph("Latency, ms: p50, p95, p99", latency)]


def _legs(namespace: str) -> list[cloudwatch.IWidget]:
    return [
        _graph("Legs by provider and outcome", [_every(namespace, ("provider", "outcome"), "Legs", "Sum")], width=8),
        _graph("Legs by provider and source", [_every(namespace, ("provider", "source"), "Legs", "Sum")], width=8),
        _graph("Latency of legs, ms, p95", [_every(namespace, ("provider",), "LegLatency", "p95")], width=8),
    ]


def _budgets(namespace: str) -> list[cloudwatch.IWidget]:
    return [
        _graph(
            "Requests that each provider still allows now", [_every(namespace, ("provider",), "BudgetLeft", "Minimum")]
        ),
        _graph("Credits left for the day", [_every(namespace, ("provider",), "CreditsLeft", "Minimum")]),
    ]


def _queues(queues: Mapping[str, Queue]) -> list[cloudwatch.IWidget]:
    ages = [queue.metric_approximate_age_of_oldest_message(label=name) for name, queue in queues.items()]
    waiting = [queue.metric_approximate_number_of_messages_visible(label=name) for name, queue in queues.items()]
    dead = [
        queue.dead_letter_queue.queue.metric_approximate_number_of_messages_visible(label=name)
        for name, queue in queues.items()
        if queue.dead_letter_queue
    ]
    return [
        _graph("Age of the oldest message, s", ages, width=8),
        _graph("Messages waiting", waiting, width=8),
        _graph("Dead letters", dead, width=8),
    ]


def _turned_away(watched: Watched) -> list[cloudwatch.IWidget]:
    throttles = [metric for table in watched.tables for metric in throttle_events(table).values()]
    webhooks = [
        Metric(namespace=watched.name, metric_name=name, statistic="Sum")
        for name in ("WebhookAttempts", "WebhookFailures")
    ]
    runs = [
        Metric(
            namespace="AWS/Scheduler", metric_name=name, dimensions_map={"ScheduleGroup": group}, statistic="Sum",
            label=f"{group}: {name}",
        )
        for group in watched.schedules
        for name in ("InvocationAttemptCount", "TargetErrorCount", "InvocationDroppedCount")
    ]  # fmt: skip
    return [
        _graph("Errors of functions", [_of_functions(watched.name, "Errors")], width=6),
        _graph("Turned away by Lambda", [_of_functions(watched.name, "Throttles")], width=6),
        _graph("Turned away by DynamoDB", throttles, width=6),
        _graph("Webhooks, and runs of saved searches", [*webhooks, *runs], width=6),
    ]


def throttle_events(table: Table) -> dict[str, Metric]:
    """What DynamoDB turned away at a table, and at each of its indexes, which are counted by themselves."""
    found = {}
    for index in (None, *(index.name for it in TABLES if it.name == table.node.id for index in it.indexes)):
        dimensions = {"TableName": table.table_name, **({"GlobalSecondaryIndexName": index} if index else {})}
        for kind in ("Read", "Write"):
            found[f"{kind.lower()}s{f'_{index}' if index else ''}"] = Metric(
                namespace="AWS/DynamoDB", metric_name=f"{kind}ThrottleEvents", dimensions_map=dimensions,
                statistic="Sum", label=f"{index or table.node.id}: {kind.lower()}s",
            )  # fmt: skip
    return found


def _of_functions(stack: str, metric: str) -> MathExpression:
    """The metric of each function of the stack: whose name has all words of the stack's."""
    words = " ".join(f"FunctionName={word}" for word in stack.split("-"))
    search = f"SEARCH('{{AWS/Lambda,FunctionName}} MetricName=\"{metric}\" {words}', 'Sum', 300)"
    return MathExpression(expression=search, label="", period=FIVE_MINUTES)


def _every(namespace: str, dimensions: Sequence[str], metric: str, statistic: str) -> MathExpression:
    """The metric of all providers that there are."""
    where = ",".join((f'"{namespace}"', *dimensions))  # what has more than letters and digits wants quotation marks
    search = f"SEARCH('{{{where}}} MetricName=\"{metric}\"', '{statistic}', 300)"
    return MathExpression(expression=search, label="", period=FIVE_MINUTES)


def _graph(title: str, lines: Sequence[IMetric], *, width: int = 12) -> cloudwatch.GraphWidget:
    return cloudwatch.GraphWidget(title=title, left=list(lines), width=width)
