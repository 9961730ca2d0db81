"""Saved searches: their table, the schedules that run them, and the function that delivers new items."""

from __future__ import annotations

import json
from dataclasses import dataclass

from aws_cdk import Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_scheduler as scheduler
from aws_cdk.aws_dynamodb import ITable
from aws_cdk.aws_lambda import Function
from aws_cdk.aws_sns import Topic
from aws_cdk.aws_sqs import Queue
from constructs import Construct

from infra.constructs.lambda_functions import LIVE, Functions, allow, live, live_name
from infra.constructs.storage import add_event_source, new_queue, new_table, new_topic
from infra.functions import timeout_s
from infra.settings import Settings
from infra.tables import ALL_SEARCHES, DELIVERIES, NEWS_TOPIC, SAVED_SEARCHES, SCHEDULE_GROUP
from shared.aws.messaging.schedules import RECONCILE, SOURCE

# Two webhooks that use their whole timeout (10 s each), and the storage calls, fit in the function's timeout.
DELIVERIES_PER_BATCH = 2
# The daily reconciliation's own schedule is in a separate group, because it deletes from the other group every schedule
# that has no saved search.
UPKEEP_GROUP = "upkeep"
RECONCILED = {"source": SOURCE, "detail-type": RECONCILE, "detail": {}}
WRITE_ACTIONS = ("CreateSchedule", "UpdateSchedule", "DeleteSchedule")
NAMES = "A schedule is named after its saved search, so its ARN is unknown in advance; only this group is allowed."


@dataclass(frozen=True, slots=True)
class SavedSearches:
    """The resources of saved searches; `schedule_groups` are names."""

    table: ITable
    deliveries: Queue
    news: Topic
    deliverer: Function
    schedule_groups: tuple[str, ...]


def new_saved_searches(
    scope: Construct, functions: Functions, dispatcher: Function, runner: Function, settings: Settings
) -> SavedSearches:
    """Create them; the dispatcher stores saved searches for their owners, the runner runs and removes them."""
    table = new_table(scope, SAVED_SEARCHES, settings)
    deliveries, news = new_queue(scope, DELIVERIES), new_topic(scope, NEWS_TOPIC)
    deliverer = functions.new(
        "deliverer",
        "functions.deliverer.handler.handler",
        {
            "SAVED_SEARCHES_TABLE": table.table_name,
            "DELIVERIES_QUEUE_URL": deliveries.queue_url,
            "NEWS_TOPIC_ARN": news.topic_arn,
        },
        timeout_s=timeout_s("deliverer"),
        memory_mb=512,
    )
    reads, writes = ["dynamodb:GetItem", "dynamodb:Query"], ["dynamodb:PutItem", "dynamodb:UpdateItem"]
    allow(deliverer, [*reads, *writes], on=[table.table_arn])
    allow(deliverer, ["sns:Publish"], on=[news.topic_arn])
    # This also allows ChangeMessageVisibility: a failed delivery is hidden until its next attempt.
    add_event_source(deliverer, deliveries, batch_size=DELIVERIES_PER_BATCH)
    # Owners and runs write the items of a search, and delete what the runs of a deleted one have stored.
    both = [*reads, *writes, "dynamodb:DeleteItem", "dynamodb:BatchWriteItem"]
    for function in (dispatcher, runner):
        function.add_environment("SAVED_SEARCHES_TABLE", table.table_name)
        function.add_environment("DELIVERIES_QUEUE_URL", deliveries.queue_url)
        allow(function, both, on=[table.table_arn])
        allow(function, ["sqs:SendMessage"], on=[deliveries.queue_arn])
    # The reconciliation reads the searches of all owners.
    allow(runner, ["dynamodb:Query"], on=[f"{table.table_arn}/index/{ALL_SEARCHES.name}"])
    return SavedSearches(table, deliveries, news, deliverer, _add_schedules(scope, dispatcher, runner))


