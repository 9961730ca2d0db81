"""Alarms on what users feel, and a topic that tells of them.

An alarm means that somebody should look: searches fail or are slow, a provider does not answer, what is queued does not
move, a message was given up, AWS turns work away, news does not reach its receivers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from aws_cdk import ArnFormat, Duration, Stack
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_cloudwatch_actions as actions
from aws_cdk import aws_iam as iam
from aws_cdk import aws_logs as logs
from aws_cdk import aws_sns as sns
from aws_cdk import aws_sns_subscriptions as subscriptions
from aws_cdk.aws_apigateway import RestApi
from aws_cdk.aws_cloudwatch import IMetric, MathExpression, Metric, Stats
from aws_cdk.aws_dynamodb import Table
from aws_cdk.aws_lambda import Function
from aws_cdk.aws_sqs import Queue
from constructs import Construct

from infra.constructs.accepted_findings import accept
from infra.constructs.dashboard import Watched, new_dashboard, throttle_events
from shared.errors import Outcome

FIVE_MINUTES = Duration.minutes(5)
COLON = ArnFormat.COLON_RESOURCE_NAME
# A provider that is off, or cannot apply a filter, was not asked and has not failed.
NOT_ASKED = (Outcome.SKIPPED_NO_KEY, Outcome.SKIPPED_UNSUPPORTED_FILTER)
FAILED = tuple(outcome for outcome in Outcome if not outcome.answered and outcome not in NOT_ASKED)
SLOW_MS = 15_000  # searches end after 20 s, unless they asked for more: by then a source was waited for in vain
STUCK_S = {"citations": 900, "deliveries": 3600}  # a delivery that failed twice is hidden for two minutes, then longer


@dataclass(frozen=True, slots=True)
class Watching:
    """Where alarms and the dashboard are."""

    alarms: sns.Topic
    dashboard_url: str


class _Alarms:
    """Makes alarms; each tells the topic when it begins and when it is over."""

    def __init__(self, scope: Construct, name: str, topic: sns.Topic) -> None:
        self._scope, self._name, self._told = scope, name, actions.SnsAction(topic)

    def new(
        self, what: str, why: str, metric: IMetric, *, above: float, periods: int = 1, of: int | None = None
    ) -> None:
        """Rings when `metric` is above, in so many of the last periods; nothing measured is nothing wrong."""
        alarm = cloudwatch.Alarm(
            self._scope,
            f"{what}-alarm",
            alarm_name=f"{self._name}-{what}",
            alarm_description=why,
            metric=metric,
            threshold=above,
            comparison_operator=cloudwatch.ComparisonOperator.GREATER_THAN_THRESHOLD,
            evaluation_periods=of or periods,
            datapoints_to_alarm=periods,
            treat_missing_data=cloudwatch.TreatMissingData.NOT_BREACHING,
        )
        alarm.add_alarm_action(self._told)
        alarm.add_ok_action(self._told)


def watch(scope: Construct, watched: Watched, email: str | None) -> Watching:
    """Everything that is looked at; `email` hears of alarms."""
    topic = _alarms_topic(scope, email)
    alarms = _Alarms(scope, watched.name, topic)
    _watch_answers(alarms, watched.api)
    for provider in watched.providers:
        _watch_provider(alarms, watched.name, provider)
    for name, queue in watched.queues.items():
        _watch_queue(alarms, name, queue)
    for name, function in watched.functions.items():
        _watch_function(alarms, name, function)
    for table in watched.tables:
        _watch_table(alarms, table)
    _watch_saved_searches(alarms, watched)
    return Watching(topic, new_dashboard(scope, watched))


def _alarms_topic(scope: Construct, email: str | None) -> sns.Topic:
    """Names of alarms and numbers are all it tells, so it has no key: AWS's own is closed to CloudWatch."""
    topic = sns.Topic(scope, "alarms", enforce_ssl=True)
    stack = Stack.of(scope)
    ours = stack.format_arn(
        service="cloudwatch", resource="alarm", resource_name=f"{stack.stack_name}-*", arn_format=COLON
    )
    topic.add_to_resource_policy(
        iam.PolicyStatement(
            actions=["sns:Publish"],
            resources=[topic.topic_arn],
            principals=[iam.ServicePrincipal("cloudwatch.amazonaws.com")],
            conditions={"StringEquals": {"aws:SourceAccount": stack.account}, "ArnLike": {"aws:SourceArn": ours}},
        )
    )
    if email:
        topic.add_subscription(subscriptions.EmailSubscription(email))
        accept(topic, {"Serverless-SNSRedrivePolicy": "A letter that cannot be delivered has no queue to wait in."})
    return topic


