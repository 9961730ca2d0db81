"""The tables and queues that `infra/tables.py` defines, as CloudFormation resources."""

from __future__ import annotations

from aws_cdk import Duration, RemovalPolicy
from aws_cdk import aws_dynamodb as dynamodb
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from infra.tables import Queue, Table


def new_table(scope: Construct, table: Table, *, kept: bool) -> dynamodb.Table:
    """A table on demand; one that is `kept` outlives its stack and cannot be deleted by mistake."""
    new = dynamodb.Table(
        scope,
        table.name,
        partition_key=_text("pk"),
        sort_key=_text("sk"),
        billing_mode=dynamodb.BillingMode.PAY_PER_REQUEST,
        time_to_live_attribute="expires_at" if table.expires else None,
        point_in_time_recovery_specification=dynamodb.PointInTimeRecoverySpecification(
            point_in_time_recovery_enabled=table.point_in_time_recovery
        ),
        deletion_protection=kept,
        removal_policy=RemovalPolicy.RETAIN if kept else RemovalPolicy.DESTROY,
    )
    for index in table.indexes:
        new.add_global_secondary_index(
            index_name=index.name,
            partition_key=_text(index.partition),
            sort_key=_text(index.sort),
            projection_type=dynamodb.ProjectionType.INCLUDE,
            non_key_attributes=list(index.projected),
        )
    return new


def _text(name: str) -> dynamodb.Attribute:
    return dynamodb.Attribute(name=name, type=dynamodb.AttributeType.STRING)


def new_queue(scope: Construct, queue: Queue) -> sqs.Queue:
    """A queue, and the dead-letter queue for what failed too often; TLS only."""
    retention = Duration.seconds(queue.retention_s)
    dead = sqs.Queue(scope, f"{queue.name}-dead", retention_period=retention, enforce_ssl=True)
    return sqs.Queue(
        scope,
        queue.name,
        visibility_timeout=Duration.seconds(queue.visibility_timeout_s),
        retention_period=retention,
        dead_letter_queue=sqs.DeadLetterQueue(queue=dead, max_receive_count=queue.max_receive_count),
        enforce_ssl=True,
    )