def _add_schedules(scope: Construct, dispatcher: Function, runner: Function) -> tuple[str, ...]:
    """Create the schedule groups and Scheduler's role, and let both functions manage schedules; returns the groups.

    The dispatcher writes and deletes the schedules of searches as their owners do, the runner those that are wrong.
    """
    stack = Stack.of(scope)
    group, upkeep = (f"{stack.stack_name}-{name}" for name in (SCHEDULE_GROUP, UPKEEP_GROUP))
    groups = {name: scheduler.CfnScheduleGroup(scope, f"{name}-group", name=name) for name in (group, upkeep)}
    role = _invoker(scope, dispatcher, runner, [_group_arn(stack, name) for name in groups])
    _reconcile_daily(scope, runner, role, groups[upkeep])
    schedules = stack.format_arn(service="scheduler", resource="schedule", resource_name=f"{group}/*")
    # Who writes a schedule passes the role under which it runs.
    passing = {"StringEquals": {"iam:PassedToService": "scheduler.amazonaws.com"}}
    for function in (dispatcher, runner):
        function.add_environment("SCHEDULE_GROUP", group)
        function.add_environment("SCHEDULER_ROLE_ARN", role.role_arn)
        allow(function, [f"scheduler:{name}" for name in WRITE_ACTIONS], on=[schedules], because=NAMES)
        function.add_to_role_policy(
            iam.PolicyStatement(actions=["iam:PassRole"], resources=[role.role_arn], conditions=passing)
        )
    # The runner's own schedules invoke the alias of the function that it is; the dispatcher gets its name.
    runner.add_environment("SCHEDULED_ALIAS", LIVE)
    dispatcher.add_environment("SCHEDULED_FUNCTION", live_name(runner))
    # It forwards the events of schedules of earlier versions (decision 0105).
    allow(dispatcher, ["lambda:InvokeFunction"], on=[live(runner).function_arn])
    # The reconciliation compares the schedules that exist.
    allow(runner, ["scheduler:GetSchedule"], on=[schedules], because=NAMES)
    listing = "ListSchedules supports no resource-level permissions: IAM requires `*`, whichever group is listed."
    allow(runner, ["scheduler:ListSchedules"], on=["*"], because=listing)
    return tuple(groups)


def _group_arn(stack: Stack, name: str) -> str:
    return str(stack.format_arn(service="scheduler", resource="schedule-group", resource_name=name))


def _invoker(scope: Construct, dispatcher: Function, runner: Function, groups: list[str]) -> iam.Role:
    """Create Scheduler's role, for the schedules of these groups only (Scheduler passes the group's ARN as source).

    It may invoke the dispatcher for the schedules of earlier versions, until they are reconciled (decision 0105).
    """
    conditions = {"StringEquals": {"aws:SourceAccount": Stack.of(scope).account, "aws:SourceArn": groups}}
    role = iam.Role(
        scope, "scheduler", assumed_by=iam.ServicePrincipal("scheduler.amazonaws.com", conditions=conditions)
    )
    role.add_to_policy(
        iam.PolicyStatement(
            actions=["lambda:InvokeFunction"], resources=[live(it).function_arn for it in (runner, dispatcher)]
        )
    )
    return role


def _reconcile_daily(scope: Construct, runner: Function, role: iam.Role, group: scheduler.CfnScheduleGroup) -> None:
    schedule = scheduler.CfnSchedule(
        scope,
        "schedules-reconciled",
        description="Reconciles the schedules with the saved searches: creates, updates and deletes them",
        group_name=group.name,
        schedule_expression="rate(1 day)",
        flexible_time_window=scheduler.CfnSchedule.FlexibleTimeWindowProperty(
            mode="FLEXIBLE", maximum_window_in_minutes=60
        ),
        target=scheduler.CfnSchedule.TargetProperty(
            arn=live(runner).function_arn, role_arn=role.role_arn, input=json.dumps(RECONCILED)
        ),
    )
    schedule.add_resource_dependency(group)