def _watch_answers(alarms: _Alarms, api: RestApi) -> None:
    failed, asked = api.metric_server_error(statistic="Sum"), api.metric_count(statistic="Sum")
    alarms.new(
        "answers-fail",
        "More than one request in twenty ends with a status of 500 or above",
        _share("failed", {"failed": failed}, asked, at_least=10),
        above=5,
        periods=2,
        of=3,
    )
    why = f"One answer in twenty takes longer than {SLOW_MS // 1000} s"
    p95 = api.metric_latency(statistic=Stats.percentile(95))
    slow = MathExpression(
        label="p95, ms",
        expression="IF(asked >= 20, p95, 0)",
        using_metrics={"p95": p95, "asked": asked},
        period=FIVE_MINUTES,
    )
    alarms.new("answers-slow", why, slow, above=SLOW_MS, periods=3)


def _watch_provider(alarms: _Alarms, namespace: str, provider: str) -> None:
    def legs(**more: str) -> Metric:
        dimensions = {"provider": provider, **more}
        return Metric(namespace=namespace, metric_name="Legs", dimensions_map=dimensions, statistic="Sum")

    share = _share(
        "failed", {outcome.value: legs(outcome=outcome.value) for outcome in FAILED}, legs(), at_least=5, minutes=15
    )
    why = f"{provider} has not answered more than half of what it was asked for a quarter of an hour"
    alarms.new(f"provider-{provider}", why, share, above=50)


def _watch_queue(alarms: _Alarms, name: str, queue: Queue) -> None:
    dead = queue.dead_letter_queue
    age = queue.metric_approximate_age_of_oldest_message(statistic="Maximum")
    alarms.new(f"{name}-stuck", f"What is in the queue {name} is not taken out in time", age, above=STUCK_S[name])
    if dead:
        given_up = dead.queue.metric_approximate_number_of_messages_visible(statistic="Maximum")
        why = f"Messages of {name} were given up: make dead-letters tells why, make redrive sends them back"
        alarms.new(f"{name}-dead-letters", why, given_up, above=0)


def _watch_function(alarms: _Alarms, name: str, function: Function) -> None:
    errors, throttles = function.metric_errors(statistic="Sum"), function.metric_throttles(statistic="Sum")
    alarms.new(f"{name}-errors", f"{name} fails, or runs out of time", errors, above=0, periods=2, of=3)
    alarms.new(f"{name}-throttles", f"AWS turns invocations of {name} away: concurrency is spent", throttles, above=0)


def _watch_table(alarms: _Alarms, table: Table) -> None:
    events = throttle_events(table)
    throttled = MathExpression(expression=_sum(events), using_metrics=dict(events), period=FIVE_MINUTES)
    why = "DynamoDB turns requests to this table, or to an index of it, away"
    alarms.new(f"{table.node.id}-throttles", why, throttled, above=0, periods=2, of=3)


def _watch_saved_searches(alarms: _Alarms, watched: Watched) -> None:
    log = watched.functions["deliverer"].log_group
    attempts = _count(log, watched.name, "WebhookAttempts", '{ $.message = "webhook" }')
    failures = _count(log, watched.name, "WebhookFailures", '{ ($.message = "webhook") && ($.ended != "delivered") }')
    alarms.new(
        "webhooks-fail",
        "More than half of all webhooks fail: rather our way out than the receivers'",
        _share("failed", {"failures": failures}, attempts, at_least=10, minutes=60),
        above=50,
    )
    lost: dict[str, IMetric] = {
        f"group_{number}": Metric(
            namespace="AWS/Scheduler", metric_name="InvocationDroppedCount", dimensions_map={"ScheduleGroup": group},
            statistic="Sum",
        )
        for number, group in enumerate(watched.schedules)
    }  # fmt: skip
    lost["lambda"] = watched.functions["dispatcher"].metric("AsyncEventsDropped", statistic="Sum")
    dropped = MathExpression(expression=_sum(lost), using_metrics=lost, period=FIVE_MINUTES)
    alarms.new("runs-lost", "Runs of saved searches were given up; the next ones tell what is new", dropped, above=0)


def _share(
    name: str, parts: Mapping[str, IMetric], whole: IMetric, *, at_least: int, minutes: int = 5
) -> MathExpression:
    """In percent, of `at_least` so many."""
    return MathExpression(
        label=f"% {name}",
        expression=f"IF(whole >= {at_least}, 100 * {_sum(parts)} / whole, 0)",
        using_metrics={**parts, "whole": whole},
        period=Duration.minutes(minutes),
    )


def _sum(metrics: Mapping[str, IMetric]) -> str:
    """All together; SUM passes over what was never measured, where + would make it nothing."""
    return f"SUM([{', '.join(metrics)}])"


def _count(log: logs.ILogGroup, namespace: str, name: str, pattern: str) -> Metric:
    """A metric of how many lines of a log are so."""
    told = log.add_metric_filter(
        name, metric_namespace=namespace, metric_name=name, filter_pattern=logs.FilterPattern.literal(pattern)
    )
    return told.metric(statistic="Sum")
