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

from infra.constructs.lambda_functions import LIVE, Functions, allow, live
from infra.constructs.storage import add_event_source, new_queue, new_table, new_topic
from infra.functions import timeout_s
from infra.settings import Settings
from infra.tables import ALL_SEARCHES, DELIVERIES, NEWS_TOPIC, SAVED_SEARCHES, SCHEDULE_GROUP

# Two webhooks that use their whole timeout (10 s each), and the storage calls, fit in the function's timeout.
DELIVERIES_PER_BATCH = 2
# The daily reconciliation's own schedule is in a separate group, because it deletes from the other group every schedule
# that has no saved search.
UPKEEP_GROUP = "upkeep"
RECONCILE = {"source": "literature-search.schedules", "detail-type": "Schedules Reconciled", "detail": {}}
SCHEDULE_ACTIONS = ("CreateSchedule", "UpdateSchedule", "DeleteSchedule", "GetSchedule")


@dataclass(frozen=True, slots=True)
class SavedSearches:
    """The resources of saved searches; `schedule_groups` are names."""

    table: ITable
    deliveries: Queue
    news: Topic
    deliverer: Function
    schedule_groups: tuple[str, ...]


def new_saved_searches(
    scope: Construct, functions: Functions, dispatcher: Function, settings: Settings
) -> SavedSearches:
    """Create them, and let the dispatcher store and run saved searches and enqueue their deliveries."""
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
    dispatcher.add_environment("SAVED_SEARCHES_TABLE", table.table_name)
    dispatcher.add_environment("DELIVERIES_QUEUE_URL", deliveries.queue_url)
    allow(dispatcher, [*reads, *writes, "dynamodb:DeleteItem", "dynamodb:BatchWriteItem"], on=[table.table_arn])
    allow(dispatcher, ["dynamodb:Query"], on=[f"{table.table_arn}/index/{ALL_SEARCHES.name}"])
    allow(dispatcher, ["sqs:SendMessage"], on=[deliveries.queue_arn])
    return SavedSearches(table, deliveries, news, deliverer, _add_schedules(scope, dispatcher))


def _add_schedules(scope: Construct, dispatcher: Function) -> tuple[str, ...]:
    """Create the schedule groups and Scheduler's role, let the dispatcher manage schedules, return the group names."""
    stack = Stack.of(scope)
    group, upkeep = (f"{stack.stack_name}-{name}" for name in (SCHEDULE_GROUP, UPKEEP_GROUP))
    groups = {name: scheduler.CfnScheduleGroup(scope, f"{name}-group", name=name) for name in (group, upkeep)}
    role = _invoker(scope, dispatcher, [_group_arn(stack, name) for name in groups])
    _reconcile_daily(scope, dispatcher, role, groups[upkeep])
    dispatcher.add_environment("SCHEDULE_GROUP", group)
    dispatcher.add_environment("SCHEDULED_ALIAS", LIVE)
    dispatcher.add_environment("SCHEDULER_ROLE_ARN", role.role_arn)
    schedules = stack.format_arn(service="scheduler", resource="schedule", resource_name=f"{group}/*")
    names = "A schedule is named after its saved search, so its ARN is unknown in advance; only this group is allowed."
    allow(dispatcher, [f"scheduler:{name}" for name in SCHEDULE_ACTIONS], on=[schedules], because=names)
    listing = "ListSchedules supports no resource-level permissions: IAM requires `*`, whichever group is listed."
    allow(dispatcher, ["scheduler:ListSchedules"], on=["*"], because=listing)
    passing = {"StringEquals": {"iam:PassedToService": "scheduler.amazonaws.com"}}
    dispatcher.add_to_role_policy(
        iam.PolicyStatement(actions=["iam:PassRole"], resources=[role.role_arn], conditions=passing)
    )
    return tuple(groups)


def _group_arn(stack: Stack, name: str) -> str:
    return str(stack.format_arn(service="scheduler", resource="schedule-group", resource_name=name))


def _invoker(scope: Construct, dispatcher: Function, groups: list[str]) -> iam.Role:
    """Create Scheduler's role, for the schedules of these groups only (Scheduler passes the group's ARN as source)."""
    conditions = {"StringEquals": {"aws:SourceAccount": Stack.of(scope).account, "aws:SourceArn": groups}}
    role = iam.Role(
        scope, "scheduler", assumed_by=iam.ServicePrincipal("scheduler.amazonaws.com", conditions=conditions)
    )
    role.add_to_policy(
        iam.PolicyStatement(actions=["lambda:InvokeFunction"], resources=[live(dispatcher).function_arn])
    )
    return role


def _reconcile_daily(scope: Construct, dispatcher: Function, role: iam.Role, group: scheduler.CfnScheduleGroup) -> None:
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
            arn=live(dispatcher).function_arn, role_arn=role.role_arn, input=json.dumps(RECONCILE)
        ),
    )
    schedule.add_resource_dependency(group)
