"""Checks of long lists of references: their table, their queue, and the function that works through them."""

from __future__ import annotations

from dataclasses import dataclass

from aws_cdk.aws_dynamodb import ITable
from aws_cdk.aws_lambda import Function
from aws_cdk.aws_sqs import Queue
from constructs import Construct

from infra.constructs.lambda_functions import Functions, allow, live, live_name
from infra.constructs.storage import add_event_source, new_queue, new_table
from infra.functions import timeout_s
from infra.settings import Settings
from infra.tables import CHECKS, REFERENCE_CHECKS


@dataclass(frozen=True, slots=True)
class ReferenceChecks:
    """The resources of reference checks."""

    table: ITable
    queue: Queue
    checker: Function


def new_reference_checks(
    scope: Construct, functions: Functions, dispatcher: Function, settings: Settings
) -> ReferenceChecks:
    """Create them, and let the dispatcher store checks, enqueue them and read their results.

    The checker resolves references by invoking the dispatcher, so that it needs neither providers nor their budgets.
    """
    table, queue = new_table(scope, REFERENCE_CHECKS, settings), new_queue(scope, CHECKS)
    environment = {"REFERENCE_CHECKS_TABLE": table.table_name, "CHECKS_QUEUE_URL": queue.queue_url}
    checker = functions.new(
        "reference_checker",
        "functions.reference_checker.handler.handler",
        {**environment, "DISPATCHER_FUNCTION": live_name(dispatcher)},
        timeout_s=timeout_s("reference_checker"),
        memory_mb=512,
    )
    add_event_source(checker, queue, batch_size=1)
    allow(checker, ["lambda:InvokeFunction"], on=[live(dispatcher).function_arn])
    for function in (checker, dispatcher):
        allow(function, ["dynamodb:BatchGetItem", "dynamodb:BatchWriteItem", "dynamodb:PutItem"], on=[table.table_arn])
        allow(function, ["sqs:SendMessage"], on=[queue.queue_arn])
    for name, value in environment.items():
        dispatcher.add_environment(name, value)
    return ReferenceChecks(table, queue, checker)
