"""Alarms, and the SNS topic that publishes them.

Every alarm needs an operator's attention: requests fail or are slow, a provider does not answer, a queue does not
drain, messages reach a dead-letter queue, AWS throttles, or deliveries of saved searches fail. A month of each metric
that an alarm looks at costs ten cents, so what another alarm shows has none of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from aws_cdk import Duration
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_cloudwatch_actions as actions
from aws_cdk import aws_logs as logs
from aws_cdk import aws_sns as sns
from aws_cdk.aws_apigateway import RestApi
from aws_cdk.aws_cloudwatch import IMetric, MathExpression, Metric, Stats
from aws_cdk.aws_dynamodb import ITable
from aws_cdk.aws_lambda import Function
from aws_cdk.aws_sqs import Queue
from constructs import Construct

from infra.constructs.alarm_recipients import add_budget, new_alarms_topic
from infra.constructs.dashboard import MonitoredResources, throttle_events
from infra.functions import QUEUES_READ
from infra.settings import Settings
from shared.aws.runtime.metrics import COUNTED, FAILED_LEGS

FIVE_MINUTES = Duration.minutes(5)
SLOW_MS = 15_000  # a search ends after 20 s by default: above 15 s, a source did not answer in time
# Whatever else a consumer of a queue does, its messages wait or die, and runs of saved searches are lost: these have
# alarms.
WATCHED_BY_WHAT_WAITS = (QUEUES_READ.keys() - {"dispatcher"}) | {"saved_search_runner"}
# Where the account's concurrency is used up, the function with the most requests is throttled.
THROTTLED = "dispatcher"
# A dead completion needs nothing: the next equal search asks anew.
NO_LETTERS = ("completions",)
# Throttled, they slow the sources and the graph down; the cache only costs speed, and of the others requests fail.
TABLES_OF_A_SEARCH = ("provider-budgets", "papers")
# A failed delivery stays hidden until its next attempt; a completion is of use for five minutes.
STUCK_S = {"citations": 900, "deliveries": 3600, "completions": 300, "checks": 900, "exhaustive": 3600}


@dataclass(frozen=True, slots=True)
class Monitoring:
    """The topic of the alarms, and the alarm that ends a deployment."""

    topic: sns.Topic
    answers_fail: cloudwatch.Alarm


class _Alarms:
    """Creates alarms; each publishes to the topic when it starts and when it ends."""

    def __init__(self, scope: Construct, name: str, topic: sns.Topic) -> None:
        self._scope, self._name, self._action = scope, name, actions.SnsAction(topic)

    def new(
        self,
        name: str,
        description: str,
        metric: IMetric,
        *,
        above: float,
        periods: int = 1,
        of: int | None = None,
        runbook: str | None = None,
    ) -> cloudwatch.Alarm:
        """Create an alarm for `metric` > `above` in `periods` of the last `of` periods; missing data is not a breach.

        `runbook` is the heading of its section in infra/runbook.md, if that is not its name.
        """
        alarm = cloudwatch.Alarm(
            self._scope,
            f"{name}-alarm",
            alarm_name=f"{self._name}-{name}",
            alarm_description=f"{description}. What to do: infra/runbook.md#{runbook or name}",
            metric=metric,
            threshold=above,
            comparison_operator=cloudwatch.ComparisonOperator.GREATER_THAN_THRESHOLD,
            evaluation_periods=of or periods,
            datapoints_to_alarm=periods,
            treat_missing_data=cloudwatch.TreatMissingData.NOT_BREACHING,
        )
        alarm.add_alarm_action(self._action)
        alarm.add_ok_action(self._action)
        return alarm


def new_alarms(scope: Construct, monitored: MonitoredResources, settings: Settings) -> Monitoring:
    """Create the alarms and their topic; `alarm_email` subscribes to it."""
    topic = new_alarms_topic(scope, settings.alarm_email)
    alarms = _Alarms(scope, monitored.name, topic)
    answers_fail = _add_api_alarms(alarms, monitored.api)
    for provider in monitored.providers:
        _add_provider_alarm(alarms, monitored.name, provider)
    for name, queue in monitored.queues.items():
        _add_queue_alarms(alarms, name, queue)
    for name, function in monitored.functions.items():
        if name not in WATCHED_BY_WHAT_WAITS:
            _add_function_alarms(alarms, name, function)
    for table in monitored.tables:
        if table.node.id in TABLES_OF_A_SEARCH:
            _add_table_alarm(alarms, table)
    _add_saved_search_alarms(alarms, monitored)
    if settings.monthly_budget and settings.alarm_email:
        add_budget(scope, settings.monthly_budget, settings.alarm_email)
    return Monitoring(topic, answers_fail)


def _add_api_alarms(alarms: _Alarms, api: RestApi) -> cloudwatch.Alarm:
    failed, requests = api.metric_server_error(statistic="Sum"), api.metric_count(statistic="Sum")
    answers_fail = alarms.new(
        "answers-fail",
        "More than 5 % of all requests fail with a status of 500 or above",
        _failed_percentage({"failed": failed}, requests),
        above=5,
        periods=2,
        of=3,
    )
    description = f"More than 5 % of all requests take longer than {SLOW_MS // 1000} s"
    p95 = api.metric_latency(statistic=Stats.percentile(95))
    alarms.new("answers-slow", description, p95, above=SLOW_MS, periods=3)
    return answers_fail


def _add_provider_alarm(alarms: _Alarms, namespace: str, provider: str) -> None:
    description = f"{provider} failed to answer more than half of its requests in three periods of 5 minutes"
    failed = Metric(
        namespace=namespace, metric_name=provider, dimensions_map={COUNTED: FAILED_LEGS}, statistic="Average"
    )
    alarms.new(f"provider-{provider}", description, failed, above=0.5, periods=3, runbook="provider")


def _add_queue_alarms(alarms: _Alarms, name: str, queue: Queue) -> None:
    dead = queue.dead_letter_queue
    age = queue.metric_approximate_age_of_oldest_message(statistic="Maximum")
    alarms.new(
        f"{name}-stuck", f"Messages wait too long in the queue {name}", age, above=STUCK_S[name], runbook="stuck"
    )
    if dead and name not in NO_LETTERS:
        dead_letters = dead.queue.metric_approximate_number_of_messages_visible(statistic="Maximum")
        description = f"Messages of {name} failed too often: see make dead-letters, then make redrive to retry them"
        alarms.new(f"{name}-dead-letters", description, dead_letters, above=0, runbook="dead-letters")


def _add_function_alarms(alarms: _Alarms, name: str, function: Function) -> None:
    errors = function.metric_errors(statistic="Sum")
    alarms.new(f"{name}-errors", f"{name} fails or times out", errors, above=0, periods=2, of=3, runbook="errors")
    if name == THROTTLED:
        description = f"Lambda throttles {name}: its concurrency is exhausted"
        throttles = function.metric_throttles(statistic="Sum")
        alarms.new(f"{name}-throttles", description, throttles, above=0, runbook="throttles")


def _add_table_alarm(alarms: _Alarms, table: ITable) -> None:
    events = throttle_events(table)
    throttled = MathExpression(expression=_sum(events), using_metrics=dict(events), period=FIVE_MINUTES)
    description = f"DynamoDB throttles requests to the table {table.node.id} or one of its indexes"
    alarms.new(
        f"{table.node.id}-throttles", description, throttled, above=0, periods=2, of=3, runbook="table-throttles"
    )


def _add_saved_search_alarms(alarms: _Alarms, monitored: MonitoredResources) -> None:
    log = monitored.functions["deliverer"].log_group
    attempts = _count(log, monitored.name, "WebhookAttempts", '{ $.message = "webhook" }')
    failures = _count(log, monitored.name, "WebhookFailures", '{ ($.message = "webhook") && ($.ended != "delivered") }')
    alarms.new(
        "webhooks-fail",
        "More than half of all webhook deliveries fail: probably our own network, not the receivers",
        _failed_percentage({"failures": failures}, attempts, minutes=60),
        above=50,
    )
    dropped: dict[str, IMetric] = {
        f"group_{number}": Metric(
            namespace="AWS/Scheduler", metric_name="InvocationDroppedCount", dimensions_map={"ScheduleGroup": group},
            statistic="Sum",
        )
        for number, group in enumerate(monitored.schedule_groups)
    }  # fmt: skip
    dropped["lambda"] = monitored.functions["saved_search_runner"].metric("AsyncEventsDropped", statistic="Sum")
    total = MathExpression(expression=_sum(dropped), using_metrics=dropped, period=FIVE_MINUTES)
    alarms.new(
        "runs-lost", "Runs of saved searches were dropped; the next run reports what they missed", total, above=0
    )


def _failed_percentage(parts: Mapping[str, IMetric], whole: IMetric, *, minutes: int = 5) -> MathExpression:
    """Return parts / whole in percent; 0 while the whole is below 10."""
    return MathExpression(
        label="% failed",
        expression=f"IF(whole >= 10, 100 * {_sum(parts)} / whole, 0)",
        using_metrics={**parts, "whole": whole},
        period=Duration.minutes(minutes),
    )


def _sum(metrics: Mapping[str, IMetric]) -> str:
    """Return an expression for the total. SUM ignores metrics without data, where `+` would have no result."""
    return f"SUM([{', '.join(metrics)}])"


def _count(log: logs.ILogGroup, namespace: str, name: str, pattern: str) -> Metric:
    """Return a metric that counts the log lines matching a filter pattern."""
    metric_filter = log.add_metric_filter(
        name, metric_namespace=namespace, metric_name=name, filter_pattern=logs.FilterPattern.literal(pattern)
    )
    return metric_filter.metric(statistic="Sum")
