"""The operators' CloudWatch dashboard: requests, providers, queues, errors and throttling.

Provider widgets use metric searches (`SEARCH(...)`), so a new provider appears without a change here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from aws_cdk import Duration, Stack
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk.aws_apigateway import RestApi
from aws_cdk.aws_cloudwatch import IMetric, MathExpression, Metric, Stats
from aws_cdk.aws_dynamodb import ITable
from aws_cdk.aws_lambda import Function
from aws_cdk.aws_sqs import Queue
from constructs import Construct

from infra.tables import TABLES
from shared.aws.runtime.metrics import COUNTED, FAILED_LEGS, SERVICE

FIVE_MINUTES = Duration.minutes(5)


@dataclass(frozen=True, slots=True, kw_only=True)
class MonitoredResources:
    """The resources to monitor. `name` is the stack's name and the namespace of its metrics."""

    name: str
    api: RestApi
    functions: Mapping[str, Function]
    providers: Sequence[str]
    tables: Sequence[ITable]
    queues: Mapping[str, Queue]
    schedule_groups: Sequence[str]


def new_dashboard(scope: Construct, monitored: MonitoredResources) -> str:
    """Create the dashboard and return its URL."""
    cloudwatch.Dashboard(
        scope,
        "dashboard",
        dashboard_name=monitored.name,
        default_interval=Duration.hours(12),
        widgets=[
            _requests(monitored.api),
            _legs(monitored.name),
            _budgets(monitored.name),
            _queues(monitored.queues),
            _errors_and_throttling(monitored),
        ],
    )
    region = Stack.of(scope).region
    return (
        f"https://{region}.console.aws.amazon.com/cloudwatch/home?region={region}#dashboards/dashboard/{monitored.name}"
    )


def _requests(api: RestApi) -> list[cloudwatch.IWidget]:
    counts = [api.metric_count(), api.metric_client_error(), api.metric_server_error()]
    latency = [api.metric_latency(statistic=Stats.percentile(share)) for share in (50, 95, 99)]
    return [
        _widget("Requests: all, refused (4xx), failed (5xx)", counts),
        _widget("Latency (ms): p50, p95, p99", latency),
    ]


def _legs(namespace: str) -> list[cloudwatch.IWidget]:
    by_provider = [_of_failed_legs(namespace, statistic) for statistic in ("SampleCount", "Sum")]
    legs = [
        Metric(namespace=namespace, metric_name=name, dimensions_map={"service": SERVICE}, statistic="Sum")
        for name in ("LegsLive", "LegsCache", "LegsStale", "LegsCoalesced", "LegsSkipped")
    ]
    return [
        _widget("Live legs by provider: queried, failed", by_provider, width=8),
        _widget("Legs by source; without a permit", legs, width=8),
        _widget(
            "Duration of functions (ms), p95",
            [_of_all_functions(namespace, "Duration", "p95")],
            width=8,
        ),
    ]


def _budgets(namespace: str) -> list[cloudwatch.IWidget]:
    return [
        _widget("Credits left for the day", [_of_all_providers(namespace, "CreditsLeft", "Minimum")]),
        _widget("Processes without the table of rate limits", [_of_all_providers(namespace, "BudgetTableLost", "Sum")]),
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
        _widget("Age of the oldest message (s)", ages, width=8),
        _widget("Messages waiting", waiting, width=8),
        _widget("Dead letters", dead, width=8),
    ]


def _errors_and_throttling(monitored: MonitoredResources) -> list[cloudwatch.IWidget]:
    throttles = [metric for table in monitored.tables for metric in throttle_events(table).values()]
    webhooks = [
        Metric(namespace=monitored.name, metric_name=name, statistic="Sum")
        for name in ("WebhookAttempts", "WebhookFailures")
    ]
    runs = [
        Metric(
            namespace="AWS/Scheduler", metric_name=name, dimensions_map={"ScheduleGroup": group}, statistic="Sum",
            label=f"{group}: {name}",
        )
        for group in monitored.schedule_groups
        for name in ("InvocationAttemptCount", "TargetErrorCount", "InvocationDroppedCount")
    ]  # fmt: skip
    return [
        _widget("Lambda errors", [_of_all_functions(monitored.name, "Errors")], width=6),
        _widget("Lambda throttling", [_of_all_functions(monitored.name, "Throttles")], width=6),
        _widget("DynamoDB throttling", throttles, width=6),
        _widget("Webhooks, and runs of saved searches", [*webhooks, *runs], width=6),
    ]


def throttle_events(table: ITable) -> dict[str, Metric]:
    """Return the throttling metrics of a table and of each of its indexes, which DynamoDB counts separately."""
    metrics = {}
    for index in (None, *(index.name for known in TABLES if known.name == table.node.id for index in known.indexes)):
        dimensions = {"TableName": table.table_name, **({"GlobalSecondaryIndexName": index} if index else {})}
        for kind in ("Read", "Write"):
            metrics[f"{kind.lower()}s{f'_{index}' if index else ''}"] = Metric(
                namespace="AWS/DynamoDB", metric_name=f"{kind}ThrottleEvents", dimensions_map=dimensions,
                statistic="Sum", label=f"{index or table.node.id}: {kind.lower()}s",
            )  # fmt: skip
    return metrics


def _of_all_functions(stack: str, metric: str, statistic: str = "Sum") -> MathExpression:
    """Search for the metric of every function whose name contains all words of the stack's name."""
    words = " ".join(f"FunctionName={word}" for word in stack.split("-"))
    search = f"SEARCH('{{AWS/Lambda,FunctionName}} MetricName=\"{metric}\" {words}', '{statistic}', 300)"
    return MathExpression(expression=search, label="", period=FIVE_MINUTES)


def _of_failed_legs(namespace: str, statistic: str) -> MathExpression:
    """Search for the metric that each provider has of its legs; its samples are those that were queried."""
    search = f"SEARCH('{{\"{namespace}\",{COUNTED}}} {COUNTED}=\"{FAILED_LEGS}\"', '{statistic}', 300)"
    return MathExpression(expression=search, label="", period=FIVE_MINUTES)


def _of_all_providers(namespace: str, metric: str, statistic: str) -> MathExpression:
    """Search for the metric of every provider."""
    # A name with hyphens needs quotation marks.
    search = f"SEARCH('{{\"{namespace}\",provider}} MetricName=\"{metric}\"', '{statistic}', 300)"
    return MathExpression(expression=search, label="", period=FIVE_MINUTES)


def _widget(title: str, lines: Sequence[IMetric], *, width: int = 12) -> cloudwatch.GraphWidget:
    return cloudwatch.GraphWidget(title=title, left=list(lines), width=width)
