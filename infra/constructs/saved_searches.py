"""Saved searches: who keeps their schedules, what brings their runs, and who delivers their news."""

from __future__ import annotations

import json
from dataclasses import dataclass

from aws_cdk import Stack
from aws_cdk import aws_iam as iam
from aws_cdk import aws_scheduler as scheduler
from aws_cdk.aws_dynamodb import Table
from aws_cdk.aws_lambda import Function
from aws_cdk.aws_sns import Topic
from aws_cdk.aws_sqs import Queue
from constructs import Construct

from infra.constructs.lambda_functions import Functions, allow
from infra.constructs.storage import feed, new_queue, new_table, new_topic
from infra.functions import timeout_s
from infra.settings import Settings
from infra.tables import ALL_SEARCHES, DELIVERIES, NEWS_TOPIC, SAVED_SEARCHES, SCHEDULE_GROUP

# Two webhooks that answer at the last moment, 10 s each, and what storage needs, end within the function's time.
DELIVERIES_A_BATCH = 2
# The look at all schedules lies in a group of its own: it removes from the other whatever belongs to no saved search.
UPKEEP_GROUP = "upkeep"
RECONCILE = {"source": "literature-search.schedules", "detail-type": "Schedules Reconciled", "detail": {}}
ON_SCHEDULES = ("CreateSchedule", "UpdateSchedule", "DeleteSchedule", "GetSchedule")


@dataclass(frozen=True, slots=True)
class SavedSearches:
    """What is there for saved searches; `groups` are the names of their schedules' groups."""

    table: Table
    deliveries: Queue
    news: Topic
    deliverer: Function
    groups: tuple[str, ...]


def new_saved_searches(
    scope: Construct, functions: Functions, dispatcher: Function, settings: Settings
) -> SavedSearches:
    """All of it; from then on the dispatcher may keep saved searches, run them, and hand over their news."""
    table = new_table(scope, SAVED_SEARCHES, kept=settings.production)
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
    feed(deliverer, deliveries, batch_size=DELIVERIES_A_BATCH)  # which allows to hide a message until it is due
    dispatcher.add_environment("SAVED_SEARCHES_TABLE", table.table_name)
    dispatcher.add_environment("DELIVERIES_QUEUE_URL", deliveries.queue_url)
    allow(dispatcher, [*reads, *writes, "dynamodb:DeleteItem", "dynamodb:BatchWriteItem"], on=[table.table_arn])
    allow(dispatcher, ["dynamodb:Query"], on=[f"{table.table_arn}/index/{ALL_SEARCHES.name}"])
    allow(dispatcher, ["sqs:SendMessage"], on=[deliveries.queue_arn])
    return SavedSearches(table, deliveries, news, deliverer, _let_run(scope, dispatcher))


def _let_run(scope: Construct, dispatcher: Function) -> tuple[str, ...]:
    """The schedules' groups, the role that brings their events, and the dispatcher's right to make schedules."""
    stack = Stack.of(scope)
    group, upkeep = (f"{stack.stack_name}-{name}" for name in (SCHEDULE_GROUP, UPKEEP_GROUP))
    groups = {name: scheduler.CfnScheduleGroup(scope, f"{name}-group", name=name) for name in (group, upkeep)}
    role = _invoker(scope, dispatcher, [_group_arn(stack, name) for name in groups])
    _look_daily(scope, dispatcher, role, groups[upkeep])
    dispatcher.add_environment("SCHEDULE_GROUP", group)
    dispatcher.add_environment("SCHEDULER_ROLE_ARN", role.role_arn)
    schedules = stack.format_arn(service="scheduler", resource="schedule", resource_name=f"{group}/*")
    a_schedule = "A schedule is named after its saved search, which is not known before; no other group is meant."
    allow(dispatcher, [f"scheduler:{name}" for name in ON_SCHEDULES], on=[schedules], because=a_schedule)
    listing = "Scheduler knows no resource for this action, and asks for `*`, whichever group is listed."
    allow(dispatcher, ["scheduler:ListSchedules"], on=["*"], because=listing)
    passing = {"StringEquals": {"iam:PassedToService": "scheduler.amazonaws.com"}}
    dispatcher.add_to_role_policy(
        iam.PolicyStatement(actions=["iam:PassRole"], resources=[role.role_arn], conditions=passing)
    )
    return tuple(groups)


def _group_arn(stack: Stack, name: str) -> str:
    return str(stack.format_arn(service="scheduler", resource="schedule-group", resource_name=name))


def _invoker(scope: Construct, dispatcher: Function, groups: list[str]) -> iam.Role:
    """Scheduler's role: for schedules of these groups alone (it names the group, never the schedule)."""
    ours = {"StringEquals": {"aws:SourceAccount": Stack.of(scope).account, "aws:SourceArn": groups}}
    role = iam.Role(scope, "scheduler", assumed_by=iam.ServicePrincipal("scheduler.amazonaws.com", conditions=ours))
    role.add_to_policy(iam.PolicyStatement(actions=["lambda:InvokeFunction"], resources=[dispatcher.function_arn]))
    return role


def _look_daily(scope: Construct, dispatcher: Function, role: iam.Role, group: scheduler.CfnScheduleGroup) -> None:
    looked = scheduler.CfnSchedule(
        scope,
        "schedules-reconciled",
        description="Makes, changes and removes schedules until they are those of the saved searches",
        group_name=group.name,
        schedule_expression="rate(1 day)",
        flexible_time_window=scheduler.CfnSchedule.FlexibleTimeWindowProperty(
            mode="FLEXIBLE", maximum_window_in_minutes=60
        ),
        target=scheduler.CfnSchedule.TargetProperty(
            arn=dispatcher.function_arn, role_arn=role.role_arn, input=json.dumps(RECONCILE)
        ),
    )
    looked.add_resource_dependency(group)
