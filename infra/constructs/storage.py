"""The tables and queues that `infra/tables.py` defines, and topics, as CloudFormation resources."""

from __future__ import annotations

from aws_cdk import Duration, RemovalPolicy
from aws_cdk import aws_dynamodb as dynamodb
from aws_cdk import aws_kms as kms
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_lambda_event_sources as sources
from aws_cdk import aws_sns as sns
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from infra.constructs.accepted_findings import accept
from infra.tables import Queue, Table

# Work in the background takes no more of the account's concurrency than this: somebody waits for the rest of it.
CONSUMERS = 10


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
    if not table.point_in_time_recovery:
        accept(new, {"AwsSolutions-DDB3": f"It holds {table.purpose}: what is lost is made again by itself."})
    return new


def _text(name: str) -> dynamodb.Attribute:
    return dynamodb.Attribute(name=name, type=dynamodb.AttributeType.STRING)


def new_queue(scope: Construct, queue: Queue) -> sqs.Queue:
    """A queue, and the dead-letter queue for what failed too often; encrypted, TLS only."""
    retention = Duration.seconds(queue.retention_s)
    dead = sqs.Queue(
        scope,
        f"{queue.name}-dead",
        retention_period=retention,
        enforce_ssl=True,
        encryption=sqs.QueueEncryption.SQS_MANAGED,
    )
    accept(dead, {"Serverless-SQSRedrivePolicy": "It is where dead letters end."})
    return sqs.Queue(
        scope,
        queue.name,
        visibility_timeout=Duration.seconds(queue.visibility_timeout_s),
        retention_period=retention,
        dead_letter_queue=sqs.DeadLetterQueue(queue=dead, max_receive_count=queue.max_receive_count),
        enforce_ssl=True,
        encryption=sqs.QueueEncryption.SQS_MANAGED,
    )


def feed(function: lambda_.Function, queue: sqs.Queue, *, batch_size: int) -> None:
    """Let a function receive from a queue, and give back single messages; it may delete what it has done."""
    function.add_event_source(
        sources.SqsEventSource(queue, batch_size=batch_size, report_batch_item_failures=True, max_concurrency=CONSUMERS)
    )
    told = {
        "Serverless-LambdaEventSourceMappingDestination": "Of SQS, what fails goes to the queue's own dead letters."
    }
    accept(function, told)


def new_topic(scope: Construct, name: str) -> sns.Topic:
    """A topic, encrypted by AWS's own key for SNS, which whoever may publish may use; TLS only."""
    key = kms.Alias.from_alias_name(scope, f"{name}-key", "alias/aws/sns")
    return sns.Topic(scope, name, master_key=key, enforce_ssl=True)
