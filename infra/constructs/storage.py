"""Tables and queues (defined in `infra/tables.py`) and topics as CloudFormation resources."""

from __future__ import annotations

from aws_cdk import Duration, RemovalPolicy
from aws_cdk import aws_dynamodb as dynamodb
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_lambda_event_sources as sources
from aws_cdk import aws_sns as sns
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from infra.constructs.accepted_findings import accept
from infra.constructs.lambda_functions import live
from infra.settings import Settings
from infra.tables import DEAD_LETTER_RETENTION_S, Queue, Table

# Concurrent invocations of a queue consumer: the account's concurrency is for requests that callers wait for.
MAX_CONSUMERS = 10


def new_table(scope: Construct, table: Table, settings: Settings) -> dynamodb.ITable:
    """Create an on-demand table. In production, one that cannot be recreated outlives its stack and is protected.

    A deployment that fails at once takes its empty tables with it: the policy is `RetainExceptOnCreate`. A table that
    the settings name is used instead, such as one restored from a backup; it stays outside of the stack.
    """
    if adopted := settings.adopted.get(table.name):
        indexes = [index.name for index in table.indexes]
        return dynamodb.Table.from_table_attributes(scope, table.name, table_name=adopted, global_indexes=indexes)
    retain = settings.production and table.irreplaceable
    new = dynamodb.Table(
        scope,
        table.name,
        partition_key=_text("pk"),
        sort_key=_text("sk"),
        billing_mode=dynamodb.BillingMode.PAY_PER_REQUEST,
        time_to_live_attribute="expires_at" if table.expires else None,
        point_in_time_recovery_specification=dynamodb.PointInTimeRecoverySpecification(
            point_in_time_recovery_enabled=table.irreplaceable
        ),
        deletion_protection=retain,
        removal_policy=RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE if retain else RemovalPolicy.DESTROY,
    )
    for index in table.indexes:
        new.add_global_secondary_index(
            index_name=index.name,
            partition_key=_text(index.partition),
            sort_key=_text(index.sort),
            projection_type=dynamodb.ProjectionType.INCLUDE,
            non_key_attributes=list(index.projected),
        )
    if not table.irreplaceable:
        accept(new, {"AwsSolutions-DDB3": f"It contains {table.purpose}: data that is recreated automatically."})
    return new


def _text(name: str) -> dynamodb.Attribute:
    return dynamodb.Attribute(name=name, type=dynamodb.AttributeType.STRING)


def new_queue(scope: Construct, queue: Queue) -> sqs.Queue:
    """Create a queue and its dead-letter queue; both encrypted, TLS only."""
    dead = sqs.Queue(
        scope,
        f"{queue.name}-dead",
        retention_period=Duration.seconds(DEAD_LETTER_RETENTION_S),
        enforce_ssl=True,
        encryption=sqs.QueueEncryption.SQS_MANAGED,
    )
    accept(dead, {"Serverless-SQSRedrivePolicy": "It is itself a dead-letter queue."})
    return sqs.Queue(
        scope,
        queue.name,
        visibility_timeout=Duration.seconds(queue.visibility_timeout_s),
        retention_period=Duration.seconds(queue.retention_s),
        dead_letter_queue=sqs.DeadLetterQueue(queue=dead, max_receive_count=queue.max_receive_count),
        enforce_ssl=True,
        encryption=sqs.QueueEncryption.SQS_MANAGED,
    )


def add_event_source(
    function: lambda_.Function, queue: sqs.Queue, *, batch_size: int, max_concurrency: int = MAX_CONSUMERS
) -> None:
    """Invoke a function with batches of a queue's messages; it reports the messages of a batch that failed."""
    live(function).add_event_source(
        sources.SqsEventSource(
            queue, batch_size=batch_size, report_batch_item_failures=True, max_concurrency=max_concurrency
        )
    )
    reason = "An SQS source needs no destination: failed messages go to the queue's own dead-letter queue."
    accept(function, {"Serverless-LambdaEventSourceMappingDestination": reason})


def new_topic(scope: Construct, name: str) -> sns.Topic:
    """Create a topic, TLS only, encrypted with AWS's key for SNS, which every publisher may use.

    The alias is written as a name: the CDK would write its ARN, for which AWS does not create the key in an account
    that has none yet, and nothing could be published (https://github.com/aws/aws-cdk/issues/22605).
    """
    topic = sns.Topic(scope, name, enforce_ssl=True)
    resource = topic.node.default_child
    assert isinstance(resource, sns.CfnTopic)
    resource.kms_master_key_id = "alias/aws/sns"
    return topic
